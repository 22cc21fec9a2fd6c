/*
 * Threads that do not call MPI leave no events. A main thread that waits for them in the OpenMP
 * runtime is on its core, and seems to compute; samples tell it.
 */
#include "analyzer/analysis/causes/part_of_run.h"

#include <stdlib.h>

#include "analyzer/analysis/time/sampled_functions.h"

#define SAMPLES_LEAST 20u

void mwa_count_in_openmp(const struct mwa_judging *judging)
{
    const struct mwa_sampled *sampled = &judging->results->trace->sampled;

    for (uint64_t i = 0; i < sampled->row_count; i++) {
        const struct mwa_sampled_row *row = &sampled->rows[i];

        if (mwa_sampled_in_openmp(&sampled->spots[row->spot])) {
            judging->suspects[row->rank].in_openmp += row->count;
        }
    }
}

/* No more than the rank was on a core outside of MPI: a number of samples is good to its root. */
static uint64_t in_openmp_ns(const struct mwa_judging *judging, const struct mwa_rank_row *row)
{
    const uint64_t ns = mwa_sampled_ns(judging->results->trace,
                                       judging->suspects[row->rank].in_openmp);
    const uint64_t on_core = row->outside_ns - row->running.outside_ns;

    return ns < on_core ? ns : on_core;
}

/* The calls on the way to which most of a rank's samples in the runtime are. */
static void name_call(const struct mwa_trace *trace, uint32_t rank, uint64_t all,
                      struct mwa_cause *cause)
{
    uint64_t *before = calloc(trace->site_count + 1, sizeof *before);
    uint32_t most = MWA_NONE;

    for (uint64_t i = 0; before && i < trace->sampled.row_count; i++) {
        const struct mwa_sampled_row *row = &trace->sampled.rows[i];

        if (row->rank == rank && row->site != MWA_NONE &&
            mwa_sampled_in_openmp(&trace->sampled.spots[row->spot])) {
            const uint32_t place = mwa_trace_place(trace, row->site);

            before[place] += row->count;
            most = most == MWA_NONE || before[place] > before[most] ? place : most;
        }
    }
    if (most != MWA_NONE) {
        mwa_name_most(cause, most, before[most], all);
    }
    free(before);
}

bool mwa_judge_openmp(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    if (!mwa_blame_for(judging, in_openmp_ns, cause)) {
        return false;
    }
    cause->count = judging->suspects[cause->ranks[0]].in_openmp;
    name_call(judging->results->trace, cause->ranks[0], cause->count, cause);
    return cause->count >= SAMPLES_LEAST;
}
