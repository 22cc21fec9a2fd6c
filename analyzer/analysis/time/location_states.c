#include "analyzer/analysis/time/location_states.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/team/packing.h"

struct partial {
    const struct mwa_trace *trace;

    /* Of all locations, merged; no ticks before anything is. */
    struct mwa_location_states all;
    uint64_t *recorded; /* [row][bin]: ticks of its rank's main thread */
    bool *tells_idle;   /* [row] */

    /* Of the location being read. */
    const struct mwa_window *window;
    const struct mwa_other_locations *others;
    uint64_t *own; /* null before its first event; of a main thread [bin], else as in all */
    uint64_t first; /* row, */
    uint64_t count; /* and how many: of a main thread those of its rank */
    bool is_main;
    bool is_left_out;
    struct mwa_activity activity;
};

static void fini(void *data)
{
    struct partial *partial = data;

    mwa_location_states_fini(&partial->all);
    mwa_activity_fini(&partial->activity);
    free(partial->recorded);
    free(partial->tells_idle);
    free(partial->own);
}

void mwa_location_states_fini(struct mwa_location_states *states)
{
    free(states->ticks);
    *states = (struct mwa_location_states){ 0 };
}

/* Charges a stretch of time to the bins that it lies in. */
static void charge(void *user, unsigned state, uint64_t from, uint64_t to, uint64_t ticks)
{
    struct partial *partial = user;
    unsigned states = partial->is_main ? 1 : MWA_LOCATION_STATES;
    struct mwa_piece piece = { 0 };

    while (mwa_window_next(partial->window, from, to, &piece)) {
        partial->own[(uint64_t)piece.bin * states + (partial->is_main ? 0 : state)] +=
            mwa_ticks_share(ticks, from, to, piece.from, piece.to);
    }
}

/* Finds the rows that the location has a part in. */
static void find_rows(struct partial *partial, const struct mwa_moment *moment)
{
    const struct mwa_other_locations *others = moment->other_locations;
    uint64_t end;

    partial->is_main = moment->location->master;
    if (partial->is_main) {
        partial->first = mwa_other_locations_of(others, moment->location->rank, &partial->count);
    } else {
        partial->first = others->index_of[moment->location - moment->trace->locations];
        partial->count = partial->first != MWA_NONE;
    }
    end = partial->first + partial->count;
    end = end < others->first + others->rows ? end : others->first + others->rows;
    partial->is_left_out = partial->first < others->first || partial->first >= end;
    partial->count = partial->is_left_out ? 0 : end - partial->first;
    partial->first -= others->first;
}

static enum mw_status begin_location(struct partial *partial, const struct mwa_moment *moment)
{
    partial->others = moment->other_locations;
    partial->window = moment->window;
    find_rows(partial, moment);
    if (partial->is_left_out) {
        return MW_OK;
    }
    partial->own = calloc((uint64_t)partial->window->bins + 1,
                          (partial->is_main ? 1 : MWA_LOCATION_STATES) * sizeof *partial->own);
    return partial->own ? MW_OK : MW_ERROR_MEMORY;
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    struct partial *partial = data;

    if (!partial->others && moment->other_locations && moment->window) {
        enum mw_status status = begin_location(partial, moment);

        if (status != MW_OK) {
            return status;
        }
    }
    if (!partial->own) {
        return MW_OK;
    }
    if (partial->is_main) {
        mwa_activity_take_main(&partial->activity, moment, charge, partial);
        return MW_OK;
    }
    return mwa_activity_take(&partial->activity, moment, charge, partial);
}

static enum mw_status end(void *data, const struct mwa_location *location, uint64_t last)
{
    struct partial *partial = data;

    if (partial->own) {
        mwa_activity_end(&partial->activity, last, charge, partial);
    }
    return MW_OK;
}

static enum mw_status allocate(struct partial *into, const struct partial *from)
{
    uint64_t rows = from->others->rows;
    uint64_t cells = rows * from->window->bins + 1;

    into->all = (struct mwa_location_states){ .rows = rows, .bins = from->window->bins };
    into->all.ticks = calloc(cells, MWA_LOCATION_STATES * sizeof *into->all.ticks);
    into->recorded = calloc(cells, sizeof *into->recorded);
    into->tells_idle = calloc(rows + 1, sizeof *into->tells_idle);
    return into->all.ticks && into->recorded && into->tells_idle ? MW_OK : MW_ERROR_MEMORY;
}

static void add(uint64_t *to, const uint64_t *from, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        to[i] += from[i];
    }
}

