#include "analyzer/analysis/waits/waits_collective.h"

#include <otf2/otf2.h>

#include "analyzer/analysis/waits/waits_rooted.h"
#include "analyzer/model/awaited_peers.h"
#include "analyzer/model/needs.h"

/*
 * Waits in collective operations, as Scalasca defines them (SCOUT, MPI.pattern); those of
 * operations with a root and of scans are in waits_rooted.c. Member i of an
 * operation enters at E_i and leaves at L_i, having sent s_i and received r_i bytes.
 *
 * Wait at NxN (Allreduce, Allgather(v), Alltoall, Reduce_scatter(_block)): i that receives
 *   anything waits (min(max E_j over j that send anything, L_i) - E_i)+.
 * NxN completion: i that sends and receives anything spends (L_i - max(min L_j over j that do so as
 *   well, max E_j over j that send anything))+.
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
 *   completes it, which counts the longest wait of all that it completes, behind a late sender if
 *   it had one; they have no completion patterns.
 * Late Progress of All (mpiwatch's own). A member of a non-blocking operation in which all need
 *   all, or its neighbours, completed it only when the last of those that it needs had entered the
 *   call that completes their part, at E_last, though all had begun before; and soon then
 *   (mwa_visit_completions). It waited (E_last - max(E, O))+, O being when that rank had left its
 *   call before. So it is with a root, in scans and between groups, but for any member that it was
 *   left soon behind; where that had not begun before, it waits for the last until it does.
 * Intercommunicators, where data goes from one group to the other (MPI 3.1, 5.2.3): each pattern
 *   is that of the operation on one group, but over the j of the other group than i's only. The
 *   root is who says MPI_ROOT; the others of its group, who say MPI_PROC_NULL, do not wait. They
 *   have no completion patterns: the groups need not be done at the same time. In one without a
 *   root i may be held for another one of its own group, too, that comes at E_other (mpiwatch's
 *   own, mwa_awaited_return): it waits for the last E_other - max(E_i, E_j) beyond.
 * Wait at Neighbours: i waits (min(max E_j over its in-neighbours j that send it anything, L_i)
 *   - E_i)+, as at NxN, and the j that entered last causes it. Only mpiwatch's archives tell who
 *   the in-neighbours are; where they do not, the instance is left out and counted.
 *
 * Operations of which not all members' parts are in the archive are left out. If a member's record
 * has losses or pauses, so that it may be out of step, an operation that somebody left before
 * those it waits for had entered is left out as well.
 */

static struct mwa_wait_span span_of_all(const struct mwa_collective *collective)
{
    return mwa_wait_span_of(collective, 0, collective->count, false, MWA_NONE);
}

/* Which of member's sources, which are told, entered last; null: it has none. All have begun. */
static const struct mwa_member *last_source_of(const struct mwa_member *member)
{
    const struct mwa_member *last = NULL;

    for (uint32_t i = 0; i < member->sources->count; i++) {
        const struct mwa_member *source =
            &member->collective->members[member->sources->positions[i]];

        if (!last || mwa_is_later(source, last)) {
            last = source;
        }
    }
    return last;
}

/* Charges a blocking operation's own duration, of which span is that of the members that count. */
static enum mw_status charge_completion(const struct mwa_wait_meeting *meeting,
                                        enum mwa_wait_pattern pattern,
                                        const struct mwa_member *member,
                                        const struct mwa_wait_span *span)
{
    const struct mwa_exchange_call *call = member->end;
    uint64_t since = mwa_enter_of(span->last) > span->first_leave ? mwa_enter_of(span->last)
                                                                  : span->first_leave;
    struct mwa_wait wait;

    if (meeting->collective->nonblocking || meeting->has_sides || call->leave <= since ||
        !call->region) {
        return MW_OK;
    }
    wait = mwa_wait_in(meeting->ledger, call, NULL, meeting->collective->comm);
    wait.time = since;
    wait.wait = call->leave - since;
    return mwa_wait_charge(meeting->ledger, pattern, &wait);
}

/* Barriers, and what is like them: everybody waits for everybody. */
static enum mw_status at_barrier(const struct mwa_wait_meeting *meeting,
                                 enum mwa_wait_pattern pattern, enum mwa_wait_pattern completion)
{
    const struct mwa_collective *collective = meeting->collective;
    const struct mwa_wait_span all = span_of_all(collective);
    const struct mwa_wait_span awaited[2] = { mwa_wait_span_for(meeting, false, false, MWA_NONE),
                                     mwa_wait_span_for(meeting, true, false, MWA_NONE) };
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < collective->count && status == MW_OK; i++) {
        const struct mwa_member *member = &collective->members[i];

        if (pattern != MWA_WAIT_PATTERNS) {
            status = mwa_wait_for_member(meeting, pattern, member,
                                         awaited[mwa_side_of(meeting, i)].last);
        }
        if (status == MW_OK && completion != MWA_WAIT_PATTERNS) {
            status = charge_completion(meeting, completion, member, &all);
        }
    }
    return status;
}

