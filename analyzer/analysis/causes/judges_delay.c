/*
 * Who made others wait by what it did meanwhile. A rank that computes longer in all is the one to
 * name, or one that is longer in MPI, or is asked for all; where no rank is, judges_late.c goes on.
 */
#include "analyzer/analysis/causes/cause_judges.h"
#include "analyzer/analysis/time/tally.h"

/* What a rank's computing has cost, less what it did not run in that. */
static double cost_of(const struct mwa_suspect *suspect)
{
    const double excess = (double)suspect->excess_ns;
    const double off = (double)suspect->off_ns;

    return (suspect->short_ns + suspect->long_ns) * (off > 0 ? excess / (excess + off) : 1);
}

/* --- one or several ranks compute longer --------------------------------------------------- */

#define MEMBER 0.1 /* of the greatest cost: it is one of those that are named */
#define ALIKE  0.1 /* of useful time: it would be blamed if the one that is came earlier */

/* With what the others are done earlier, if the run goes on until this rank ends: who has ended is
 * in MPI_Finalize, and not told to wait there. */
static double cost_with_end(const struct mwa_judging *judging, uint32_t rank)
{
    const struct mwa_rank_row *row = &judging->results->profile.ranks[rank];
    const bool is_last = row->has_events && mwa_ended_before(judging, row) <= 0;

    return cost_of(&judging->suspects[rank]) + (is_last ? judging->ended_ns : 0);
}

