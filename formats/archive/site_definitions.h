#ifndef MW_FORMATS_ARCHIVE_SITE_DEFINITIONS_H
#define MW_FORMATS_ARCHIVE_SITE_DEFINITIONS_H

#include "formats/archive/defining.h"

/*
 * The places that calls were made at, as regions with a source file and a line: a part of
 * formats/archive/global_definitions. Their ids begin with first.
 */
void mw_site_definitions_write(struct mw_defining *defining, uint32_t first);

#endif