/* A fence may be told by assertions that nobody need be waited for: then some leave early. */
static enum mw_status at_fence(struct mwa_wait_meeting *meeting)
{
    const struct mwa_wait_span span = span_of_all(meeting->collective);
    enum mwa_wait_pattern pattern = meeting->collective->operation == OTF2_COLLECTIVE_OP_BARRIER
                                        ? MWA_WAIT_FENCE
                                        : MWA_WAIT_WINDOW;

    if (span.first_leave < mwa_enter_of(span.last)) {
        meeting->all_meet = false;
        return MW_OK;
    }
    return at_barrier(meeting, pattern, MWA_WAIT_PATTERNS);
}

static bool does_exchange(const struct mwa_member *member)
{
    return member->bytes_sent > 0 && member->bytes_received > 0;
}

/* Those that only send may leave, and those that only receive come, whenever they like. */
static struct mwa_wait_span span_of_exchange(const struct mwa_collective *collective)
{
    struct mwa_wait_span span = mwa_wait_span_of(collective, 0, collective->count, true, MWA_NONE);

    span.first_leave = UINT64_MAX;
    for (uint32_t i = 0; i < collective->count; i++) {
        const struct mwa_member *member = &collective->members[i];

        if (does_exchange(member) && member->end->leave < span.first_leave) {
            span.first_leave = member->end->leave;
        }
    }
    return span;
}

static enum mw_status at_nxn(const struct mwa_wait_meeting *meeting)
{
    const struct mwa_collective *collective = meeting->collective;
    const struct mwa_wait_span exchange = span_of_exchange(collective);
    const struct mwa_wait_span senders[2] = { mwa_wait_span_for(meeting, false, true, MWA_NONE),
                                     mwa_wait_span_for(meeting, true, true, MWA_NONE) };
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < collective->count && status == MW_OK; i++) {
        const struct mwa_member *member = &collective->members[i];

        if (member->bytes_received > 0) {
            status = mwa_wait_for_member(meeting, MWA_WAIT_NXN, member,
                            member->sources ? last_source_of(member)
                                            : senders[mwa_side_of(meeting, i)].last);
        }
        if (status == MW_OK && does_exchange(member)) {
            status = charge_completion(meeting, MWA_WAIT_NXN_COMPLETION, member, &exchange);
        }
    }
    return status;
}

static enum mw_status at_operation(const struct mwa_wait_meeting *meeting)
{
    switch (mwa_needs_of(meeting->collective)) {
    case MWA_NEEDS_ALL:
        return meeting->collective->operation == OTF2_COLLECTIVE_OP_BARRIER
                   ? at_barrier(meeting, MWA_WAIT_BARRIER, MWA_WAIT_BARRIER_COMPLETION)
                   : MW_OK;
    case MWA_NEEDS_DATA:
        return at_nxn(meeting);
    case MWA_NEEDS_ROOT:
    case MWA_NEEDS_ALL_AT_ROOT:
    case MWA_NEEDS_LOWER:
        return mwa_waits_at_rooted(meeting);
    case MWA_NEEDS_NOBODY:
    case MWA_NEEDS_FIRST:
        break;
    }
    return MW_OK;
}

static bool has_gaps(const struct mwa_wait_meeting *meeting)
{
    bool found = false;

    for (uint32_t i = 0; i < meeting->collective->count && !found; i++) {
        found = mwa_rank_has_gaps(
            &meeting->ledger->trace->ranks[meeting->collective->members[i].rank]);
    }
    return found;
}

/* Whether nobody left before those had come that he needs. */
static bool are_needs_kept(const struct mwa_collective *collective)
{
    const enum mwa_needs needs = mwa_needs_of(collective);
    const struct mwa_member *root;

    if (needs == MWA_NEEDS_LOWER) {
        return true;
    }
    if ((needs != MWA_NEEDS_ROOT && needs != MWA_NEEDS_ALL_AT_ROOT) || collective->inter ||
        collective->root >= collective->count) {
        return false;
    }
    root = &collective->members[collective->root];
    for (uint32_t i = 0; i < collective->count; i++) {
        const struct mwa_member *member = &collective->members[i];
        const struct mwa_member *giver = needs == MWA_NEEDS_ROOT ? root : member;
        const struct mwa_member *taker = needs == MWA_NEEDS_ROOT ? member : root;

        if (taker->end->leave < mwa_enter_of(giver)) {
            return false;
        }
    }
    return true;
}

/*
 * Whether its members may be of different instances, some of which are not in the archive. Where
 * only beginnings lack, numbers count from where all have begun (analyzer/exchange/tails.h), and it
 * is enough that what has to be so is so.
 */
static bool is_out_of_step(const struct mwa_wait_meeting *meeting,
                           const struct mwa_wait_span *span)
{
    return span->first_leave < mwa_enter_of(span->last) && has_gaps(meeting) &&
           (!meeting->ledger->trace->begins_late || !are_needs_kept(meeting->collective));
}

