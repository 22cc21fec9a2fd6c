#ifndef MW_FORMATS_ARCHIVE_USER_DEFINITIONS_H
#define MW_FORMATS_ARCHIVE_USER_DEFINITIONS_H

#include <otf2/otf2.h>

#include "formats/archive/defining.h"

/*
 * OTF2's definitions of what the program said by the API: regions, texts, parameters.
 * Part of formats/global_definitions and of formats/local_definitions.
 */

/* The texts as the strings 0, 1, … : to be called before any other string is defined. */
void mw_user_texts_write(struct mw_defining *defining);

/*
 * Regions, whose ids go on from first, and parameters, where there are any. OTF2 knows no
 * class for the paradigm USER, so that it needs no definition.
 */
void mw_user_definitions_write(struct mw_defining *defining, uint32_t first);

/* A location's mapping table of texts, if it has any. */
OTF2_ErrorCode mw_user_maps_write(OTF2_DefWriter *writer, const struct mw_user_map *map);

#endif
