#ifndef MWA_REPORT_REPORT_TABLES_H
#define MWA_REPORT_REPORT_TABLES_H

#include <stdio.h>

#include "analyzer/analysis/results.h"

/*
 * The report's tables, at most so many lines, of which six are always had and no more than eight:
 * wait states on the left and MPI calls on the right, or calls alone with more columns where
 * nobody waited. What stands around them says little without them, however long it gets. Returns
 * how many lines there are.
 */
unsigned mwa_report_tables(const struct mwa_results *results, unsigned lines, FILE *out);

#endif
