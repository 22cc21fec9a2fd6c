#ifndef MWA_RENDER_CRITICAL_PATH_H
#define MWA_RENDER_CRITICAL_PATH_H

#include <stdio.h>

#include "analyzer/render/results.h"

/* results->critical_path as text and as mpiwatch-critical-path/1. */
void mwa_text_critical_path(const struct mwa_results *results, FILE *out);

#endif
