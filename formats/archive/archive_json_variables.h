#ifndef MW_FORMATS_ARCHIVE_ARCHIVE_JSON_VARIABLES_H
#define MW_FORMATS_ARCHIVE_ARCHIVE_JSON_VARIABLES_H

#include "formats/base/json_writer.h"
#include "formats/merge/merge.h"

/* Writes "variables" of mpiwatch.json (formats/ARCHIVE.md). Part of formats/archive_json. */
void mw_json_variables(struct mw_json *json, const struct mw_merged *merged);

#endif
