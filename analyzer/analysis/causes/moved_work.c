/*
 * A replay in which work is only taken away makes any program faster, also one whose ranks work by
 * turns: there what one has no longer to do the other does instead, and nobody is done earlier.
 */
#include "analyzer/analysis/causes/moved_work.h"

#include <stdlib.h>

#include "analyzer/analysis/causes/outside.h"
#include "analyzer/analysis/summary.h"

#define LITTLE 0.1  /* of what is given: who computes less there now computes next to nothing */
#define MOSTLY 0.5  /* of what a rank is outside of MPI for longer */
#define ALIKE  0.25 /* of the average stretch before calls at a place: if none is shorter, they are
                       of the same work, and what is longer is so by chance */

struct moving {
    const struct mwa_results *results;
    const struct mwa_cause *cause;
    struct mwa_outside outside;
    double average_ns;
    double *change_ns; /* per stretch of the replay: what is given; below 0: what is taken */
    double *taken_ns;  /* by place, as outside has them */
    double all_ns;     /* that is taken */
    double lack_ns;    /* of all that are given something */
    bool *sends;       /* per rank: to one that something is taken from */
    bool is_elsewhere; /* what a rank does more it may do instead of what others do elsewhere */
};

static const struct mwa_rank_stretch *stretches_of(const struct moving *moving)
{
    return moving->results->replay.stretches;
}

/* Where the stretches of another rank than that of `from` begin. */
static uint64_t end_of(const struct moving *moving, uint64_t from)
{
    const struct mwa_rank_stretch *list = stretches_of(moving);
    uint64_t end = from;

    while (end < moving->results->replay.stretch_count && list[end].rank == list[from].rank) {
        end++;
    }
    return end;
}

/* Calls do_to of the stretches of each rank. */
static void for_each_rank(struct moving *moving,
                          void do_to(struct moving *moving, uint64_t from, uint64_t end))
{
    for (uint64_t i = 0, end; i < moving->results->replay.stretch_count; i = end) {
        end = end_of(moving, i);
        do_to(moving, i, end);
    }
}

/* What the rank computes above the average; below 0: what it lacks of that. */
static double excess_of(const struct moving *moving, uint32_t rank)
{
    const struct mwa_results *results = moving->results;

    return (double)mwa_computing_ns(results, &results->profile.ranks[rank]) - moving->average_ns;
}

/* Whether something is taken from the rank. */
static bool is_relieved(const struct moving *moving, uint32_t rank)
{
    const struct mwa_cause *cause = moving->cause;
    bool is_named = cause->rule == MWA_RULE_IDLE;

    for (uint64_t i = 0; i < cause->listed && !is_named; i++) {
        is_named = cause->ranks[i] == rank;
    }
    return is_named && excess_of(moving, rank) > 0;
}

/* --- taken ---------------------------------------------------------------------------------- */

/* Whether it is not known before which calls the rank does more: it is outside of MPI for longer
 * before those of several places, and for half of that shorter before others. */
static bool is_elsewhere(const struct moving *moving, const struct mwa_outside_longer *longer)
{
    return moving->cause->rule == MWA_RULE_IMBALANCE && longer->below >= MOSTLY * longer->all &&
           longer->most < MOSTLY * (longer->all + longer->below);
}

static void take_from(struct moving *moving, uint64_t from, uint64_t end)
{
    const struct mwa_rank_stretch *list = stretches_of(moving);
    const double excess = excess_of(moving, list[from].rank);
    const double off_ns = mwa_outside_off_ns(&moving->results->profile.ranks[list[from].rank]);
    struct mwa_outside_longer longer;

    if (!is_relieved(moving, list[from].rank)) {
        return;
    }
    longer = mwa_outside_longer(&moving->outside, &list[from], end - from, off_ns);
    moving->is_elsewhere |= is_elsewhere(moving, &longer);
    for (uint64_t i = from; i < end && longer.all > 0; i++) {
        const double less = mwa_outside_above(&moving->outside, &list[i]) *
                            (excess < longer.all ? excess / longer.all : 1);

        moving->change_ns[i] = -less;
        moving->taken_ns[mwa_outside_at(&moving->outside, list[i].place)] += less;
        moving->all_ns += less;
    }
}

/* --- given ---------------------------------------------------------------------------------- */

/* What a rank lacks of the average; 0 of those that are given nothing. */
static double lack_of(const struct moving *moving, uint32_t rank)
{
    const double excess = excess_of(moving, rank);

    return excess < 0 && moving->cause->rule != MWA_RULE_ONE_WORKER ? -excess : 0;
}

static void add_lack(struct moving *moving, uint64_t from, uint64_t end)
{
    moving->lack_ns += lack_of(moving, stretches_of(moving)[from].rank);
}

static void find_senders(struct moving *moving)
{
    const struct mwa_traffic *traffic = &moving->results->traffic;

    for (uint64_t i = 0; i < traffic->pair_count; i++) {
        moving->sends[traffic->pairs[i].from] |= is_relieved(moving, traffic->pairs[i].to);
    }
}

/* Where something is done before calls at place: not before what ends a run, and before what sends,
 * if that is to be so. */
static bool is_fit(const struct mwa_trace *trace, uint32_t place, bool sends)
{
    const struct mwa_region *region =
        place == MWA_NONE ? NULL : &trace->regions[trace->sites[place].region];

    if (!region || !sends) {
        return !region || region->kind != MWA_REGION_FINALIZE;
    }
    switch (mw_call_kind(region->call)) {
    case MW_KIND_SEND:
    case MW_KIND_ISEND:
    case MW_KIND_SENDRECV:
    case MW_KIND_SENDRECV_REPLACE:
    case MW_KIND_ISENDRECV:
    case MW_KIND_ISENDRECV_REPLACE:
    case MW_KIND_START:
    case MW_KIND_STARTALL:
    case MW_KIND_PREADY:
        return true;
    default:
        return false;
    }
}

