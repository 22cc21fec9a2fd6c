/*
 * Who made others wait by what it did meanwhile. A rank that computes longer in all is the one to
 * name; where no rank does, it is either another one each time, or one that does the right thing
 * at the wrong time. Chains of messages are a matter of their own (judges_chain.c).
 */
#include "analyzer/analysis/causes/cause_judges.h"

/* What a rank's computing has cost, less what it did not run in that. */
static double cost_of(const struct mwa_suspect *suspect)
{
    const double excess = (double)suspect->excess_ns;
    const double off = (double)suspect->off_ns;

    return (suspect->short_ns + suspect->long_ns) * (off > 0 ? excess / (excess + off) : 1);
}

/* --- one or several ranks compute longer --------------------------------------------------- */

#define MEMBER 0.1 /* of the greatest cost: it is one of those that are named */
#define LITTLE 0.1 /* of the other one's useful time: a rank does nothing but hand out work */
#define ALIKE  0.1 /* of useful time: it would be blamed if the one that is came earlier */

/* The rank with the most cost of those that compute longer in all; MWA_NONE: none. */
static uint32_t most_costly(const struct mwa_judging *judging)
{
    uint32_t most = MWA_NONE;

    for (uint32_t i = 0; i < judging->results->profile.rank_count; i++) {
        const struct mwa_suspect *suspect = &judging->suspects[i];

        if (suspect->excess_ns > 0 && cost_of(suspect) > 0 &&
            (most == MWA_NONE || cost_of(suspect) > cost_of(&judging->suspects[most]))) {
            most = i;
        }
    }
    return most;
}

/* Blames the rank, adding what it cost. */
static void take_cost(const struct mwa_judging *judging, uint32_t rank, struct mwa_cause *cause)
{
    const struct mwa_suspect *suspect = &judging->suspects[rank];
    const double part = mwa_ratio(cost_of(suspect), suspect->short_ns + suspect->long_ns);

    mwa_blame(cause, rank);
    cause->short_ns += (uint64_t)(part * suspect->short_ns);
    cause->long_ns += (uint64_t)(part * suspect->long_ns);
}

static bool is_listed(const struct mwa_cause *cause, uint32_t rank)
{
    bool is_one = false;

    for (uint64_t i = 0; i < cause->listed; i++) {
        is_one |= cause->ranks[i] == rank;
    }
    return is_one;
}

/*
 * What each of the others could wait less: those who wait for nobody gain nothing. As many are
 * taken to wait as their waiting makes up when each waits as long as the one that does most. No
 * more than that one does: those that are named may have waited for one another.
 */
static uint64_t per_waiter(const struct mwa_judging *judging, const struct mwa_cause *cause)
{
    const uint64_t ranks = judging->run.ranks;
    const uint64_t others = cause->rank_count < ranks ? ranks - cause->rank_count : 1;
    uint64_t most = 0, sum = 0, waiters, each;

    for (uint32_t i = 0; i < judging->results->waits.rank_count; i++) {
        const uint64_t waiting = mwa_waits_rank_ns(&judging->results->waits, i);

        if (!is_listed(cause, i)) {
            most = waiting > most ? waiting : most;
            sum += waiting;
        }
    }
    waiters = most > 0 && cause->rank_count == cause->listed ? (sum - 1) / most + 1 : others;
    each = (cause->short_ns + cause->long_ns) / (waiters < others ? waiters : others);
    return most > 0 && most < each ? most : each;
}

/* How long the others had ended on average when one that is blamed did: they wait for nobody then,
 * but the run does. */
static uint64_t ended_before(const struct mwa_judging *judging, const struct mwa_cause *cause)
{
    const struct mwa_profile *profile = &judging->results->profile;
    double sum = 0;
    uint64_t others = 0;

    for (uint64_t i = 0; i < profile->rank_count; i++) {
        const struct mwa_rank_row *row = &profile->ranks[i];
        const double ended = row->has_events ? mwa_ended_before(judging, row) : 0;

        if (row->has_events && !is_listed(cause, row->rank)) {
            if (ended <= 0) {
                return 0;
            }
            sum += ended;
            others++;
        }
    }
    return others > 0 && cause->rank_count == cause->listed ? (uint64_t)(sum / (double)others) : 0;
}

/* What counts is no more than what the longest computes beyond the least. Ranks that are longer by
 * turns may cost more than that: what the others wait for them could be saved. */
static void take_longer(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const uint64_t spread = judging->run.useful.max_ns - judging->run.useful.min_ns;
    const uint64_t waited = per_waiter(judging, cause);
    const uint64_t all = waited + ended_before(judging, cause);

    cause->own_ns = all < spread ? all : spread;
    cause->up_to_ns = cause->own_ns > waited ? cause->own_ns : waited;
}