/* The rank with the most cost of those that compute longer in all; MWA_NONE: none. */
static uint32_t most_costly(const struct mwa_judging *judging)
{
    uint32_t most = MWA_NONE;
    double greatest = 0;

    for (uint32_t i = 0; i < judging->results->profile.rank_count; i++) {
        const double cost = judging->suspects[i].excess_ns > 0 ? cost_with_end(judging, i) : 0;

        if (cost > greatest) {
            most = i;
            greatest = cost;
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

uint64_t mwa_per_waiter(const struct mwa_judging *judging, const struct mwa_cause *cause)
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

uint64_t mwa_ended_before_those(const struct mwa_judging *judging, const struct mwa_cause *cause)
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

/* What the ranks that are blamed compute beyond the one that computes least, all together: a path
 * through the run gets shorter by no more if they do not, whichever of them it leads through. */
static uint64_t beyond_least(const struct mwa_judging *judging, const struct mwa_cause *cause)
{
    uint64_t sum = 0;

    for (uint64_t i = 0; i < judging->results->profile.rank_count; i++) {
        const struct mwa_rank_row *row = &judging->results->profile.ranks[i];

        if (is_listed(cause, row->rank)) {
            sum += mwa_computing_ns(judging->results, row) - judging->computing.min_ns;
        }
    }
    return cause->rank_count == cause->listed ? sum : UINT64_MAX;
}

/* What counts is no more than what the longest computes beyond the least. Ranks that are longer by
 * turns may cost more than that: what the others wait for them could be saved, as far as it is of
 * how long they compute, and not of when. */
static void take_longer(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const uint64_t spread = judging->computing.max_ns - judging->computing.min_ns;
    const uint64_t beyond = beyond_least(judging, cause);
    const uint64_t waited = mwa_per_waiter(judging, cause);
    const uint64_t all = waited + mwa_ended_before_those(judging, cause);
    const uint64_t longer = waited < beyond ? waited : beyond;

    cause->own_ns = all < spread ? all : spread;
    cause->up_to_ns = cause->own_ns > longer ? cause->own_ns : longer;
}

/* Blames the one that costs most, and those that cost much, too, or compute as long as that. */
static void blame_longer(const struct mwa_judging *judging, uint32_t most, struct mwa_cause *cause)
{
    const struct mwa_rank_row *rows = judging->results->profile.ranks;
    const double longest = (double)mwa_computing_ns(judging->results, &rows[most]);
    const double cost = cost_with_end(judging, most);

    take_cost(judging, most, cause);
    for (uint32_t i = 0; i < judging->results->profile.rank_count; i++) {
        const struct mwa_suspect *suspect = &judging->suspects[i];
        const double apart = (double)mwa_computing_ns(judging->results, &rows[i]) - longest;

        if (i != most && suspect->excess_ns > 0 &&
            (cost_with_end(judging, i) >= MEMBER * cost ||
             (apart <= ALIKE * longest && apart >= -ALIKE * longest))) {
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
                              (double)judging->computing.average_ns);
    take_longer(judging, cause);
    return 2 * cause->rank_count <= judging->run.ranks &&
           !mwa_judge_one_worker(judging, &(struct mwa_cause){ .rank_count = 0 }) &&
           !(mwa_judge_master(judging, &master) && master.ranks[0] == most);
}

/* Where more than half of the ranks compute longer than the average, the others do little. */
bool mwa_judge_idle(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const uint32_t most = most_costly(judging);
    const struct mwa_spread *all = &judging->computing;
    struct mwa_cause longer = { .rule = cause->rule };

    if (most == MWA_NONE) {
        return false;
    }
    blame_longer(judging, most, &longer);
    for (uint32_t i = 0; i < judging->results->profile.rank_count; i++) {
        const struct mwa_rank_row *row = &judging->results->profile.ranks[i];
        const uint64_t computing = mwa_computing_ns(judging->results, row);

        if (row->has_events && judging->suspects[i].excess_ns == 0 &&
            computing < all->average_ns && !judging->suspects[i].is_off) {
            mwa_blame(cause, i);
            cause->time_ns = computing > cause->time_ns ? computing : cause->time_ns;
        }
    }
    cause->short_ns = longer.short_ns;
    cause->long_ns = longer.long_ns;
    cause->site = judging->suspects[most].site;
    cause->up_to_ns = all->max_ns - all->average_ns;
    return cause->rank_count > 0 && 2 * longer.rank_count > judging->run.ranks;
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
    each = (double)mwa_per_waiter(judging, cause);
    mwa_spend(judging, &judging->results->trace->regions[cause->region], each, each, &spent);
    cause->up_to_ns = (uint64_t)spent.ns;
}

static bool is_of_files(const struct mwa_region *region)
{
    return region->call < MW_CALL_COUNT && mw_call_group(region->call) == MW_GROUP_IO;
}

#define ALONE 0.9 /* of the time in such calls: others open and close the file */

/* The site at which rank spends most time, and its file; whether it does nearly all of it. What
 * others do of it could be saved, too. */
static bool find_file(const struct mwa_judging *judging, uint32_t rank, struct mwa_cause *cause)
{
    const struct mwa_results *results = judging->results;
    struct mwa_tally sites = { 0 };
    uint64_t most = 0;
    uint64_t own = 0;
    uint64_t all = 0;

    for (uint64_t i = 0; i < results->file_times.count; i++) {
        const struct mwa_file_time *row = &results->file_times.rows[i];

        all += row->time_ns;
        if (row->rank == rank && mwa_tally_add(&sites, row->site, row->time_ns)) {
            own += row->time_ns;
            if (mwa_tally_get(&sites, row->site) > most) {
                most = mwa_tally_get(&sites, row->site);
                cause->site = row->site;
            }
        }
    }
    mwa_tally_fini(&sites);
    cause->object = mwa_file_of_most(results, cause->site);
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

/* The rank that hands out by operations of which it is the root, and gets what comes of it by
 * others: it is who is waited for in those, and who waits in these; else MWA_NONE. */
static uint32_t find_root(const struct mwa_waits *waits)
{
    const struct mwa_wait_row *out = &waits->rows[MWA_WAIT_LATE_BROADCAST];
    const struct mwa_wait_row *back = &waits->rows[MWA_WAIT_EARLY_REDUCE];
    const uint32_t root =
        back->rank_ns && out->cause_ns ? mwa_waits_most(back->rank_ns, waits->rank_count)
                                       : MWA_NONE;

    return root != MWA_NONE &&
                   (double)back->rank_ns[root] >= MWA_CAUSE_ONE * (double)back->total_ns &&
                   (double)out->cause_ns[root] >= MWA_CAUSE_ONE * (double)out->total_ns
               ? root
               : MWA_NONE;
}

/* One of two ranks is asked for what it computes, and nobody is there to take work from it but who
 * asks. */
bool mwa_judge_one_worker(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const uint32_t most = most_costly(judging);
    const uint32_t asking = find_master(&judging->results->wildcards);
    const uint32_t master = asking != MWA_NONE ? asking : find_root(&judging->results->waits);
    const struct mwa_rank_row *rows = judging->results->profile.ranks;

    if (judging->run.ranks != 2 || most == MWA_NONE || master == MWA_NONE || master == most ||
        (double)mwa_computing_ns(judging->results, &rows[master]) >
            MWA_CAUSE_LITTLE * (double)mwa_computing_ns(judging->results, &rows[most])) {
        return false;
    }
    take_cost(judging, most, cause);
    cause->peer = master;
    cause->up_to_ns = judging->computing.max_ns - judging->computing.average_ns;
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
    cause->is_of_caller = true;
    if (delays->rank_short_ns) {
        cause->short_ns = delays->rank_short_ns[master];
        cause->long_ns = delays->rank_long_ns[master];
    }
    cause->up_to_ns = late->cause_ns[master] / (judging->run.ranks - 1);
    return mwa_matters(judging, (double)cause->up_to_ns);
}
