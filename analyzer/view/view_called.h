#ifndef MWA_VIEW_VIEW_CALLED_H
#define MWA_VIEW_VIEW_CALLED_H

#include <jansson.h>

#include "analyzer/view/view_store.h"

/* Which functions of MPI ranks call how often: by that the page tells ranks apart. Any thread. */

#define MWA_VIEW_COUNTED_MOST 20000000u /* calls and regions that are looked at, of all ranks */

/*
 * Of each main thread, in the order of their rows: when its run was, in ticks since store->from
 * (null: it has no events), and how often it calls what, the most called first, then by name, as
 * mpiwatch-analyze calls counts:
 *
 *     { "names": ["MPI_Send", …], "until": null,
 *       "rows": [{ "from": ticks, "to": ticks, "calls": [[name, times], …] }, …],
 *       "time_apart": 0.05, "calls_apart": 0.1,
 *       "clusters": [{ "rows": [row, …], "states": [share, …], "called": [[name, times], …] }, …] }
 *
 * Names are positions in names. Clusters are those of analyzer/model/clusters.h, of the shares of
 * the time in each state, as /span has them from when the first rank leaves MPI_Init, and of these
 * calls: by their first rows, with the means of their rows' shares and the sums of their calls.
 * Where there are more than MWA_VIEW_COUNTED_MOST calls and regions, "until" is how many of each
 * rank's first ones were looked at. Null: no memory.
 */
json_t *mwa_view_called(const struct mwa_view_store *store);

#endif