/* Blames the one that costs most, and those that cost much, too, or compute as long as that. */
static void blame_longer(const struct mwa_judging *judging, uint32_t most, struct mwa_cause *cause)
{
    const struct mwa_rank_row *rows = judging->results->profile.ranks;
    const struct mwa_suspect *first = &judging->suspects[most];

    take_cost(judging, most, cause);
    for (uint32_t i = 0; i < judging->results->profile.rank_count; i++) {
        const struct mwa_suspect *suspect = &judging->suspects[i];
        const double apart = (double)rows[i].useful_ns - (double)rows[most].useful_ns;

        if (i != most && suspect->excess_ns > 0 &&
            (cost_of(suspect) >= MEMBER * cost_of(first) ||
             (apart <= ALIKE * (double)rows[most].useful_ns &&
              apart >= -ALIKE * (double)rows[most].useful_ns))) {
            take_cost(judging, i, cause);
        }
    }
}

/* Before what the rank computes longer, for most of that: by what others waited for if that is not
 * known. MWA_NONE: before several calls. */
static uint32_t mostly_before(const struct mwa_suspect *suspect)
{
    return suspect->longest != MWA_NONE ? suspect->longest
           : suspect->is_spread         ? MWA_NONE
                                        : suspect->site;
}

bool mwa_judge_imbalance(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const uint32_t most = most_costly(judging);
    struct mwa_cause master = { .rank_count = 0 };

    if (most == MWA_NONE) {
        return false;
    }
    blame_longer(judging, most, cause);
    cause->site = mostly_before(&judging->suspects[most]);
    cause->excess = mwa_ratio((double)judging->suspects[most].excess_ns,
                              (double)judging->run.useful.average_ns);
    take_longer(judging, cause);
    return 2 * cause->rank_count <= judging->run.ranks &&
           !mwa_judge_one_worker(judging, &(struct mwa_cause){ .rank_count = 0 }) &&
           !(mwa_judge_master(judging, &master) && master.ranks[0] == most);
}

/* Where more than half of the ranks compute longer than the average, the others do little. */
bool mwa_judge_idle(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const uint32_t most = most_costly(judging);
    const struct mwa_spread *useful = &judging->run.useful;
    struct mwa_cause longer = { .rule = cause->rule };

    if (most == MWA_NONE) {
        return false;
    }
    blame_longer(judging, most, &longer);
    for (uint32_t i = 0; i < judging->results->profile.rank_count; i++) {
        const struct mwa_rank_row *row = &judging->results->profile.ranks[i];

        if (row->has_events && judging->suspects[i].excess_ns == 0 &&
            row->useful_ns < useful->average_ns && judging->suspects[i].off_ns == 0) {
            mwa_blame(cause, i);
            cause->time_ns = row->useful_ns > cause->time_ns ? row->useful_ns : cause->time_ns;
        }
    }
    cause->short_ns = longer.short_ns;
    cause->long_ns = longer.long_ns;
    cause->site = judging->suspects[most].site;
    cause->up_to_ns = useful->max_ns - useful->average_ns;
    return cause->rank_count > 0 && 2 * longer.rank_count > judging->run.ranks;
}

/* --- nobody does, in all ------------------------------------------------------------------- */

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
        mwa_ratio((double)judging->results->profile.ranks[call.rank].useful_ns,
                  (double)judging->run.useful.average_ns) - 1;
    cause->site = call.site;
    cause->short_ns = (uint64_t)call.short_ns;
    cause->long_ns = (uint64_t)call.long_ns;
    cause->up_to_ns = per_waiter(judging, cause);
    return true;
}

