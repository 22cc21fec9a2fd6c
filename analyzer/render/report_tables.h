#ifndef MWA_RENDER_REPORT_TABLES_H
#define MWA_RENDER_REPORT_TABLES_H

#include <stdio.h>

#include "analyzer/render/results.h"

/*
 * The report's tables, at most eight lines: wait states on the left and MPI calls on the
 * right, or calls alone with more columns where nobody waited.
 */
void mwa_report_tables(const struct mwa_results *results, FILE *out);

#endif
