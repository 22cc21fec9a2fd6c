#include "analyzer/analysis/waits/waits_rooted.h"

#include "analyzer/model/awaited_peers.h"
#include "analyzer/model/needs.h"

/*
 * Waits in operations with a root and in scans, as Scalasca defines them (SCOUT, MPI.pattern).
 * Member i of an operation enters at E_i and leaves at L_i.
 *
 * Early Reduce (Reduce, Gather, Gatherv): the root, if it receives anything, waits
 *   (min(min E_j over j that are not the root and send anything, L_root) - E_root)+.
 * Late Broadcast (Bcast, Scatter, Scatterv): i, not the root, that receives anything, waits
 *   (min(E_root, L_i) - E_i)+.
 * Early Scan (Scan, Exscan): i that sends or receives anything waits
 *   (min(max E_j over j <= i, L_i) - E_i)+.
 *
 * mpiwatch's own, without a source:
 * Wait for the last, what the patterns of operations with a root and of scans leave open. The
 *   root of Reduce, Gather and Gatherv needs the data of all, not of the first only: it waits
 *   (min(max E_j, L_root) - max(E_root, min E_j))+, over j as in Early Reduce. All others may be
 *   let go by the MPI before the last has come, or not, by the size and the algorithm. If all
 *   L_i of an operation are at least max E_j, it let nobody go, and i waits (max E_j - max(E_i,
 *   e))+ beyond its pattern, where e is E_root (Bcast, Scatter, Scatterv), max E_j over j <= i
 *   (Scan, Exscan), or 0: an upper bound where data was moved meanwhile. Between groups of an
 *   intercommunicator the others do not; the root does, and of a
 *   non-blocking one all of its wait counts so, as far as different ranks send first and last.
 *   Where somebody was let go, who gives (the root of a broadcast, the others in a reduction)
 *   may have waited for another to come to MPI, to an operation before this one or to it, at
 *   E_other, if it was outside of MPI from O on (mwa_awaited_return): it waited E_other -
 *   max(E_i, O). Who gets what a root gives may have waited for another to hand it on: E_other -
 *   max(E_i, E_root). Who is in a scan may have been held by one behind it, to which it gives:
 *   E_other - max E_j over j <= i.
 *   Between groups, and in non-blocking operations, only who comes to this one counts, and not
 *   whether it was outside of MPI: E_other - E_i for who gives.
 */

static enum mw_status at_reduce(const struct mwa_wait_meeting *meeting)
{
    const uint32_t position = meeting->collective->root;
    const struct mwa_member *root = &meeting->collective->members[position];

    return root->bytes_received > 0
               ? mwa_wait_for_member(meeting, MWA_WAIT_EARLY_REDUCE, root,
                                     mwa_wait_span_for(meeting, mwa_side_of(meeting, position),
                                                       true, position).first)
               : MW_OK;
}

static enum mw_status at_broadcast(const struct mwa_wait_meeting *meeting)
{
    const struct mwa_collective *collective = meeting->collective;
    const bool side = mwa_side_of(meeting, collective->root);
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < collective->count && status == MW_OK; i++) {
        const struct mwa_member *member = &collective->members[i];

        if (member->bytes_received > 0 &&
            (!meeting->has_sides || mwa_side_of(meeting, i) != side)) {
            status = mwa_wait_for_member(meeting, MWA_WAIT_LATE_BROADCAST, member,
                                         &collective->members[collective->root]);
        }
    }
    return status;
}

static enum mw_status at_scan(const struct mwa_wait_meeting *meeting)
{
    const struct mwa_member *last = &meeting->collective->members[0];
    enum mw_status status = MW_OK;

    for (uint32_t i = 1; i < meeting->collective->count && status == MW_OK; i++) {
        const struct mwa_member *member = &meeting->collective->members[i];

        last = mwa_enter_of(member) > mwa_enter_of(last) ? member : last;
        if (member->bytes_sent > 0 || member->bytes_received > 0) {
            status = mwa_wait_for_member(meeting, MWA_WAIT_EARLY_SCAN, member, last);
        }
    }
    return status;
}

