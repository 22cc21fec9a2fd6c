/*
 * By the operation, not by the function: what other tools call their regions is up
 * to them.
 */
#include "analyzer/model/needs.h"

#include "analyzer/model/awaited_peers.h"

#include <otf2/otf2.h>

static enum mwa_needs needs_of_operation(uint32_t operation)
{
    switch (operation) {
    case OTF2_COLLECTIVE_OP_BCAST:
    case OTF2_COLLECTIVE_OP_SCATTER:
    case OTF2_COLLECTIVE_OP_SCATTERV:
        return MWA_NEEDS_ROOT;
    case OTF2_COLLECTIVE_OP_REDUCE:
    case OTF2_COLLECTIVE_OP_GATHER:
    case OTF2_COLLECTIVE_OP_GATHERV:
        return MWA_NEEDS_ALL_AT_ROOT;
    case OTF2_COLLECTIVE_OP_SCAN:
    case OTF2_COLLECTIVE_OP_EXSCAN:
        return MWA_NEEDS_LOWER;
    case OTF2_COLLECTIVE_OP_ALLGATHER:
    case OTF2_COLLECTIVE_OP_ALLGATHERV:
    case OTF2_COLLECTIVE_OP_ALLTOALL:
    case OTF2_COLLECTIVE_OP_ALLTOALLV:
    case OTF2_COLLECTIVE_OP_ALLTOALLW:
    case OTF2_COLLECTIVE_OP_ALLREDUCE:
    case OTF2_COLLECTIVE_OP_REDUCE_SCATTER:
    case OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK:
        return MWA_NEEDS_DATA;
    default:
        return MWA_NEEDS_ALL;
    }
}

bool mwa_never_waits(const struct mwa_exchange_call *call)
{
    return call->region && !call->is_row && mw_call_polls(call->region->call);
}

bool mwa_send_needs_receive(const struct mwa_message *message)
{
    const struct mwa_region *begins = message->send->region;

    switch (begins ? begins->call : MW_CALL_COUNT) {
    case MW_CALL_MPI_Bsend:
    case MW_CALL_MPI_Bsend_c:
    case MW_CALL_MPI_Ibsend:
    case MW_CALL_MPI_Ibsend_c:
        return false;
    default:
        return true;
    }
}

bool mwa_is_kept_nowhere(const struct mwa_message *message)
{
    return mwa_are_kept_nowhere(message->bytes);
}

/* Whether call has sent a message and was left before its receive was posted, which its MPI may let
 * it be only when the receiver is in whichever call. */
static bool is_let_go_unposted(const struct mwa_message *message,
                               const struct mwa_exchange_call *call)
{
    return call->lets_go_late && call == message->send && call == message->send_completion &&
           message->bytes <= MWA_KEPT_BYTES && message->posted_at >= call->leave;
}

uint64_t mwa_message_progress_since(const struct mwa_message *message,
                                    const struct mwa_exchange_call *call,
                                    const struct mwa_exchange_call *other)
{
    const uint64_t begun = message->send->enter > message->posted_at ||
                                   is_let_go_unposted(message, call)
                               ? message->send->enter
                               : message->posted_at;
    const uint64_t since = mwa_progress_since(call, other);

    return begun > since ? begun : since;
}

/* For how long call, which completes an end of message, waited until its other rank came to MPI in
 * other, at or before what completes the other end; 0: it did not. */
static uint64_t awaited_in(const struct mwa_message *message, const struct mwa_exchange_call *call,
                           const struct mwa_exchange_call *other)
{
    const uint64_t since = mwa_message_progress_since(message, call, other);
    const bool was_begun = message->send->enter <= call->enter &&
                           message->posted_at <= call->enter;
    const bool may_wait = was_begun || message->bytes > MWA_KEPT_BYTES ||
                          is_let_go_unposted(message, call);

    return since < other->enter && other->enter < call->leave &&
                   (mwa_is_kept_nowhere(message) ||
                    (may_wait && mwa_is_left_soon(call, other, since)))
               ? other->enter - since
               : 0;
}

const struct mwa_exchange_call *mwa_awaited_progress(const struct mwa_message *message,
                                                     const struct mwa_exchange_call *call)
{
    const bool sends = call == message->send_completion;
    const struct mwa_exchange_call *begun = sends ? message->receive : message->send;
    const struct mwa_exchange_call *last =
        sends ? message->receive_completion : message->send_completion;
    const bool is_unposted = sends && is_let_go_unposted(message, call);
    const struct mwa_exchange_call *awaited = NULL;
    uint64_t longest = 0;

    if (!last || (last == begun && !is_unposted) || last->location == call->location ||
        !mwa_send_needs_receive(message)) {
        return NULL;
    }
    for (const struct mwa_exchange_call *other = last;
         other && (other != begun || is_unposted) && other->enter > call->enter &&
         (mwa_is_kept_nowhere(message) || other->meetings == last->meetings);
         other = other->longer) {
        const uint64_t wait = awaited_in(message, call, other);

        awaited = wait > longest ? other : awaited;
        longest = wait > longest ? wait : longest;
    }
    return awaited;
}

