#ifndef MWA_REPORT_RANK_STATES_TEXT_H
#define MWA_REPORT_RANK_STATES_TEXT_H

#include <stdio.h>

#include "analyzer/analysis/results.h"

/* What ranks do over time; of results->rank only this one. */

/* A line per rank with a letter for each bin; many ranks share lines. */
void mwa_text_rank_states(const struct mwa_results *results, bool color, FILE *out);

#endif
