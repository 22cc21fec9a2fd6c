/*
 * Threads that do not call MPI leave no events. A main thread that waits for them in the OpenMP
 * runtime is on its core, and seems to compute; samples tell it. They tell as well what those
 * threads do: who waits for work there is on a core, too.
 */
#include "analyzer/analysis/causes/part_of_run.h"

#include <stdlib.h>

#include "analyzer/analysis/time/sampled_functions.h"

#define SAMPLES_LEAST 20u
#define IDLE_LEAST    0.25 /* of the time of other threads */
#define CORE_LACKED   0.1  /* of a main thread's computing: others may have had none either */

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

/* --- threads that have no work ---------------------------------------------------------------- */

/* How long these threads of a rank computed while the main one was outside of MPI, ns. */
static double worked_ns(const struct mwa_trace *trace, uint32_t rank)
{
    const struct mwa_sampled_crew *crew = &trace->sampled.crews[rank];
    uint64_t waiting = 0;

    for (uint64_t i = 0; i < trace->sampled.crew_row_count; i++) {
        const struct mwa_sampled_row *row = &trace->sampled.crew_rows[i];

        if (row->rank == rank && mwa_sampled_in_openmp(&trace->sampled.spots[row->spot])) {
            waiting += row->count;
        }
    }
    return (double)mwa_sampled_ns(trace, crew->outside - waiting) *
           mwa_ratio((double)(crew->outside + crew->lost), (double)crew->outside);
}

static double idle_ns(const struct mwa_trace *trace, uint32_t rank)
{
    const double idle = (double)trace->sampled.crews[rank].there_ns - worked_ns(trace, rank);

    return idle > 0 ? idle : 0;
}

/* If they did their part of what the rank does, it would be done so much earlier. */
static uint64_t saved_ns(const struct mwa_judging *judging, const struct mwa_rank_row *row)
{
    const struct mwa_trace *trace = judging->results->trace;
    const struct mwa_sampled_crew *crew = &trace->sampled.crews[row->rank];

    return crew->threads == 0 || trace->sampled.ranks[row->rank].outside < SAMPLES_LEAST ||
                   (double)row->running.outside_no_core_ns > CORE_LACKED * (double)row->outside_ns
               ? 0
               : (uint64_t)(idle_ns(trace, row->rank) / (crew->threads + 1.0));
}

/* The calls on the way to which most of that is, by the samples of the main thread. */
static void name_idle_call(const struct mwa_trace *trace, uint32_t rank, struct mwa_cause *cause)
{
    const struct mwa_sampled *sampled = &trace->sampled;
    double *idle = calloc(trace->site_count + 1, sizeof *idle);
    double all = 0;
    uint32_t most = MWA_NONE;

    for (uint64_t i = 0; idle && i < sampled->row_count; i++) {
        const struct mwa_sampled_row *row = &sampled->rows[i];

        if (row->rank == rank && row->site != MWA_NONE) {
            idle[mwa_trace_place(trace, row->site)] +=
                (double)row->count * sampled->crews[rank].threads;
        }
    }
    for (uint64_t i = 0; idle && i < sampled->crew_row_count; i++) {
        const struct mwa_sampled_row *row = &sampled->crew_rows[i];

        if (row->rank == rank && row->site != MWA_NONE &&
            !mwa_sampled_in_openmp(&sampled->spots[row->spot])) {
            idle[mwa_trace_place(trace, row->site)] -= (double)row->count;
        }
    }
    for (uint32_t i = 0; idle && i < trace->site_count; i++) {
        all += idle[i] > 0 ? idle[i] : 0;
        most = idle[i] > 0 && (most == MWA_NONE || idle[i] > idle[most]) ? i : most;
    }
    if (most != MWA_NONE) {
        mwa_name_most(cause, most, (uint64_t)idle[most], (uint64_t)all);
    }
    free(idle);
}

bool mwa_judge_crew(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_trace *trace = judging->results->trace;
    double idle = 0, there = 0;

    if (!trace->sampled.crews || !mwa_blame_for(judging, saved_ns, cause)) {
        return false;
    }
    for (uint64_t i = 0; i < cause->listed; i++) {
        idle += idle_ns(trace, cause->ranks[i]);
        there += (double)trace->sampled.crews[cause->ranks[i]].there_ns;
    }
    cause->share = mwa_ratio(idle, there);
    /* So many samples there would be if they worked all the time: the share is as good as that. */
    cause->count = (uint64_t)(there * 1e-9 * (double)trace->sampled.rate_hz);
    name_idle_call(trace, cause->ranks[0], cause);
    return cause->share >= IDLE_LEAST;
}