static enum mw_status charge_progress(void *user, const struct mwa_member *member,
                                      const struct mwa_exchange_call *awaited)
{
    const struct mwa_wait_meeting *meeting = user;
    struct mwa_exchange_call *call = member->end;
    struct mwa_awaited_part part;
    struct mwa_wait wait;

    if (!awaited || !mwa_may_wait(call)) {
        return MW_OK;
    }
    part = mwa_awaited_part_of(member, awaited);
    wait = mwa_wait_in(meeting->ledger, call, awaited, meeting->collective->comm);
    mwa_wait_last(&wait, call, part.since, awaited->enter);
    return mwa_wait_remember(meeting->ledger, call,
                             part.begins ? MWA_WAIT_FOR_LAST : MWA_WAIT_LATE_COMPLETION, &wait, 0);
}

static enum mw_status at_neighbors(struct mwa_wait_meeting *meeting)
{
    const struct mwa_collective *collective = meeting->collective;
    enum mw_status status = MW_OK;
    bool is_early = false;

    for (uint32_t i = 0; i < collective->count; i++) {
        const struct mwa_member *member = &collective->members[i];
        const struct mwa_member *last = member->sources ? last_source_of(member) : NULL;

        if (!member->sources && member->bytes_received > 0) {
            meeting->ledger->result.neighbors_unknown++;
            return MW_OK;
        }
        is_early |= last && member->end->leave < mwa_enter_of(last);
    }
    if (is_early && has_gaps(meeting)) {
        meeting->ledger->result.uncertain++;
        return MW_OK;
    }
    for (uint32_t i = 0; i < collective->count && status == MW_OK; i++) {
        const struct mwa_member *member = &collective->members[i];

        status = mwa_wait_for_member(meeting, MWA_WAIT_NEIGHBORS, member,
                        member->sources ? last_source_of(member) : NULL);
    }
    return status == MW_OK ? mwa_visit_completions(collective, charge_progress, meeting) : status;
}

/* Whether everybody waits for everybody, so that all have met in it. */
static bool do_all_meet(const struct mwa_collective *collective)
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

static enum mw_status at_meeting(struct mwa_wait_meeting *meeting)
{
    switch (meeting->collective->kind) {
    case MWA_GROUP_COLLECTIVE:
        return at_operation(meeting);
    case MWA_GROUP_INIT:
        return at_barrier(meeting, MWA_WAIT_PATTERNS, MWA_WAIT_INIT_COMPLETION);
    case MWA_GROUP_FINALIZE:
        return at_barrier(meeting, MWA_WAIT_FINALIZE, MWA_WAIT_PATTERNS);
    case MWA_GROUP_COMM_CREATE:
        return at_barrier(meeting, MWA_WAIT_COMM_CREATE, MWA_WAIT_PATTERNS);
    case MWA_GROUP_WINDOW:
        return at_fence(meeting);
    case MWA_GROUP_NEIGHBOR:
    case MWA_GROUP_POST:
    case MWA_GROUP_COMPLETE:
    case MWA_GROUP_LOCK:
        break;
    }
    return MW_OK;
}

/* Whether a root goes on without the others is the MPI's affair, by the size: no pattern tells. */
static enum mw_status count_unmet(const struct mwa_wait_meeting *meeting,
                                  const struct mwa_member *last)
{
    const struct mwa_collective *collective = meeting->collective;
    enum mw_status status = MW_OK;

    if (collective->kind != MWA_GROUP_COLLECTIVE || collective->nonblocking) {
        return MW_OK;
    }
    for (uint32_t i = 0; i < collective->count && status == MW_OK; i++) {
        status = mwa_wait_unmet(meeting->ledger, collective->members[i].end, last->begin,
                                collective->comm);
    }
    return status;
}

enum mw_status mwa_waits_of_collective(struct mwa_wait_ledger *ledger,
                                       const struct mwa_collective *collective)
{
    struct mwa_wait_meeting meeting = { .ledger = ledger, .collective = collective };
    const struct mwa_wait_span span = span_of_all(collective);
    enum mw_status status;

    if (collective->kind == MWA_GROUP_NEIGHBOR) {
        return at_neighbors(&meeting);
    }
    if (is_out_of_step(&meeting, &span)) {
        ledger->result.uncertain++;
        return MW_OK;
    }
    meeting.has_sides = collective->inter && collective->kind == MWA_GROUP_COLLECTIVE;
    meeting.all_meet = do_all_meet(collective);
    status = at_meeting(&meeting);
    if (status == MW_OK && mwa_may_await_own_group(collective)) {
        status = mwa_waits_for_return(&meeting);
    }
    if (status == MW_OK) {
        status = count_unmet(&meeting, span.last);
    }
    if (status == MW_OK) {
        status = mwa_visit_completions(collective, charge_progress, &meeting);
    }
    return status == MW_OK && meeting.all_meet && ledger->delay
               ? mwa_delay_meet(ledger->delay, collective)
               : status;
}
