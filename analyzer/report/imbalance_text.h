#ifndef MWA_REPORT_IMBALANCE_TEXT_H
#define MWA_REPORT_IMBALANCE_TEXT_H

#include <stdio.h>

#include "analyzer/analysis/results.h"

/* How evenly ranks share the run: results->imbalance as text and as mpiwatch-imbalance/1. */
void mwa_text_imbalance(const struct mwa_results *results, FILE *out);

#endif
