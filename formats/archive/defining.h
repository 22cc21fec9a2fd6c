#ifndef MW_FORMATS_ARCHIVE_DEFINING_H
#define MW_FORMATS_ARCHIVE_DEFINING_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdint.h>

#include "formats/merge/merge.h"

/*
 * The global definitions while they are written: what formats/archive/global_definitions and its
 * parts share. The first failure is kept, and what comes behind it is written all the same.
 */
struct mw_defining {
    OTF2_GlobalDefWriter *writer;
    const struct mw_merged *merged;
    uint32_t string_count; /* id of the next string */
    uint32_t empty;        /* the string "" */
    OTF2_ErrorCode code;   /* the first that was not OTF2_SUCCESS */
    bool out_of_memory;
};

void mw_defining_note(struct mw_defining *defining, OTF2_ErrorCode code);

/* Defines a string and returns its id. */
uint32_t mw_defining_string(struct mw_defining *defining, const char *text);

#endif
