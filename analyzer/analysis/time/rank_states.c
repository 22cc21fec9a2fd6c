#include "analyzer/analysis/time/rank_states.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/team/packing.h"

struct partial {
    const struct mwa_trace *trace;
    struct mwa_rank_states all; /* merged; no ticks before anything is */

    /* Of the location being read. */
    const struct mwa_window *window;
    uint64_t *own; /* [bin][MWA_RANK_STATES], null before its first event */
    uint32_t rank;
    uint64_t done; /* its time up to here is accounted for */
    bool is_through; /* MPI_Finalize was entered */
    bool is_paused;
};

static bool allocate(struct mwa_rank_states *states, const struct mwa_trace *trace, uint32_t bins)
{
    states->rank_count = trace->rank_count;
    states->bins = bins;
    states->ticks = calloc(trace->rank_count * bins + 1,
                           MWA_RANK_STATES * sizeof *states->ticks);
    return states->ticks != NULL;
}

void mwa_rank_states_fini(struct mwa_rank_states *states)
{
    free(states->ticks);
    *states = (struct mwa_rank_states){ 0 };
}

static void fini(void *data)
{
    struct partial *partial = data;

    mwa_rank_states_fini(&partial->all);
    free(partial->own);
}

/* Adds ticks, spread evenly from from to to, to the bins of a rank. */
static void add(uint64_t *bins, const struct mwa_window *window, unsigned state, uint64_t from,
                uint64_t to, uint64_t ticks)
{
    struct mwa_piece piece = { 0 };

    while (mwa_window_next(window, from, to, &piece)) {
        bins[piece.bin * MWA_RANK_STATES + state] +=
            mwa_ticks_share(ticks, from, to, piece.from, piece.to);
    }
}

/* The time up to now was outside of MPI. */
static void take_useful(struct partial *partial, uint64_t now)
{
    if (!partial->is_paused && !partial->is_through && now > partial->done) {
        add(partial->own, partial->window, MWA_STATE_USEFUL, partial->done, now,
            now - partial->done);
    }
    partial->done = now > partial->done ? now : partial->done;
}

static void take_call(struct partial *partial, const struct mwa_moment *moment)
{
    const struct mwa_call *call = moment->call;
    uint64_t length = call->leave - call->enter;
    uint64_t inside = call->inclusive < length ? call->inclusive : length;

    take_useful(partial, call->enter);
    add(partial->own, partial->window, mwa_state_of(call->region, call->use), call->enter,
        call->leave, inside);
    add(partial->own, partial->window, MWA_STATE_USEFUL, call->enter, call->leave,
        length - inside);
    partial->done = call->leave;
    if (mwa_begins_run(moment)) {
        for (uint32_t bin = 0; bin < partial->window->bins; bin++) {
            partial->own[bin * MWA_RANK_STATES + MWA_STATE_USEFUL] = 0;
        }
    }
}

static bool begin_location(struct partial *partial, const struct mwa_moment *moment)
{
    partial->window = moment->window;
    partial->rank = moment->location->rank;
    partial->done = moment->event->time;
    partial->own = calloc(moment->window->bins + 1u, MWA_RANK_STATES * sizeof *partial->own);
    return partial->own != NULL;
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    struct partial *partial = data;
    uint64_t now = moment->event->time;

    if (moment->location->rank == MWA_NONE || !moment->location->master || !moment->window) {
        return MW_OK;
    }
    if (!partial->own && !begin_location(partial, moment)) {
        return MW_ERROR_MEMORY;
    }
    if (moment->call && moment->call->outermost) {
        take_call(partial, moment);
    } else if (moment->event->kind == MWA_MEASUREMENT) {
        if (moment->mpi_depth == 0) {
            take_useful(partial, now);
        }
        partial->is_paused = !moment->event->of.on;
        partial->done = now;
    } else if (mwa_ends_run(moment)) {
        take_useful(partial, now);
        partial->is_through = true;
    }
    return MW_OK;
}

static enum mw_status end(void *data, const struct mwa_location *location, uint64_t last)
{
    struct partial *partial = data;

    if (partial->own) {
        take_useful(partial, last);
    }
    return MW_OK;
}

static enum mw_status merge(void *into_data, const void *from_data)
{
    struct partial *into = into_data;
    const struct partial *from = from_data;
    const uint32_t bins = from->own ? from->window->bins : from->all.bins;

    if (bins == 0) {
        return MW_OK;
    }
    if (!into->all.ticks && !allocate(&into->all, into->trace, bins)) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; from->own && i < (uint64_t)bins * MWA_RANK_STATES; i++) {
        mwa_rank_states_at(&into->all, from->rank, 0)[i] += from->own[i];
    }
    for (uint64_t i = 0; i < from->all.rank_count * from->all.bins * MWA_RANK_STATES; i++) {
        into->all.ticks[i] += from->all.ticks[i];
    }
    return MW_OK;
}

static void pack(const void *data, struct mw_buffer *to)
{
    const struct partial *partial = data;
    const struct mwa_rank_states *all = &partial->all;

    mw_buffer_append(to, &all->bins, sizeof all->bins);
    mwa_pack_array(to, all->ticks, all->rank_count * all->bins * MWA_RANK_STATES,
                   sizeof *all->ticks);
}

