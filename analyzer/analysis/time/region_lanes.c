#include "analyzer/analysis/time/region_lanes.h"

#include <stdlib.h>

#include "analyzer/analysis/keyed_rows.h"
#include "formats/base/order.h"

struct partial {
    const struct mwa_trace *trace;
    struct mwa_window window; /* no bins: no event yet */
    struct mwa_index index;   /* region, to position in lanes */
    struct mwa_region_lane *lanes;

    /* Of the location being read, by position: how often it is open, and since when. */
    uint64_t open[MWA_LANES_OF_RANK];
    uint64_t since[MWA_LANES_OF_RANK];
};

static struct mwa_key key_of(const void *data)
{
    return (struct mwa_key){ ((const struct mwa_region_lane *)data)->region, 0 };
}

static void add(void *to_data, const void *data)
{
    struct mwa_region_lane *to = to_data;
    const struct mwa_region_lane *lane = data;

    to->first = lane->first < to->first ? lane->first : to->first;
    to->all += lane->all;
    for (uint32_t bin = 0; bin < MWA_LANES_BINS; bin++) {
        to->ticks[bin] += lane->ticks[bin];
    }
}

static bool is_known(const struct mwa_trace *trace, const void *data)
{
    return ((const struct mwa_region_lane *)data)->region < trace->region_count;
}

static const struct mwa_keyed_rows rows = { MWA_ROWS_IN_PARTIAL(lanes),
                                            .key = key_of,
                                            .add = add,
                                            .is_known = is_known };

/* The position of a region's lane, which is added; MWA_MAP_ABSENT without memory. */
static uint64_t lane_of(struct partial *partial, uint32_t region)
{
    const uint64_t before = partial->index.count;
    const uint64_t at = mwa_index_put(&partial->index, (struct mwa_key){ region, 0 },
                                      &partial->lanes, sizeof *partial->lanes);

    if (at != MWA_MAP_ABSENT && at == before) {
        partial->lanes[at].region = region;
        partial->lanes[at].first = UINT64_MAX;
    }
    return at;
}

static void charge(struct partial *partial, uint64_t at, uint64_t to)
{
    struct mwa_region_lane *lane = &partial->lanes[at];
    struct mwa_piece piece = { 0 };

    while (mwa_window_next(&partial->window, partial->since[at], to, &piece)) {
        lane->ticks[piece.bin] += piece.to - piece.from;
        lane->all += piece.to - piece.from;
    }
}

static enum mw_status enter(struct partial *partial, uint32_t region, uint64_t now)
{
    uint64_t at;

    if (partial->index.count >= MWA_LANES_OF_RANK &&
        mwa_map_get(&partial->index.positions, (struct mwa_key){ region, 0 }) == MWA_MAP_ABSENT) {
        return MW_OK;
    }
    at = lane_of(partial, region);
    if (at == MWA_MAP_ABSENT) {
        return MW_ERROR_MEMORY;
    }
    if (partial->open[at]++ == 0) {
        partial->since[at] = now;
        partial->lanes[at].first = now < partial->lanes[at].first ? now
                                                                  : partial->lanes[at].first;
    }
    return MW_OK;
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    struct partial *partial = data;
    const bool enters = moment->event->kind == MWA_ENTER;
    uint32_t region;
    uint64_t at;

    if (!moment->location->master || moment->location->rank == MWA_NONE || !moment->window) {
        return MW_OK;
    }
    region = enters ? moment->event->of.call.region
                    : (uint32_t)(moment->call->region - moment->trace->regions);
    if (moment->trace->regions[region].kind != MWA_REGION_USER) {
        return MW_OK;
    }
    partial->window = *moment->window;
    partial->window.bins = MWA_LANES_BINS;
    if (enters) {
        return enter(partial, region, moment->event->time);
    }
    at = mwa_map_get(&partial->index.positions, (struct mwa_key){ region, 0 });
    if (at != MWA_MAP_ABSENT && partial->open[at] > 0 && --partial->open[at] == 0) {
        charge(partial, at, moment->call->leave);
    }
    return MW_OK;
}

static enum mw_status merge(void *into_data, const void *from_data)
{
    struct partial *into = into_data;
    const struct partial *from = from_data;

    if (from->window.bins > 0) {
        into->window = from->window;
    }
    return MW_OK;
}

static void pack(const void *data, struct mw_buffer *to)
{
    const struct partial *partial = data;

    mw_buffer_append(to, &partial->window, sizeof partial->window);
}

static enum mw_status unpack(void *data, const struct mwa_moment *moment, struct mw_cursor *from)
{
    struct partial *partial = data;

    return mw_cursor_take(from, &partial->window, sizeof partial->window) ? MW_OK
                                                                          : MW_ERROR_FORMAT;
}

static int by_time(const void *left, const void *right)
{
    const struct mwa_region_lane *a = left, *b = right;

    return mw_order(b->all, a->all) ?: mw_order(a->region, b->region);
}

static int by_first(const void *left, const void *right)
{
    const struct mwa_region_lane *a = left, *b = right;

    return mw_order(a->first, b->first) ?: by_time(left, right);
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    struct mwa_region_lanes *lanes = result;
    const uint64_t all = partial->index.count;

    *lanes = (struct mwa_region_lanes){ .window = partial->window };
    lanes->list = mwa_rows_copy(&rows, partial);
    if (!lanes->list) {
        return MW_ERROR_MEMORY;
    }
    qsort(lanes->list, all, sizeof *lanes->list, by_time);
    lanes->count = all < MWA_LANES_MAX ? all : MWA_LANES_MAX;
    lanes->left_out = all - lanes->count;
    qsort(lanes->list, lanes->count, sizeof *lanes->list, by_first);
    return MW_OK;
}

void mwa_region_lanes_fini(struct mwa_region_lanes *lanes)
{
    free(lanes->list);
    *lanes = (struct mwa_region_lanes){ 0 };
}

double mwa_region_lanes_share(const struct mwa_region_lanes *lanes,
                              const struct mwa_region_lane *lane, uint32_t bin, uint64_t ranks)
{
    const uint64_t length = mwa_window_edge(&lanes->window, bin + 1) -
                            mwa_window_edge(&lanes->window, bin);

    return length > 0 && ranks > 0
               ? (double)lane->ticks[bin] / ((double)length * (double)ranks)
               : 0;
}

const struct mwa_analysis mwa_region_lanes_analysis = {
    .name = "lanes of regions",
    .kinds = MWA_KIND(MWA_ENTER) | MWA_KIND(MWA_LEAVE),
    .size = sizeof(struct partial),
    .rows = &rows,
    .event = event,
    .merge = merge,
    .pack = pack,
    .unpack = unpack,
    .finish = finish
};
