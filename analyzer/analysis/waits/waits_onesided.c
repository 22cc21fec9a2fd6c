#include "analyzer/analysis/waits/waits_onesided.h"

/*
 * Waits in one-sided communication other than fences (waits_collective.c), as Scalasca defines
 * them (MPI_RMA.pattern). A call was entered at E and left at L; which one waits for which post,
 * complete or unlock is found by analyzer/exchange/exchange_onesided.h.
 *
 * Late Post. An origin's start, or if that was left before the post was entered the first
 *   operation on the target or complete that was not, waits (min(E_post, L) - E)+; for
 *   several targets the longest counts, once per call.
 * Early Wait. A target's MPI_Win_wait waits (min(E_complete, L) - E)+ for the origin that
 *   completes its access last; or for the post that held up the MPI_Win_complete of that
 *   (mpiwatch's own).
 * Late Complete, a part of Early Wait: from when that origin had left its last operation on the
 *   target (its start, if there is none), but not before E, to the end of the wait: an
 *   earlier complete would have saved it.
 * Lock Contention. A call waits for a lock while another rank has it, from E on until the
 *   unlock was left, at most until L. The wait for several holders one after the other is divided
 *   among them (mpiwatch's own), each an instance.
 */

enum mw_status mwa_waits_of_pair(struct mwa_wait_ledger *ledger,
                                 const struct mwa_collective *pair)
{
    const struct mwa_rank *ranks = ledger->trace->ranks;
    const struct mwa_exchange_call *giver = pair->members[0].begin;
    struct mwa_exchange_call *call = pair->members[1].end;
    struct mwa_wait wait;

    if (!mwa_may_wait(call)) {
        return MW_OK;
    }
    if (pair->kind == MWA_GROUP_LOCK) {
        wait = mwa_wait_in(ledger, call, giver, pair->comm);
        wait.time = pair->since;
        wait.wait = pair->until - pair->since;
        return mwa_wait_charge(ledger, MWA_WAIT_LOCK_CONTENTION, &wait);
    }
    if (!mwa_wait_until(ledger, call, giver, pair->comm, &wait) || wait.wait == 0) {
        return MW_OK;
    }
    /* Numbers of posts and starts may be out of step. */
    if (mwa_rank_has_gaps(&ranks[pair->members[0].rank]) ||
        mwa_rank_has_gaps(&ranks[pair->members[1].rank])) {
        ledger->result.uncertain++;
        return MW_OK;
    }
    return pair->kind == MWA_GROUP_POST
               ? mwa_wait_remember(ledger, call, MWA_WAIT_LATE_POST, &wait, 0)
               : mwa_wait_remember(ledger, call, MWA_WAIT_EARLY_WAIT, &wait, pair->since);
}
