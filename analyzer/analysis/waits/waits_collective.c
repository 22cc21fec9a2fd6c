#include "analyzer/analysis/waits/waits_internal.h"

#include <otf2/otf2.h>

#include "analyzer/model/needs.h"

/*
 * Waits in collective operations, as Scalasca defines them (SCOUT, MPI.pattern). Member i of an
 * operation enters at E_i and leaves at L_i, having sent s_i and received r_i bytes.
 *
 * Early Reduce (Reduce, Gather, Gatherv): the root, if it receives anything, waits
 *   (min(min E_j over j that are not the root and send anything, L_root) - E_root)+.
 * Late Broadcast (Bcast, Scatter, Scatterv): i, not the root, that receives anything, waits
 *   (min(E_root, L_i) - E_i)+.
 * Wait at NxN (Allreduce, Allgather(v), Alltoall, Reduce_scatter(_block)): i that receives
 *   anything waits (min(max E_j over j that send anything, L_i) - E_i)+.
 * NxN completion: i that sends and receives spends (L_i - max(min L_j, max E_j))+.
 * Early Scan (Scan, Exscan): i waits (min(max E_j over j <= i, L_i) - E_i)+.
 * Wait at Barrier: (min(max E_j, L_i) - E_i)+. Barrier completion: as NxN's, of all.
 * Wait at Finalize and in the creation of communicators: as Wait at Barrier; of MPI_Init only
 *   the completion, since its entries depend on how processes were started.
 *
 * Wait at Fence, and in calls that make and free windows (Wait at Create, Wait at Free): as Wait at
 *   Barrier, if nobody left before all had entered: assertions can make a fence local.
 *
 * mpiwatch's own, without a source:
 * Alltoallv and Alltoallw: max E_j over those j that send i anything, where the archive tells
 *   which; where it doesn't they are NxN, over j that send anything to anybody: an upper bound.
 * Non-blocking operations: E_j is when j began it, and i waits from the enter of the call that
 *   completes it, which counts the longest wait of all that it completes, and none if it had a
 *   late sender; they have no completion patterns.
 * Neighbourhoods: waits_neighbor.c.
 *
 * Operations of which not all members' parts are in the archive are left out. Those on
 * intercommunicators are in waits_inter.c. If a member's record has losses or pauses, so that it
 * may be out of step, an operation that somebody left before all had entered is left out as well.
 */

/* Extremes over the members that count. */
struct span {
    const struct mwa_member *last;   /* greatest E */
    const struct mwa_member *first;  /* least E */
    uint64_t first_leave;            /* least L */
};

static uint64_t enter_of(const struct mwa_member *member)
{
    return member->begin->enter;
}

static struct span span_of(const struct mwa_collective *collective, bool only_senders,
                           uint32_t but)
{
    struct span span = { .first_leave = UINT64_MAX };

    for (uint32_t i = 0; i < collective->count; i++) {
        const struct mwa_member *member = &collective->members[i];

        if (i == but || (only_senders && member->bytes_sent == 0)) {
            continue;
        }
        if (!span.last || enter_of(member) > enter_of(span.last)) {
            span.last = member;
        }
        if (!span.first || enter_of(member) < enter_of(span.first)) {
            span.first = member;
        }
        if (member->end->leave < span.first_leave) {
            span.first_leave = member->end->leave;
        }
    }
    return span;
}

enum mw_status mwa_waiting_charge_member(struct mwa_waiting *waiting,
                                         enum mwa_wait_pattern pattern,
                                         const struct mwa_member *member,
                                         const struct mwa_member *cause)
{
    struct mwa_exchange_call *call = member->end;
    struct mwa_wait wait = { .time = call->enter,
                             .rank = member->rank,
                             .cause = cause->rank,
                             .call = call->region,
                             .comm = member->collective->comm,
                             .grouped = waiting->grouped,
                             .other_thread = mwa_is_other_thread(waiting, call) };

    if (!mwa_may_wait(call) || cause == member) {
        return MW_OK;
    }
    wait.wait = mwa_waiting_until(waiting, call, call->enter, enter_of(cause));
    if (wait.wait == 0) {
        return MW_OK;
    }
    return member->collective->nonblocking
               ? mwa_waiting_remember(waiting, call, pattern, &wait, 0)
               : mwa_waiting_charge(waiting, pattern, &wait);
}

