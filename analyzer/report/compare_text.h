#ifndef MWA_REPORT_COMPARE_TEXT_H
#define MWA_REPORT_COMPARE_TEXT_H

#include <stdio.h>

#include "analyzer/report/compare.h"

/*
 * Prints a sorted comparison for people: sentences first, what is different in the runs, then a
 * column per run; of two runs also what changed, in percent; of runs with different ranks a line
 * per run, and the factor that falls first.
 */
void mwa_text_compare(const struct mwa_comparison *comparison, FILE *out);

#endif
