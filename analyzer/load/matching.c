#include "analyzer/load/matching.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/load/matching_internal.h"
#include "analyzer/load/matching_tell.h"

#define AHEAD_BASE   4096u
#define AHEAD_FACTOR 16u
/* Values in a rank's table of requests: an index of a send, or a number of a receive. */
#define REQUEST_IS_SEND (UINT64_C(1) << 63)

/* Programs that never cancel need not hold any send back. */
static bool calls_cancel(const struct mwa_trace *trace)
{
    for (uint32_t i = 0; i < trace->mpi_region_count; i++) {
        if (strcmp(trace->regions[trace->mpi_regions[i]].name, "MPI_Cancel") == 0) {
            return true;
        }
    }
    return false;
}

enum mw_status mwa_matching_create(const struct mwa_trace *trace, const char *path,
                                   const struct mwa_matching_listener *listener,
                                   struct mwa_matching **result, struct mw_diagnostic *diagnostic)
{
    struct mwa_matching *matching = calloc(1, sizeof *matching);

    if (matching) {
        matching->trace = trace;
        matching->path = path;
        if (listener) {
            matching->listener = *listener;
        }
        matching->channels.free = MWA_NONE;
        matching->ranks = calloc(trace->rank_count + 1, sizeof *matching->ranks);
    }
    if (!matching || !matching->ranks) {
        mwa_matching_destroy(matching);
        return mw_fail(diagnostic, MW_ERROR_MEMORY, "", MW_DIAGNOSTIC_OFFSET_NONE,
                       "no memory to match messages");
    }
    matching->cancels = calls_cancel(trace);
    for (uint64_t i = 0; i < trace->rank_count; i++) {
        matching->ranks[i].send_free = MWA_NONE;
        matching->ranks[i].paused = trace->ranks[i].paused;
    }
    *result = matching;
    return MW_OK;
}

void mwa_matching_destroy(struct mwa_matching *matching)
{
    if (!matching) {
        return;
    }
    for (uint64_t i = 0; matching->ranks && i < matching->trace->rank_count; i++) {
        free(matching->ranks[i].receives);
        free(matching->ranks[i].sends);
        mwa_table_fini(&matching->ranks[i].requests);
        mwa_table_fini(&matching->ranks[i].early);
        mwa_held_sends_fini(&matching->ranks[i].held);
        mwa_lookahead_fini(&matching->ranks[i].ahead);
    }
    free(matching->ranks);
    mwa_channels_fini(&matching->channels);
    mwa_input_close(matching->second);
    mwa_matching_result_fini(&matching->result);
    free(matching);
}

const struct mw_diagnostic *mwa_matching_diagnostic(const struct mwa_matching *matching)
{
    return &matching->diagnostic;
}

static enum mw_status no_memory(struct mwa_matching *matching)
{
    return mw_fail(&matching->diagnostic, MW_ERROR_MEMORY, "", MW_DIAGNOSTIC_OFFSET_NONE,
                   "no memory to match messages");
}

static struct mwa_key request_key(uint64_t request)
{
    return (struct mwa_key){ 0, request };
}

static void compare_pair(struct mwa_matching *matching, const struct mwa_end *send,
                         const struct mwa_end *receive)
{
    struct mwa_matching_result *result = &matching->result;

    result->matched++;
    if (send->ghost || receive->ghost) {
        return;
    }
    if (receive->time < send->time) {
        uint64_t by = mwa_trace_ns(matching->trace, send->time - receive->time);

        result->clock_violations++;
        if (by > result->clock_violation_max_ns) {
            result->clock_violation_max_ns = by;
        }
    }
    result->size_mismatches += send->bytes != receive->bytes && send->bytes != UINT64_MAX &&
                               receive->bytes != UINT64_MAX;
}

/* Matches end, of the given side, with the oldest of the other side, or makes it wait. */
static enum mw_status meet(struct mwa_matching *matching, struct mwa_key channel,
                           enum mwa_side side, const struct mwa_end *end)
{
    struct mwa_end other;
    bool met;

    if (mwa_channels_meet(&matching->channels, channel, side, end, &other, &met) != MW_OK) {
        return no_memory(matching);
    }
    if (met) {
        bool is_send = side == MWA_SIDE_SEND;

        compare_pair(matching, is_send ? end : &other, is_send ? &other : end);
        if (matching->listener.matched) {
            return matching->listener.matched(matching->listener.user,
                                              is_send ? end->object : other.object,
                                              is_send ? other.object : end->object);
        }
    }
    return MW_OK;
}

