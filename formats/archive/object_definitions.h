#ifndef MW_FORMATS_ARCHIVE_OBJECT_DEFINITIONS_H
#define MW_FORMATS_ARCHIVE_OBJECT_DEFINITIONS_H

#include <otf2/otf2.h>

#include "formats/merge/merge.h"

/*
 * The definitions of windows, files and open files: OTF2's RmaWin, IoRegularFile and
 * IoHandle, and the one IoParadigm, MPI-IO, if there is a file.
 *
 * first_string is the id of the next string; strings come as the first of what they
 * belong to.
 */
struct mw_object_definitions {
    OTF2_GlobalDefWriter *writer;
    const struct mw_merged *merged;
    uint32_t string_count;
    bool out_of_memory;
    OTF2_ErrorCode code; /* the first that was not OTF2_SUCCESS */
};

/* Communicators have to be defined before. */
void mw_object_definitions_write(struct mw_object_definitions *defining);

/* The mapping tables of one location. */
OTF2_ErrorCode mw_object_maps_write(OTF2_DefWriter *writer, const struct mw_object_map *map);

#endif
