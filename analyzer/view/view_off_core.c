/*
 * Samples of all locations come in the order in which these are read, and are sorted afterwards;
 * each one then has what there was of it until its end, so that any time needs one search.
 */
#include "analyzer/view/view_off_core.h"

#include <stdlib.h>

#include "analyzer/model/bins.h"
#include "analyzer/view/view_states.h"
#include "formats/base/order.h"
#include "formats/spool/record.h"

static uint64_t smaller(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

static struct mwa_view_off_stretch *stretch_at(const struct mwa_view_store *store, uint64_t n)
{
    return mwa_view_array_at(&store->lanes.off_core, n);
}

enum mw_status mwa_view_off_core_take(struct mwa_view_store *store, uint32_t location,
                                      const struct mwa_event *event,
                                      struct mw_diagnostic *diagnostic)
{
    const uint64_t *values = event->of.metric.values;
    const uint64_t first = store->locations[location].first;
    const uint64_t room = event->time > first ? event->time - first : 0;
    /* Damaged ones may tell of more than there was. */
    const uint64_t length = smaller(values[MW_RUNNING_STRETCH],
                                    mwa_trace_ns(store->trace, room) + 1);
    const uint64_t outside = smaller(values[MW_RUNNING_OUTSIDE], length);
    const uint64_t inside = smaller(values[MW_RUNNING_INSIDE], length - outside);
    const uint64_t outside_none = smaller(values[MW_RUNNING_OUTSIDE_NO_CORE], outside);
    const uint64_t inside_none = smaller(values[MW_RUNNING_INSIDE_NO_CORE], inside);
    enum mw_status status = mwa_view_array_add(&store->lanes.off_core, 1, diagnostic);

    if (status == MW_OK) {
        *stretch_at(store, store->lanes.off_core.count - 1) = (struct mwa_view_off_stretch){
            .from = event->time - smaller(mwa_trace_ticks(store->trace, length), room),
            .to = event->time,
            .location = location,
            .ns = { [MWA_VIEW_OUTSIDE_NO_CORE] = outside_none,
                    [MWA_VIEW_OUTSIDE_ASLEEP] = outside - outside_none,
                    [MWA_VIEW_INSIDE_NO_CORE] = inside_none,
                    [MWA_VIEW_INSIDE_ASLEEP] = inside - inside_none }
        };
    }
    return status;
}

static int by_place(const void *one, const void *other)
{
    const struct mwa_view_off_stretch *a = one, *b = other;

    return mw_order(a->location, b->location) ?: mw_order(a->to, b->to) ?:
           mw_order(a->from, b->from);
}

void mwa_view_off_core_make(struct mwa_view_store *store)
{
    struct mwa_view_array *all = &store->lanes.off_core;

    if (all->count > 1) {
        qsort(all->data, all->count, all->item, by_place);
    }
    for (uint64_t n = 0; n < all->count; n++) {
        struct mwa_view_off_stretch *stretch = stretch_at(store, n);
        struct mwa_view_location *location = &store->locations[stretch->location];

        if (stretch->from < location->run_from && location->run_from < stretch->to) {
            stretch->from = location->run_from; /* ranks has it as a part of the run */
        }
        if (location->off_count++ == 0) {
            location->off_first = n;
            continue;
        }
        for (unsigned kind = 0; kind < MWA_VIEW_OFF_KINDS; kind++) {
            stretch->ns[kind] += stretch[-1].ns[kind];
        }
    }
}

/* How many of a location's stretches end at time or before. */
static uint64_t ended(const struct mwa_view_store *store,
                      const struct mwa_view_location *location, uint64_t time)
{
    uint64_t low = 0, high = location->off_count;

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;

        if (stretch_at(store, location->off_first + middle)->to <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* From when on nobody knows whether the location ran. */
static uint64_t known_until(const struct mwa_view_store *store,
                            const struct mwa_view_location *location, uint32_t index)
{
    const uint32_t rank = store->trace->locations[index].rank;
    const struct mwa_rank *of = rank < store->trace->rank_count ? &store->trace->ranks[rank]
                                                                : NULL;

    if (of && !of->incomplete && of->lost == 0) {
        return UINT64_MAX;
    }
    return location->off_count > 0
               ? stretch_at(store, location->off_first + location->off_count - 1)->to
               : 0;
}

struct mwa_view_off mwa_view_off_until(const struct mwa_view_store *store, uint32_t index,
                                       uint64_t time)
{
    const struct mwa_view_location *location = &store->locations[index];
    const uint64_t before = ended(store, location, time);
    const uint64_t known = known_until(store, location, index);
    struct mwa_view_off off = { .run = mwa_view_run_until(location, time) };

    off.unknown = off.run - mwa_view_run_until(location, smaller(time, known));
    if (before > 0) {
        const struct mwa_view_off_stretch *last =
            stretch_at(store, location->off_first + before - 1);

        for (unsigned kind = 0; kind < MWA_VIEW_OFF_KINDS; kind++) {
            off.ns[kind] = last->ns[kind];
        }
    }
    if (before < location->off_count) {
        const struct mwa_view_off_stretch *next =
            stretch_at(store, location->off_first + before);

        for (unsigned kind = 0; kind < MWA_VIEW_OFF_KINDS && time > next->from; kind++) {
            off.ns[kind] += mwa_ticks_share(next->ns[kind] - off.ns[kind], next->from, next->to,
                                            next->from, time);
        }
    }
    return off;
}
