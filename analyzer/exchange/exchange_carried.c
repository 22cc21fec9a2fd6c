/* The call that posted a receive before the part of a run that is followed was told by somebody
 * else: here one stands for it that is never told. */
#include "analyzer/exchange/exchange_engine.h"

#include "analyzer/exchange/carried_requests.h"

static struct mwa_exchange_call *call_before(struct mwa_exchange *exchange, uint32_t location,
                                             const struct mwa_carried_request *what)
{
    const struct mwa_trace *trace = exchange->trace;
    struct mwa_exchange_call *call = mwa_pool_take(&exchange->calls);

    if (call) {
        call->note = (uint64_t *)(call + 1);
        call->region = what->region < trace->region_count ? &trace->regions[what->region] : NULL;
        call->site = what->site;
        call->location = location;
        call->rank = trace->locations[location].rank;
        call->enter = what->enter;
        call->leave = what->time;
        call->references = 1;
        call->is_left = call->has_begun = call->has_ended = true;
    }
    return call;
}

/* What was posted on location before, and ends in the part. */
static enum mw_status end_in_part(void *user, uint32_t location,
                                  const struct mwa_carried_request *what)
{
    struct mwa_exchange *exchange = user;
    struct mwa_exchange_call *call = call_before(exchange, location, what);
    enum mw_status status;

    if (!call) {
        return mw_no_memory(&exchange->diagnostic, NULL, "to follow messages");
    }
    status = mwa_matching_begin_with(exchange->matching, exchange->trace->locations[location].rank,
                                     what, call);
    exchange->places[location].were_open = true;
    mwa_exchange_release_call(exchange, call);
    return status;
}

static enum mw_status go_on_behind(void *user, uint32_t location,
                                   const struct mwa_carried_request *what, bool is_begun)
{
    struct mwa_exchange *exchange = user;

    if (what->kind == MWA_IRECV_POST) {
        return mwa_matching_end_with(exchange->matching, exchange->trace->locations[location].rank,
                                     what, is_begun);
    }
    exchange->sends_that_end_later += !is_begun;
    return MW_OK;
}

enum mw_status mwa_exchange_carry_requests(struct mwa_exchange *exchange,
                                           const struct mwa_reading_start *start,
                                           const struct mwa_reading_start *next)
{
    const struct mwa_carried_visit visit = { exchange, end_in_part, go_on_behind };

    for (uint32_t i = 0; start && start->is_lull && i < exchange->trace->location_count; i++) {
        if (exchange->trace->locations[i].rank != MWA_NONE) {
            exchange->places[i].left = start->locations[i].left;
        }
    }
    return mwa_carried_requests_visit(exchange->trace, start, next, &visit);
}
