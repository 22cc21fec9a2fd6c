#ifndef MWA_ANALYSIS_TIME_CALL_SUMS_H
#define MWA_ANALYSIS_TIME_CALL_SUMS_H

#include "analyzer/analysis/comms/charge.h"

/* Ticks and bytes in one MPI function. */
struct mwa_call_sums {
    uint64_t count;
    uint64_t time;
    uint64_t in_run; /* inside of outermost calls in the run, of one location */
    uint64_t open;   /* in calls that were never left */
    uint64_t across; /* in calls with ranks of other jobs: whether they wait is not known */
    uint64_t used[MWA_USES]; /* of its time, by what for */
    uint64_t min;    /* of one call; UINT64_MAX: there is none */
    uint64_t max;
    uint64_t bytes_sent;
    uint64_t bytes_received;
    uint64_t no_core;    /* ns */
    uint64_t operations; /* collective ones … */
    uint64_t members;    /* … and how many met in them */
};

/* A call of the function ends, which is one with ranks of other jobs or not. */
static inline void mwa_call_sums_take(struct mwa_call_sums *sums, const struct mwa_call *call,
                                      bool is_across)
{
    const uint64_t one = mwa_call_each(call);

    sums->count += call->repeat;
    sums->time += call->exclusive;
    sums->open += call->open ? call->exclusive : 0;
    sums->across += is_across ? call->exclusive : 0;
    sums->used[call->use] += call->exclusive;
    sums->min = one < sums->min ? one : sums->min;
    sums->max = one > sums->max ? one : sums->max;
}

/* Adds what another location has, but for in_run. */
void mwa_call_sums_add(struct mwa_call_sums *to, const struct mwa_call_sums *add);

#endif
