#ifndef MWA_REPORT_WAITS_TEXT_H
#define MWA_REPORT_WAITS_TEXT_H

#include <stdio.h>

#include "analyzer/analysis/results.h"

/*
 * Wait states: results->waits as text, with the worst top instances, as mpiwatch-waits/1,
 * and as a table with a row for each pattern and rank. Needs results->profile.
 */
void mwa_text_waits(const struct mwa_results *results, uint32_t top, FILE *out);

#endif
