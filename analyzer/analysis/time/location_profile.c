/* Ticks until it is finished, when the time that main threads are recorded is known, too. */
#include "analyzer/analysis/time/location_profile.h"

#include <stdlib.h>

#include "analyzer/analysis/keyed_rows.h"
#include "analyzer/team/packing.h"
#include "formats/base/order.h"
#include "formats/spool/record.h"

struct partial {
    const struct mwa_trace *trace;
    struct mwa_index index; /* region and location, to position in cells */
    struct mwa_location_cell *cells;
    const struct mwa_other_locations *others; /* null: no event yet */
    uint64_t *recorded;               /* by rank, merged: ticks of its main thread; or null */
    struct mwa_location_times *times; /* merged; or null */

    /* Of the location being read. */
    const struct mwa_location *location; /* null: it is left out */
    struct mwa_location_times own;       /* of a main thread all is idle */
    struct mwa_activity activity;
};

/* Nothing happens where every rank has but its main thread. */
static uint32_t kinds_in(const struct mwa_trace *trace, const struct mwa_other_locations *others)
{
    return others->count > 0 ? MWA_KINDS_ALL : 0;
}

static void fini(void *data)
{
    struct partial *partial = data;

    mwa_activity_fini(&partial->activity);
    free(partial->recorded);
    free(partial->times);
}

static void charge(void *user, unsigned state, uint64_t from, uint64_t to, uint64_t ticks)
{
    ((struct partial *)user)->own.ns[state] += ticks;
}

static struct mwa_key key_of(const void *data)
{
    const struct mwa_location_cell *cell = data;

    return (struct mwa_key){ cell->region, cell->location };
}

static void add(void *to_data, const void *data)
{
    struct mwa_location_cell *to = to_data;
    const struct mwa_location_cell *cell = data;

    to->visits += cell->visits;
    to->exclusive_ns += cell->exclusive_ns;
}

static bool is_known(const struct mwa_trace *trace, const void *data)
{
    const struct mwa_location_cell *cell = data;

    return cell->region < trace->region_count && cell->location < trace->location_count;
}

static const struct mwa_keyed_rows rows = { MWA_ROWS_IN_PARTIAL(cells),
                                            .key = key_of,
                                            .add = add,
                                            .is_known = is_known };

/* Null without memory. */
static struct mwa_location_cell *cell_of(struct partial *partial, uint32_t region,
                                         uint32_t location)
{
    uint64_t at = mwa_index_put(&partial->index, (struct mwa_key){ region, location },
                                &partial->cells, sizeof *partial->cells);

    if (at == MWA_MAP_ABSENT) {
        return NULL;
    }
    partial->cells[at].region = region;
    partial->cells[at].location = location;
    return &partial->cells[at];
}

static enum mw_status take_call(struct partial *partial, const struct mwa_moment *moment)
{
    const struct mwa_trace *trace = moment->trace;
    struct mwa_location_cell *cell =
        cell_of(partial, (uint32_t)(moment->call->region - trace->regions),
                (uint32_t)(moment->location - trace->locations));

    if (!cell) {
        return MW_ERROR_MEMORY;
    }
    cell->visits += moment->call->repeat;
    cell->exclusive_ns += moment->call->exclusive;
    return MW_OK;
}

/* What a thread did not run outside of MPI, and could not have. */
static void take_running(struct partial *partial, const uint64_t *values)
{
    const uint64_t off = values[MW_RUNNING_OUTSIDE];
    const uint64_t no_core = values[MW_RUNNING_OUTSIDE_NO_CORE];

    partial->own.slept_ns += off > no_core ? off - no_core : 0;
}

/* A main thread is one that matters if its rank has other locations. */
static bool is_wanted(const struct mwa_moment *moment)
{
    const struct mwa_other_locations *others = moment->other_locations;
    uint64_t count;

    if (!moment->location->master) {
        return others->index_of[moment->location - moment->trace->locations] != MWA_NONE;
    }
    mwa_other_locations_of(others, moment->location->rank, &count);
    return count > 0;
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    struct partial *partial = data;
    enum mw_status status;

    if (!partial->others) {
        partial->others = moment->other_locations;
        partial->location = is_wanted(moment) ? moment->location : NULL;
    }
    if (!partial->location) {
        return MW_OK;
    }
    if (moment->event->kind == MWA_RUNNING) {
        take_running(partial, moment->event->of.metric.values);
        return MW_OK;
    }
    if (moment->location->master) {
        mwa_activity_take_main(&partial->activity, moment, charge, partial);
        return MW_OK;
    }
    status = mwa_activity_take(&partial->activity, moment, charge, partial);
    return status == MW_OK && moment->call ? take_call(partial, moment) : status;
}

static enum mw_status end(void *data, const struct mwa_location *location, uint64_t last)
{
    struct partial *partial = data;

    if (partial->location) {
        mwa_activity_end(&partial->activity, last, charge, partial);
        partial->own.tells_idle = partial->activity.tells_idle;
    }
    return MW_OK;
}

