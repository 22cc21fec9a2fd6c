/* The call that posted a receive before the part of a run that is followed was told by somebody
 * else: here one stands for it that is never told. */
#include "analyzer/exchange/exchange_engine.h"

#include "analyzer/load/reading_start.h"

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

/* Where the part ends on a location, in events of OTF2; UINT64_MAX: with the record. */
static uint64_t end_of(const struct mwa_reading_start *next, uint32_t location)
{
    return next && next->locations[location].is_there ? next->locations[location].events
                                                      : UINT64_MAX;
}

/* What was posted on location before, and ends in the part. */
static enum mw_status begin_with(struct mwa_exchange *exchange, uint32_t location,
                                 const struct mwa_location_start *start, uint64_t end)
{
    const uint32_t rank = exchange->trace->locations[location].rank;
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < start->carried_count && status == MW_OK; i++) {
        const struct mwa_carried_request *what = &start->carried[i];
        struct mwa_exchange_call *call;

        if (what->kind != MWA_IRECV_POST || what->end >= end) {
            continue;
        }
        call = call_before(exchange, location, what);
        if (!call) {
            return mw_no_memory(&exchange->diagnostic, NULL, "to follow messages");
        }
        status = mwa_matching_begin_with(exchange->matching, rank, what, call);
        exchange->places[location].were_open = true;
        mwa_exchange_release_call(exchange, call);
    }
    return status;
}

/* What is open on location where the part ends; before it there were so many events. */
static enum mw_status end_with(struct mwa_exchange *exchange, uint32_t location, uint64_t before,
                               const struct mwa_location_start *next)
{
    const uint32_t rank = exchange->trace->locations[location].rank;
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < next->carried_count && status == MW_OK; i++) {
        const struct mwa_carried_request *what = &next->carried[i];

        if (what->kind == MWA_IRECV_POST) {
            status = mwa_matching_end_with(exchange->matching, rank, what, what->begin < before);
        } else if (what->begin >= before) {
            exchange->sends_that_end_later++;
        }
    }
    return status;
}

enum mw_status mwa_exchange_carry_requests(struct mwa_exchange *exchange,
                                           const struct mwa_reading_start *start,
                                           const struct mwa_reading_start *next)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < exchange->trace->location_count && status == MW_OK; i++) {
        const struct mwa_location_start *first = start ? &start->locations[i] : NULL;
        const uint64_t before = first && first->is_there ? first->events : 0;

        if (exchange->trace->locations[i].rank == MWA_NONE) {
            continue;
        }
        if (first && start->is_lull) {
            exchange->places[i].left = first->left;
        }
        if (before > 0) {
            status = begin_with(exchange, i, first, end_of(next, i));
        }
        if (status == MW_OK && end_of(next, i) != UINT64_MAX) {
            status = end_with(exchange, i, before, &next->locations[i]);
        }
    }
    return status;
}
