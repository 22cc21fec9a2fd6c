#ifndef MWA_REPORT_RANK_GROUPS_TEXT_H
#define MWA_REPORT_RANK_GROUPS_TEXT_H

#include <stdio.h>

#include "analyzer/report/text.h"

#define MWA_HOSTS_WITH_LINES    16u /* so many all have */
#define MWA_CLUSTERS_WITH_LINES 12u

/*
 * Of results with MWA_NEED_RANK_GROUPS and more than MWA_RANKS_WITH_LINES ranks: clusters, the
 * largest first, and hosts, of more than have lines those that have least and most useful time on
 * average and share of MPI, three of each; all of both with screen->all_ranks. Of fewer ranks
 * nothing. A blank line stands behind each table. Errors of out stay in out.
 */
void mwa_text_rank_groups(const struct mwa_results *results, const struct mwa_screen *screen,
                          FILE *out);

/* The report's line of the same, of two lines at most; nothing of so few ranks. */
void mwa_put_alike_line(const struct mwa_results *results, FILE *out);

/* A flag for each host that has a line, to be freed; null: all have, or there is no memory. */
bool *mwa_extreme_hosts(const struct mwa_results *results);

/* The table of hosts for people with those that are flagged only: its root's row is the flags. */
struct mwa_table mwa_extreme_hosts_table(void);

/* How many are not shown, and why, with the end of the line; nothing where none are left out. */
void mwa_say_extreme_hosts(const struct mwa_results *results, const bool *is_extreme, FILE *out);

#endif