static enum mw_status unpack(void *data, const struct mwa_moment *moment, struct mw_cursor *from)
{
    struct mwa_rank_states *all = &((struct partial *)data)->all;
    uint32_t bins;

    if (!mw_cursor_take(from, &bins, sizeof bins)) {
        return MW_ERROR_FORMAT;
    }
    if (bins > 0 && !allocate(all, moment->trace, bins)) {
        return MW_ERROR_MEMORY;
    }
    return mwa_unpack_into(from, all->ticks, all->rank_count * bins * MWA_RANK_STATES,
                           sizeof *all->ticks);
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    struct mwa_rank_states *states = result;

    *states = (struct mwa_rank_states){ 0 };
    if (!partial->all.ticks) {
        return MW_OK;
    }
    if (!allocate(states, partial->trace, partial->all.bins)) {
        return MW_ERROR_MEMORY;
    }
    memcpy(states->ticks, partial->all.ticks,
           states->rank_count * states->bins * MWA_RANK_STATES * sizeof *states->ticks);
    return MW_OK;
}

static enum mw_status begin_waits(void *result, const struct mwa_trace *trace,
                                  const struct mwa_window *window)
{
    struct mwa_rank_waits *waits = result;

    *waits = (struct mwa_rank_waits){ .window = window };
    return allocate(&waits->waits, trace, window->bins) ? MW_OK : MW_ERROR_MEMORY;
}

static enum mw_status take_wait(void *user, uint32_t rank, const struct mwa_region *call,
                                enum mwa_use use, uint64_t from, uint64_t to)
{
    struct mwa_rank_waits *waits = user;

    add(mwa_rank_states_at(&waits->waits, rank, 0),
        waits->window, call ? mwa_state_of(call, use) : MWA_STATE_OTHER, from, to, to - from);
    return MW_OK;
}

static enum mw_status add_waits(void *result, const void *other)
{
    struct mwa_rank_states *into = &((struct mwa_rank_waits *)result)->waits;
    const struct mwa_rank_states *from = &((const struct mwa_rank_waits *)other)->waits;

    for (uint64_t i = 0; i < into->rank_count * into->bins * MWA_RANK_STATES; i++) {
        into->ticks[i] += from->ticks[i];
    }
    return MW_OK;
}

static void pack_waits(const void *result, struct mw_buffer *to)
{
    const struct mwa_rank_states *waits = &((const struct mwa_rank_waits *)result)->waits;

    mwa_pack_array(to, waits->ticks, waits->rank_count * waits->bins * MWA_RANK_STATES,
                   sizeof *waits->ticks);
}

static enum mw_status unpack_waits(void *result, struct mw_cursor *from)
{
    struct mwa_rank_states *waits = &((struct mwa_rank_waits *)result)->waits;

    return mwa_unpack_into(from, waits->ticks, waits->rank_count * waits->bins * MWA_RANK_STATES,
                           sizeof *waits->ticks);
}

const struct mwa_wait_analysis mwa_rank_waits_analysis = { .begin = begin_waits,
                                                           .visit = take_wait,
                                                           .add = add_waits,
                                                           .pack = pack_waits,
                                                           .unpack = unpack_waits };

void mwa_rank_waits_fini(struct mwa_rank_waits *waits)
{
    mwa_rank_states_fini(&waits->waits);
}

/* Makes waiting of as many ticks of a state as there are; how many there are not. */
static uint64_t take_out(uint64_t *ticks, unsigned state, uint64_t waiting)
{
    const uint64_t part = waiting < ticks[state] ? waiting : ticks[state];

    ticks[state] -= part;
    ticks[MWA_STATE_WAITING] += part;
    return waiting - part;
}

enum mw_status mwa_rank_states_split(struct mwa_rank_states *states,
                                     const struct mwa_rank_waits *waits)
{
    uint64_t cells = states->ticks ? states->rank_count * states->bins : 0;

    for (uint64_t i = 0; i < cells; i++) {
        uint64_t *to = states->ticks + i * MWA_RANK_STATES;
        const uint64_t *from = waits->waits.ticks + i * MWA_RANK_STATES;
        uint64_t rest = 0; /* in polls that tell nothing: see timeline.h */

        for (unsigned state = 0; state < MWA_STATES; state++) {
            rest += take_out(to, state, from[state]) * (state != MWA_STATE_P2P);
        }
        (void)take_out(to, MWA_STATE_P2P, rest);
    }
    return MW_OK;
}

const struct mwa_analysis mwa_rank_states_analysis = { .name = "states of ranks",
                                                       .kinds = MWA_KIND(MWA_ENTER) |
                                                                MWA_KIND(MWA_LEAVE) |
                                                                MWA_KIND(MWA_MEASUREMENT),
                                                       .size = sizeof(struct partial),
                                                       .event = event,
                                                       .end = end,
                                                       .merge = merge,
                                                       .pack = pack,
                                                       .unpack = unpack,
                                                       .finish = finish,
                                                       .fini = fini };
