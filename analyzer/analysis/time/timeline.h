#ifndef MWA_ANALYSIS_TIME_TIMELINE_H
#define MWA_ANALYSIS_TIME_TIMELINE_H

#include "analyzer/analysis/analysis.h"
#include "analyzer/analysis/time/call_state.h"

/*
 * What each rank's main thread did when: of each bin of time the share of every state.
 *
 * States are those of call_state.h, useful within the rank's run (see profile.h).
 *
 * The shares of a bin add up to less than 1 where nothing is known: before the first
 * event and after the last one, while recording was paused, and outside of the run. Of
 * coalesced polls what is not inside of MPI is useful.
 *
 * What of a call is waiting for another rank, by analyzer/analysis/waits/waits.h, is taken out of
 * the call's state by mwa_timeline_split; without that it is all of the call's. A wait in a row of
 * polls is of what the last one completes: what of it is in others, which tell nothing, is taken
 * out of p2p.
 */

#define MWA_TIMELINE_WAITING MWA_STATES /* the state behind the others */
#define MWA_TIMELINE_STATES  (MWA_STATES + 1)

#define MWA_TIMELINE_BINS 1000u /* at most */
#define MWA_TIMELINE_ROWS 1024u /* at most: of more ranks several share a row, and are averaged */

struct mwa_timeline {
    struct mwa_window window; /* from mwa_trace_origin, or the first event, to the last one
                                 of main threads; no bins: none */
    uint32_t rows;
    uint32_t ranks_per_row; /* row r: ranks r * ranks_per_row and on, the last row fewer */
    float *shares; /* 0 to 1, [row][bin][MWA_TIMELINE_STATES] */
};

extern const struct mwa_analysis mwa_timeline_analysis; /* finishes into struct mwa_timeline */

void mwa_timeline_fini(struct mwa_timeline *timeline);

/* The shares of a bin: MWA_TIMELINE_STATES of them. */
static inline const float *mwa_timeline_at(const struct mwa_timeline *timeline, uint32_t row,
                                           uint32_t bin)
{
    return timeline->shares + ((size_t)row * timeline->window.bins + bin) * MWA_TIMELINE_STATES;
}

/* Waits, collected as they are found. */
struct mwa_timeline_waits {
    void *partial; /* of each state, what is waiting */
};

/* … struct mwa_timeline_waits */
extern const struct mwa_wait_analysis mwa_timeline_waits_analysis;

void mwa_timeline_waits_fini(struct mwa_timeline_waits *waits);

/* Takes waits out of the states that they are part of. \return MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_timeline_split(struct mwa_timeline *timeline,
                                  const struct mwa_timeline_waits *waits) MW_MUST_CHECK;

#endif
