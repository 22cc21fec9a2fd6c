#ifndef MW_TEST_DATA_MAKER_KIT_H
#define MW_TEST_DATA_MAKER_KIT_H

#include <stdio.h>
#include <stdlib.h>

#include "test/data/maker.h"

/* What the maker's own files have in common. */

/* Attributes, if the archive tells what probes found. */
enum { FOUND_COMM = 4, FOUND_SOURCE, FOUND_TAG };

/* Both end the program where something could not be made. */
static inline void check(OTF2_ErrorCode code, const char *what)
{
    if (code != OTF2_SUCCESS) {
        fprintf(stderr, "maker: %s: %s\n", what, OTF2_Error_GetDescription(code));
        exit(1);
    }
}

static inline void *need(void *pointer)
{
    if (!pointer) {
        fprintf(stderr, "maker: a null pointer\n");
        exit(1);
    }
    return pointer;
}

#endif
