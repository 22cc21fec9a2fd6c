#ifndef MWA_ANALYSIS_EFFICIENCY_WHAT_IF_H
#define MWA_ANALYSIS_EFFICIENCY_WHAT_IF_H

#include "analyzer/analysis/analysis.h"

/*
 * How long the run would have taken if something had been otherwise: it is replayed with what each
 * call of MPI took beyond its waits as costs. Of main threads:
 *
 *   a call begins   at the end of the rank's call before it, and the time outside of MPI in
 *                   between, multiplied with what the case says of the rank and the call's place,
 *                   and what it adds there
 *   a call ends     when it has begun and all has that it waits for (the calls that began the sends
 *                   of what it receives, the calls that posted the receives of what it completes to
 *                   have sent if it was seen to wait for these, those that complete the other ends
 *                   of messages that waited for them (mwa_awaited_progress), neither where it had a
 *                   late sender, unless it is seen to wait (mwa_is_seen_to_wait); the parts of a
 *                   collective operation that its own needs (dependence.h), and all parts of one
 *                   that was seen to let nobody go before the last had come (mwa_awaited_last),
 *                   else the call for which a member was held (mwa_awaited_return)), and its
 *                   cost later: what it took beyond the latest of these in the run as it was
 *
 * So the run as it was takes as long as it did, but where clocks disagree. Messages are received as
 * they were, wildcards and all, and locks are had in the order in which they were had.
 *
 * In memory is what can't be said yet: from sends that are complete, but whose receive is not told.
 * Beyond MWA_WHAT_IF_MOMENTS at the end of a round nothing is known.
 */

#define MWA_WHAT_IF_CASES   4u
#define MWA_WHAT_IF_PLACES  4u
#define MWA_WHAT_IF_MOMENTS (1u << 19)

/* What is changed: time of a rank outside of MPI before calls at place (a site; MWA_NONE). */
struct mwa_what_if_factor {
    uint32_t rank;
    uint32_t place;
    double factor; /* that it is multiplied with, */
    double more;   /* and what is added before each call, ticks */
};

/* Sends of a rank at a place, a site. */
struct mwa_what_if_sends {
    uint32_t rank; /* MWA_NONE: none */
    uint32_t place;
};

struct mwa_what_if_case {
    const struct mwa_what_if_factor *factors; /* by rank, then place; all else is as it was */
    uint64_t factor_count;
    uint32_t places[MWA_WHAT_IF_PLACES]; /* calls that are made there wait for no message, sites */
    uint32_t place_count;
    struct mwa_what_if_sends sends; /* nobody waits for their messages */
};

struct mwa_what_if_cases {
    struct mwa_what_if_case list[MWA_WHAT_IF_CASES];
    uint32_t count;
};

struct mwa_what_if {
    bool is_known;
    uint64_t runtime_ns[MWA_WHAT_IF_CASES]; /* from the first beginning of a run to the last end */
};

/* Of the scope's cases; finishes into struct mwa_what_if, of which nothing is to be freed. */
extern const struct mwa_exchange_analysis mwa_what_if_analysis;

#endif
