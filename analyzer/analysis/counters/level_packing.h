#ifndef MWA_ANALYSIS_COUNTERS_LEVEL_PACKING_H
#define MWA_ANALYSIS_COUNTERS_LEVEL_PACKING_H

#include "analyzer/analysis/counters/level_marks.h"
#include "formats/base/buffer.h"

/*
 * What mwa_level_marks_go_on asks of later as plain bytes, for another process
 * (analyzer/team/packing.h): pack appends it; unpack takes it out into marks that were just
 * initialized with the same options, of which nothing will be asked but to be later. MW_OK,
 * MW_ERROR_MEMORY, MW_ERROR_FORMAT: these are other bytes.
 */
void mwa_level_marks_pack(const struct mwa_level_marks *marks, struct mw_buffer *to);
enum mw_status mwa_level_marks_unpack(struct mwa_level_marks *marks,
                                      struct mw_cursor *from) MW_MUST_CHECK;

#endif