static enum mw_status charge_completion(struct mwa_waiting *waiting,
                                        enum mwa_wait_pattern pattern,
                                        const struct mwa_member *member, const struct span *span)
{
    uint64_t since = span->first_leave;
    struct mwa_wait wait = { .rank = member->rank,
                             .cause = MWA_NONE,
                             .call = member->end->region,
                             .comm = member->collective->comm };

    since = enter_of(span->last) > since ? enter_of(span->last) : since;
    if (member->end->leave <= since || !member->end->region) {
        return MW_OK;
    }
    wait.time = since;
    wait.wait = member->end->leave - since;
    return mwa_waiting_charge(waiting, pattern, &wait);
}

/* Barriers, and what is like them: everybody waits for everybody. */
static enum mw_status at_barrier(struct mwa_waiting *waiting,
                                 const struct mwa_collective *collective,
                                 enum mwa_wait_pattern pattern, enum mwa_wait_pattern completion)
{
    const struct span span = span_of(collective, false, MWA_NONE);
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < collective->count && status == MW_OK; i++) {
        const struct mwa_member *member = &collective->members[i];

        if (pattern != MWA_WAIT_PATTERNS) {
            status = mwa_waiting_charge_member(waiting, pattern, member, span.last);
        }
        if (status == MW_OK && completion != MWA_WAIT_PATTERNS && !collective->nonblocking) {
            status = charge_completion(waiting, completion, member, &span);
        }
    }
    return status;
}

/* A fence may be told by assertions that nobody need be waited for: then some leave early. */
static enum mw_status at_fence(struct mwa_waiting *waiting,
                               const struct mwa_collective *collective)
{
    const struct span span = span_of(collective, false, MWA_NONE);
    enum mwa_wait_pattern pattern = collective->operation == OTF2_COLLECTIVE_OP_BARRIER
                                        ? MWA_WAIT_FENCE
                                        : MWA_WAIT_WINDOW;

    if (span.first_leave < enter_of(span.last)) {
        waiting->grouped = false; /* they have not met */
        return MW_OK;
    }
    return at_barrier(waiting, collective, pattern, MWA_WAIT_PATTERNS);
}

static enum mw_status at_nxn(struct mwa_waiting *waiting, const struct mwa_collective *collective)
{
    const struct span senders = span_of(collective, true, MWA_NONE);
    const struct span all = span_of(collective, false, MWA_NONE);
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < collective->count && status == MW_OK; i++) {
        const struct mwa_member *member = &collective->members[i];
        const struct mwa_member *last =
            member->sources ? mwa_waits_last_source(member) : senders.last;

        if (member->bytes_received > 0 && last) {
            status = mwa_waiting_charge_member(waiting, MWA_WAIT_NXN, member, last);
        }
        if (status == MW_OK && !collective->nonblocking && member->bytes_sent > 0 &&
            member->bytes_received > 0) {
            status = charge_completion(waiting, MWA_WAIT_NXN_COMPLETION, member, &all);
        }
    }
    return status;
}

static enum mw_status at_reduce(struct mwa_waiting *waiting,
                                const struct mwa_collective *collective)
{
    const struct mwa_member *root =
        collective->root == MWA_NONE ? NULL : &collective->members[collective->root];
    const struct span span = span_of(collective, true, collective->root);

    return root && root->bytes_received > 0 && span.first
               ? mwa_waiting_charge_member(waiting, MWA_WAIT_EARLY_REDUCE, root, span.first)
               : MW_OK;
}

static enum mw_status at_broadcast(struct mwa_waiting *waiting,
                                   const struct mwa_collective *collective)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; collective->root != MWA_NONE && i < collective->count; i++) {
        const struct mwa_member *member = &collective->members[i];

        if (status == MW_OK && member->bytes_received > 0) {
            status = mwa_waiting_charge_member(waiting, MWA_WAIT_LATE_BROADCAST, member,
                            &collective->members[collective->root]);
        }
    }
    return status;
}

static enum mw_status at_scan(struct mwa_waiting *waiting, const struct mwa_collective *collective)
{
    const struct mwa_member *last = &collective->members[0];
    enum mw_status status = MW_OK;

    for (uint32_t i = 1; i < collective->count && status == MW_OK; i++) {
        const struct mwa_member *member = &collective->members[i];

        last = enter_of(member) > enter_of(last) ? member : last;
        status = mwa_waiting_charge_member(waiting, MWA_WAIT_EARLY_SCAN, member, last);
    }
    return status;
}

