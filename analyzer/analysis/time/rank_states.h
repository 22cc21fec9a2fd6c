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

/* "waiting", or as mwa_state_name. */
const char *mwa_rank_state_name(unsigned state);

/* Waits of a window, to be collected by mwa_rank_waits_take as they are found. */
struct mwa_rank_waits {
    const struct mwa_window *window;
    struct mwa_rank_states waits; /* of each state, the ticks that are waiting */
};

/* \return MW_OK; MW_ERROR_MEMORY. waits is to be freed with mwa_rank_states_fini. */
enum mw_status mwa_rank_waits_init(struct mwa_rank_waits *waits, const struct mwa_trace *trace,
                                   const struct mwa_window *window) MW_MUST_CHECK;

/* A mwa_wait_sink; user is the struct mwa_rank_waits. */
enum mw_status mwa_rank_waits_take(void *user, uint32_t rank, const struct mwa_region *call,
                                   uint64_t from, uint64_t to) MW_MUST_CHECK;

/* Takes waits out of the states that they are part of, and makes them a state of their own. */
void mwa_rank_states_split(struct mwa_rank_states *states, const struct mwa_rank_waits *waits);

#endif
