#ifndef MW_FORMATS_ARCHIVE_ARCHIVE_JSON_SAMPLES_H
#define MW_FORMATS_ARCHIVE_ARCHIVE_JSON_SAMPLES_H

#include <stdint.h>

#include "formats/base/json_writer.h"
#include "formats/merge/merge.h"

/* "samples" of the archive, if any process was to be looked at; the regions of places are from
 * first_region on. */
void mw_json_samples(struct mw_json *json, const struct mw_merged *merged, uint32_t first_region);

#endif
