#include "analyzer/analysis/counters/level_sends.h"

#include <stdlib.h>

/* A place in the list; MWA_NONE without memory. */
static uint32_t take_place(struct mwa_level_sends *sends)
{
    const uint32_t index = sends->free;

    if (index != MWA_NONE) {
        sends->free = sends->list[index].next_free;
        return index;
    }
    return mwa_grow(&sends->list, &sends->capacity, sends->count + 1, sizeof *sends->list)
               ? (uint32_t)sends->count++
               : MWA_NONE;
}

bool mwa_level_sends_add(struct mwa_level_sends *sends, uint32_t rank, uint64_t request,
                         const struct mwa_level_send *send)
{
    const uint32_t index = take_place(sends);
    uint64_t *place = index == MWA_NONE
                          ? NULL
                          : mwa_map_put(&sends->requests, (struct mwa_key){ rank, request }, index);

    if (!place) {
        return false;
    }
    *place = index;
    sends->list[index] = *send;
    return true;
}

bool mwa_level_sends_take(struct mwa_level_sends *sends, uint32_t rank, uint64_t request,
                          struct mwa_level_send *send)
{
    const uint64_t index = mwa_map_remove(&sends->requests, (struct mwa_key){ rank, request });

    if (index == MWA_MAP_ABSENT) {
        return false;
    }
    *send = sends->list[index];
    sends->list[index].next_free = sends->free;
    sends->free = (uint32_t)index;
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
    free(sends->list);
}
