#ifndef MWA_REPORT_EXTREME_RANKS_H
#define MWA_REPORT_EXTREME_RANKS_H

#include <stdio.h>

#include "analyzer/analysis/results.h"
#include "analyzer/analysis/summary.h"
#include "analyzer/table/table.h"

/* Which ranks have lines where there are too many for all to have one. */

#define MWA_RANKS_WITH_LINES 64u /* so many all have */

/*
 * Of results with MWA_NEED_PROFILE: those that have least and most useful time and time in MPI, and
 * were off their cores most, eight of each, of equal ones the lowest; and the first eight whose
 * record is incomplete or that have no events.
 *
 * \return a flag for each rank, to be freed. Null: there are no more than all have lines for, or no
 * memory: then all are to be shown.
 */
bool *mwa_extreme_ranks(const struct mwa_results *results);

/* A table of ranks for people with those that are flagged only: its root's row is the flags. */
struct mwa_table mwa_extreme_ranks_table(const struct mwa_table *of_all);

/* "useful from 1.2 s (rank 5) to 3.4 s (rank 1), on average 2.3 s", of name "useful". */
void mwa_put_spread(const char *name, const struct mwa_spread *spread, FILE *out);

/* How many are not shown, and why, with the end of the line; nothing where none are left out. */
void mwa_say_extreme_ranks(const struct mwa_results *results, const bool *is_extreme, FILE *out);

#endif