bool mwa_may_await_progress(const struct mwa_message *message,
                            const struct mwa_exchange_call *call)
{
    /* Of a send that does not block it may be set now (analyzer/exchange/relay.h): to another. */
    const struct mwa_exchange_call *completion =
        __atomic_load_n(&message->send_completion, __ATOMIC_RELAXED);

    return mwa_send_needs_receive(message) &&
           (call != message->receive || completion != message->send);
}

bool mwa_may_await_completion(const struct mwa_collective *collective)
{
    return collective->nonblocking &&
           (mwa_may_hold_some(collective) || collective->kind == MWA_GROUP_NEIGHBOR ||
            (!collective->inter && (mwa_needs_of(collective) == MWA_NEEDS_DATA ||
                                    collective->operation == OTF2_COLLECTIVE_OP_BARRIER)));
}

/* Of members: which of the calls that complete their parts was entered last, and when the last of
 * these parts had begun, ticks. */
struct completion {
    const struct mwa_exchange_call *last; /* null: of none */
    uint64_t begun;
};

static void take_completion(struct completion *needed, const struct mwa_member *member)
{
    if (!needed->last || member->end->enter > needed->last->enter) {
        needed->last = member->end;
    }
    if (member->begin->enter > needed->begun) {
        needed->begun = member->begin->enter;
    }
}

/* What those need that need all which have something; of neighbours, none. */
static struct completion completion_of_all(const struct mwa_collective *collective)
{
    const bool only_senders = mwa_needs_of(collective) == MWA_NEEDS_DATA;
    struct completion needed = { .last = NULL };

    for (uint32_t i = 0; collective->kind != MWA_GROUP_NEIGHBOR && i < collective->count; i++) {
        if (!only_senders || collective->members[i].bytes_sent > 0) {
            take_completion(&needed, &collective->members[i]);
        }
    }
    return needed;
}

static struct completion completion_of_sources(const struct mwa_member *member)
{
    struct completion needed = { .last = NULL };

    for (uint32_t i = 0; i < member->sources->count; i++) {
        take_completion(&needed, &member->collective->members[member->sources->positions[i]]);
    }
    return needed;
}

/* Whether what it gets from each is so large that no MPI keeps it. */
static bool gets_large(const struct mwa_member *member)
{
    const uint64_t from = member->sources ? member->sources->count : member->collective->count;

    return member->bytes_received != UINT64_MAX && from > 0 &&
           member->bytes_received / from > MWA_EAGER_BYTES;
}

/* Whether member was seen to wait for the last call of what it needs. */
static bool awaits_completion(const struct mwa_member *member, const struct completion *needed)
{
    const struct mwa_exchange_call *call = member->end;
    const bool needs = member->bytes_received > 0 ||
                       mwa_needs_of(member->collective) != MWA_NEEDS_DATA;
    uint64_t since;

    if (!needs || !needed->last || mwa_never_waits(call) || needed->begun > call->enter ||
        needed->last->enter >= call->leave) {
        return false;
    }
    since = mwa_progress_since(call, needed->last);
    return since < needed->last->enter &&
           (gets_large(member) || mwa_is_left_soon(call, needed->last, since));
}

bool mwa_is_seen_to_wait(const struct mwa_exchange_call *call, uint64_t latest_sent,
                         const struct mwa_exchange_call *other, const struct mwa_message *message)
{
    return latest_sent <= call->enter || (message && mwa_is_kept_nowhere(message)) ||
           mwa_is_left_soon(call, other, latest_sent);
}

enum mwa_needs mwa_needs_of(const struct mwa_collective *collective)
{
    switch (collective->kind) {
    case MWA_GROUP_COLLECTIVE:
        return needs_of_operation(collective->operation);
    case MWA_GROUP_NEIGHBOR:
        return MWA_NEEDS_NOBODY;
    case MWA_GROUP_WINDOW:
        return mwa_is_local_fence(collective) ? MWA_NEEDS_NOBODY : MWA_NEEDS_ALL;
    case MWA_GROUP_INIT:
    case MWA_GROUP_FINALIZE:
    case MWA_GROUP_COMM_CREATE:
        return MWA_NEEDS_ALL;
    case MWA_GROUP_POST:
    case MWA_GROUP_COMPLETE:
    case MWA_GROUP_LOCK:
        return MWA_NEEDS_FIRST;
    }
    return MWA_NEEDS_ALL;
}

bool mwa_do_all_meet(const struct mwa_collective_data *data)
{
    return !data->sources && !data->on_neighbors && !data->of_handle &&
           data->operation != OTF2_COLLECTIVE_OP_ALLTOALLV &&
           data->operation != OTF2_COLLECTIVE_OP_ALLTOALLW && /* some need not all of the others */
           (data->operation == OTF2_COLLECTIVE_OP_BARRIER ||
            (needs_of_operation(data->operation) == MWA_NEEDS_DATA && data->bytes_sent > 0 &&
             data->bytes_received > 0));
}

bool mwa_has_root(const struct mwa_collective_data *data)
{
    const enum mwa_needs needs = needs_of_operation(data->operation);

    return !data->of_handle && !data->on_neighbors &&
           (needs == MWA_NEEDS_ROOT || needs == MWA_NEEDS_ALL_AT_ROOT);
}

