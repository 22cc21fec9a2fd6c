/*
 * Where no rank computes longer in all it is either another one each time, or one that does the
 * right thing at the wrong time. Chains of messages are a matter of their own (judges_chain.c).
 */
#include "analyzer/analysis/causes/cause_judges.h"

#include <math.h>

/* Costs of computing, less what ranks did not run in that. */
struct rest {
    double short_ns;
    double long_ns;
};

/* Which part of what a rank's computing has cost is of that, at least: all but what it did not run,
 * for which each of the others may have waited. */
static double part_of_running(const struct mwa_judging *judging, uint64_t rank)
{
    const struct mwa_suspect *suspect = &judging->suspects[rank];
    const double others = judging->run.ranks > 1 ? (double)judging->run.ranks - 1 : 1;
    const double off = mwa_ratio((double)suspect->off_ns * others,
                                 suspect->short_ns + suspect->long_ns);

    return off < 1 ? 1 - off : 0;
}

/* Which is of when it computes, and not of how long: all, if it computes no longer in all; else
 * what is beyond that, for which each of the others waits once. */
static double part_of_when(const struct mwa_judging *judging, uint64_t rank)
{
    const struct mwa_suspect *suspect = &judging->suspects[rank];
    const double longer = mwa_ratio((double)suspect->excess_ns * (double)judging->run.ranks,
                                    suspect->short_ns + suspect->long_ns);
    const double running = part_of_running(judging, rank);

    return running > longer ? running - longer : 0;
}

/* The same of those that compute no longer in all; else none. */
static double part_of_rest(const struct mwa_judging *judging, uint64_t rank)
{
    return judging->suspects[rank].excess_ns == 0 ? part_of_when(judging, rank) : 0;
}

static struct rest sum_of(const struct mwa_judging *judging,
                          double part_of(const struct mwa_judging *judging, uint64_t rank))
{
    struct rest rest = { .short_ns = 0 };

    for (uint64_t i = 0; i < judging->results->profile.rank_count; i++) {
        const struct mwa_suspect *suspect = &judging->suspects[i];
        const double part = part_of(judging, i);

        rest.short_ns += part * suspect->short_ns;
        rest.long_ns += part * suspect->long_ns;
    }
    return rest;
}

/* The costs of those that compute no longer than the others in all. */
static struct rest rest_of(const struct mwa_judging *judging)
{
    return sum_of(judging, part_of_rest);
}

/*
 * A delay that each of the other ranks waits for once costs so many times itself. What costs more
 * than twice that has gone round in a circle.
 */
static bool goes_round(const struct mwa_judging *judging, double short_ns, double long_ns)
{
    return short_ns + long_ns > 2 * (double)judging->run.ranks * short_ns;
}

/* What the others' call waits for one rank to do. */
enum late { LATE_SEND, LATE_RECEIVE, LATE_POST, LATE_COLLECTIVE, LATE_OTHER };

static enum late late_at(const struct mwa_trace *trace, uint32_t site)
{
    const unsigned call = site == MWA_NONE
                              ? MW_CALL_COUNT
                              : trace->regions[trace->sites[site].region].call;

    switch (mw_call_kind(call)) {
    case MW_KIND_SEND:
    case MW_KIND_ISEND:
        return LATE_SEND;
    case MW_KIND_RECV:
    case MW_KIND_PROBE:
    case MW_KIND_MPROBE:
        return LATE_RECEIVE;
    case MW_KIND_IRECV:
        return LATE_POST;
    default:
        return call < MW_CALL_COUNT && mw_call_group(call) == MW_GROUP_COLL ? LATE_COLLECTIVE
                                                                            : LATE_OTHER;
    }
}

/* The delays of those before one call. */
struct late_call {
    uint32_t site;
    double total_ns;
    uint32_t rank; /* with most of it: */
    double most_ns;
    double short_ns;
    double long_ns;
    struct rest longer; /* beside it: of ranks that compute longer in all, by when they do so */
};

/* Whether a place counts: its rank computes no longer in all, and runs. */
static bool is_of_rest(const struct mwa_judging *judging, const struct mwa_delay_cell *place)
{
    return part_of_rest(judging, place->rank) > 0 && place->before != MWA_NONE &&
           mwa_is_computing(judging->results->trace, place->region);
}

