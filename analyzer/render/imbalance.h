#ifndef MWA_RENDER_IMBALANCE_H
#define MWA_RENDER_IMBALANCE_H

#include <stdio.h>

#include "analyzer/render/results.h"

/* How evenly ranks share the run: results->imbalance as text and as mpiwatch-imbalance/1. */
void mwa_text_imbalance(const struct mwa_results *results, FILE *out);

#endif
