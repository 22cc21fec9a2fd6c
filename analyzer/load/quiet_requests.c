/* Whoever reads a location has as many in memory as are open there at once. */
#include "analyzer/load/quiet_requests.h"

bool mwa_carried_request_is_sound(const struct mwa_trace *trace,
                                  const struct mwa_carried_request *one)
{
    const bool is_send = one->kind == MWA_ISEND && one->ended_by == MWA_ISEND_COMPLETE;
    const bool is_receive = one->kind == MWA_IRECV_POST &&
                            (one->ended_by == MWA_IRECV || one->ended_by == MWA_CANCELLED);

    return (is_send || is_receive) && one->begin < one->end && one->time <= one->end_time &&
           one->enter <= one->time && mwa_is_none_or_below(one->comm, trace->comm_count) &&
           mwa_is_none_or_below(one->region, trace->region_count) &&
           mwa_is_none_or_below(one->site, trace->site_count);
}

static struct mwa_key key_of(uint64_t request)
{
    return (struct mwa_key){ 0, request };
}

static void give_back(struct mwa_quiet_requests *requests, struct mwa_open_request *one)
{
    requests->collectives -= one->what.kind == MWA_COLLECTIVE_POST;
    mwa_pool_give(&requests->pool, one);
}

enum mwa_request_step mwa_quiet_requests_begin(struct mwa_quiet_requests *requests,
                                               const struct mwa_open_request *one,
                                               struct mwa_open_request *former)
{
    uint64_t *place = mwa_map_put(&requests->open, key_of(one->what.request), 0);
    struct mwa_open_request *known = place ? (struct mwa_open_request *)(uintptr_t)*place : NULL;
    struct mwa_open_request *kept;

    requests->pool.size = sizeof *kept;
    kept = place ? mwa_pool_take(&requests->pool) : NULL;
    if (!kept) {
        return MWA_REQUEST_NO_MEMORY;
    }
    if (known) {
        *former = *known;
        give_back(requests, known);
    }
    *kept = *one;
    *place = (uintptr_t)kept;
    requests->collectives += one->what.kind == MWA_COLLECTIVE_POST;
    return known ? MWA_REQUEST_STRANGE : MWA_REQUEST_TAKEN;
}

enum mwa_request_step mwa_quiet_requests_end(struct mwa_quiet_requests *requests,
                                             const struct mwa_event *event, uint32_t kind,
                                             struct mwa_open_request *ended)
{
    const uint64_t known = mwa_map_remove(&requests->open, key_of(event->request));

    *ended = (struct mwa_open_request){ .channel = 0 };
    if (known == MWA_MAP_ABSENT) {
        return MWA_REQUEST_STRANGE;
    }
    *ended = *(struct mwa_open_request *)(uintptr_t)known;
    give_back(requests, (struct mwa_open_request *)(uintptr_t)known);
    return kind == MWA_NONE || ended->what.kind == kind ? MWA_REQUEST_TAKEN
                                                        : MWA_REQUEST_STRANGE;
}

const struct mwa_open_request *mwa_quiet_requests_next(const struct mwa_quiet_requests *requests,
                                                       uint64_t *at)
{
    while (*at < requests->open.capacity) {
        const struct mwa_map_slot *slot = &requests->open.slots[(*at)++];

        if (slot->value != MWA_MAP_ABSENT && slot->value != 0) {
            return (const struct mwa_open_request *)(uintptr_t)slot->value;
        }
    }
    return NULL;
}

void mwa_quiet_requests_fini(struct mwa_quiet_requests *requests)
{
    mwa_map_fini(&requests->open);
    mwa_pool_fini(&requests->pool);
}
