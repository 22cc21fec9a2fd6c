/* What is complete is forgotten, so that memory is that of what is under way. */
#include "analyzer/analysis/messages/pending_requests.h"

/* Whether threads of rank may tell of a request in another order than that of time. */
static bool is_merged(const struct mwa_pending_requests *pending, uint32_t rank)
{
    return pending->trace->ranks[rank].locations > 1;
}

/* Appends request to those of the key; once: in place of what is there. */
static enum mw_status keep(struct mwa_pending_requests *pending, struct mwa_map *map,
                           struct mwa_key key, const struct mwa_pending_request *request,
                           bool once)
{
    uint64_t *place = mwa_map_put(map, key, 0);
    struct mwa_pending_request *last, *kept;

    if (!place) {
        return MW_ERROR_MEMORY;
    }
    last = (struct mwa_pending_request *)(uintptr_t)*place;
    pending->pool.size = sizeof *kept;
    kept = last && once ? last : mwa_pool_take(&pending->pool);
    if (!kept) {
        if (!last) {
            (void)mwa_map_remove(map, key);
        }
        return MW_ERROR_MEMORY;
    }
    pending->open_count += kept != last && map == &pending->open;
    *kept = *request;
    kept->next = last && kept != last ? last->next : kept;
    if (last) {
        last->next = kept;
    }
    *place = (uintptr_t)kept;
    return MW_OK;
}

/* Takes the first one of the key out. \return false: there is none. */
static bool take(struct mwa_pending_requests *pending, struct mwa_map *map, struct mwa_key key,
                 struct mwa_pending_request *request)
{
    const uint64_t known = mwa_map_remove(map, key);
    struct mwa_pending_request *last, *first;

    if (known == MWA_MAP_ABSENT) {
        return false;
    }
    last = (struct mwa_pending_request *)(uintptr_t)known;
    first = last->next;
    if (first != last) {
        last->next = first->next;
        (void)mwa_map_put(map, key, known); /* there is room where it was */
    }
    *request = *first;
    pending->open_count -= map == &pending->open;
    mwa_pool_give(&pending->pool, first);
    return true;
}

/* The requests of location that are open where a part of the run begins or ends. */
static uint64_t open_at(const struct mwa_pending_requests *pending,
                        const struct mwa_reading_start *start, uint32_t location,
                        const struct mwa_carried_request **list)
{
    const struct mwa_location_start *of = start ? &start->locations[location] : NULL;

    *list = of ? of->carried : NULL;
    return of && pending->trace->locations[location].rank != MWA_NONE ? of->carried_count : 0;
}

enum mw_status mwa_pending_requests_carry(struct mwa_pending_requests *pending,
                                          const struct mwa_reading_start *start,
                                          const struct mwa_reading_start *next)
{
    const struct mwa_carried_request *list;
    enum mw_status status = MW_OK;

    pending->start = start;
    pending->next = next;
    for (uint32_t i = 0; i < pending->trace->location_count; i++) {
        const uint64_t count = open_at(pending, start, i, &list);
        const uint32_t rank = pending->trace->locations[i].rank;

        for (uint64_t k = 0; k < count && status == MW_OK; k++) {
            const struct mwa_pending_request request = { .kind = list[k].kind,
                                                         .site = list[k].site,
                                                         .channel.high = UINT64_MAX };

            status = keep(pending, &pending->open, (struct mwa_key){ rank, list[k].request },
                          &request, true);
        }
    }
    return status;
}

enum mw_status mwa_pending_requests_begin(struct mwa_pending_requests *pending, uint32_t rank,
                                          uint64_t number,
                                          const struct mwa_pending_request *request, bool *ended,
                                          enum mwa_event_kind *by)
{
    const struct mwa_key key = { rank, number };
    struct mwa_pending_request end = *request;

    *ended = pending->ended.count > 0 && take(pending, &pending->ended, key, &end);
    *by = end.kind;
    return *ended ? MW_OK : keep(pending, &pending->open, key, request, !is_merged(pending, rank));
}

enum mw_status mwa_pending_requests_end(struct mwa_pending_requests *pending, uint32_t rank,
                                        const struct mwa_event *event, bool *was_pending,
                                        struct mwa_pending_request *request)
{
    const struct mwa_key key = { rank, event->request };
    const struct mwa_pending_request end = { .kind = event->kind };

    *was_pending = take(pending, &pending->open, key, request);
    return *was_pending || !is_merged(pending, rank)
               ? MW_OK
               : keep(pending, &pending->ended, key, &end, false);
}

/* How many should be pending in the end: those that end later, and those that were begun and never
 * end. */
static uint64_t expected(const struct mwa_pending_requests *pending)
{
    const struct mwa_reading_start *start = pending->start, *next = pending->next;
    const struct mwa_carried_request *list;
    uint64_t count = 0;

    for (uint32_t i = 0; next && i < pending->trace->location_count; i++) {
        count += open_at(pending, next, i, &list) + next->locations[i].resting -
                 (start ? start->locations[i].resting : 0);
    }
    return count;
}

bool mwa_pending_requests_are_as_told(const struct mwa_pending_requests *pending)
{
    return pending->ended.count == 0 && pending->open_count == expected(pending);
}

void mwa_pending_requests_hand_on(struct mwa_pending_requests *pending)
{
    const struct mwa_carried_request *list;

    for (uint32_t i = 0; pending->next && i < pending->trace->location_count; i++) {
        const uint64_t count = open_at(pending, pending->next, i, &list);
        const uint32_t rank = pending->trace->locations[i].rank;

        for (uint64_t k = 0; k < count; k++) {
            struct mwa_pending_request ignored;

            (void)take(pending, &pending->open, (struct mwa_key){ rank, list[k].request },
                       &ignored);
        }
    }
}

const struct mwa_pending_request *
mwa_pending_requests_next(const struct mwa_pending_requests *pending, uint64_t *at,
                          uint32_t *rank)
{
    while (*at < pending->open.capacity) {
        const struct mwa_map_slot *slot = &pending->open.slots[(*at)++];

        if (slot->value != MWA_MAP_ABSENT) {
            *rank = (uint32_t)slot->key.high;
            return (const struct mwa_pending_request *)(uintptr_t)slot->value;
        }
    }
    return NULL;
}

void mwa_pending_requests_forget(struct mwa_pending_requests *pending)
{
    mwa_map_fini(&pending->open);
    pending->open_count = 0;
}

void mwa_pending_requests_fini(struct mwa_pending_requests *pending)
{
    mwa_map_fini(&pending->open);
    mwa_map_fini(&pending->ended);
    mwa_pool_fini(&pending->pool);
}
