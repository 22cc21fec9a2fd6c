#ifndef MWA_ANALYSIS_MATCHING_PACKING_H
#define MWA_ANALYSIS_MATCHING_PACKING_H

#include "analyzer/exchange/matching.h"
#include "formats/base/buffer.h"

/* What matching has found, for another process (analyzer/team/packing.h). */

void mwa_matching_result_pack(const struct mwa_matching_result *result, struct mw_buffer *to);

/*
 * Takes it out into *result, to be freed with mwa_matching_result_fini in any case.
 *
 * \return MW_OK; MW_ERROR_MEMORY; MW_ERROR_FORMAT: these are other bytes.
 */
enum mw_status mwa_matching_result_unpack(const struct mwa_trace *trace, struct mw_cursor *from,
                                          struct mwa_matching_result *result) MW_MUST_CHECK;

#endif