/* Where sends, or receives, on comm count whose other end is not in the archive. */
static uint64_t *without(struct mwa_matching *matching, uint32_t comm, bool sends)
{
    struct mwa_matching_result *result = &matching->result;

    if (comm < matching->trace->comm_count && matching->trace->comms[comm].other_job) {
        return sends ? &result->other_job_sends : &result->other_job_receives;
    }
    return &(sends ? result->sends_without : result->receives_without)[MWA_UNMATCHED_UNDEFINED];
}

/* Hands on the sends of rank that are not held any more. */
static enum mw_status flush_sends(struct mwa_matching *matching, uint32_t rank)
{
    enum mw_status status = MW_OK;
    struct mwa_held_send send;

    while (status == MW_OK && mwa_held_sends_next(&matching->ranks[rank].held, &send)) {
        status = meet(matching, send.channel, MWA_SIDE_SEND, &send.end);
    }
    return status;
}

/* A send begins: it is matched at once, or held if it or one before it may be cancelled. */
static enum mw_status begin_send(struct mwa_matching *matching, uint32_t rank, bool is_open,
                                 struct pending_send *send, const struct mwa_end *end)
{
    const struct mwa_held_send held = { send->channel, *end, is_open, false };

    if (!matching->cancels || (!is_open && matching->ranks[rank].held.count == 0)) {
        return meet(matching, send->channel, MWA_SIDE_SEND, end);
    }
    send->held = mwa_held_sends_add(&matching->ranks[rank].held, &held);
    return send->held == UINT64_MAX ? no_memory(matching) : MW_OK;
}

static enum mw_status take_send(struct mwa_matching *matching, uint32_t rank,
                                const struct mwa_event *event, uint64_t enter, void *call,
                                struct pending_send *send)
{
    const struct mwa_message_data *message = &event->of.message;
    uint32_t destination = mwa_trace_peer(matching->trace, message->comm, rank, message->peer);
    struct mwa_end end = { .time = enter < event->time ? enter : event->time,
                           .bytes = message->bytes,
                           .request = event->request };
    enum mw_status status = MW_OK;

    matching->result.sends++;
    send->held = UINT64_MAX;
    send->channel = mwa_channel_key(message->comm, message->tag, rank, destination);
    if (matching->listener.sent) {
        status = matching->listener.sent(matching->listener.user, call, rank, event,
                                         &end.object);
        send->object = end.object;
    }
    if (destination == MWA_NONE) {
        ++*without(matching, message->comm, true);
        return status;
    }
    return status == MW_OK
               ? begin_send(matching, rank, event->kind == MWA_ISEND, send, &end)
               : status;
}

static enum mw_status take_isend(struct mwa_matching *matching, uint32_t rank,
                                 const struct mwa_event *event, uint64_t enter, void *call)
{
    struct rank_state *state = &matching->ranks[rank];
    struct pending_send send = { .next_free = MWA_NONE, .bytes = event->of.message.bytes };
    enum mw_status status = take_send(matching, rank, event, enter, call, &send);
    uint32_t index = state->send_free;
    uint64_t *place;

    if (status != MW_OK) {
        return status;
    }
    if (index != MWA_NONE) {
        state->send_free = state->sends[index].next_free;
    } else {
        if (state->send_count == MWA_NONE - 1 ||
            !mwa_grow(&state->sends, &state->send_capacity, state->send_count + 1u,
                      sizeof *state->sends)) {
            return no_memory(matching);
        }
        index = state->send_count++;
    }
    state->sends[index] = send;
    place = mwa_table_put(&state->requests, request_key(event->request), 0);
    if (!place) {
        return no_memory(matching);
    }
    *place = REQUEST_IS_SEND | index;
    return MW_OK;
}

static bool note_cancelled(struct mwa_matching *matching, const struct pending_send *send)
{
    struct mwa_matching_result *result = &matching->result;

    if (!mwa_grow(&result->cancelled_sends, &matching->cancelled_capacity,
                  result->cancelled_send_count + 1, sizeof *result->cancelled_sends)) {
        return false;
    }
    result->cancelled++;
    result->sends--;
    result->cancelled_sends[result->cancelled_send_count++] =
        (struct mwa_cancelled_send){ .from = mwa_channel_source(send->channel),
                                     .to = mwa_channel_destination(send->channel),
                                     .comm = mwa_channel_comm(send->channel),
                                     .bytes = send->bytes };
    return true;
}