/* The fit ones of a rank's calls. */
static double fit_calls(const struct moving *moving, uint64_t from, uint64_t end, bool sends)
{
    const struct mwa_rank_stretch *list = stretches_of(moving);
    double calls = 0;

    for (uint64_t i = from; i < end; i++) {
        calls += is_fit(moving->results->trace, list[i].place, sends) ? (double)list[i].calls : 0;
    }
    return calls;
}

/* Gives the rank as much before each of its calls; of those that send, if there are any and it
 * sends to one that something is taken from. */
static void give_evenly(struct moving *moving, uint64_t from, uint64_t end, double given)
{
    const struct mwa_rank_stretch *list = stretches_of(moving);
    const bool sends = moving->sends[list[from].rank] && fit_calls(moving, from, end, true) > 0;
    const double calls = fit_calls(moving, from, end, sends);

    for (uint64_t i = from; i < end && calls > 0; i++) {
        if (is_fit(moving->results->trace, list[i].place, sends)) {
            moving->change_ns[i] += given * (double)list[i].calls / calls;
        }
    }
    if (calls == 0) {
        moving->change_ns[from] += given; /* it calls nothing but MPI_Finalize */
    }
}

/* What a rank is given where it makes none of the calls before which that was taken. */
static void give_anywhere(struct moving *moving, uint64_t from, uint64_t end, double given)
{
    const struct mwa_rank_stretch *list = stretches_of(moving);
    double ns = 0;

    for (uint64_t i = from; i < end; i++) {
        ns += (double)list[i].ns;
    }
    if (ns < LITTLE * given) {
        give_evenly(moving, from, end, given);
        return;
    }
    for (uint64_t i = from; i < end; i++) {
        moving->change_ns[i] += given * (double)list[i].ns / ns;
    }
}

static void give_to(struct moving *moving, uint64_t from, uint64_t end)
{
    const struct mwa_rank_stretch *list = stretches_of(moving);
    const double lack = lack_of(moving, list[from].rank);
    const double given = lack > 0 ? moving->all_ns * lack / moving->lack_ns : 0;
    double left = given;

    for (uint64_t i = from; i < end && given > 0; i++) {
        const double here = moving->taken_ns[mwa_outside_at(&moving->outside, list[i].place)];

        moving->change_ns[i] = list[i].calls > 0 ? given * here / moving->all_ns : 0;
        left -= moving->change_ns[i];
    }
    if (left > LITTLE) { /* of a ns: more than what sums are off */
        give_anywhere(moving, from, end, left);
    }
}

/* --- both ----------------------------------------------------------------------------------- */

/* Whether what is given is as much before each call. */
static bool is_given_evenly(const struct mwa_rank_stretch *stretch, double given)
{
    return (double)stretch->ns < LITTLE * given ||
           (double)stretch->shortest_ns * (double)stretch->calls >= ALIKE * (double)stretch->ns;
}

/* A stretch as it is then. */
static struct mwa_what_if_factor changed(const struct moving *moving, uint64_t at)
{
    const struct mwa_rank_stretch *stretch = &stretches_of(moving)[at];
    const double change = moving->change_ns[at];
    const double second = 1e9;
    const double per_ns = (double)mwa_trace_ticks(moving->results->trace, (uint64_t)second) /
                          second;
    struct mwa_what_if_factor factor = { stretch->rank, stretch->place, .factor = 1 };

    if (change > 0 && is_given_evenly(stretch, change)) {
        factor.more = change * per_ns / (double)(stretch->calls > 0 ? stretch->calls : 1);
    } else {
        factor.factor = 1 + change / (double)stretch->ns;
    }
    return factor;
}

static enum mw_status make_room(struct moving *moving, struct mwa_what_if_factor **factors)
{
    const uint64_t count = moving->results->replay.stretch_count;

    *factors = malloc((count + 1) * sizeof **factors);
    moving->change_ns = calloc(count + 1, sizeof *moving->change_ns);
    moving->taken_ns = calloc(moving->outside.sites + 1, sizeof *moving->taken_ns);
    moving->sends = calloc(moving->results->trace->rank_count + 1, sizeof *moving->sends);
    return *factors && moving->change_ns && moving->taken_ns && moving->sends
               ? MW_OK
               : MW_ERROR_MEMORY;
}

enum mw_status mwa_move_work(const struct mwa_results *results, const struct mwa_cause *cause,
                             struct mwa_what_if_factor **factors, uint64_t *count)
{
    struct moving moving = { .results = results, .cause = cause };
    struct mwa_run_summary run;
    struct mwa_spread computing;
    enum mw_status status;

    *count = 0;
    *factors = NULL;
    mwa_summarize_run(&results->profile, &run);
    mwa_summarize_computing(results, &computing);
    moving.average_ns = (double)computing.average_ns;
    status = mwa_outside_init(&moving.outside, results, run.ranks);
    if (status == MW_OK) {
        status = make_room(&moving, factors);
    }
    if (status == MW_OK) {
        find_senders(&moving);
        for_each_rank(&moving, take_from);
        for_each_rank(&moving, add_lack);
        for_each_rank(&moving, give_to);
    }
    for (uint64_t i = 0; status == MW_OK && i < results->replay.stretch_count; i++) {
        if (moving.change_ns[i] != 0) {
            (*factors)[(*count)++] = changed(&moving, i);
        }
    }
    if (moving.is_elsewhere) {
        free(*factors);
        *factors = NULL;
        *count = 0;
    }
    free(moving.sends);
    free(moving.taken_ns);
    free(moving.change_ns);
    mwa_outside_fini(&moving.outside);
    return status;
}
