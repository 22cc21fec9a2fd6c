#ifndef MWA_ANALYSIS_EFFICIENCY_IDEAL_REPLAY_H
#define MWA_ANALYSIS_EFFICIENCY_IDEAL_REPLAY_H

#include "analyzer/analysis/analysis.h"
#include "analyzer/analysis/efficiency/ideal.h"
#include "analyzer/analysis/efficiency/stretches.h"

/*
 * Goes through the run once more, rank by rank as messages and collectives allow: the clocks
 * of the ideal network (ideal.h) and the critical path (critical_path.h).
 *
 * It learns from two sides: of calls, messages and collectives by the exchange engine, which
 * may lag behind; of regions of the program by waypoints, as the pass reads them. Both are of
 * main threads: messages of other threads are only noticed.
 */

struct mwa_replay_result {
    struct mwa_ideal ideal;
    bool has_run; /* of any rank */
    bool threads; /* others than main threads exchange messages */

    struct mwa_rank_stretch *stretches; /* of main threads */
    uint64_t stretch_count;

    /* The critical path. Ticks. */
    uint32_t end_rank;
    uint64_t hops;
    uint64_t *region_ticks; /* by region index; one more for none */
    uint64_t *rank_ticks;   /* by world rank */
};

/* Finishes into struct mwa_replay_result. */
extern const struct mwa_exchange_analysis mwa_replay_analysis;

void mwa_replay_result_fini(struct mwa_replay_result *result);

#endif
