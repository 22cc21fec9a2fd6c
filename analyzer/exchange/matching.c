#include "analyzer/exchange/matching.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/exchange/matching_state.h"
#include "analyzer/exchange/matching_tell.h"

/* Programs that never cancel need not hold any send back. */
static bool calls_cancel(const struct mwa_trace *trace)
{
    for (uint32_t i = 0; i < trace->mpi_region_count; i++) {
        if (trace->regions[trace->mpi_regions[i]].call == MW_CALL_MPI_Cancel) {
            return true;
        }
    }
    return false;
}

enum mw_status mwa_matching_create(const struct mwa_trace *trace, struct mwa_input *input,
                                   const struct mwa_matching_listener *listener,
                                   struct mwa_matching **result, struct mw_diagnostic *diagnostic)
{
    struct mwa_matching *matching = calloc(1, sizeof *matching);

    if (matching) {
        matching->trace = trace;
        matching->input = input;
        if (listener) {
            matching->listener = *listener;
        }
        matching->channels.free = MWA_NONE;
        matching->ranks = calloc(trace->rank_count + 1, sizeof *matching->ranks);
    }
    if (!matching || !matching->ranks) {
        mwa_matching_destroy(matching);
        return mw_no_memory(diagnostic, NULL, "to match messages");
    }
    if (input && trace->begins_late && !mwa_input_begins_at(input)) {
        const enum mw_status status = mwa_beginnings_of(input, &matching->beginnings, diagnostic);

        if (status != MW_OK) {
            mwa_matching_destroy(matching);
            return status;
        }
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
        mwa_map_fini(&matching->ranks[i].requests);
        mwa_map_fini(&matching->ranks[i].early);
        mwa_held_sends_fini(&matching->ranks[i].held);
        mwa_lookahead_fini(&matching->ranks[i].ahead);
        mwa_matching_carried_fini(&matching->ranks[i]);
    }
    free(matching->ranks);
    mwa_channels_fini(&matching->channels);
    mwa_map_fini(&matching->early);
    mwa_input_close(matching->second);
    mwa_matching_result_fini(&matching->result);
    free(matching);
}

void mwa_matching_keep_tails(struct mwa_matching *matching, struct mwa_tails *tails)
{
    matching->tails = tails;
}

const struct mwa_beginnings *mwa_matching_beginnings(const struct mwa_matching *matching)
{
    return matching->beginnings;
}