bool mwa_is_late_to_message(const struct mwa_judging *judging)
{
    struct mwa_cause ignored = { .rank_count = 0 };

    return is_late(judging, LATE_SEND, &ignored) || is_late(judging, LATE_RECEIVE, &ignored) ||
           is_late(judging, LATE_POST, &ignored);
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
        mwa_judge_chain(judging, &ignored) || mwa_judge_out_of_step(judging, &ignored)) {
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

/* --- one rank that others wait for in MPI --------------------------------------------------- */

/* What ranks cost others by being longer in some MPI functions. */
struct busy {
    double total_ns;
    double most_ns;
    struct mwa_delay_cell most; /* of one rank */
};

/* Sums up the costs of functions of which `is_one` says so; false without any. */
static bool find_busy(const struct mwa_judging *judging,
                      bool (*is_one)(const struct mwa_region *region), struct busy *busy)
{
    const struct mwa_delays *delays = &judging->results->waits.delays;
    const struct mwa_trace *trace = judging->results->trace;

    *busy = (struct busy){ .most = { .rank = MWA_NONE } };
    for (uint64_t i = 0; i < delays->cell_count; i++) {
        const struct mwa_delay_cell *cell = &delays->cells[i];
        const double cost = (double)(cell->short_ns + cell->long_ns);

        if (cell->region >= trace->region_count || !is_one(&trace->regions[cell->region])) {
            continue;
        }
        busy->total_ns += cost;
        if (cost > busy->most_ns) {
            busy->most_ns = cost;
            busy->most = *cell;
        }
    }
    return busy->most_ns > 0;
}

/* Blames the rank that is longer in them than the others, and not for the lack of a core. */
static void blame_busy(const struct mwa_judging *judging, const struct busy *busy,
                       struct mwa_cause *cause)
{
    struct mwa_spent spent = { .ns = 0 };
    double each;

    mwa_blame(cause, busy->most.rank);
    cause->region = busy->most.region;
    cause->short_ns = busy->most.short_ns;
    cause->long_ns = busy->most.long_ns;
    each = (double)per_waiter(judging, cause);
    mwa_spend(judging, &judging->results->trace->regions[cause->region], each, each, &spent);
    cause->up_to_ns = (uint64_t)spent.ns;
}

static bool is_of_files(const struct mwa_region *region)
{
    return region->call < MW_CALL_COUNT && mw_call_group(region->call) == MW_GROUP_IO;
}

#define ALONE 0.9 /* of the time in such calls: others open and close the file */

/* The site and the file at which rank spends most time; whether it does nearly all of it. What
 * others do of it could be saved, too. */
static bool find_file(const struct mwa_judging *judging, uint32_t rank, struct mwa_cause *cause)
{
    const struct mwa_results *results = judging->results;
    uint64_t most = 0;
    uint64_t own = 0;
    uint64_t all = 0;

    for (uint64_t i = 0; i < results->file_times.count; i++) {
        const struct mwa_file_time *row = &results->file_times.rows[i];

        all += row->time_ns;
        own += row->rank == rank ? row->time_ns : 0;
        if (row->rank == rank && row->time_ns > most) {
            most = row->time_ns;
            cause->site = row->site;
            cause->object = row->object;
        }
    }
    cause->up_to_ns += judging->run.ranks > 1 ? (all - own) / (judging->run.ranks - 1) : 0;
    return (double)own >= ALONE * (double)all;
}

bool mwa_judge_file_one_rank(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    struct busy busy;

    if (!find_busy(judging, is_of_files, &busy) ||
        busy.most_ns < MWA_CAUSE_ONE * busy.total_ns) {
        return false;
    }
    blame_busy(judging, &busy, cause);
    return find_file(judging, busy.most.rank, cause);
}

/* The rank that asks most for messages of anybody, if nobody else does much; else MWA_NONE. */
static uint32_t find_master(const struct mwa_wildcards *wildcards)
{
    uint32_t most = MWA_NONE;

    for (uint32_t i = 0; wildcards->known && i < wildcards->rank_count; i++) {
        const uint64_t count = mwa_for_anybody(&wildcards->ranks[i]);

        if (count > 0 && (most == MWA_NONE || count > mwa_for_anybody(&wildcards->ranks[most]))) {
            most = i;
        }
    }
    return most != MWA_NONE && (double)mwa_for_anybody(&wildcards->ranks[most]) >=
                                   MWA_CAUSE_ONE * (double)mwa_for_anybody(&wildcards->total)
               ? most
               : MWA_NONE;
}

/* One of two ranks is asked for what it computes, and nobody is there to take work from it but who
 * asks. */
bool mwa_judge_one_worker(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const uint32_t most = most_costly(judging);
    const uint32_t master = find_master(&judging->results->wildcards);
    const struct mwa_rank_row *rows = judging->results->profile.ranks;

    if (judging->run.ranks != 2 || most == MWA_NONE || master == MWA_NONE || master == most ||
        (double)rows[master].useful_ns > LITTLE * (double)rows[most].useful_ns) {
        return false;
    }
    take_cost(judging, most, cause);
    cause->peer = master;
    cause->up_to_ns = judging->run.useful.max_ns - judging->run.useful.average_ns;
    return true;
}

/* Whether half of what was waited for it may be of one time that all others waited. */
static bool is_one_round(const struct mwa_judging *judging, const struct mwa_wait_row *late,
                         uint32_t master)
{
    const double longest = late->worst_count > 0 ? (double)late->worst[0].wait : 0;

    return 2 * longest * (double)(judging->run.ranks - 1) >= (double)late->cause_ns[master];
}

/* What all that the rank does costs others, in MPI and outside: it is asked for all of it. */
bool mwa_judge_master(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_results *results = judging->results;
    const struct mwa_delays *delays = &results->waits.delays;
    const uint32_t master = find_master(&results->wildcards);
    const struct mwa_wait_row *late = &results->waits.rows[MWA_WAIT_LATE_SENDER];

    if (master == MWA_NONE || judging->run.ranks < 3 || !late->cause_ns ||
        (double)late->cause_ns[master] < MWA_CAUSE_ONE * (double)late->total_ns ||
        is_one_round(judging, late, master)) {
        return false;
    }
    mwa_blame(cause, master);
    cause->site = mwa_waits_most(late->site_ns, results->waits.site_count);
    if (delays->rank_short_ns) {
        cause->short_ns = delays->rank_short_ns[master];
        cause->long_ns = delays->rank_long_ns[master];
    }
    cause->up_to_ns = late->cause_ns[master] / (judging->run.ranks - 1);
    return mwa_matters(judging, (double)cause->up_to_ns);
}
