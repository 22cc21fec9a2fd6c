#ifndef MWA_REPORT_TRUST_LINE_H
#define MWA_REPORT_TRUST_LINE_H

#include <stdbool.h>
#include <stdio.h>

#include "analyzer/analysis/results.h"

/*
 * Prints how far the report can be trusted: events, and what of them was lost, has no partner, was
 * left out or breaks the order of clocks; and how the run ended, if it was not by MPI_Finalize. In
 * green or red where there is color. results have MWA_NEED_REPORT.
 */
void mwa_put_trust(const struct mwa_results *results, bool color, FILE *out);

#endif
