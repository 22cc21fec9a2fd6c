#ifndef MWA_REPORT_TRUST_LINE_H
#define MWA_REPORT_TRUST_LINE_H

#include <stdbool.h>
#include <stdio.h>

#include "analyzer/analysis/results.h"
#include "analyzer/table/line.h"

/*
 * Prints how far the report can be trusted: events, and what of them was lost, has no partner, was
 * left out or breaks the order of clocks; and how the run ended, if it was not by MPI_Finalize. In
 * green or red where there is color. results have MWA_NEED_REPORT.
 */
void mwa_put_trust(const struct mwa_results *results, bool color, FILE *out);

/*
 * Adds how the run ended; of one that was killed, up to when it is known: the moment of the last
 * record where events were read.
 *
 * \return whether the archive says how it ended: else nothing is added.
 */
bool mwa_add_ended(const struct mwa_results *results, struct mwa_line *line);

/* What clock violations may be as well, in words to follow how far they go; empty: nothing. */
const char *mwa_or_mismatched(const struct mwa_results *results);

#endif