/* Adds what is merged already, in a thread of its own. */
static void merge_all(struct partial *into, const struct partial *from)
{
    uint64_t cells = from->all.rows * from->all.bins;

    add(into->all.ticks, from->all.ticks, cells * MWA_LOCATION_STATES);
    add(into->recorded, from->recorded, cells);
    for (uint64_t row = 0; row < from->all.rows; row++) {
        into->tells_idle[row] |= from->tells_idle[row];
    }
}

static enum mw_status merge(void *into_data, const void *from_data)
{
    struct partial *into = into_data;
    const struct partial *from = from_data;
    uint32_t bins;

    if (!from->own && !from->all.ticks) {
        return MW_OK;
    }
    if (!into->all.ticks) {
        into->others = from->others;
        into->window = from->window;
        if (allocate(into, from) != MW_OK) {
            return MW_ERROR_MEMORY;
        }
    }
    if (from->all.ticks) {
        merge_all(into, from);
    }
    bins = into->all.bins;
    for (uint64_t row = from->first; from->own && row < from->first + from->count; row++) {
        if (from->is_main) {
            add(into->recorded + row * bins, from->own, bins);
        } else {
            add(mwa_location_states_at(&into->all, row, 0), from->own,
                (uint64_t)bins * MWA_LOCATION_STATES);
            into->tells_idle[row] |= from->activity.tells_idle;
        }
    }
    return MW_OK;
}

static void pack(const void *data, struct mw_buffer *to)
{
    const struct partial *partial = data;
    const uint64_t cells = partial->all.rows * partial->all.bins;

    mwa_pack_array(to, partial->all.ticks, partial->all.ticks ? cells * MWA_LOCATION_STATES : 0,
                   sizeof *partial->all.ticks);
    mwa_pack_array(to, partial->recorded, cells, sizeof *partial->recorded);
    mwa_pack_array(to, partial->tells_idle, partial->all.rows, sizeof *partial->tells_idle);
}

/* Nothing was merged where there are no ticks. */
static enum mw_status unpack(void *data, const struct mwa_moment *moment, struct mw_cursor *from)
{
    struct partial *partial = data;
    uint64_t ticks, recorded = 0;
    enum mw_status status =
        mwa_unpack_array(from, &partial->all.ticks, &ticks, sizeof *partial->all.ticks);

    if (status == MW_OK) {
        status = mwa_unpack_array(from, &partial->recorded, &recorded, sizeof *partial->recorded);
    }
    if (status == MW_OK) {
        status = mwa_unpack_array(from, &partial->tells_idle, &partial->all.rows,
                                  sizeof *partial->tells_idle);
    }
    if (status != MW_OK || ticks == 0) {
        free(partial->all.ticks);
        partial->all = (struct mwa_location_states){ 0 };
        return status;
    }
    partial->others = moment->other_locations;
    partial->window = moment->window;
    if (!partial->others || !partial->window) {
        return MW_ERROR_FORMAT;
    }
    partial->all.bins = partial->window->bins;
    return partial->all.rows == partial->others->rows &&
                   recorded == partial->all.rows * partial->all.bins &&
                   ticks == recorded * MWA_LOCATION_STATES
               ? MW_OK
               : MW_ERROR_FORMAT;
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    struct mwa_location_states *states = result;
    uint64_t cells = partial->all.rows * partial->all.bins;

    *states = (struct mwa_location_states){ .rows = partial->all.rows, .bins = partial->all.bins };
    if (!partial->all.ticks) {
        return MW_OK;
    }
    states->ticks = malloc((cells + 1) * MWA_LOCATION_STATES * sizeof *states->ticks);
    if (!states->ticks) {
        return MW_ERROR_MEMORY;
    }
    memcpy(states->ticks, partial->all.ticks,
           cells * MWA_LOCATION_STATES * sizeof *states->ticks);
    for (uint64_t i = 0; i < cells; i++) {
        mwa_activity_settle(states->ticks + i * MWA_LOCATION_STATES, partial->recorded[i],
                            partial->tells_idle[i / partial->all.bins]);
    }
    return MW_OK;
}

const struct mwa_analysis mwa_location_states_analysis = { .name = "states of other locations",
                                                           .kinds = MWA_ACTIVITY_KINDS,
                                                           .size = sizeof(struct partial),
                                                           .event = event,
                                                           .end = end,
                                                           .merge = merge,
                                                           .pack = pack,
                                                           .unpack = unpack,
                                                           .finish = finish,
                                                           .fini = fini };
