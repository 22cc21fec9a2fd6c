#ifndef MW_FORMATS_ARCHIVE_THREAD_DEFINITIONS_H
#define MW_FORMATS_ARCHIVE_THREAD_DEFINITIONS_H

#include <otf2/otf2.h>

#include "formats/merge/merge.h"

/*
 * What OTF2 wants to be defined for ThreadBegin and ThreadEnd: the paradigm of POSIX
 * threads, the group of all locations of processes with several threads, and for each of
 * these processes the group of its own and a Comm of that, its thread contingent.
 */
struct mw_thread_definitions {
    OTF2_GlobalDefWriter *writer;
    const struct mw_merged *merged;
    uint32_t first_group; /* id of the first group */
    uint32_t string_count; /* id of the next string */
    bool out_of_memory;
    OTF2_ErrorCode code; /* the first that was not OTF2_SUCCESS */
};

/* Locations and communicators have to be defined before. */
void mw_thread_definitions_write(struct mw_thread_definitions *defining);

#endif
