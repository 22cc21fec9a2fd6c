#ifndef MWA_ANALYSIS_TIME_RANK_STATES_H
#define MWA_ANALYSIS_TIME_RANK_STATES_H

#include "analyzer/analysis/time/timeline.h"

/*
 * What each rank's main thread did in each bin of a window (the pass must have one): ticks by
 * state, exactly. States are those of timeline.h; useful time is within the rank's run. What
 * of a call is waiting, by analyzer/analysis/waits/waits.h, is taken out of the call's state.
 */

enum { MWA_STATE_WAITING = MWA_STATES, MWA_RANK_STATES };

struct mwa_rank_states {
    uint64_t rank_count;
    uint32_t bins;
    uint64_t *ticks; /* [rank][bin][MWA_RANK_STATES] */
};

/* Finishes into struct mwa_rank_states, without waiting. */
extern const struct mwa_analysis mwa_rank_states_analysis;

void mwa_rank_states_fini(struct mwa_rank_states *states);

static inline uint64_t *mwa_rank_states_at(const struct mwa_rank_states *states, uint64_t rank,
                                           uint32_t bin)
{
    return states->ticks + (rank * states->bins + bin) * MWA_RANK_STATES;
}

/* Waits of a window, collected as they are found. */
struct mwa_rank_waits {
    const struct mwa_window *window;
    struct mwa_rank_states waits; /* of each state, the ticks that are waiting */
};

extern const struct mwa_wait_analysis mwa_rank_waits_analysis; /* … struct mwa_rank_waits */

void mwa_rank_waits_fini(struct mwa_rank_waits *waits);

/* Takes waits out of the states that they are part of: they are a state of their own. MW_OK. */
enum mw_status mwa_rank_states_split(struct mwa_rank_states *states,
                                     const struct mwa_rank_waits *waits) MW_MUST_CHECK;

#endif
