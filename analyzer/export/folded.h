#ifndef MWA_EXPORT_FOLDED_H
#define MWA_EXPORT_FOLDED_H

#include <stdio.h>

#include "analyzer/analysis/results.h"

/*
 * Folded stacks, as flamegraph.pl and inferno read them: a line "function;function;call ns" for
 * each stack, whose first frame says what is counted: all time in calls of MPI, or what of it is
 * waiting. Errors of out stay in out.
 */
#define MWA_FOLDED_TIME  "MPI time"
#define MWA_FOLDED_WAITS "MPI waiting"

/* results have MWA_NEED_FLAME. \return MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_export_folded(const struct mwa_results *results, bool waits, FILE *out,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
