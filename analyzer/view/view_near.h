#ifndef MWA_VIEW_VIEW_NEAR_H
#define MWA_VIEW_VIEW_NEAR_H

#include <jansson.h>

#include "analyzer/view/view_store.h"

#define MWA_VIEW_CALLS_MOST 4000u /* in an answer; and messages, and waits */

/* What a view shows: a stretch of time, in ticks, and some rows. */
struct mwa_view_span {
    uint64_t from;
    uint64_t to;
    uint32_t first_row;
    uint32_t row_count;
};

/* The row of a location, MWA_NONE: it has none. */
uint32_t mwa_view_row_of(const struct mwa_view_store *store, uint32_t location);

/*
 * The single calls of a span, with their waits, and the messages of which one end is in it:
 *
 *     { "names": ["MPI_Send", …],
 *       "calls": [[number, row, depth, enter, leave, name, state, times], …],
 *       "waits": [[row, from, to], …],
 *       "messages": [[number, row, sent, row, received], …] }
 *
 * Times are ticks since store->from; rows of other locations are null, and states of regions of the
 * program. Where more than MWA_VIEW_CALLS_MOST calls begin, there is "many" instead, how many; of
 * waits and messages that are more the rest is left out. Null without memory.
 */
json_t *mwa_view_near(const struct mwa_view_store *store, const struct mwa_view_span *span);

#endif
