#ifndef MW_FORMATS_ARCHIVE_ARCHIVE_JSON_SITES_H
#define MW_FORMATS_ARCHIVE_ARCHIVE_JSON_SITES_H

#include "formats/base/json_writer.h"
#include "formats/merge/merge.h"

/* "sites" and "modules" of mpiwatch.json, if there are any: a part of formats/archive_json. */
void mw_json_sites(struct mw_json *json, const struct mw_merged *merged, uint32_t first_region);

#endif