/* Charges what member waited from since on for cause to enter. */
static enum mw_status charge_rest(const struct mwa_wait_meeting *meeting,
                                  const struct mwa_member *member, uint64_t since,
                                  const struct mwa_member *cause)
{
    struct mwa_exchange_call *call = member->end;
    const uint64_t begin = since > call->enter ? since : call->enter;
    const uint64_t end =
        mwa_enter_of(cause) < call->leave ? mwa_enter_of(cause) : call->leave;
    struct mwa_wait wait;

    if (cause == member || end <= begin || !mwa_may_wait(call)) {
        return MW_OK;
    }
    wait = mwa_wait_in(meeting->ledger, call, cause->begin, meeting->collective->comm);
    mwa_wait_last(&wait, call, begin, end);
    return meeting->collective->nonblocking
               ? mwa_wait_remember(meeting->ledger, call, MWA_WAIT_FOR_LAST, &wait, 0)
               : mwa_wait_charge(meeting->ledger, MWA_WAIT_FOR_LAST, &wait);
}

/* The root, which needs the data of all. Of a call only the longest wait for something that does
 * not block counts: that is all of it, and not just what early reduce leaves open. */
static enum mw_status wait_at_root(const struct mwa_wait_meeting *meeting)
{
    const uint32_t position = meeting->collective->root;
    const struct mwa_member *root = &meeting->collective->members[position];
    const struct mwa_wait_span senders =
        mwa_wait_span_for(meeting, mwa_side_of(meeting, position), true, position);

    return root->bytes_received > 0 && senders.last != senders.first
               ? charge_rest(meeting, root,
                             meeting->collective->nonblocking ? 0 : mwa_enter_of(senders.first),
                             senders.last)
               : MW_OK;
}

enum mw_status mwa_waits_for_return(const struct mwa_wait_meeting *meeting)
{
    const struct mwa_collective *collective = meeting->collective;
    enum mw_status status = MW_OK;
    struct mwa_comers comers;

    mwa_comers_find(&comers, collective);
    for (uint32_t i = 0; i < collective->count && status == MW_OK; i++) {
        const struct mwa_member *member = &collective->members[i];
        const struct mwa_exchange_call *other = mwa_awaited_return(member, &comers);
        struct mwa_wait wait;

        if (other) {
            wait = mwa_wait_in(meeting->ledger, member->end, other, collective->comm);
            mwa_wait_last(&wait, member->end, mwa_awaited_return_since(member, other),
                          other->enter);
            status = mwa_wait_charge(meeting->ledger, MWA_WAIT_FOR_LAST, &wait);
        }
    }
    return status;
}

/* What members wait beyond the patterns of operations with a root and of scans. */
static enum mw_status wait_for_last(const struct mwa_wait_meeting *meeting)
{
    const struct mwa_collective *collective = meeting->collective;
    const enum mwa_needs needs = mwa_needs_of(collective);
    const struct mwa_member *last = mwa_awaited_last(collective);
    const struct mwa_member *root =
        collective->root == MWA_NONE ? NULL : &collective->members[collective->root];
    uint64_t known = root && needs == MWA_NEEDS_ROOT ? mwa_enter_of(root) : 0;
    const bool gathers = root && needs == MWA_NEEDS_ALL_AT_ROOT;
    enum mw_status status = gathers ? wait_at_root(meeting) : MW_OK;

    for (uint32_t i = 0; last && i < collective->count && status == MW_OK; i++) {
        const struct mwa_member *member = &collective->members[i];

        if (needs == MWA_NEEDS_LOWER && mwa_enter_of(member) > known) {
            known = mwa_enter_of(member);
        }
        if (!gathers || member != root) {
            status = charge_rest(meeting, member, known, last);
        }
    }
    return status == MW_OK && !last && mwa_may_await_last(collective) && !collective->nonblocking
               ? mwa_waits_for_return(meeting)
               : status;
}

enum mw_status mwa_waits_at_rooted(const struct mwa_wait_meeting *meeting)
{
    const enum mwa_needs needs = mwa_needs_of(meeting->collective);
    const bool has_root = meeting->collective->root != MWA_NONE;
    enum mw_status status = MW_OK;

    if (needs == MWA_NEEDS_ROOT && has_root) {
        status = at_broadcast(meeting);
    } else if (needs == MWA_NEEDS_ALL_AT_ROOT && has_root) {
        status = at_reduce(meeting);
    } else if (needs == MWA_NEEDS_LOWER && !meeting->has_sides) {
        status = at_scan(meeting);
    }
    return status == MW_OK ? wait_for_last(meeting) : status;
}
