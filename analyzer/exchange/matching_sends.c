/*
 * Only a cancelled send makes sends difficult: whether it ever was sent is known
 * when its request ends, and until then those behind it wait. Programs that never
 * cancel go the short way.
 */
#include "analyzer/exchange/matching_state.h"

#include "analyzer/exchange/matching_tell.h"

enum mw_status mwa_matching_flush_sends(struct mwa_matching *matching, uint32_t rank)
{
    enum mw_status status = MW_OK;
    struct mwa_held_send send;

    while (status == MW_OK && mwa_held_sends_next(&matching->ranks[rank].held, &send)) {
        status = mwa_matching_meet(matching, send.channel, MWA_SIDE_SEND, &send.end);
    }
    return status;
}

/* A send begins: it is matched at once, or held if it or one before it may be cancelled. */
static enum mw_status begin_send(struct mwa_matching *matching, uint32_t rank,
                                 uint64_t ordinal, struct pending_send *send,
                                 const struct mwa_end *end)
{
    struct rank_state *state = &matching->ranks[rank];
    struct mwa_held_send held;

    if (!matching->cancels) {
        return mwa_matching_meet(matching, send->channel, MWA_SIDE_SEND, end);
    }
    held = (struct mwa_held_send){
        .channel = send->channel,
        .end = *end,
        .ordinal = ordinal,
        .is_open = ordinal != UINT64_MAX && !state->looked_ahead,
        .is_dropped = state->looked_ahead && mwa_lookahead_cancels(&state->ahead, ordinal)
    };
    if (!held.is_open && !held.is_dropped && state->held.count == 0) {
        return mwa_matching_meet(matching, send->channel, MWA_SIDE_SEND, end);
    }
    send->held = mwa_held_sends_add(&state->held, &held);
    return send->held == UINT64_MAX ? mwa_matching_no_memory(matching)
           : held.is_dropped        ? mwa_matching_flush_sends(matching, rank)
                                    : MW_OK;
}

enum mw_status mwa_matching_take_send(struct mwa_matching *matching, uint32_t rank,
                                      const struct mwa_event *event, uint64_t enter, void *call,
                                      struct pending_send *send)
{
    const struct mwa_message_data *message = &event->of.message;
    uint32_t destination = mwa_trace_peer(matching->trace, message->comm, rank, message->peer);
    struct mwa_end end = { .time = enter < event->time ? enter : event->time,
                           .bytes = message->bytes,
                           .request = event->request };
    const uint64_t ordinal =
        event->kind == MWA_ISEND ? matching->ranks[rank].begun++ : UINT64_MAX;
    enum mw_status status = MW_OK;

    matching->result.sends++;
    send->held = UINT64_MAX;
    send->channel = mwa_channel_key(message, rank, destination);
    if (matching->listener.sent) {
        status = matching->listener.sent(matching->listener.user, call, rank, event,
                                         &end.object);
        send->object = end.object;
    }
    if (destination == MWA_NONE) {
        ++*mwa_matching_without(matching, message->comm, true);
        return status;
    }
    return status == MW_OK
               ? begin_send(matching, rank, ordinal, send, &end)
               : status;
}

enum mw_status mwa_matching_take_isend(struct mwa_matching *matching, uint32_t rank,
                                       const struct mwa_event *event, uint64_t enter, void *call)
{
    struct rank_state *state = &matching->ranks[rank];
    struct pending_send send = { .next_free = MWA_NONE, .bytes = event->of.message.bytes };
    enum mw_status status = mwa_matching_take_send(matching, rank, event, enter, call, &send);
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
            return mwa_matching_no_memory(matching);
        }
        index = state->send_count++;
    }
    state->sends[index] = send;
    place = mwa_map_put(&state->requests, mwa_matching_request_key(event->request), 0);
    if (!place) {
        return mwa_matching_no_memory(matching);
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
        --*mwa_matching_without(matching, mwa_channel_comm(send->channel), true);
        return MW_OK;
    }
    if (send->held != UINT64_MAX) {
        mwa_held_sends_settle(&matching->ranks[rank].held, send->held, true);
        return mwa_matching_flush_sends(matching, rank);
    }
    if (mwa_channels_withdraw(&matching->channels, send->channel, request)) {
        matching->ranks[mwa_channel_destination(send->channel)].unreceived--;
        return MW_OK;
    }
    matching->result.matched--;
    return mwa_matching_meet(matching, send->channel, MWA_SIDE_RECEIVE, &ghost);
}

enum mw_status mwa_matching_end_send(struct mwa_matching *matching, uint32_t rank, uint32_t index,
                                     const struct mwa_event *event, void *call)
{
    struct rank_state *state = &matching->ranks[rank];
    const struct pending_send *send = &state->sends[index];
    enum mw_status status = MW_OK;

    state->sends[index].next_free = state->send_free;
    state->send_free = index;
    if (event->kind == MWA_CANCELLED) {
        return note_cancelled(matching, send) ? cancel_send(matching, rank, send, event->request)
                                              : mwa_matching_no_memory(matching);
    }
    if (matching->cancels) {
        mwa_held_sends_settle(&state->held, send->held, false);
        status = mwa_matching_flush_sends(matching, rank);
    }
    return status == MW_OK ? mwa_tell_send_ended(&matching->listener, call, send->object)
                           : status;
}