static struct late_call call_at(const struct mwa_judging *judging, uint32_t site)
{
    const struct mwa_delays *delays = &judging->results->waits.delays;
    struct late_call call = { .site = site, .rank = MWA_NONE };

    for (uint64_t i = 0; i < delays->place_count; i++) {
        const struct mwa_delay_cell *cost = &delays->places[i];
        const double part = part_of_when(judging, cost->rank);
        const double ns = part * (double)(cost->short_ns + cost->long_ns);

        if (cost->before != site || !mwa_is_computing(judging->results->trace, cost->region)) {
            continue;
        }
        if (judging->suspects[cost->rank].excess_ns > 0) {
            call.longer.short_ns += part * (double)cost->short_ns;
            call.longer.long_ns += part * (double)cost->long_ns;
            continue;
        }
        call.total_ns += ns;
        if (ns > call.most_ns) {
            call.most_ns = ns;
            call.rank = cost->rank;
            call.short_ns = part * (double)cost->short_ns;
            call.long_ns = part * (double)cost->long_ns;
        }
    }
    return call;
}

#define PLACES_LOOKED_AT 64u /* those that cost most */

/* The call of this kind, or (LATE_OTHER) of any, before which they cost most; false: none. */
static bool find_late(const struct mwa_judging *judging, enum late how, struct late_call *found)
{
    const struct mwa_delays *delays = &judging->results->waits.delays;

    *found = (struct late_call){ .site = MWA_NONE };
    for (uint64_t i = 0; i < delays->place_count && i < PLACES_LOOKED_AT; i++) {
        const struct mwa_delay_cell *place = &delays->places[i];

        if (is_of_rest(judging, place) && place->before != found->site &&
            (how == LATE_OTHER || late_at(judging->results->trace, place->before) == how)) {
            const struct late_call call = call_at(judging, place->before);

            *found = call.total_ns > found->total_ns ? call : *found;
        }
    }
    return found->site != MWA_NONE;
}

#define LATE 0.4 /* of what these delays cost: where ranks compute by turns, each has its half */

/* Whether one rank comes late to the call: others don't, not even such as compute longer in all and
 * come late there more than that explains. */
static bool is_of_one(const struct late_call *call)
{
    return call->most_ns >=
           MWA_CAUSE_ONE * (call->total_ns + call->longer.short_ns + call->longer.long_ns);
}

/* Whether one rank makes the others wait in this way, though it computes no longer in all. */
static bool is_late(const struct mwa_judging *judging, enum late how, struct mwa_cause *cause)
{
    const struct rest rest = rest_of(judging);
    struct late_call call;

    if (!find_late(judging, how, &call) ||
        call.total_ns < LATE * (rest.short_ns + rest.long_ns) ||
        !is_of_one(&call) ||
        goes_round(judging, call.short_ns, call.long_ns)) {
        return false;
    }
    mwa_blame(cause, call.rank);
    cause->excess =
        mwa_ratio((double)mwa_computing_ns(judging->results,
                                           &judging->results->profile.ranks[call.rank]),
                  (double)judging->computing.average_ns) - 1;
    cause->site = call.site;
    cause->short_ns = (uint64_t)call.short_ns;
    cause->long_ns = (uint64_t)call.long_ns;
    cause->up_to_ns = mwa_per_waiter(judging, cause);
    return true;
}

bool mwa_is_late_to_message(const struct mwa_judging *judging)
{
    struct mwa_cause ignored = { .rank_count = 0 };

    return is_late(judging, LATE_SEND, &ignored) || is_late(judging, LATE_RECEIVE, &ignored) ||
           is_late(judging, LATE_POST, &ignored);
}

/* What the rank that waits longest waits in all. */
static uint64_t longest_waiting_ns(const struct mwa_waits *waits)
{
    uint64_t longest = 0;

    for (uint32_t i = 0; i < waits->rank_count; i++) {
        const uint64_t waiting = mwa_waits_rank_ns(waits, i);

        longest = waiting > longest ? waiting : longest;
    }
    return longest;
}

#define ALIKE 0.1 /* as far from the average as ranks are that compute as long as others */

