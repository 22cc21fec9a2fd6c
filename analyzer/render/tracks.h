#ifndef MWA_RENDER_TRACKS_H
#define MWA_RENDER_TRACKS_H

#include <stdio.h>

#include "analyzer/render/results.h"

/* Variables and levels on the screen, of results->rank; series: a line per value. */
void mwa_text_counters(const struct mwa_results *results, FILE *out);
void mwa_text_series(const struct mwa_results *results, FILE *out);
void mwa_text_watermarks(const struct mwa_results *results, FILE *out);

#endif
