/*
 * Archives don't tell how long a message takes at least. No network is known to be quicker between
 * hosts than about a microsecond, and within a host the clock is one.
 */
#include "analyzer/analysis/clocks/happened_before.h"

#include <stdlib.h>
#include <string.h>

#define LATENCY_NS 1000u

/* The position of a host, which is added if it is new. */
static uint32_t host_of(struct mwa_happened_before *rules, const char *name)
{
    uint32_t at = 0;

    while (at < rules->host_count && strcmp(rules->names[at], name) != 0) {
        at++;
    }
    if (at == rules->host_count) {
        rules->names[rules->host_count++] = name;
    }
    return at;
}

/* Not only at its end: what comes behind a gap may belong to something else. */
static bool lacks_some(const struct mwa_rank *rank)
{
    return rank->lost > 0 || rank->paused;
}

enum mw_status mwa_happened_before_init(struct mwa_happened_before *rules,
                                        const struct mwa_trace *trace)
{
    *rules = (struct mwa_happened_before){ .trace = trace,
                                           .latency = mwa_trace_ticks(trace, LATENCY_NS) };
    rules->hosts = calloc(trace->rank_count + 1, sizeof *rules->hosts);
    rules->names = calloc(trace->rank_count + 1, sizeof *rules->names);
    if (!rules->hosts || !rules->names) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < trace->rank_count; i++) {
        rules->hosts[i] = host_of(rules, trace->ranks[i].host);
        rules->has_gaps |= lacks_some(&trace->ranks[i]);
    }
    return MW_OK;
}

void mwa_happened_before_fini(struct mwa_happened_before *rules)
{
    free(rules->hosts);
    free(rules->names);
    *rules = (struct mwa_happened_before){ 0 };
}

uint64_t mwa_least_latency(const struct mwa_happened_before *rules,
                           const struct mwa_message *message, const struct mwa_exchange_call *call,
                           uint64_t time)
{
    const uint32_t from = message->send->rank;
    const uint64_t least = rules->hosts[from] == rules->hosts[call->rank] ? 0 : rules->latency;
    const uint64_t took = time - message->sent_at;

    return time >= message->sent_at && took < least ? took : least;
}

/* What a thread probed for another one may have received first. */
static bool may_be_another(const struct mwa_happened_before *rules,
                           const struct mwa_message *message, const struct mwa_exchange_call *call)
{
    return call != message->receive_completion && rules->trace->ranks[call->rank].locations > 1;
}

enum mwa_order mwa_order_of_message(const struct mwa_happened_before *rules,
                                    const struct mwa_message *message,
                                    const struct mwa_exchange_call *call)
{
    const struct mwa_rank *ranks = rules->trace->ranks;

    return lacks_some(&ranks[message->send->rank]) || lacks_some(&ranks[call->rank]) ||
                   may_be_another(rules, message, call)
               ? MWA_ORDER_AS_SEEN
               : MWA_ORDER_CERTAIN;
}

static bool lacks_something(const struct mwa_happened_before *rules,
                            const struct mwa_collective *collective)
{
    bool lacks = false;

    for (uint32_t i = 0; rules->has_gaps && i < collective->count && !lacks; i++) {
        const uint32_t rank = collective->members[i].rank;

        lacks = rank == MWA_NONE || lacks_some(&rules->trace->ranks[rank]);
    }
    return lacks;
}

enum mwa_order mwa_order_of(const struct mwa_happened_before *rules,
                            const struct mwa_collective *collective)
{
    switch (collective->kind) {
    case MWA_GROUP_COLLECTIVE:
    case MWA_GROUP_NEIGHBOR:
    case MWA_GROUP_COMM_CREATE:
    case MWA_GROUP_WINDOW:
    case MWA_GROUP_COMPLETE:
        return lacks_something(rules, collective) ? MWA_ORDER_AS_SEEN : MWA_ORDER_CERTAIN;
    case MWA_GROUP_INIT:
    case MWA_GROUP_FINALIZE:
    case MWA_GROUP_POST:
    case MWA_GROUP_LOCK:
        return MWA_ORDER_AS_SEEN;
    }
    return MWA_ORDER_AS_SEEN;
}
