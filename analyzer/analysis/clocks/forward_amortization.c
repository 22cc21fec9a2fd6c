/*
 * Calls are told in the order of who waits for whom, so that the clock of who was waited for is
 * known where it is asked. It is asked as it was when that call began: what the call itself
 * received later, at the same tick maybe, may or may not have been told by then.
 */
#include "analyzer/analysis/clocks/forward_amortization.h"

#include <stdlib.h>

#include "analyzer/analysis/efficiency/dependence.h"
#include "analyzer/model/map.h"
#include "formats/base/order.h"

/* What happened at time by the location's clock did not before at. */
struct mwa_wanted_time {
    uint64_t time;
    uint64_t at;
};

/* An operation of which a member has ended. Whether its order is certain is looked for once: that
 * takes as long as it has members. */
struct operation {
    struct mwa_gathering gathering;
    bool is_certain;
};

void mwa_forward_init(struct mwa_forward *forward, const struct mwa_happened_before *rules,
                      struct mwa_clock_layer *layers)
{
    *forward = (struct mwa_forward){ .rules = rules,
                                     .layers = layers,
                                     .operations = { .size = sizeof(struct operation) } };
}

void mwa_forward_fini(struct mwa_forward *forward)
{
    mwa_pool_fini(&forward->operations);
    free(forward->wanted);
    *forward = (struct mwa_forward){ 0 };
}

/* What becomes of a time of the call's location, by the jumps before the call. */
static uint64_t moved_in(const struct mwa_forward *forward, const struct mwa_exchange_call *call,
                         uint64_t time)
{
    return time + mwa_clock_forward(&forward->layers[call->location], call->note[0], time);
}

static bool want(struct mwa_forward *forward, uint64_t time, uint64_t at)
{
    if (!mwa_grow(&forward->wanted, &forward->wanted_capacity, forward->wanted_count + 1,
                  sizeof *forward->wanted)) {
        return false;
    }
    forward->wanted[forward->wanted_count++] = (struct mwa_wanted_time){ time, at };
    return true;
}

static enum mw_status on_begin(void *user, struct mwa_exchange_call *call)
{
    struct mwa_forward *forward = user;

    call->note[0] = forward->layers[call->location].count;
    return MW_OK;
}

/* The call knew of the message at time. False: no memory. */
static bool take_message(struct mwa_forward *forward, const struct mwa_exchange_call *call,
                         const struct mwa_message *message, uint64_t time)
{
    const uint64_t at = moved_in(forward, message->send, message->sent_at) +
                        mwa_least_latency(forward->rules, message, call, time);
    const bool is_certain = mwa_order_of_message(forward->rules, message, call) ==
                            MWA_ORDER_CERTAIN;

    if (forward->offsets && is_certain &&
        !mwa_host_offsets_take(forward->offsets, message->send->rank, call->rank,
                               message->sent_at, time)) {
        return false;
    }
    return (time < message->sent_at && !is_certain) || moved_in(forward, call, time) >= at ||
           want(forward, time, at);
}

static enum mw_status take_messages(struct mwa_forward *forward,
                                    const struct mwa_exchange_call *call)
{
    bool has_memory = true;

    for (const struct mwa_message *message = call->received; message && has_memory;
         message = message->next_received) {
        has_memory = take_message(forward, call, message, message->received_at);
    }
    return has_memory ? MW_OK : MW_ERROR_MEMORY;
}

/* A probe has ended that found a message. */
static enum mw_status take_found(struct mwa_forward *forward, const struct mwa_exchange_call *call)
{
    const struct mwa_message *message = call->found;

    if (!message || call->open) {
        return MW_OK;
    }
    if (call->leave < message->sent_at &&
        mwa_order_of_message(forward->rules, message, call) == MWA_ORDER_CERTAIN) {
        const uint64_t by = message->sent_at - call->leave;

        forward->probes++;
        forward->probes_max = by > forward->probes_max ? by : forward->probes_max;
    }
    return take_message(forward, call, message, call->leave) ? MW_OK : MW_ERROR_MEMORY;
}

static struct mwa_words moved_begin(const struct mwa_member *member, void *user)
{
    return (struct mwa_words){ .first = moved_in(user, member->begin, member->begin->enter) };
}

