#ifndef MWA_ANALYSIS_EFFICIENCY_IDEAL_H
#define MWA_ANALYSIS_EFFICIENCY_IDEAL_H

#include <stdint.h>

#include "analyzer/model/trace.h"

/*
 * The run replayed on an ideal network: no latency, no limit of bandwidth, buffers without
 * end, MPI calls that cost nothing (POP's and Dimemas's ideal network, computed here in one
 * pass without a simulator). Each rank's main thread p has a clock c_p:
 *
 *   run's beginning       c_p = 0
 *   useful time           c_p advances with it
 *   a send begins         avail(m) = c_p; every send is eager, synchronous ones too
 *   a call that receives  c_p = max(c_p, avail(m)) over the messages m that it completes
 *   a call that completes c_p = max(c_p, b_j) over the ranks j that it waits for, b_j being
 *   a collective          the clock with which j began its part
 *   run's end             T_ideal = max c_p
 *
 * A second clock of each rank, f_p, goes on without the fourth line: messages are there before
 * anybody waits for them, and ranks wait where they meet alone; T_free = max f_p.
 *
 * Whom rank i of a collective waits for is in analyzer/analysis/efficiency/dependence.h.
 */

/* What the clocks of one region's ranks advance by inside it; within the runs. */
struct mwa_ideal_cell {
    uint32_t region; /* index */
    uint32_t rank;
    uint64_t ns;
};

/*
 * A rank's rows of polls, one after the other with little in between, in its run
 * (analyzer/analysis/poll_row.h): whoever does that waits, whatever for, and for whomever.
 */
struct mwa_polling {
    uint64_t inside;
    uint64_t between; /* outside of MPI */
};

struct mwa_ideal {
    uint64_t runtime_ns; /* T_ideal */
    uint64_t free_ns; /* T_free */
    uint64_t *per_rank_ns; /* c_p at the end of p's run */
    struct mwa_polling *polling; /* per rank, of main threads, ns; of ranks of which several threads
                                    have a record nothing is told */
    uint64_t rank_count;
    struct mwa_ideal_cell *cells; /* by region, then rank; regions of kind MWA_REGION_USER */
    uint64_t cell_count;
};

void mwa_ideal_fini(struct mwa_ideal *ideal);

/* A rank's, and that of all together, ns; all 0 where it is not known. */
struct mwa_polling mwa_polling_of(const struct mwa_ideal *ideal, uint32_t rank);
struct mwa_polling mwa_polling_of_all(const struct mwa_ideal *ideal);

/* The longest of a region's ranks, ns; UINT64_MAX where none has been in it. */
uint64_t mwa_ideal_of_region(const struct mwa_ideal *ideal, uint32_t region);

#endif
