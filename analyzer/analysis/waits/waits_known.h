#ifndef MWA_ANALYSIS_WAITS_WAITS_KNOWN_H
#define MWA_ANALYSIS_WAITS_WAITS_KNOWN_H

#include "analyzer/analysis/time/profile.h"
#include "analyzer/analysis/waits/waits.h"
#include "analyzer/exchange/exchange.h"

/*
 * Whether an archive tells what a pattern is found by. Other tools may record calls without what
 * they mean: then a pattern that has no time is not known, and not absent.
 *
 * \return a call that could have waited so, and of which no event says with whom it has to do;
 *         null: the pattern is known, or there is no call of its kind.
 */
const struct mwa_region *mwa_wait_unknown(const struct mwa_trace *trace,
                                          const struct mwa_profile *profile,
                                          const struct mwa_exchange_result *exchange,
                                          enum mwa_wait_pattern pattern);

#endif