static enum mw_status at_operation(struct mwa_waiting *waiting,
                                   const struct mwa_collective *collective)
{
    if (collective->inter) {
        return mwa_waits_at_inter(waiting, collective);
    }
    switch (mwa_needs_of(collective)) {
    case MWA_NEEDS_ALL:
        return collective->operation == OTF2_COLLECTIVE_OP_BARRIER
                   ? at_barrier(waiting, collective, MWA_WAIT_BARRIER,
                                MWA_WAIT_BARRIER_COMPLETION)
                   : MW_OK;
    case MWA_NEEDS_DATA:
        return at_nxn(waiting, collective);
    case MWA_NEEDS_ROOT:
        return at_broadcast(waiting, collective);
    case MWA_NEEDS_ALL_AT_ROOT:
        return at_reduce(waiting, collective);
    case MWA_NEEDS_LOWER:
        return at_scan(waiting, collective);
    case MWA_NEEDS_NOBODY:
    case MWA_NEEDS_FIRST:
        break;
    }
    return MW_OK;
}

/* Whether losses may have put members out of step, and times say that they are. */
static bool is_doubtful(const struct mwa_waiting *waiting,
                        const struct mwa_collective *collective)
{
    const struct span span = span_of(collective, false, MWA_NONE);
    bool has_losses = false;

    for (uint32_t i = 0; i < collective->count && !has_losses; i++) {
        const struct mwa_rank *rank = &waiting->trace->ranks[collective->members[i].rank];

        has_losses = rank->lost > 0 || rank->paused || rank->incomplete;
    }
    return has_losses && span.first_leave < enter_of(span.last);
}

/* Whether everybody waits for everybody, so that all have met in it. */
static bool all_meet(const struct mwa_collective *collective)
{
    bool exchanges = mwa_needs_of(collective) == MWA_NEEDS_DATA;

    if (collective->nonblocking || collective->inter ||
        collective->kind == MWA_GROUP_FINALIZE ||
        (collective->kind == MWA_GROUP_COLLECTIVE && !exchanges &&
         collective->operation != OTF2_COLLECTIVE_OP_BARRIER)) {
        return false;
    }
    for (uint32_t i = 0; i < collective->count && exchanges; i++) {
        const struct mwa_member *member = &collective->members[i];

        if (member->bytes_sent == 0 || member->bytes_received == 0 || member->sources) {
            return false;
        }
    }
    return true;
}

static enum mw_status at_collective(struct mwa_waiting *waiting,
                                    const struct mwa_collective *collective)
{
    switch (collective->kind) {
    case MWA_GROUP_COLLECTIVE:
        return at_operation(waiting, collective);
    case MWA_GROUP_INIT:
        return at_barrier(waiting, collective, MWA_WAIT_PATTERNS, MWA_WAIT_INIT_COMPLETION);
    case MWA_GROUP_FINALIZE:
        return at_barrier(waiting, collective, MWA_WAIT_FINALIZE, MWA_WAIT_PATTERNS);
    case MWA_GROUP_COMM_CREATE:
        return at_barrier(waiting, collective, MWA_WAIT_COMM_CREATE, MWA_WAIT_PATTERNS);
    case MWA_GROUP_WINDOW:
        return at_fence(waiting, collective);
    case MWA_GROUP_NEIGHBOR:
    case MWA_GROUP_POST:
    case MWA_GROUP_COMPLETE:
    case MWA_GROUP_LOCK:
        break;
    }
    return MW_OK;
}

enum mw_status mwa_waits_on_collective(void *user, struct mwa_collective *collective)
{
    struct mwa_waiting *waiting = user;
    enum mw_status status;

    if (!collective->complete) {
        return MW_OK;
    }
    if (collective->kind == MWA_GROUP_NEIGHBOR) {
        return mwa_waits_at_neighbors(waiting, collective);
    }
    if (collective->kind >= MWA_GROUP_POST) {
        return mwa_waits_on_pair(waiting, collective);
    }
    if (is_doubtful(waiting, collective)) {
        waiting->result.uncertain++;
        return MW_OK;
    }
    waiting->grouped = all_meet(collective);
    status = at_collective(waiting, collective);
    if (status == MW_OK && waiting->grouped && waiting->delay) {
        status = mwa_delay_meet(waiting->delay, collective);
    }
    waiting->grouped = false;
    return status;
}
