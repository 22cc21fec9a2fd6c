/*
 * Requests that are open where a part of a run begins or ends. The pass that found the place knows
 * what becomes of them, so that none has to be waited for. Where what they become is not what was
 * said of them, or messages of a channel overtake each other, the part is not what a whole is.
 */
#include "analyzer/exchange/matching_state.h"

#include <stdlib.h>

#include "analyzer/exchange/matching_tell.h"

static struct mwa_message_data message_of(const struct mwa_carried_request *what)
{
    return (struct mwa_message_data){ .comm = what->comm,
                                      .peer = what->peer,
                                      .tag = what->tag,
                                      .bytes = what->bytes,
                                      .lane = what->lane };
}

static struct mwa_key channel_of(const struct mwa_matching *matching, uint32_t rank,
                                 const struct mwa_carried_request *what)
{
    const struct mwa_message_data message = message_of(what);

    return mwa_channel_key(&message,
                           mwa_trace_peer(matching->trace, what->comm, rank, what->peer), rank);
}

enum mw_status mwa_matching_begin_with(struct mwa_matching *matching, uint32_t rank,
                                       const struct mwa_carried_request *what, void *call)
{
    struct rank_state *state = &matching->ranks[rank];
    struct receive receive = { .state = RECEIVE_KNOWN,
                               .ordinal = UINT64_MAX,
                               .time = what->end_time,
                               .message = message_of(what) };
    uint64_t *place = mwa_map_put(&state->requests, mwa_matching_request_key(what->request), 0);
    enum mw_status status = MW_OK;

    if (!place || !mwa_grow(&state->carried, &state->carried_capacity, state->carried_count + 1,
                            sizeof *state->carried)) {
        return mwa_matching_no_memory(matching);
    }
    *place = REQUEST_IS_CARRIED | state->carried_count;
    if (what->ended_by == MWA_IRECV) {
        status = mwa_tell_posted(&matching->listener, call, rank, what->time, &receive.object);
    }
    state->carried[state->carried_count++] =
        (struct carried_receive){ .what = what, .object = receive.object };
    state->carried_left++;
    return status == MW_OK && what->ended_by == MWA_IRECV
               ? mwa_matching_meet_receive(matching, rank, &receive, 0)
               : status;
}

/* From here on what is received on its channel overtakes it. */
static enum mw_status take_channel(struct mwa_matching *matching, uint32_t rank,
                                   const struct mwa_carried_request *what, uint64_t number)
{
    return what->ended_by != MWA_IRECV ||
                   mwa_map_put(&matching->ranks[rank].taken, channel_of(matching, rank, what),
                               number)
               ? MW_OK
               : mwa_matching_no_memory(matching);
}

enum mw_status mwa_matching_end_with(struct mwa_matching *matching, uint32_t rank,
                                     const struct mwa_carried_request *what, bool is_begun)
{
    struct rank_state *state = &matching->ranks[rank];

    if (is_begun) {
        for (uint64_t i = 0; i < state->carried_count; i++) {
            const struct mwa_carried_request *other = state->carried[i].what;

            matching->is_apart |= other->begin > what->begin && other->comm == what->comm &&
                                  other->peer == what->peer && other->tag == what->tag;
        }
        return take_channel(matching, rank, what, 0);
    }
    return mwa_map_put(&state->later, (struct mwa_key){ what->time, what->request },
                       (uintptr_t)what)
               ? MW_OK
               : mwa_matching_no_memory(matching);
}

enum mw_status mwa_matching_put_off(struct mwa_matching *matching, uint32_t rank,
                                    const struct mwa_event *event, bool *is_later)
{
    struct rank_state *state = &matching->ranks[rank];
    const uint64_t found =
        mwa_map_remove(&state->later, (struct mwa_key){ event->time, event->request });

    *is_later = found != MWA_MAP_ABSENT;
    if (!*is_later) {
        return MW_OK;
    }
    state->posted++;
    state->puts_off = true;
    return take_channel(matching, rank, (const struct mwa_carried_request *)(uintptr_t)found,
                        state->first + state->count);
}

bool mwa_matching_overtakes(const struct rank_state *state, struct mwa_key channel,
                            uint64_t number)
{
    const uint64_t from = mwa_map_get(&state->taken, channel);

    return from != MWA_MAP_ABSENT && from <= number;
}

/* Whether event is what was said of the end. */
static bool is_as_told(const struct mwa_carried_request *what, const struct mwa_event *event)
{
    const struct mwa_message_data *message = &event->of.message;

    return event->kind == what->ended_by &&
           (event->kind != MWA_IRECV ||
            (event->time == what->end_time && message->comm == what->comm &&
             message->peer == what->peer && message->tag == what->tag &&
             message->bytes == what->bytes));
}

enum mw_status mwa_matching_end_carried(struct mwa_matching *matching, uint32_t rank,
                                        uint64_t number, const struct mwa_event *event, void *call)
{
    struct rank_state *state = &matching->ranks[rank];
    const struct carried_receive *carried = &state->carried[number];

    state->carried_left--;
    matching->is_apart |= !is_as_told(carried->what, event);
    matching->result.cancelled += event->kind == MWA_CANCELLED;
    return event->kind == MWA_IRECV && carried->what->ended_by == MWA_IRECV
               ? mwa_tell_received(&matching->listener, call, carried->object, event)
               : MW_OK;
}

bool mwa_matching_is_apart(const struct mwa_matching *matching)
{
    bool is_apart = matching->is_apart;

    for (uint64_t i = 0; i < matching->trace->rank_count; i++) {
        const struct rank_state *state = &matching->ranks[i];

        is_apart |= state->carried_left > 0 || state->later.count > 0;
    }
    return is_apart;
}

void mwa_matching_carried_fini(struct rank_state *state)
{
    free(state->carried);
    mwa_map_fini(&state->later);
    mwa_map_fini(&state->taken);
}