static bool allocate(struct partial *partial, const struct mwa_other_locations *others)
{
    partial->others = others;
    partial->times = calloc(others->count + 1, sizeof *partial->times);
    partial->recorded = calloc(partial->trace->rank_count + 1, sizeof *partial->recorded);
    return partial->times && partial->recorded;
}

/* Adds what another thread has merged. */
static void merge_times(struct partial *into, const struct partial *from)
{
    for (uint64_t i = 0; i < from->others->count; i++) {
        for (unsigned state = 0; state < MWA_LOCATION_STATES; state++) {
            into->times[i].ns[state] += from->times[i].ns[state];
        }
        into->times[i].slept_ns += from->times[i].slept_ns;
        into->times[i].tells_idle |= from->times[i].tells_idle;
    }
    for (uint64_t rank = 0; rank < from->trace->rank_count; rank++) {
        into->recorded[rank] += from->recorded[rank];
    }
}

static enum mw_status merge(void *into_data, const void *from_data)
{
    struct partial *into = into_data;
    const struct partial *from = from_data;

    if (!from->location && !from->times) {
        return MW_OK;
    }
    if (!into->times && !allocate(into, from->others)) {
        return MW_ERROR_MEMORY;
    }
    if (from->times) {
        merge_times(into, from);
    } else if (from->location->master) {
        into->recorded[from->location->rank] = from->own.ns[MWA_LOCATION_IDLE];
    } else {
        into->times[from->others->index_of[from->location - from->trace->locations]] = from->own;
    }
    return MW_OK;
}

static void pack(const void *data, struct mw_buffer *to)
{
    const struct partial *partial = data;
    const uint64_t ranks = partial->trace->rank_count;

    mw_buffer_u64(to, partial->times ? 1 : 0);
    if (partial->times) {
        mwa_pack_array(to, partial->times, partial->others->count, sizeof *partial->times);
        mwa_pack_array(to, partial->recorded, ranks, sizeof *partial->recorded);
    }
}

static enum mw_status unpack(void *data, const struct mwa_moment *moment, struct mw_cursor *from)
{
    struct partial *partial = data;
    char has_times[8];
    enum mw_status status;

    if (!mw_cursor_take(from, has_times, sizeof has_times)) {
        return MW_ERROR_FORMAT;
    }
    if (mw_get_u64(has_times) == 0) {
        return MW_OK;
    }
    if (!allocate(partial, moment->other_locations)) {
        return MW_ERROR_MEMORY;
    }
    status = mwa_unpack_into(from, partial->times, partial->others->count,
                             sizeof *partial->times);
    return status == MW_OK ? mwa_unpack_into(from, partial->recorded, partial->trace->rank_count,
                                             sizeof *partial->recorded)
                           : status;
}

static int by_region(const void *one, const void *other)
{
    const struct mwa_location_cell *a = one;
    const struct mwa_location_cell *b = other;

    return mw_order(a->region, b->region) ?: mw_order(a->location, b->location);
}

static void finish_times(const struct partial *partial, struct mwa_location_profile *profile)
{
    for (uint64_t i = 0; i < partial->others->count; i++) {
        struct mwa_location_times *times = &profile->times[i];

        *times = partial->times[i];
        mwa_activity_settle(times->ns, partial->recorded[partial->others->all[i].rank],
                            times->tells_idle);
        for (unsigned state = 0; state < MWA_LOCATION_STATES; state++) {
            times->ns[state] = mwa_trace_ns(partial->trace, times->ns[state]);
        }
        if (times->slept_ns > times->ns[MWA_STATE_USEFUL]) {
            times->slept_ns = times->ns[MWA_STATE_USEFUL];
        }
    }
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    struct mwa_location_profile *profile = result;

    *profile = (struct mwa_location_profile){ 0 };
    if (!partial->times) {
        return MW_OK;
    }
    profile->cells = mwa_rows_copy(&rows, partial);
    profile->times = malloc((partial->others->count + 1) * sizeof *profile->times);
    if (!profile->cells || !profile->times) {
        return MW_ERROR_MEMORY;
    }
    profile->count = partial->index.count;
    for (uint64_t i = 0; i < profile->count; i++) {
        struct mwa_location_cell *cell = &profile->cells[i];

        cell->exclusive_ns = mwa_trace_ns(partial->trace, cell->exclusive_ns);
    }
    qsort(profile->cells, profile->count, sizeof *profile->cells, by_region);
    finish_times(partial, profile);
    return MW_OK;
}

void mwa_location_profile_fini(struct mwa_location_profile *profile)
{
    free(profile->cells);
    free(profile->times);
    *profile = (struct mwa_location_profile){ 0 };
}

const struct mwa_analysis mwa_location_profile_analysis = { .name = "times of other locations",
                                                            .kinds = MWA_ACTIVITY_KINDS |
                                                                     MWA_KIND(MWA_RUNNING),
                                                            .kinds_in = kinds_in,
                                                            .size = sizeof(struct partial),
                                                            .rows = &rows,
                                                            .event = event,
                                                            .end = end,
                                                            .merge = merge,
                                                            .pack = pack,
                                                            .unpack = unpack,
                                                            .finish = finish,
                                                            .fini = fini };
