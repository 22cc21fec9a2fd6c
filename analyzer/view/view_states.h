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

#endif
