#ifndef MWA_ANALYSIS_PASS_INTERNAL_H
#define MWA_ANALYSIS_PASS_INTERNAL_H

#include "analyzer/analysis/pass.h"

/* What analyzer/analysis/pass.c and analyzer/analysis/share_out.c share. */

/* Sets totals to empty partial results, or null from where there is no memory. */
enum mw_status mwa_pass_begin(const struct mwa_pass *pass, void **totals,
                              struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* How many threads are worth it: at most what the input may have, and one per location. */
uint32_t mwa_pass_threads(const struct mwa_pass *pass);

/* Reads one location, if the pass wants it, and adds to totals and result. */
enum mw_status mwa_pass_location(const struct mwa_pass *pass, uint32_t location, void **totals,
                                 struct mwa_pass_result *result,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * A pass without an ordering by several threads, each of which takes the next location
 * that none has taken. Returns as mwa_pass_run; of several failures, that of the lowest
 * location.
 */
enum mw_status mwa_pass_share_out(const struct mwa_pass *pass, void **totals,
                                  struct mwa_pass_result *result,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