/* A cancelled send that waits goes; one that was matched leaves its receive to the next. */
static enum mw_status cancel_send(struct mwa_matching *matching, uint32_t rank,
                                  const struct pending_send *send, uint64_t request)
{
    const struct mwa_end ghost = { .ghost = true };
    enum mw_status status = MW_OK;

    if (matching->listener.send_cancelled && send->object) {
        status = matching->listener.send_cancelled(matching->listener.user, send->object);
    }
    if (status != MW_OK) {
        return status;
    }
    if (mwa_channel_destination(send->channel) == MWA_NONE) {
        --*without(matching, mwa_channel_comm(send->channel), true);
        return MW_OK;
    }
    if (send->held != UINT64_MAX) {
        mwa_held_sends_settle(&matching->ranks[rank].held, send->held, true);
        return flush_sends(matching, rank);
    }
    if (mwa_channels_withdraw(&matching->channels, send->channel, request)) {
        return MW_OK;
    }
    matching->result.matched--;
    return meet(matching, send->channel, MWA_SIDE_RECEIVE, &ghost);
}

static struct receive *receive_at(struct rank_state *state, uint64_t number)
{
    return &state->receives[number & (state->capacity - 1)];
}

/* Appends receive to those posted; its number is first + count - 1 afterwards. */
static bool append_receive(struct rank_state *state, const struct receive *receive)
{
    if (state->count == state->capacity) {
        uint64_t bigger = state->capacity ? state->capacity * 2 : 16;
        struct receive *grown = malloc(bigger * sizeof *grown);

        if (!grown) {
            return false;
        }
        for (uint64_t i = 0; i < state->count; i++) {
            grown[(state->first + i) & (bigger - 1)] = *receive_at(state, state->first + i);
        }
        free(state->receives);
        state->receives = grown;
        state->capacity = bigger;
    }
    *receive_at(state, state->first + state->count++) = *receive;
    return true;
}

static enum mw_status meet_receive(struct mwa_matching *matching, uint32_t rank,
                                   const struct receive *receive)
{
    const struct mwa_message_data *message = &receive->message;
    uint32_t source = mwa_trace_peer(matching->trace, message->comm, rank, message->peer);
    const struct mwa_end end = { .time = receive->time,
                                 .bytes = message->bytes,
                                 .object = receive->object };

    matching->result.receives++;
    if (source == MWA_NONE) {
        ++*without(matching, message->comm, false);
        return mwa_tell_dropped(&matching->listener, receive->object);
    }
    return meet(matching, mwa_channel_key(message->comm, message->tag, source, rank),
                MWA_SIDE_RECEIVE, &end);
}

/* Hands on all receives before the first pending one. */
static enum mw_status flush_receives(struct mwa_matching *matching, uint32_t rank)
{
    struct rank_state *state = &matching->ranks[rank];
    enum mw_status status = MW_OK;

    while (status == MW_OK && state->count > 0) {
        struct receive receive = *receive_at(state, state->first);

        if (receive.state == RECEIVE_PENDING) {
            break;
        }
        state->first++;
        state->count--;
        status = receive.state == RECEIVE_KNOWN
                     ? meet_receive(matching, rank, &receive)
                     : mwa_tell_dropped(&matching->listener, receive.object);
    }
    return status;
}

/*
 * Applies what reading ahead told of a pending receive, if it is a long one. A listener
 * wants its object again when it is received.
 */
static enum mw_status apply_fate(struct mwa_matching *matching, struct rank_state *state,
                                 struct receive *receive, uint64_t number)
{
    const struct mwa_long_receive *found = mwa_lookahead_find(&state->ahead, receive->ordinal);

    if (!found || receive->state != RECEIVE_PENDING) {
        return MW_OK;
    }
    if (receive->object && found->fate == MWA_FATE_RECEIVED &&
        !mwa_table_put(&state->early, request_key(number), (uintptr_t)receive->object)) {
        return no_memory(matching);
    }
    state->pending--;
    matching->result.pending_receives += found->fate == MWA_FATE_NEVER;
    matching->result.cancelled += found->fate == MWA_FATE_CANCELLED;
    receive->state = found->fate == MWA_FATE_RECEIVED ? RECEIVE_KNOWN : RECEIVE_DROPPED;
    receive->time = found->time;
    receive->message = found->message;
    return MW_OK;
}

static enum mw_status look_ahead(struct mwa_matching *matching, uint32_t rank)
{
    struct rank_state *state = &matching->ranks[rank];
    enum mw_status status = MW_OK;