const struct mw_diagnostic *mwa_matching_diagnostic(const struct mwa_matching *matching)
{
    return &matching->diagnostic;
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

static enum mwa_unmatched_reason reason_of(const struct mwa_matching *matching, uint32_t partner)
{
    const struct mwa_rank *rank = &matching->trace->ranks[partner];

    if (matching->ranks[partner].paused) {
        return MWA_UNMATCHED_PAUSED;
    }
    if (rank->incomplete || rank->master == MWA_NONE) {
        return MWA_UNMATCHED_INCOMPLETE;
    }
    return rank->lost > 0 || matching->trace->begun > 0 ? MWA_UNMATCHED_LOST
                                                        : MWA_UNMATCHED_UNKNOWN;
}

enum mw_status mwa_matching_drop(struct mwa_matching *matching, struct mwa_key channel,
                                 enum mwa_side side, const struct mwa_end *end)
{
    struct mwa_matching_result *result = &matching->result;

    if (side == MWA_SIDE_SEND) {
        result->sends_without[reason_of(matching, mwa_channel_destination(channel))]++;
        return MW_OK;
    }
    result->receives_without[reason_of(matching, mwa_channel_source(channel))]++;
    return mwa_tell_dropped(&matching->listener, end->object);
}

/* Whether it is one of the first ends of a channel that have no other half: *status may be
 * MW_ERROR_MEMORY. */
static bool is_early(struct mwa_matching *matching, struct mwa_key channel, enum mwa_side side,
                     enum mw_status *status)
{
    const struct mwa_beginnings *beginnings = matching->beginnings;
    const uint64_t count = mwa_beginning(
        side == MWA_SIDE_SEND ? &beginnings->sends : &beginnings->receives, channel);
    uint64_t *place = count > 0 ? mwa_map_put(&matching->early, channel, 0) : NULL;

    *status = count > 0 && !place ? mwa_matching_no_memory(matching) : MW_OK;
    return place && (*place)++ < count;
}

/* What reading for beginnings wants to know of an end. */
static bool keep_tail(struct mwa_tails *tails, struct mwa_key channel, enum mwa_side side,
                      const struct mwa_end *end)
{
    return end->ghost || (side == MWA_SIDE_SEND
                              ? mwa_tails_add_send(tails, channel, end->time)
                              : mwa_tails_add_receive(tails, channel, end->time));
}

/* Takes the oldest of the other side, or makes end wait: probes that have waited for a send see it
 * on the way. */
static enum mw_status pass_probes(struct mwa_matching *matching, struct mwa_key channel,
                                  enum mwa_side side, const struct mwa_end *end,
                                  struct mwa_end *other, bool *met)
{
    enum mw_status status;

    do {
        status = mwa_channels_meet(&matching->channels, channel, side, end, other, met) == MW_OK
                     ? MW_OK
                     : mwa_matching_no_memory(matching);
        if (status == MW_OK && *met && other->is_probe) {
            status = mwa_tell_found(&matching->listener, end->object, other->object);
        }
    } while (status == MW_OK && *met && other->is_probe);
    return status;
}

enum mw_status mwa_matching_meet(struct mwa_matching *matching, struct mwa_key channel,
                                 enum mwa_side side, const struct mwa_end *end)
{
    struct mwa_end other;
    enum mw_status status = MW_OK;
    bool met = false;

    if (matching->tails && !keep_tail(matching->tails, channel, side, end)) {
        return mwa_matching_no_memory(matching);
    }
    if (matching->beginnings && is_early(matching, channel, side, &status)) {
        return mwa_matching_drop(matching, channel, side, end);
    }
    if (status == MW_OK) {
        status = pass_probes(matching, channel, side, end, &other, &met);
    }
    if (status == MW_OK) {
        const uint32_t to = mwa_channel_destination(channel);

        matching->ranks[to].unreceived += !met && side == MWA_SIDE_SEND;
        matching->ranks[to].unreceived -= met && side == MWA_SIDE_RECEIVE;
    }
    if (met && status == MW_OK) {
        bool is_send = side == MWA_SIDE_SEND;

        compare_pair(matching, is_send ? end : &other, is_send ? &other : end);
        if (matching->listener.matched) {
            return matching->listener.matched(matching->listener.user,
                                              is_send ? end->object : other.object,
                                              is_send ? other.object : end->object);
        }
    }
    return status;
}

/* Whether the next receive on channel is one of the first that have no other half. */
static bool is_before_all(const struct mwa_matching *matching, struct mwa_key channel)
{
    const uint64_t count = matching->beginnings
                               ? mwa_beginning(&matching->beginnings->receives, channel)
                               : 0;
    const uint64_t so_far = count > 0 ? mwa_map_get(&matching->early, channel) : 0;

    return count > 0 && (so_far == MWA_MAP_ABSENT || so_far < count);
}

enum mw_status mwa_matching_look(struct mwa_matching *matching, struct mwa_key channel,
                                 const struct mwa_end *probe)
{
    const struct mwa_end *send =
        mwa_channels_oldest(&matching->channels, channel, MWA_SIDE_SEND);
    struct mwa_end other;
    bool met;

    if (is_before_all(matching, channel)) {
        return mwa_tell_dropped(&matching->listener, probe->object);
    }
    if (send) {
        return mwa_tell_found(&matching->listener, send->object, probe->object);
    }
    return pass_probes(matching, channel, MWA_SIDE_RECEIVE, probe, &other, &met);
}

uint64_t *mwa_matching_without(struct mwa_matching *matching, uint32_t comm, bool sends)
{
    struct mwa_matching_result *result = &matching->result;

    if (comm < matching->trace->comm_count && matching->trace->comms[comm].other_job) {
        return sends ? &result->other_job_sends : &result->other_job_receives;
    }
    return &(sends ? result->sends_without : result->receives_without)[MWA_UNMATCHED_UNDEFINED];
}

/* An event that ends a request: MWA_ISEND_COMPLETE, MWA_IRECV, MWA_CANCELLED. */
static enum mw_status take_end(struct mwa_matching *matching, uint32_t rank,
                               const struct mwa_event *event, uint64_t enter, void *call)
{
    uint64_t value = mwa_map_remove(&matching->ranks[rank].requests,
                                    mwa_matching_request_key(event->request));
    bool is_known = event->kind == MWA_IRECV;
    enum mw_status status = MW_OK;

    if (value != MWA_MAP_ABSENT && !(value & REQUEST_IS_SEND)) {
        if (value & REQUEST_IS_CARRIED) {
            return mwa_matching_end_carried(matching, rank, value & ~REQUEST_IS_CARRIED, event,
                                            call);
        }
        return event->kind == MWA_ISEND_COMPLETE
                   ? MW_OK
                   : mwa_matching_resolve(matching, rank, value, event, call);
    }
    /* Of two posted at the same time under one number another one was put off. */
    matching->is_apart |= value == MWA_MAP_ABSENT && matching->ranks[rank].puts_off;
    if (value != MWA_MAP_ABSENT) {
        status = mwa_matching_end_send(matching, rank, (uint32_t)value, event, call);
    }
    if (status != MW_OK || !is_known) {
        return status;
    }
    return value == MWA_MAP_ABSENT && mwa_trace_is_of_ring(matching->trace, rank)
               ? mwa_matching_take_old(matching, rank, event, enter, call)
               : mwa_matching_take_known(matching, rank, event, enter, call);
}

/* A blocking send. */
static enum mw_status take_send(struct mwa_matching *matching, uint32_t rank,
                                const struct mwa_event *event, uint64_t enter, void *call)
{
    struct pending_send send = { .object = NULL };
    const enum mw_status status =
        mwa_matching_take_send(matching, rank, event, enter, call, &send);

    return status == MW_OK ? mwa_tell_send_ended(&matching->listener, call, send.object) : status;
}

enum mw_status mwa_matching_take(void *user, uint32_t rank, const struct mwa_event *event,
                                 uint64_t enter, void *call)
{
    struct mwa_matching *matching = user;

    switch (event->kind) {
    case MWA_SEND:
        return take_send(matching, rank, event, enter, call);
    case MWA_ISEND:
        return mwa_matching_take_isend(matching, rank, event, enter, call);
    case MWA_RECV:
        matching->ranks[rank].posted++;
        return mwa_matching_take_known(matching, rank, event, enter, call);
    case MWA_IRECV_POST:
        return mwa_matching_take_post(matching, rank, event, call);
    case MWA_FOUND:
        return mwa_matching_take_found(matching, rank, event, call);
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

void mwa_matching_paused(const struct mwa_matching *matching, uint8_t *paused)
{
    for (uint64_t i = 0; i < matching->trace->rank_count; i++) {
        paused[i] |= matching->ranks[i].paused;
    }
}

void mwa_matching_carry(struct mwa_matching *matching, const uint8_t *paused)
{
    for (uint64_t i = 0; i < matching->trace->rank_count; i++) {
        matching->ranks[i].paused |= paused[i] != 0;
    }
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
            struct receive *receive = mwa_matching_receive_at(state, state->first + i);

            if (receive->state == RECEIVE_PENDING) {
                receive->state = RECEIVE_DROPPED;
                matching->result.pending_receives++;
            }
        }
        mwa_held_sends_release(&state->held);
        status = mwa_matching_flush_sends(matching, rank);
        status = status == MW_OK ? mwa_matching_flush_receives(matching, rank) : status;
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

static bool add_cancelled(struct mwa_matching_result *into, struct mwa_matching_result *from)
{
    const uint64_t count = into->cancelled_send_count + from->cancelled_send_count;
    struct mwa_cancelled_send *both = into->cancelled_sends;

    if (!both) {
        both = from->cancelled_sends;
        from->cancelled_sends = NULL;
    } else if (from->cancelled_send_count > 0) {
        both = realloc(both, count * sizeof *both);
        if (!both) {
            return false;
        }
        memcpy(&both[into->cancelled_send_count], from->cancelled_sends,
               from->cancelled_send_count * sizeof *both);
    }
    into->cancelled_sends = both;
    into->cancelled_send_count = count;
    return true;
}

enum mw_status mwa_matching_result_add(struct mwa_matching_result *into,
                                       struct mwa_matching_result *from)
{
    into->sends += from->sends;
    into->receives += from->receives;
    into->matched += from->matched;
    into->unmatched_sends += from->unmatched_sends;
    into->unmatched_receives += from->unmatched_receives;
    for (unsigned i = 0; i < MWA_UNMATCHED_REASONS; i++) {
        into->sends_without[i] += from->sends_without[i];
        into->receives_without[i] += from->receives_without[i];
    }
    into->other_job_sends += from->other_job_sends;
    into->other_job_receives += from->other_job_receives;
    into->pending_receives += from->pending_receives;
    into->cancelled += from->cancelled;
    into->clock_violations += from->clock_violations;
    if (from->clock_violation_max_ns > into->clock_violation_max_ns) {
        into->clock_violation_max_ns = from->clock_violation_max_ns;
    }
    into->size_mismatches += from->size_mismatches;
    return add_cancelled(into, from) ? MW_OK : MW_ERROR_MEMORY;
}

void mwa_matching_result_fini(struct mwa_matching_result *result)
{
    free(result->cancelled_sends);
    *result = (struct mwa_matching_result){ 0 };
}
