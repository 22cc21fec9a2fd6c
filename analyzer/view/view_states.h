#ifndef MWA_VIEW_VIEW_STATES_H
#define MWA_VIEW_VIEW_STATES_H

#include "analyzer/view/view_store.h"

/*
 * What a location did from one time to another, in ticks by state, exactly as
 * analyzer/analysis/time/rank_states.h has it, in a time that does not depend on how long that is:
 * by differences of what had been done until then, which blocks know.
 */

/* Fills the blocks of a store whose calls and waits are all there. */
void mwa_view_states_make(struct mwa_view_store *store);

/* Sums since the first event: to be subtracted from each other. */
struct mwa_view_done {
    uint64_t ticks[MWA_RANK_STATES];
};

/* What location (index) had done at time. Any thread, once the blocks are there. */
struct mwa_view_done mwa_view_done_at(const struct mwa_view_store *store, uint32_t location,
                                      uint64_t time);

/* The location's time in its run until time, ticks, but for pauses: of these what calls cover
 * counts. Any thread, once all events are read. */
uint64_t mwa_view_run_until(const struct mwa_view_location *location, uint64_t time);

/*
 * mwa_view_done_at at one time after another: cheap where these are near each other. location
 * stays, and entered counts its calls that were entered until then. Of one thread.
 */
struct mwa_view_cursor {
    const struct mwa_view_store *store;
    const struct mwa_view_location *location;
    uint64_t entered;
    uint64_t since; /* of the call that covers: what of it is behind is in sums */
    struct mwa_view_block sums;
};

void mwa_view_cursor_init(struct mwa_view_cursor *cursor, const struct mwa_view_store *store,
                          uint32_t location);

/* What mwa_view_done_at has for that time, which is none before the last one. */
struct mwa_view_done mwa_view_cursor_go(struct mwa_view_cursor *cursor, uint64_t time);

#endif