    if (!matching->second) {
        status = mwa_input_open(matching->path, &matching->second, &matching->diagnostic);
    }
    if (status == MW_OK) {
        status = mwa_lookahead_read(matching->second, rank, &state->ahead, &matching->diagnostic);
    }
    state->looked_ahead = status == MW_OK;
    for (uint64_t i = 0; status == MW_OK && i < state->count; i++) {
        status = apply_fate(matching, state, receive_at(state, state->first + i),
                            state->first + i);
    }
    return status;
}

static enum mw_status take_post(struct mwa_matching *matching, uint32_t rank,
                                const struct mwa_event *event, void *call)
{
    struct rank_state *state = &matching->ranks[rank];
    struct receive receive = { .state = RECEIVE_PENDING, .ordinal = state->posted++ };
    enum mw_status status = mwa_tell_posted(&matching->listener, call, rank, event->time,
                                            &receive.object);
    uint64_t *place = mwa_table_put(&state->requests, request_key(event->request), 0);

    if (status != MW_OK || !place) {
        return place ? status : no_memory(matching);
    }
    *place = state->first + state->count;
    if (++state->pending > state->most_pending) {
        state->most_pending = state->pending;
    }
    status = apply_fate(matching, state, &receive, *place);
    if (status != MW_OK || !append_receive(state, &receive)) {
        return status != MW_OK ? status : no_memory(matching);
    }
    if (!state->looked_ahead &&
        state->count > AHEAD_BASE + AHEAD_FACTOR * state->most_pending) {
        status = look_ahead(matching, rank);
    }
    return status == MW_OK ? flush_receives(matching, rank) : status;
}

/* Appends a receive whose message is known already. */
static enum mw_status take_known(struct mwa_matching *matching, uint32_t rank,
                                 const struct mwa_event *event, uint64_t enter, void *call)
{
    struct rank_state *state = &matching->ranks[rank];
    struct receive receive = { .state = RECEIVE_KNOWN,
                               .ordinal = UINT64_MAX,
                               .time = event->time,
                               .message = event->of.message };
    enum mw_status status = mwa_tell_posted(&matching->listener, call, rank,
                                            enter < event->time ? enter : event->time,
                                            &receive.object);

    if (status == MW_OK) {
        status = mwa_tell_received(&matching->listener, call, receive.object, event);
    }
    if (status != MW_OK) {
        return status;
    }
    if (state->count == 0) {
        return meet_receive(matching, rank, &receive);
    }
    return append_receive(state, &receive) ? MW_OK : no_memory(matching);
}

/* A posted receive is complete or cancelled; number is its place in the order. */
static enum mw_status resolve(struct mwa_matching *matching, uint32_t rank, uint64_t number,
                              const struct mwa_event *event, void *call)
{
    struct rank_state *state = &matching->ranks[rank];
    uint64_t early = mwa_table_remove(&state->early, request_key(number));
    struct receive *receive = NULL;

    if (early != MWA_TABLE_ABSENT) { /* reading ahead told it */
        return mwa_tell_received(&matching->listener, call, (void *)(uintptr_t)early, event);
    }
    if (number >= state->first) {
        receive = receive_at(state, number);
    }
    if (!receive || receive->state != RECEIVE_PENDING) {
        return MW_OK;
    }
    state->pending--;
    receive->time = event->time;
    if (event->kind == MWA_IRECV) {
        enum mw_status status = mwa_tell_received(&matching->listener, call, receive->object,
                                                  event);

        if (status != MW_OK) {
            return status;
        }
        receive->state = RECEIVE_KNOWN;
        receive->message = event->of.message;
    } else {
        receive->state = RECEIVE_DROPPED;
        matching->result.cancelled++;
    }
    return number == state->first ? flush_receives(matching, rank) : MW_OK;
}

