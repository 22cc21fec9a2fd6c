#ifndef MW_FORMATS_ARCHIVE_OBJECT_DEFINITIONS_H
#define MW_FORMATS_ARCHIVE_OBJECT_DEFINITIONS_H

#include <otf2/otf2.h>

#include "formats/archive/defining.h"

/*
 * The definitions of windows, files and open files: OTF2's RmaWin, IoRegularFile and
 * IoHandle, and the one IoParadigm, MPI-IO, if there is a file.
 */

/* Communicators have to be defined before. */
void mw_object_definitions_write(struct mw_defining *defining);

/* The mapping tables of one location. */
OTF2_ErrorCode mw_object_maps_write(OTF2_DefWriter *writer, const struct mw_object_map *map);

#endif
