#ifndef MWA_ANALYSIS_HANG_HANG_SENTENCES_H
#define MWA_ANALYSIS_HANG_HANG_SENTENCES_H

#include "analyzer/analysis/hang/hang.h"

/*
 * Says what hang's graph shows, now (ticks; 0: not asked for) since when ranks are where they are.
 * Names of communicators and files are as the archive has them.
 * \return MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_hang_sentences_make(const struct mwa_trace *trace,
                                       const struct mwa_hang_states *states, uint64_t now,
                                       struct mwa_hang *hang) MW_MUST_CHECK;

#endif
