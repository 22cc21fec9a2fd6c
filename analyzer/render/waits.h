#ifndef MWA_RENDER_WAITS_H
#define MWA_RENDER_WAITS_H

#include <stdio.h>

#include "analyzer/render/results.h"

/*
 * Wait states: results->waits as text, with the worst top instances, as mpiwatch-waits/1,
 * and as a table with a row for each pattern and rank. Needs results->profile.
 */
void mwa_text_waits(const struct mwa_results *results, uint32_t top, FILE *out);

#endif
