#ifndef MWA_REPORT_TEXT_H
#define MWA_REPORT_TEXT_H

#include <stdio.h>

#include "analyzer/analysis/results.h"

/* The results for people, on a screen. Errors of out stay in out. */
void mwa_text_info(const struct mwa_results *results, FILE *out);
void mwa_text_calls(const struct mwa_results *results, FILE *out);
void mwa_text_ranks(const struct mwa_results *results, FILE *out);
void mwa_text_messages(const struct mwa_results *results, FILE *out);

#endif
