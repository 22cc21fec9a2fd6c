#include "analyzer/exchange/matching_state.h"

#include <stdlib.h>

#include "analyzer/exchange/matching_tell.h"

#define AHEAD_BASE   512u
#define AHEAD_FACTOR 16u
#define HELD_MANY    256u

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
            grown[(state->first + i) & (bigger - 1)] =
                *mwa_matching_receive_at(state, state->first + i);
        }
        free(state->receives);
        state->receives = grown;
        state->capacity = bigger;
    }
    *mwa_matching_receive_at(state, state->first + state->count++) = *receive;
    return true;
}

enum mw_status mwa_matching_meet_receive(struct mwa_matching *matching, uint32_t rank,
                                         const struct receive *receive, uint64_t number)
{
    const struct mwa_message_data *message = &receive->message;
    uint32_t source = mwa_trace_peer(matching->trace, message->comm, rank, message->peer);
    const struct mwa_end end = { .time = receive->time,
                                 .bytes = message->bytes,
                                 .object = receive->object,
                                 .is_probe = receive->is_probe };
    struct mwa_key channel;

    matching->result.receives += !receive->is_probe;
    if (source == MWA_NONE) {
        *mwa_matching_without(matching, message->comm, false) += !receive->is_probe;
        return mwa_tell_dropped(&matching->listener, receive->object);
    }
    channel = mwa_channel_key(message, source, rank);
    if (matching->ranks[rank].taken.count > 0) {
        matching->is_apart |= mwa_matching_overtakes(&matching->ranks[rank], channel, number);
    }
    return receive->is_probe
               ? mwa_matching_look(matching, channel, &end)
               : mwa_matching_meet(matching, channel, MWA_SIDE_RECEIVE, &end);
}

enum mw_status mwa_matching_flush_receives(struct mwa_matching *matching, uint32_t rank)
{
    struct rank_state *state = &matching->ranks[rank];
    enum mw_status status = MW_OK;
    uint64_t number;

    while (status == MW_OK && state->count > 0) {
        struct receive receive = *mwa_matching_receive_at(state, state->first);

        if (receive.state == RECEIVE_PENDING) {
            break;
        }
        number = state->first++;
        state->count--;
        status = receive.state == RECEIVE_KNOWN
                     ? mwa_matching_meet_receive(matching, rank, &receive, number)
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
        !mwa_map_put(&state->early, mwa_matching_request_key(number),
                     (uintptr_t)receive->object)) {
        return mwa_matching_no_memory(matching);
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
        status = mwa_input_share(matching->input, &matching->second, &matching->diagnostic);
    }
    if (status == MW_OK) {
        status = mwa_lookahead_read(matching->second, rank, &state->ahead, &matching->diagnostic);
    }
    state->looked_ahead = status == MW_OK;
    if (status == MW_OK) {
        mwa_held_sends_tell(&state->held, &state->ahead);
        status = mwa_matching_flush_sends(matching, rank);
    }
    for (uint64_t i = 0; status == MW_OK && i < state->count; i++) {
        status = apply_fate(matching, state, mwa_matching_receive_at(state, state->first + i),
                            state->first + i);
    }
    return status;
}

bool mwa_matching_holds(const struct mwa_matching *matching, uint32_t rank)
{
    const struct rank_state *state = &matching->ranks[rank];

    return state->count > 1 || state->held.count > 0;
}

bool mwa_matching_holds_long(const struct mwa_matching *matching, uint32_t rank, bool receives)
{
    struct rank_state *state = &matching->ranks[rank];
    const struct receive *first =
        receives && state->count > 1 ? mwa_matching_receive_at(state, state->first) : NULL;

    return state->held.count > HELD_MANY ||
           (first && mwa_lookahead_is_long(state->posted - first->ordinal, state->most_pending));
}

enum mw_status mwa_matching_look_ahead(struct mwa_matching *matching, uint32_t rank)
{
    enum mw_status status = MW_OK;

    if (matching->input && !matching->ranks[rank].looked_ahead) {
        status = look_ahead(matching, rank);
        status = status == MW_OK ? mwa_matching_flush_receives(matching, rank) : status;
    }
    return status;
}

const struct mwa_lookahead *mwa_matching_ahead(const struct mwa_matching *matching, uint32_t rank)
{
    return matching->ranks[rank].looked_ahead ? &matching->ranks[rank].ahead : NULL;
}

uint64_t mwa_matching_unreceived(const struct mwa_matching *matching, uint32_t rank)
{
    return matching->ranks[rank].unreceived;
}

