#ifndef MWA_REPORT_POP_TEXT_H
#define MWA_REPORT_POP_TEXT_H

#include <stdio.h>

#include "analyzer/analysis/results.h"

/* results->pop as text and as mpiwatch-pop/1; its regions as a table. */
void mwa_text_pop(const struct mwa_results *results, FILE *out);

/* "0.81", or "-" for what is not defined; text is of MWA_UNITS_BYTES. Returns text. */
const char *mwa_factor_text(double factor, char *text);

#endif
