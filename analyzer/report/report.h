#ifndef MWA_REPORT_REPORT_H
#define MWA_REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "analyzer/analysis/results.h"

/*
 * The report for people: at most 24 lines of 100 columns, whatever the archive. Wants all
 * results. color: with escape sequences. Errors of out stay in out.
 */
void mwa_text_report(const struct mwa_results *results, bool color, FILE *out);

#endif
