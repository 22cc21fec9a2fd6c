/*
 * It is the send's beginning that counts, not its end: a synchronous send ends
 * after the receive was posted whatever happened.
 */
#include "analyzer/analysis/messages/queueing.h"

#include <stdlib.h>

struct counting {
    const struct mwa_trace *trace;
    const bool *comms;
    struct mwa_queueing result;
};

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
    *analysis = counting;
    return MW_OK;
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
    result->late_byte_ns += message->bytes == UINT64_MAX ? 0 : (double)message->bytes * (double)ns;
    if (ns > result->max_ns) {
        result->max_ns = ns;
        result->max_from = message->send->rank;
        result->max_to = message->receive->rank;
    }
    return MW_OK;
}

static enum mw_status finish(void *analysis, void *result)
{
    const struct counting *counting = analysis;

    *(struct mwa_queueing *)result = counting->result;
    return MW_OK;
}

const struct mwa_exchange_analysis mwa_queueing_analysis = {
    .name = "queueing",
    .create = create,
    .listener = { .message = take_message },
    .finish = finish,
    .destroy = free
};
