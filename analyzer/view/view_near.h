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
    const uint32_t *list; /* the rows, each once; null: row_count of them from first_row on */
};

/* The row at a place below row_count. */
static inline uint32_t mwa_view_span_row(const struct mwa_view_span *span, uint32_t place)
{
    return span->list ? span->list[place] : span->first_row + place;
}

/* The row of a location, MWA_NONE: it has none. */
uint32_t mwa_view_row_of(const struct mwa_view_store *store, uint32_t location);

/*
 * The single calls of a span, with their waits, and the messages of which one end is in it:
 *
 *     { "names": ["MPI_Send", …],
 *       "calls": [[number, row, depth, enter, leave, name, state, times], …],
 *       "waits": [[row, from, to, number], …],
 *       "messages": [[number, row, sent, row, received], …],
 *       "bands": [as mwa_view_band has them],
 *       "accesses": [as mwa_view_accesses has them] }
 *
 * Times are ticks since store->from; rows of locations that have none are null, and so are states
 * of regions of the program, but for those of threads and streams that wait for each other or copy:
 * state is that of location_activity.h then. Where more than MWA_VIEW_CALLS_MOST calls begin, there
 * is "many" instead, how many; of waits and messages that are more the rest is left out. Null
 * without memory.
 */
json_t *mwa_view_near(const struct mwa_view_store *store, const struct mwa_view_span *span);

#endif
