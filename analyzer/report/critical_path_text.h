#ifndef MWA_REPORT_CRITICAL_PATH_TEXT_H
#define MWA_REPORT_CRITICAL_PATH_TEXT_H

#include <stdio.h>

#include "analyzer/analysis/results.h"

/* results->critical_path as text and as mpiwatch-critical-path/1. */
void mwa_text_critical_path(const struct mwa_results *results, FILE *out);

#endif
