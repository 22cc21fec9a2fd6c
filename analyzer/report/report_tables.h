#ifndef MWA_REPORT_REPORT_TABLES_H
#define MWA_REPORT_REPORT_TABLES_H

#include <stdio.h>

#include "analyzer/analysis/results.h"

/*
 * The report's tables, at most so many lines and no more than eight: wait states on the left and
 * MPI calls on the right, or calls alone with more columns where nobody waited. Below three lines
 * there are none. Returns how many lines there are.
 */
unsigned mwa_report_tables(const struct mwa_results *results, unsigned lines, FILE *out);

#endif
