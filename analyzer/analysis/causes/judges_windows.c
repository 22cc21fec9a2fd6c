/*
 * What windows cost: operations on them, and calls that begin, end or order these. Who asks for a
 * lock waits for whoever has it, and not for the calls alone.
 */
#include <math.h>

#include "analyzer/analysis/causes/calls_spent.h"
#include "analyzer/analysis/causes/cause_judges.h"

#define OPERATIONS 2 /* for a flush: that is not one by one */

/* Whether a call completes operations on a window that is not closed by it. */
static bool flushes(unsigned call)
{
    const enum mw_call_kind kind = mw_call_kind(call);

    return kind == MW_KIND_WIN_FLUSH || kind == MW_KIND_WIN_FLUSH_ALL ||
           kind == MW_KIND_WIN_FLUSH_LOCAL || kind == MW_KIND_WIN_FLUSH_LOCAL_ALL;
}

static bool accesses(unsigned call)
{
    const enum mw_call_kind kind = mw_call_kind(call);

    return kind == MW_KIND_ACCESS || kind == MW_KIND_RACCESS;
}

/* Whether there are count of calls, and hardly an operation on windows for each. */
static bool are_one_by_one(const struct mwa_judging *judging, const struct mwa_calls *calls,
                           uint64_t count, struct mwa_cause *cause)
{
    cause->count = count;
    cause->operations = mwa_sum_calls(judging, accesses, MWA_WHOLE).count;
    if (count < MWA_CALLS_MANY || !calls->most ||
        (double)cause->operations >= OPERATIONS * (double)count) {
        return false;
    }
    mwa_take_calls(judging, calls, &calls->spent, cause);
    return true;
}

bool mwa_judge_flushes(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_calls calls = mwa_sum_calls(judging, flushes, MWA_WHOLE);

    return are_one_by_one(judging, &calls, calls.count, cause);
}

static bool unlocks(unsigned call)
{
    return mw_call_kind(call) == MW_KIND_WIN_UNLOCK;
}

static bool locks(unsigned call)
{
    return mw_call_kind(call) == MW_KIND_WIN_LOCK || unlocks(call);
}

/* Whether a lock, or all, is given back by it. */
static bool gives_back(unsigned call)
{
    return unlocks(call) || mw_call_kind(call) == MW_KIND_WIN_UNLOCK_ALL;
}

static bool is_under_lock(unsigned call)
{
    return locks(call) || gives_back(call) || mw_call_kind(call) == MW_KIND_WIN_LOCK_ALL ||
           flushes(call) || accesses(call);
}

/* The time in calls that begin and end them, beside that for which others have the lock. */
bool mwa_judge_lock_epochs(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_calls calls = mwa_sum_calls(judging, locks, MWA_BESIDE_WAITS);

    return are_one_by_one(judging, &calls, mwa_sum_calls(judging, unlocks, MWA_WHOLE).count, cause);
}

static bool ends_accesses(unsigned call)
{
    return flushes(call) || gives_back(call) || mw_call_kind(call) == MW_KIND_WIN_COMPLETE;
}

/* Of calls that are many of little the rows above say what they cost. A target that computes does
 * so for as long if it lets accesses move on. */
bool mwa_judge_accesses(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_calls calls = mwa_sum_calls(judging, ends_accesses, MWA_BESIDE_WAITS);
    const uint64_t most = judging->computing.max_ns;
    const uint64_t all = judging->run.length_ns;
    const uint64_t beside = all > most ? all - most : 0;
    struct mwa_cause other = { .behind = MWA_NONE };

    if (!calls.most || calls.spent.ns < MWA_CALLS_BIND * (double)judging->run.run_ns ||
        mwa_judge_flushes(judging, &other) || mwa_judge_lock_epochs(judging, &other)) {
        return false;
    }
    mwa_take_calls(judging, &calls, &calls.spent, cause);
    cause->up_to_ns = cause->up_to_ns < beside ? cause->up_to_ns : beside;
    return true;
}

static bool fences(unsigned call)
{
    return mw_call_kind(call) == MW_KIND_WIN_FENCE;
}