/* Reads ahead where a receive stays pending while many others are posted, and goes on. */
static enum mw_status go_on(struct mwa_matching *matching, uint32_t rank)
{
    struct rank_state *state = &matching->ranks[rank];
    enum mw_status status = MW_OK;

    if (!state->looked_ahead && matching->input &&
        state->count > AHEAD_BASE + AHEAD_FACTOR * state->most_pending) {
        status = look_ahead(matching, rank);
    }
    return status == MW_OK ? mwa_matching_flush_receives(matching, rank) : status;
}

enum mw_status mwa_matching_take_post(struct mwa_matching *matching, uint32_t rank,
                                      const struct mwa_event *event, void *call)
{
    struct rank_state *state = &matching->ranks[rank];
    struct receive receive = { .state = RECEIVE_PENDING };
    bool is_later = false;
    enum mw_status status = state->later.count > 0
                                ? mwa_matching_put_off(matching, rank, event, &is_later)
                                : MW_OK;
    uint64_t *place;

    if (status != MW_OK || is_later) {
        return status;
    }
    receive.ordinal = state->posted++;
    status = mwa_tell_posted(&matching->listener, call, rank, event->time, &receive.object);
    place = mwa_map_put(&state->requests, mwa_matching_request_key(event->request), 0);
    if (status != MW_OK || !place) {
        return place ? status : mwa_matching_no_memory(matching);
    }
    *place = state->first + state->count;
    if (++state->pending > state->most_pending) {
        state->most_pending = state->pending;
    }
    status = apply_fate(matching, state, &receive, *place);
    if (status != MW_OK || !append_receive(state, &receive)) {
        return status != MW_OK ? status : mwa_matching_no_memory(matching);
    }
    return go_on(matching, rank);
}

/* One that is known takes its place in the order, and meets its send if it is the first. */
static enum mw_status take_place(struct mwa_matching *matching, uint32_t rank,
                                 const struct receive *receive)
{
    struct rank_state *state = &matching->ranks[rank];

    if (state->count == 0) {
        return mwa_matching_meet_receive(matching, rank, receive, state->first);
    }
    return append_receive(state, receive) ? go_on(matching, rank)
                                          : mwa_matching_no_memory(matching);
}

enum mw_status mwa_matching_take_found(struct mwa_matching *matching, uint32_t rank,
                                       const struct mwa_event *event, void *call)
{
    struct receive probe = { .state = RECEIVE_KNOWN,
                             .is_probe = true,
                             .ordinal = UINT64_MAX,
                             .time = event->time,
                             .message = event->of.message };
    const enum mw_status status = mwa_tell_probed(&matching->listener, call, &probe.object);

    return status == MW_OK ? take_place(matching, rank, &probe) : status;
}

enum mw_status mwa_matching_take_known(struct mwa_matching *matching, uint32_t rank,
                                       const struct mwa_event *event, uint64_t enter, void *call)
{
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
    return status == MW_OK ? take_place(matching, rank, &receive) : status;
}

enum mw_status mwa_matching_take_old(struct mwa_matching *matching, uint32_t rank,
                                     const struct mwa_event *event, uint64_t enter, void *call)
{
    const struct mwa_message_data *message = &event->of.message;
    const uint32_t source = mwa_trace_peer(matching->trace, message->comm, rank, message->peer);
    struct mwa_end end = { .time = event->time, .bytes = message->bytes };
    enum mw_status status = mwa_tell_posted(&matching->listener, call, rank,
                                            enter < event->time ? enter : event->time,
                                            &end.object);

    if (status == MW_OK) {
        status = mwa_tell_received(&matching->listener, call, end.object, event);
    }
    if (status != MW_OK) {
        return status;
    }
    matching->result.receives++;
    if (source == MWA_NONE) {
        ++*mwa_matching_without(matching, message->comm, false);
        return mwa_tell_dropped(&matching->listener, end.object);
    }
    return mwa_matching_drop(matching, mwa_channel_key(message, source, rank),
                             MWA_SIDE_RECEIVE, &end);
}

enum mw_status mwa_matching_resolve(struct mwa_matching *matching, uint32_t rank, uint64_t number,
                                    const struct mwa_event *event, void *call)
{
    struct rank_state *state = &matching->ranks[rank];
    uint64_t early = mwa_map_remove(&state->early, mwa_matching_request_key(number));
    struct receive *receive = NULL;

    if (early != MWA_MAP_ABSENT) { /* reading ahead told it */
        return mwa_tell_received(&matching->listener, call, (void *)(uintptr_t)early, event);
    }
    if (number >= state->first) {
        receive = mwa_matching_receive_at(state, number);
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
    return number == state->first ? mwa_matching_flush_receives(matching, rank) : MW_OK;
}