static enum mw_status take_member(struct mwa_forward *forward, const struct mwa_member *member)
{
    struct mwa_collective *collective = member->collective;
    uint64_t *note = &collective->members[0].note[0];
    const struct mwa_exchange_call *call = member->end;
    struct operation *operation = (struct operation *)(uintptr_t)*note;
    struct mwa_dependence needed;
    uint64_t last;

    if (!operation) {
        operation = mwa_pool_take(&forward->operations);
        if (!operation) {
            return MW_ERROR_MEMORY;
        }
        operation->is_certain = mwa_order_of(forward->rules, collective) == MWA_ORDER_CERTAIN;
        *note = (uintptr_t)operation;
    }
    needed = mwa_dependence_of(collective, (uint32_t)(member - collective->members), moved_begin,
                               forward, &operation->gathering);
    if (needed.latest == MWA_NONE || call->open) {
        return MW_OK;
    }
    last = collective->members[needed.latest].begin->enter;
    if (forward->offsets && operation->is_certain &&
        !mwa_host_offsets_take(forward->offsets, collective->members[needed.latest].begin->rank,
                               call->rank, last, call->leave)) {
        return MW_ERROR_MEMORY;
    }
    if (last > call->leave) {
        if (!operation->is_certain) {
            return MW_OK;
        }
        forward->collectives++;
        if (last - call->leave > forward->collectives_max) {
            forward->collectives_max = last - call->leave;
        }
    }
    return moved_in(forward, call, call->leave) >= needed.words.first ||
                   want(forward, call->leave, needed.words.first)
               ? MW_OK
               : MW_ERROR_MEMORY;
}

static int by_time(const void *left, const void *right)
{
    const struct mwa_wanted_time *one = left, *other = right;

    return mw_order(one->time, other->time) ?: mw_order(one->at, other->at);
}

/* Jumps where it has to be, in order of time. */
static enum mw_status jump(struct mwa_forward *forward, struct mwa_clock_layer *layer)
{
    qsort(forward->wanted, forward->wanted_count, sizeof *forward->wanted, by_time);
    for (uint64_t i = 0; i < forward->wanted_count; i++) {
        const struct mwa_wanted_time *wanted = &forward->wanted[i];
        const bool is_behind = layer->count > 0 &&
                               wanted->time < layer->jumps[layer->count - 1].time;

        if (is_behind ||
            wanted->time + mwa_clock_forward(layer, layer->count, wanted->time) >= wanted->at) {
            continue;
        }
        if (!mwa_clock_jump(layer, wanted->time, wanted->at - wanted->time)) {
            return MW_ERROR_MEMORY;
        }
        forward->jumps++;
    }
    return MW_OK;
}

static enum mw_status on_end(void *user, struct mwa_exchange_call *call)
{
    struct mwa_forward *forward = user;
    enum mw_status status;

    forward->wanted_count = 0;
    status = take_messages(forward, call);
    status = status == MW_OK ? take_found(forward, call) : status;
    for (const struct mwa_member *member = call->finished; member && status == MW_OK;
         member = member->next_finished) {
        status = take_member(forward, member);
    }
    return status == MW_OK && forward->wanted_count > 0
               ? jump(forward, &forward->layers[call->location])
               : status;
}

static enum mw_status on_collective(void *user, struct mwa_collective *collective)
{
    struct mwa_forward *forward = user;
    uint64_t *note = &collective->members[0].note[0];
    struct operation *operation = (struct operation *)(uintptr_t)*note;
    bool is_certain;

    if (!operation) {
        return MW_OK; /* nobody has ended it */
    }
    is_certain = operation->is_certain;
    mwa_pool_give(&forward->operations, operation);
    *note = 0;
    return !forward->offsets || !is_certain ||
                   mwa_host_offsets_take_all(forward->offsets, collective)
               ? MW_OK
               : MW_ERROR_MEMORY;
}

struct mwa_exchange_listener mwa_forward_listener(struct mwa_forward *forward)
{
    return (struct mwa_exchange_listener){ .user = forward,
                                           .begin = on_begin,
                                           .end = on_end,
                                           .collective = on_collective };
}
