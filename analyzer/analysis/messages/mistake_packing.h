#ifndef MWA_ANALYSIS_MESSAGES_MISTAKE_PACKING_H
#define MWA_ANALYSIS_MESSAGES_MISTAKE_PACKING_H

#include "analyzer/analysis/messages/mistakes.h"

/*
 * Mistakes between processes (analyzer/team/packing.h). unpack takes them out into zeros, of which
 * mwa_mistakes_fini is due in any case. MW_OK, MW_ERROR_MEMORY, MW_ERROR_FORMAT: these are other
 * bytes.
 */
void mwa_mistakes_pack(const struct mwa_mistakes *mistakes, struct mw_buffer *to);
enum mw_status mwa_mistakes_unpack(struct mwa_mistakes *mistakes, const struct mwa_trace *trace,
                                   struct mw_cursor *from) MW_MUST_CHECK;

#endif