bool mwa_may_await_return(const struct mwa_collective_data *data, uint32_t position)
{
    return mwa_has_root(data) &&
           (needs_of_operation(data->operation) == MWA_NEEDS_ROOT) == (data->root == position);
}

bool mwa_makes_window(const struct mwa_collective_data *data)
{
    return data->operation == OTF2_COLLECTIVE_OP_CREATE_HANDLE ||
           data->operation == OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE;
}

bool mwa_frees_window(const struct mwa_collective_data *data)
{
    return data->operation == OTF2_COLLECTIVE_OP_DESTROY_HANDLE ||
           data->operation == OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE;
}

bool mwa_may_await_last(const struct mwa_collective *collective)
{
    switch (mwa_needs_of(collective)) {
    case MWA_NEEDS_ROOT:
    case MWA_NEEDS_ALL_AT_ROOT:
        return !collective->inter && collective->root != MWA_NONE;
    case MWA_NEEDS_LOWER:
        return !collective->inter;
    case MWA_NEEDS_NOBODY:
    case MWA_NEEDS_ALL:
    case MWA_NEEDS_DATA:
    case MWA_NEEDS_FIRST:
        break;
    }
    return false;
}

bool mwa_may_await_own_group(const struct mwa_collective *collective)
{
    return collective->inter && collective->kind == MWA_GROUP_COLLECTIVE &&
           (collective->operation == OTF2_COLLECTIVE_OP_BARRIER ||
            mwa_needs_of(collective) == MWA_NEEDS_DATA || mwa_needs_root(collective));
}

/* Whether of an operation that does not block the member that waited longest for the last to begin,
 * when all had that it needs, was complete soon then: others may be so late because they came late
 * to that. */
static bool is_seen_to_hold(const struct mwa_collective *collective, const struct mwa_member *last)
{
    const enum mwa_needs needs = mwa_needs_of(collective);
    const struct mwa_exchange_call *longest = NULL;
    uint64_t known = needs == MWA_NEEDS_ROOT
                         ? collective->members[collective->root].begin->enter : 0;
    uint64_t since = UINT64_MAX;

    for (uint32_t i = 0; i < collective->count; i++) {
        const struct mwa_member *member = &collective->members[i];
        const struct mwa_exchange_call *end = member->end;
        const bool needs_all = needs == MWA_NEEDS_ALL_AT_ROOT && i == collective->root;

        if (needs == MWA_NEEDS_LOWER && member->begin->enter > known) {
            known = member->begin->enter;
        }
        if (!mwa_never_waits(end) && !needs_all && end->enter < since && known < since) {
            since = end->enter > known ? end->enter : known;
            longest = end;
        }
    }
    return longest && mwa_is_left_soon(longest, last->begin, since);
}

const struct mwa_member *mwa_awaited_last(const struct mwa_collective *collective)
{
    const struct mwa_member *last = collective->members;
    uint64_t first_leave = UINT64_MAX;

    if (!mwa_may_await_last(collective) || !collective->complete) {
        return NULL;
    }
    for (uint32_t i = 0; i < collective->count; i++) {
        const struct mwa_member *member = &collective->members[i];

        last = mwa_is_later(member, last) ? member : last;
        first_leave = member->end->leave < first_leave ? member->end->leave : first_leave;
    }
    return first_leave >= last->begin->enter &&
                   (!collective->nonblocking || is_seen_to_hold(collective, last))
               ? last
               : NULL;
}

/* Of one of whose members some may have been held by others. */
static enum mw_status visit_held(const struct mwa_collective *collective,
                                 mwa_completion_visit visit, void *user)
{
    const bool is_told_otherwise = mwa_awaited_last(collective) != NULL;
    enum mw_status status = MW_OK;
    struct mwa_comers comers;

    mwa_comers_find(&comers, collective);
    for (uint32_t i = 0; i < collective->count && status == MW_OK; i++) {
        const struct mwa_member *member = &collective->members[i];

        if (member->end) {
            status = visit(user, member,
                           is_told_otherwise ? NULL : mwa_awaited_completion(member, &comers));
        }
    }
    return status;
}

enum mw_status mwa_visit_completions(const struct mwa_collective *collective,
                                     mwa_completion_visit visit, void *user)
{
    struct completion of_all = { .last = NULL };
    enum mw_status status = MW_OK;

    if (!mwa_may_await_completion(collective)) {
        return MW_OK;
    }
    if (mwa_may_hold_some(collective)) {
        return visit_held(collective, visit, user);
    }
    if (collective->complete) {
        of_all = completion_of_all(collective);
    }
    for (uint32_t i = 0; i < collective->count && status == MW_OK; i++) {
        const struct mwa_member *member = &collective->members[i];
        struct completion needed = of_all;

        if (!member->end) {
            continue;
        }
        if (member->sources && collective->complete) {
            needed = completion_of_sources(member);
        }
        status = visit(user, member, awaits_completion(member, &needed) ? needed.last : NULL);
    }
    return status;
}
