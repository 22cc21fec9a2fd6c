/*
 * What a send may be moved by is found by the jumps alone: ways move receives only further away.
 */
#include "analyzer/analysis/clocks/backward_amortization.h"

#include "analyzer/model/needs.h"

/* What the jumps make of a time of call's location. */
static uint64_t jumped(const struct mwa_backward *backward, const struct mwa_exchange_call *call,
                       uint64_t time)
{
    return time + mwa_clock_forward(backward->layers[call->location], UINT64_MAX, time);
}

/* What call began at time has to come before until; may_be_late: if it does so far. */
static enum mw_status limit(const struct mwa_backward *backward,
                            const struct mwa_exchange_call *call, uint64_t time, uint64_t until,
                            bool may_be_late)
{
    struct mwa_clock_layer *layer = backward->layers[call->location];
    uint64_t now;

    if (layer->count == 0 || until == UINT64_MAX || !mwa_clock_is_limited(layer, time)) {
        return MW_OK;
    }
    now = jumped(backward, call, time);
    if (until < now && may_be_late) {
        return MW_OK;
    }
    return mwa_clock_limit(layer, time, until > now ? until - now : 0) ? MW_OK : MW_ERROR_MEMORY;
}

/* The message has to be sent before call knew of it at time. */
static enum mw_status limit_send(const struct mwa_backward *backward,
                                 const struct mwa_message *message,
                                 const struct mwa_exchange_call *call, uint64_t time)
{
    const uint64_t known = jumped(backward, call, time);
    const uint64_t least = mwa_least_latency(backward->rules, message, call, time);

    return limit(backward, message->send, message->sent_at, known > least ? known - least : 0,
                 mwa_order_of_message(backward->rules, message, call) != MWA_ORDER_CERTAIN);
}

static enum mw_status on_end(void *user, struct mwa_exchange_call *call)
{
    return call->found && !call->open ? limit_send(user, call->found, call, call->leave) : MW_OK;
}

static enum mw_status on_message(void *user, struct mwa_message *message)
{
    return message->receive_completion && message->send
               ? limit_send(user, message, message->receive_completion, message->received_at)
               : MW_OK;
}

/* When a member has left; UINT64_MAX: it did not, or waited for nobody. */
static uint64_t left(const struct mwa_backward *backward, const struct mwa_collective *collective,
                     uint32_t member)
{
    const struct mwa_exchange_call *end = collective->members[member].end;

    return end && !end->open ? jumped(backward, end, end->leave) : UINT64_MAX;
}

static enum mw_status limit_member(const struct mwa_backward *backward,
                                   const struct mwa_collective *collective, uint32_t member,
                                   uint64_t until)
{
    const struct mwa_exchange_call *begin = collective->members[member].begin;

    return begin ? limit(backward, begin, begin->enter, until,
                         mwa_order_of(backward->rules, collective) != MWA_ORDER_CERTAIN)
                 : MW_OK;
}

/* Each is needed by all others: whoever leaves first of these. */
static enum mw_status limit_all(const struct mwa_backward *backward,
                                const struct mwa_collective *collective)
{
    uint64_t first = UINT64_MAX, second = UINT64_MAX;
    uint32_t who = MWA_NONE;
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < collective->count; i++) {
        const uint64_t time = left(backward, collective, i);

        if (time < first) {
            second = first;
            first = time;
            who = i;
        } else if (time < second) {
            second = time;
        }
    }
    for (uint32_t i = 0; i < collective->count && status == MW_OK; i++) {
        status = limit_member(backward, collective, i, i == who ? second : first);
    }
    return status;
}

/* Each is needed by those behind it. */
static enum mw_status limit_lower(const struct mwa_backward *backward,
                                  const struct mwa_collective *collective)
{
    uint64_t first = UINT64_MAX;
    enum mw_status status = MW_OK;

    for (uint32_t i = collective->count; i-- > 0 && status == MW_OK;) {
        const uint64_t time = left(backward, collective, i);

        status = limit_member(backward, collective, i, first);
        first = time < first ? time : first;
    }
    return status;
}

/* The root is needed by all others. */
static enum mw_status limit_root(const struct mwa_backward *backward,
                                 const struct mwa_collective *collective)
{
    uint64_t first = UINT64_MAX;

    for (uint32_t i = 0; i < collective->count; i++) {
        const uint64_t time = i == collective->root ? UINT64_MAX : left(backward, collective, i);

        first = time < first ? time : first;
    }
    return collective->root == MWA_NONE
               ? MW_OK
               : limit_member(backward, collective, collective->root, first);
}

/* All are needed by the root. */
static enum mw_status limit_others(const struct mwa_backward *backward,
                                   const struct mwa_collective *collective)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0;
         collective->root != MWA_NONE && i < collective->count && status == MW_OK; i++) {
        if (i != collective->root) {
            status = limit_member(backward, collective, i,
                                  left(backward, collective, collective->root));
        }
    }
    return status;
}

/* Those that a member says to need. */
static enum mw_status limit_sources(const struct mwa_backward *backward,
                                    const struct mwa_collective *collective, uint32_t member)
{
    const struct mwa_sources *sources = collective->members[member].sources;
    const uint64_t until = sources ? left(backward, collective, member) : UINT64_MAX;
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; sources && i < sources->count && status == MW_OK; i++) {
        status = limit_member(backward, collective, sources->positions[i], until);
    }
    return status;
}

static enum mw_status on_collective(void *user, struct mwa_collective *collective)
{
    const struct mwa_backward *backward = user;
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < collective->count && status == MW_OK; i++) {
        status = limit_sources(backward, collective, i);
    }
    if (status != MW_OK) {
        return status;
    }
    switch (mwa_needs_of(collective)) {
    case MWA_NEEDS_NOBODY:
        return MW_OK;
    case MWA_NEEDS_ALL:
    case MWA_NEEDS_DATA:
        return limit_all(backward, collective);
    case MWA_NEEDS_ROOT:
        return limit_root(backward, collective);
    case MWA_NEEDS_ALL_AT_ROOT:
        return limit_others(backward, collective);
    case MWA_NEEDS_LOWER:
    case MWA_NEEDS_FIRST:
        return limit_lower(backward, collective);
    }
    return MW_OK;
}

struct mwa_exchange_listener mwa_backward_listener(struct mwa_backward *backward)
{
    return (struct mwa_exchange_listener){ .user = backward,
                                           .end = on_end,
                                           .message = on_message,
                                           .collective = on_collective };
}
