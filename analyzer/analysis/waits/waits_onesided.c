#include "analyzer/analysis/waits/waits_internal.h"

/*
 * Waits in one-sided communication other than fences (waits_collective.c), as Scalasca defines
 * them (MPI_RMA.pattern). A call was entered at E and left at L; which one waits for which post,
 * complete or unlock is found by analyzer/exchange/exchange_onesided.h.
 *
 * Late Post. An origin's start, or if that was left before the post was entered the first
 *   operation on the target or complete that was not, waits (min(E_post, L) - E)+; for
 *   several targets the longest counts, once per call.
 * Early Wait. A target's MPI_Win_wait waits (min(E_complete, L) - E)+ for the origin that
 *   completes its access last.
 * Late Complete, a part of Early Wait: from when that origin had left its last operation on the
 *   target (its start, if there is none), but not before E, to the end of the wait: an
 *   earlier complete would have saved it.
 * Lock Contention. A call waits for a lock while another rank has it, from E on until the
 *   unlock was left, at most until L. The wait for several holders one after the other is divided
 *   among them (mpiwatch's own), each an instance.
 */

/* Whether numbers of posts and starts may be out of step. */
static bool has_losses(const struct mwa_trace *trace, const struct mwa_collective *pair)
{
    const struct mwa_rank *giver = &trace->ranks[pair->members[0].rank];
    const struct mwa_rank *waiter = &trace->ranks[pair->members[1].rank];

    return giver->lost > 0 || giver->paused || giver->incomplete || waiter->lost > 0 ||
           waiter->paused || waiter->incomplete;
}

enum mw_status mwa_waiting_charge_part(struct mwa_waiting *waiting,
                                       const struct mwa_longest_wait *longest)
{
    struct mwa_wait part = longest->wait;
    uint64_t until = part.time + part.wait;

    part.time = longest->part_since > part.time ? longest->part_since : part.time;
    if (part.time >= until || longest->part_since == 0) {
        return MW_OK;
    }
    part.wait = until - part.time;
    return mwa_waiting_charge(waiting, MWA_WAIT_LATE_COMPLETE, &part);
}

enum mw_status mwa_waits_on_pair(struct mwa_waiting *waiting, const struct mwa_collective *pair)
{
    struct mwa_exchange_call *call = pair->members[1].end;
    const struct mwa_exchange_call *giver = pair->members[0].begin;
    struct mwa_wait wait = { .time = call->enter,
                             .rank = call->rank,
                             .cause = giver->rank,
                             .call = call->region,
                             .comm = pair->comm,
                             .other_thread = mwa_is_other_thread(waiting, call) };

    if (!mwa_may_wait(call)) {
        return MW_OK;
    }
    if (pair->kind == MWA_GROUP_LOCK) {
        wait.time = pair->since;
        wait.wait = pair->until - pair->since;
        return mwa_waiting_charge(waiting, MWA_WAIT_LOCK_CONTENTION, &wait);
    }
    wait.wait = mwa_waiting_until(waiting, call, call->enter, giver->enter);
    if (wait.wait > 0 && has_losses(waiting->trace, pair)) {
        waiting->result.uncertain++;
        return MW_OK;
    }
    if (wait.wait == 0) {
        return MW_OK;
    }
    return mwa_waiting_remember(waiting, call,
                                pair->kind == MWA_GROUP_POST ? MWA_WAIT_LATE_POST
                                                             : MWA_WAIT_EARLY_WAIT,
                                &wait, pair->since);
}
