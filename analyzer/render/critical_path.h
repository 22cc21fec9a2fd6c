#ifndef MWA_RENDER_CRITICAL_PATH_H
#define MWA_RENDER_CRITICAL_PATH_H

#include <stdio.h>

#include <jansson.h>

#include "analyzer/render/results.h"

/* results->critical_path as text and as mpiwatch-critical-path/1. */
void mwa_text_critical_path(const struct mwa_results *results, FILE *out);
json_t *mwa_json_critical_path(const struct mwa_results *results);
void mwa_csv_critical_path(const struct mwa_results *results, FILE *out);

#endif