/* An event that ends a request: MWA_ISEND_COMPLETE, MWA_IRECV, MWA_CANCELLED. */
static enum mw_status take_end(struct mwa_matching *matching, uint32_t rank,
                               const struct mwa_event *event, uint64_t enter, void *call)
{
    struct rank_state *state = &matching->ranks[rank];
    uint64_t value = mwa_table_remove(&state->requests, request_key(event->request));
    uint32_t index = (uint32_t)value;
    enum mw_status status;

    if (value == MWA_TABLE_ABSENT) {
        return event->kind == MWA_IRECV ? take_known(matching, rank, event, enter, call) : MW_OK;
    }
    if (!(value & REQUEST_IS_SEND)) {
        return event->kind == MWA_ISEND_COMPLETE ? MW_OK
                                                 : resolve(matching, rank, value, event, call);
    }
    state->sends[index].next_free = state->send_free;
    state->send_free = index;
    if (event->kind == MWA_CANCELLED) {
        return note_cancelled(matching, &state->sends[index])
                   ? cancel_send(matching, rank, &state->sends[index], event->request)
                   : no_memory(matching);
    }
    mwa_held_sends_settle(&state->held, state->sends[index].held, false);
    status = flush_sends(matching, rank);
    if (status == MW_OK) {
        status = mwa_tell_send_ended(&matching->listener, call, state->sends[index].object);
    }
    return status == MW_OK && event->kind == MWA_IRECV
               ? take_known(matching, rank, event, enter, call)
               : status;
}

enum mw_status mwa_matching_take(void *user, uint32_t rank, const struct mwa_event *event,
                                 uint64_t enter, void *call)
{
    struct mwa_matching *matching = user;
    struct pending_send send = { .object = NULL };
    enum mw_status status;

    switch (event->kind) {
    case MWA_SEND:
        status = take_send(matching, rank, event, enter, call, &send);
        return status == MW_OK ? mwa_tell_send_ended(&matching->listener, call, send.object)
                               : status;
    case MWA_ISEND:
        return take_isend(matching, rank, event, enter, call);
    case MWA_RECV:
        return take_known(matching, rank, event, enter, call);
    case MWA_IRECV_POST:
        return take_post(matching, rank, event, call);
    case MWA_ISEND_COMPLETE:
    case MWA_IRECV:
    case MWA_CANCELLED:
        return take_end(matching, rank, event, enter, call);
    case MWA_MEASUREMENT:
        matching->ranks[rank].paused |= !event->of.on;
        return MW_OK;
    default:
        return MW_OK;
    }
}

static enum mwa_unmatched_reason reason_of(const struct mwa_matching *matching, uint32_t partner)
{
    const struct mwa_rank *rank = &matching->trace->ranks[partner];

    if (matching->ranks[partner].paused) {
        return MWA_UNMATCHED_PAUSED;
    }
    if (rank->incomplete || rank->master == MWA_NONE) {
        return MWA_UNMATCHED_INCOMPLETE;
    }
    return rank->lost > 0 ? MWA_UNMATCHED_LOST : MWA_UNMATCHED_UNKNOWN;
}

/* Counts what waits in a slot of the channels' table. */
static void count_waiting(struct mwa_matching *matching, uint64_t slot)
{
    enum mwa_side side = MWA_SIDE_SEND;
    uint64_t count = mwa_channels_waiting(&matching->channels, slot, &side);
    struct mwa_key channel = matching->channels.table.slots[slot].key;
    struct mwa_matching_result *result = &matching->result;

    if (count > 0 && side == MWA_SIDE_SEND) {
        result->sends_without[reason_of(matching, mwa_channel_destination(channel))] += count;
    } else if (count > 0) {
        result->receives_without[reason_of(matching, mwa_channel_source(channel))] += count;
    }
}

enum mw_status mwa_matching_finish(struct mwa_matching *matching,
                                   struct mwa_matching_result *result)
{
    enum mw_status status = MW_OK;

    for (uint32_t rank = 0; rank < matching->trace->rank_count && status == MW_OK; rank++) {
        struct rank_state *state = &matching->ranks[rank];

        for (uint64_t i = 0; i < state->count; i++) {
            struct receive *receive = receive_at(state, state->first + i);

            if (receive->state == RECEIVE_PENDING) {
                receive->state = RECEIVE_DROPPED;
                matching->result.pending_receives++;
            }
        }
        mwa_held_sends_release(&state->held);
        status = flush_sends(matching, rank);
        status = status == MW_OK ? flush_receives(matching, rank) : status;
    }
    for (uint64_t i = 0; i < matching->channels.table.capacity; i++) {
        count_waiting(matching, i);
    }
    *result = matching->result;
    matching->result.cancelled_sends = NULL;
    for (unsigned i = 0; i < MWA_UNMATCHED_REASONS; i++) {
        result->unmatched_sends += result->sends_without[i];
        result->unmatched_receives += result->receives_without[i];
    }
    return status;
}

void mwa_matching_result_fini(struct mwa_matching_result *result)
{
    free(result->cancelled_sends);
    *result = (struct mwa_matching_result){ 0 };
}
