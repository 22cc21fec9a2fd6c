#include "analyzer/analysis/counters/level_sends.h"

bool mwa_level_sends_add(struct mwa_level_sends *sends, uint32_t rank, uint64_t request,
                         const struct mwa_level_send *send)
{
    uint64_t *place = mwa_map_put(&sends->requests, (struct mwa_key){ rank, request }, 0);
    struct mwa_level_send *kept = place ? (struct mwa_level_send *)(uintptr_t)*place : NULL;

    sends->pool.size = sizeof *kept;
    if (place && !kept) {
        kept = mwa_pool_take(&sends->pool);
    }
    if (!kept) {
        return false; /* there is nothing to go on with */
    }
    *kept = *send;
    *place = (uintptr_t)kept;
    return true;
}

bool mwa_level_sends_take(struct mwa_level_sends *sends, uint32_t rank, uint64_t request,
                          struct mwa_level_send *send)
{
    const uint64_t known = mwa_map_remove(&sends->requests, (struct mwa_key){ rank, request });

    if (known == MWA_MAP_ABSENT) {
        return false;
    }
    *send = *(struct mwa_level_send *)(uintptr_t)known;
    mwa_pool_give(&sends->pool, (void *)(uintptr_t)known);
    return true;
}

static bool carry_location(struct mwa_level_sends *sends, const struct mwa_trace *trace,
                           uint32_t location, const struct mwa_location_start *start)
{
    const uint32_t rank = trace->locations[location].rank;
    const bool keeps_receives = mwa_level_sends_keep_receives(trace, rank);

    for (uint64_t i = 0; i < start->carried_count; i++) {
        const struct mwa_carried_request *what = &start->carried[i];
        const struct mwa_level_send send = { .comm = what->comm,
                                             .location = location,
                                             .is_receive = what->kind == MWA_IRECV_POST,
                                             .bytes = what->bytes,
                                             .time = what->time };

        if ((!send.is_receive || keeps_receives) &&
            !mwa_level_sends_add(sends, rank, what->request, &send)) {
            return false;
        }
    }
    return true;
}

bool mwa_level_sends_carry(struct mwa_level_sends *sends, const struct mwa_trace *trace,
                           const struct mwa_reading_start *start)
{
    bool has_room = true;

    for (uint32_t i = 0; start && has_room && i < trace->location_count; i++) {
        has_room = trace->locations[i].rank == MWA_NONE ||
                   carry_location(sends, trace, i, &start->locations[i]);
    }
    return has_room;
}

void mwa_level_sends_fini(struct mwa_level_sends *sends)
{
    mwa_map_fini(&sends->requests);
    mwa_pool_fini(&sends->pool);
}