static bool compute_alike(const struct mwa_spread *computing)
{
    const double average = (double)computing->average_ns;

    return (double)computing->max_ns <= (1 + ALIKE) * average &&
           (double)computing->min_ns >= (1 - ALIKE) * average;
}

/*
 * Senders wait for receivers that are late since they send, or compute, before they receive: ranks
 * would wait for half as long, or less, if nobody did for a receiver, as on an ideal network. Those
 * that compute unevenly wait for each other there, too; and those that lack cores may be late by
 * what they lose so.
 */
bool mwa_judge_held_sends(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_waits *waits = &judging->results->waits;
    const struct mwa_wait_row *late = &waits->rows[MWA_WAIT_LATE_RECEIVER];
    const struct mwa_pop_factors *run = &judging->results->pop.run;
    const double all = (double)mwa_waits_total_ns(waits);
    const uint64_t longest = longest_waiting_ns(waits);
    uint64_t shorter, lost;

    (void)mwa_lost_for_cores(&judging->results->profile, waits, &lost);
    if ((double)lost >= MWA_CAUSE_MOST * (double)late->total_ns ||
        judging->results->pop.ideal_unknown || run->ideal_ns >= run->runtime_ns ||
        (double)late->total_ns < MWA_CAUSE_IN_TURN * all || mwa_is_late_to_message(judging)) {
        return false;
    }
    shorter = run->runtime_ns - run->ideal_ns;
    cause->site = mwa_waits_most(late->site_ns, waits->site_count);
    cause->is_of_caller = true;
    cause->excess = compute_alike(&judging->computing) ? 0 : NAN;
    cause->short_ns = late->total_ns;
    cause->up_to_ns = shorter < longest ? shorter : longest;
    return (double)cause->up_to_ns * (double)judging->run.ranks >= MWA_CAUSE_MOST * all &&
           mwa_matters(judging, (double)cause->up_to_ns);
}

bool mwa_judge_moving(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct rest rest = rest_of(judging);
    const struct rest all = sum_of(judging, part_of_running);
    struct mwa_cause ignored = { .rank_count = 0 };
    struct late_call call;

    if (!find_late(judging, LATE_OTHER, &call) || mwa_waits_once(judging) ||
        goes_round(judging, rest.short_ns, rest.long_ns) || mwa_is_late_to_message(judging) ||
        mwa_judge_locks(judging, &ignored) || is_late(judging, LATE_COLLECTIVE, &ignored) ||
        mwa_judge_chain(judging, &ignored) || mwa_judge_out_of_step(judging, &ignored) ||
        mwa_judge_held_sends(judging, &ignored)) {
        return false;
    }
    cause->site = call.site;
    cause->short_ns = (uint64_t)(rest.short_ns + call.longer.short_ns);
    cause->long_ns = (uint64_t)(rest.long_ns + call.longer.long_ns);
    cause->own_ns = (cause->short_ns + cause->long_ns) / judging->run.ranks;
    /* Who evens out each step does so with what ranks compute longer in all. */
    cause->up_to_ns = (uint64_t)((all.short_ns + all.long_ns) / (double)judging->run.ranks);
    return true;
}

bool mwa_judge_late_sender(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    struct mwa_cause ignored = { .rank_count = 0 };

    return !mwa_judge_wrong_order(judging, &ignored) && is_late(judging, LATE_SEND, cause);
}

/* In which function senders wait for late receivers most. */
static uint32_t waits_of_senders(const struct mwa_results *results)
{
    const uint32_t call = mwa_waits_most(results->waits.rows[MWA_WAIT_LATE_RECEIVER].call_ns,
                                         results->waits.call_count);

    return call == MWA_NONE ? MWA_NONE : results->trace->mpi_regions[call];
}

bool mwa_judge_late_receiver(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    cause->region = waits_of_senders(judging->results);
    return cause->region != MWA_NONE && is_late(judging, LATE_RECEIVE, cause);
}

bool mwa_judge_late_post(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    cause->region = waits_of_senders(judging->results);
    return cause->region != MWA_NONE && is_late(judging, LATE_POST, cause);
}

bool mwa_judge_late_collective(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    return !mwa_is_late_to_message(judging) && is_late(judging, LATE_COLLECTIVE, cause);
}
