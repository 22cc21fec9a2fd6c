#ifndef MWA_REPORT_VARIABLES_TEXT_H
#define MWA_REPORT_VARIABLES_TEXT_H

#include <stdio.h>

#include "analyzer/analysis/results.h"

/* Variables and levels on the screen, of results->rank; series: a line per value. */
void mwa_text_counters(const struct mwa_results *results, FILE *out);
void mwa_text_series(const struct mwa_results *results, FILE *out);
void mwa_text_watermarks(const struct mwa_results *results, FILE *out);

#endif