/* What operations on windows move, each way, on average. */
static uint64_t bytes_of_accesses(const struct mwa_profile *profile, uint64_t operations)
{
    uint64_t bytes = 0;

    for (uint64_t i = 0; i < profile->call_count; i++) {
        if (accesses(profile->calls[i].region->call)) {
            bytes += profile->calls[i].bytes_sent + profile->calls[i].bytes_received;
        }
    }
    return operations ? bytes / operations : 0;
}

/*
 * More than a little takes its time to move, in whatever call. Without operations ranks read and
 * write memory that they share, and have to meet for that.
 */
bool mwa_judge_fences(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_calls calls = mwa_sum_calls(judging, fences, MWA_BESIDE_POSSIBLE_WAITS);

    if (!are_one_by_one(judging, &calls, calls.count, cause) || cause->operations == 0) {
        return false;
    }
    cause->bytes = bytes_of_accesses(&judging->results->profile, cause->operations);
    return cause->bytes <= MWA_BURST_BYTES;
}

/* Of a few bytes each it is not these that operations take their time for. Where there is hardly
 * one for each call that orders them, the rows above say so. */
bool mwa_judge_small_accesses(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_calls calls = mwa_sum_calls(judging, accesses, MWA_BESIDE_WAITS);
    struct mwa_cause other = { .behind = MWA_NONE };

    if (calls.count < MWA_CALLS_MANY || !calls.most ||
        calls.spent.ns < MWA_CALLS_BIND * (double)judging->run.run_ns ||
        mwa_judge_flushes(judging, &other) || mwa_judge_lock_epochs(judging, &other) ||
        mwa_judge_fences(judging, &other)) {
        return false;
    }
    cause->operations = calls.count;
    cause->bytes = bytes_of_accesses(&judging->results->profile, calls.count);
    mwa_take_calls(judging, &calls, &calls.spent, cause);
    return cause->bytes > 0 && !mwa_are_long(&calls, cause->bytes);
}

/* What ranks waited because others were late that had waited for locks, or for these themselves:
 * what is charged to those who have one until they are through with the call that gives it back. */
static double charged_to_locks(const struct mwa_results *results)
{
    const struct mwa_delays *delays = &results->waits.delays;
    double ns = 0;

    for (uint64_t i = 0; i < delays->place_count; i++) {
        const struct mwa_delay_cell *place = &delays->places[i];

        if (place->before != MWA_NONE &&
            gives_back(results->trace->regions[results->trace->sites[place->before].region].call)) {
            ns += (double)(place->short_ns + place->long_ns);
        }
    }
    return ns;
}

/* What the rank that waits longest waits in all. */
static double longest_waiting(const struct mwa_waits *waits)
{
    uint64_t longest = 0;

    for (uint32_t i = 0; i < waits->rank_count; i++) {
        const uint64_t waiting = mwa_waits_rank_ns(waits, i);

        longest = waiting > longest ? waiting : longest;
    }
    return (double)longest;
}

/*
 * The run is shorter by no more than all waiting for locks, nor than what any one rank waits in
 * all: others may wait for it because it had its lock late. Calls under a lock may be longer, too,
 * because others ask the same target, and not only while these have it.
 */
bool mwa_judge_locks(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_waits *waits = &judging->results->waits;
    const struct mwa_wait_row *locks = &waits->rows[MWA_WAIT_LOCK_CONTENTION];
    const double direct = (double)locks->total_ns;
    const double cost = fmax(direct, charged_to_locks(judging->results));
    const double all = (double)mwa_waits_total_ns(waits);
    const double beside = mwa_sum_calls(judging, is_under_lock, MWA_BESIDE_WAITS).spent.ns;
    const double longest = longest_waiting(waits);
    double up_to;

    if (direct == 0 || cost < MWA_CAUSE_IN_TURN * all) {
        return false;
    }
    up_to = fmin(direct + beside, longest + beside / (double)judging->run.ranks);
    up_to = fmin(up_to, (double)judging->run.mpi.max_ns);
    cause->site = mwa_waits_most(locks->site_ns, waits->site_count);
    cause->is_of_caller = true;
    cause->short_ns = locks->total_ns;
    cause->long_ns = (uint64_t)(cost - direct);
    cause->up_to_ns = (uint64_t)up_to;
    cause->own_ns = (uint64_t)fmin(cost * longest / all, up_to);
    return mwa_matters(judging, (double)cause->own_ns);
}
