#ifndef MWA_ANALYSIS_PASS_TOGETHER_H
#define MWA_ANALYSIS_PASS_TOGETHER_H

#include "analyzer/analysis/pass.h"

/* Whether pass reads location, an index of its trace. */
bool mwa_pass_wants(const struct mwa_pass *pass, uint32_t location);

/* Runs pass, which has an ordering or an engine, into totals, which are empty partial results.
 * Returns as mwa_pass_run. */
enum mw_status mwa_pass_together(const struct mwa_pass *pass, void **totals,
                                 struct mwa_pass_result *result,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
