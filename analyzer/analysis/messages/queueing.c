/*
 * It is the send's beginning that counts, not its end: a synchronous send ends
 * after the receive was posted whatever happened.
 */
#include "analyzer/analysis/messages/queueing.h"

#include <stdlib.h>

#include "analyzer/team/packing.h"
#include "analyzer/analysis/time/tally.h"
#include "formats/base/order.h"

struct counting {
    const struct mwa_trace *trace;
    const bool *comms;
    struct mwa_queueing result;
    unsigned __int128 late_byte_ns; /* exact, so that the order of messages does not matter */
    struct mwa_queue *queues; /* per rank */
    struct mwa_tally sites;   /* Σ queueing, ns */
};

static void destroy(void *analysis)
{
    struct counting *counting = analysis;

    if (counting) {
        mwa_tally_fini(&counting->sites);
        free(counting->queues);
        free(counting);
    }
}

static enum mw_status create(const struct mwa_trace *trace, uint32_t slot,
                             const struct mwa_scope *scope, void **analysis)
{
    struct counting *counting = calloc(1, sizeof *counting);

    if (!counting) {
        return MW_ERROR_MEMORY;
    }
    counting->trace = trace;
    counting->comms = scope->comms;
    counting->result.max_from = MWA_NONE;
    counting->result.max_to = MWA_NONE;
    counting->queues = calloc(trace->rank_count + 1, sizeof *counting->queues);
    *analysis = counting;
    return counting->queues ? MW_OK : MW_ERROR_MEMORY;
}

/* The message queued for ns at who received it. */
static enum mw_status take_queued(struct counting *counting, const struct mwa_message *message,
                                  uint64_t ns)
{
    const struct mwa_exchange_call *receive = message->receive;
    struct mwa_queue *queue = &counting->queues[receive->rank];

    queue->count++;
    queue->bytes += message->bytes == UINT64_MAX ? 0 : message->bytes;
    queue->total_ns += ns;
    return receive->site == MWA_NONE || mwa_tally_add(&counting->sites, receive->site, ns)
               ? MW_OK
               : MW_ERROR_MEMORY;
}

/* A message between these ranks queued for ns. Of those that queued as long, the first by rank. */
static void take_longest(struct mwa_queueing *result, uint64_t ns, uint32_t from, uint32_t to)
{
    const int order = mw_order(ns, result->max_ns) ?: mw_order(result->max_from, from) ?:
                                                      mw_order(result->max_to, to);

    if (ns > 0 && order > 0) {
        result->max_ns = ns;
        result->max_from = from;
        result->max_to = to;
    }
}

static enum mw_status take_message(void *user, struct mwa_message *message)
{
    struct counting *counting = user;
    struct mwa_queueing *result = &counting->result;
    const uint64_t begin = message->send->enter;
    uint64_t ns;

    if (counting->comms && (message->comm == MWA_NONE || !counting->comms[message->comm])) {
        return MW_OK;
    }
    result->matched++;
    result->without_bytes += message->bytes == 0;
    if (message->posted_at <= begin) {
        return MW_OK;
    }
    ns = mwa_trace_ns(counting->trace, message->posted_at - begin);
    result->late_posted++;
    result->total_ns += ns;
    counting->late_byte_ns +=
        message->bytes == UINT64_MAX ? 0 : (unsigned __int128)message->bytes * ns;
    take_longest(result, ns, message->send->rank, message->receive->rank);
    return take_queued(counting, message, ns);
}

/* All are sums, or the longest, so that it does not matter where a run was cut. */
static enum mw_status append(void *analysis, void *later, const struct mwa_seam *seam)
{
    struct counting *counting = analysis;
    struct counting *from = later;
    struct mwa_queueing *result = &counting->result;

    result->matched += from->result.matched;
    result->without_bytes += from->result.without_bytes;
    result->late_posted += from->result.late_posted;
    result->total_ns += from->result.total_ns;
    counting->late_byte_ns += from->late_byte_ns;
    take_longest(result, from->result.max_ns, from->result.max_from, from->result.max_to);
    for (uint64_t i = 0; i < counting->trace->rank_count; i++) {
        counting->queues[i].count += from->queues[i].count;
        counting->queues[i].bytes += from->queues[i].bytes;
        counting->queues[i].total_ns += from->queues[i].total_ns;
    }
    return mwa_tally_absorb(&counting->sites, &from->sites) ? MW_OK : MW_ERROR_MEMORY;
}

static void pack(void *analysis, struct mw_buffer *to)
{
    const struct counting *counting = analysis;

    mw_buffer_append(to, &counting->result, sizeof counting->result);
    mw_buffer_append(to, &counting->late_byte_ns, sizeof counting->late_byte_ns);
    mwa_pack_array(to, counting->queues, counting->trace->rank_count, sizeof *counting->queues);
    mwa_tally_pack(&counting->sites, to);
}

static enum mw_status unpack(void *analysis, struct mwa_region_paths *paths,
                             struct mw_cursor *from)
{
    struct counting *counting = analysis;
    const struct mwa_queueing *result = &counting->result;
    const uint64_t ranks = counting->trace->rank_count;
    enum mw_status status;

    if (!mw_cursor_take(from, &counting->result, sizeof counting->result) ||
        !mw_cursor_take(from, &counting->late_byte_ns, sizeof counting->late_byte_ns) ||
        (result->max_ns > 0 && (result->max_from >= ranks || result->max_to >= ranks))) {
        return MW_ERROR_FORMAT;
    }
    status = mwa_unpack_into(from, counting->queues, ranks, sizeof *counting->queues);
    return status == MW_OK ? mwa_tally_unpack(&counting->sites, from) : status;
}

/* The queue of the rank with most of it. */
static struct mwa_queue find_most(const struct counting *counting)
{
    struct mwa_queue most = { .rank = MWA_NONE, .site = MWA_NONE };
    uint64_t at_site = 0;

    for (uint32_t i = 0; i < counting->trace->rank_count; i++) {
        if (counting->queues[i].total_ns > most.total_ns) {
            most = counting->queues[i];
            most.rank = i;
            most.site = MWA_NONE;
        }
    }
    for (uint32_t i = 0; i < counting->trace->site_count; i++) {
        const uint64_t ns = mwa_tally_get(&counting->sites, i);

        if (ns > at_site) {
            at_site = ns;
            most.site = i;
        }
    }
    return most;
}

static enum mw_status finish(void *analysis, void *result)
{
    struct counting *counting = analysis;

    counting->result.most = find_most(counting);
    counting->result.late_byte_ns = (double)counting->late_byte_ns;
    *(struct mwa_queueing *)result = counting->result;
    return MW_OK;
}

const struct mwa_exchange_analysis mwa_queueing_analysis = {
    .name = "queueing",
    .create = create,
    .listener = { .message = take_message, .may_lag = true },
    .append = append,
    .pack = pack,
    .unpack = unpack,
    .finish = finish,
    .destroy = destroy
};
