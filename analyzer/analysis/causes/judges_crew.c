/*
 * Threads without work are worth a word where they share that of the main thread. One that writes
 * a log, reads ahead or watches the others has next to nothing to do, as it should. What threads
 * compute tells which they are, since those of a team are in the same functions as the main one;
 * and wherever more than one answer fits what is known, they are taken to work.
 */
#include "analyzer/analysis/causes/part_of_run.h"

#include <stdlib.h>

#include "analyzer/analysis/time/sampled_functions.h"
#include "formats/base/order.h"

#define SAMPLES_LEAST 20u  /* of a main thread */
#define IDLE_LEAST    0.25 /* of the time of other threads */
#define CORE_LACKED   0.1  /* of a main thread's computing: others may have had none either */
#define TEAM_LEAST    0.5  /* of what these threads do, that the main one does, too */
#define STRANGE_EACH  3u   /* samples of each: of the main one there are none in 5 % by chance */
#define STRANGE_LEAST 10u  /* samples, that a thread has to have to count at all */
#define NS_A_SECOND   1e9

/* What a rank's threads do in a function. */
struct shared {
    uint32_t rank;
    uint32_t function; /* its first spot */
    uint64_t main;     /* samples of threads that call MPI, … */
    uint64_t crew;     /* … and of others */
};

static int by_rank(const void *one, const void *other)
{
    const struct shared *a = one;
    const struct shared *b = other;

    return mw_order(a->rank, b->rank) ?: mw_order(a->function, b->function);
}

/* Of each rank and function one, in this order, as many as *count; null without memory. */
static struct shared *share_functions(const struct mwa_sampled *sampled, uint64_t *count)
{
    const uint64_t all = sampled->row_count + sampled->crew_row_count;
    struct shared *list = calloc(all + 1, sizeof *list);

    *count = 0;
    for (uint64_t i = 0; list && i < all; i++) {
        const bool is_main = i < sampled->row_count;
        const struct mwa_sampled_row *row =
            is_main ? &sampled->rows[i] : &sampled->crew_rows[i - sampled->row_count];

        list[i] = (struct shared){ row->rank, sampled->spots[row->spot].first,
                                   is_main ? row->count : 0, is_main ? 0 : row->count };
    }
    if (list && all > 0) {
        qsort(list, all, sizeof *list, by_rank);
    }
    for (uint64_t i = 0; list && i < all; i++) {
        if (*count > 0 && by_rank(&list[*count - 1], &list[i]) == 0) {
            list[*count - 1].main += list[i].main;
            list[*count - 1].crew += list[i].crew;
        } else {
            list[(*count)++] = list[i];
        }
    }
    return list;
}

/* --- threads that have no work ---------------------------------------------------------------- */

/* What a rank's other threads are seen to do, in samples. */
struct done {
    uint64_t waiting; /* in OpenMP's runtime */
    uint64_t team;    /* there, or where the main thread is seen, too, or in a parallel region */
    uint64_t strange; /* where it would be seen if it had a part in that */
};

static struct done done_by(const struct mwa_sampled *sampled, const struct shared *of,
                           const struct shared *end)
{
    struct done done = { .waiting = 0 };
    const uint32_t rank = of->rank;

    for (; of < end && of->rank == rank; of++) {
        const struct mwa_sampled_spot *spot = &sampled->spots[of->function];
        const bool is_waiting = mwa_sampled_in_openmp(spot);

        done.waiting += is_waiting ? of->crew : 0;
        if (is_waiting || of->main > 0 || mwa_sampled_in_region(spot)) {
            done.team += of->crew;
        } else if (of->crew >= (uint64_t)STRANGE_EACH * sampled->crews[rank].threads) {
            done.strange += of->crew;
        }
    }
    return done;
}

/* How long they were on cores where no sample tells what they did: in the kernel, or before they
 * were found. */
static double unseen_ns(const struct mwa_trace *trace, const struct mwa_sampled_crew *crew,
                        const struct mwa_rank_running *running)
{
    const double seen = (double)(crew->outside + crew->inside + crew->lost) * NS_A_SECOND /
                        (double)trace->sampled.rate_hz;

    return running->tells_threads && (double)running->threads_ns > seen
               ? (double)running->threads_ns - seen
               : 0;
}

/* How long they have no work, at least. One of several that does what the main thread never does
 * may have nothing else to do: its time is left out. */
static void judge_idle(const struct mwa_trace *trace, const struct done *done,
                       const struct mwa_rank_running *running, uint32_t rank,
                       struct mwa_suspect *suspect)
{
    const struct mwa_sampled_crew *crew = &trace->sampled.crews[rank];
    const uint32_t strange = done->strange >= STRANGE_LEAST && crew->threads > 1;
    const double worked = (double)(crew->outside - done->waiting + crew->lost) * NS_A_SECOND /
                              (double)trace->sampled.rate_hz +
                          unseen_ns(trace, crew, running);

    if (crew->threads == 0 || (double)done->team < TEAM_LEAST * (double)crew->outside) {
        return;
    }
    suspect->team = crew->threads - strange;
    suspect->team_ns = (double)crew->there_ns * suspect->team / crew->threads;
    suspect->idle_ns = suspect->team_ns > worked ? suspect->team_ns - worked : 0;
}

static void judge_all(const struct mwa_judging *judging)
{
    const struct mwa_trace *trace = judging->results->trace;
    const struct mwa_profile *profile = &judging->results->profile;
    uint64_t count, at = 0;
    struct shared *shared = share_functions(&trace->sampled, &count);

    for (uint64_t i = 0; shared && i < profile->rank_count && at < count; i++) {
        const uint32_t rank = profile->ranks[i].rank;

        while (at < count && shared[at].rank < rank) {
            at++;
        }
        if (at < count && shared[at].rank == rank) {
            const struct done done = done_by(&trace->sampled, &shared[at], &shared[count]);

            judge_idle(trace, &done, &profile->ranks[i].running, rank, &judging->suspects[rank]);
        }
    }
    free(shared);
}

/* If they did their part of what the rank does, it would be done so much earlier. */
static uint64_t saved_ns(const struct mwa_judging *judging, const struct mwa_rank_row *row)
{
    const struct mwa_suspect *suspect = &judging->suspects[row->rank];

    return judging->results->trace->sampled.ranks[row->rank].outside < SAMPLES_LEAST ||
                   (double)row->running.outside_no_core_ns > CORE_LACKED * (double)row->outside_ns
               ? 0
               : (uint64_t)(suspect->idle_ns / (suspect->team + 1.0));
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

    if (!trace->sampled.crews) {
        return false;
    }
    judge_all(judging);
    if (!mwa_blame_for(judging, saved_ns, cause)) {
        return false;
    }
    for (uint64_t i = 0; i < cause->listed; i++) {
        idle += judging->suspects[cause->ranks[i]].idle_ns;
        there += judging->suspects[cause->ranks[i]].team_ns;
    }
    cause->share = mwa_ratio(idle, there);
    /* So many samples there would be if they worked all the time: the share is as good as that. */
    cause->count = (uint64_t)(there * 1e-9 * (double)trace->sampled.rate_hz);
    name_idle_call(trace, cause->ranks[0], cause);
    return cause->share >= IDLE_LEAST;
}
