#ifndef MWA_EXPORT_RANK_STATES_PNG_H
#define MWA_EXPORT_RANK_STATES_PNG_H

#include <stdio.h>

#include "analyzer/analysis/results.h"

/*
 * A picture: time from left to right, a row per rank (results->rank: only this), in each bin the
 * states stacked by their shares. \return MW_OK; MW_ERROR_MEMORY. Errors of out stay in it.
 */
enum mw_status mwa_png_rank_states(const struct mwa_results *results, FILE *out) MW_MUST_CHECK;

#endif
