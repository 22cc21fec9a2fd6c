#include "analyzer/analysis/time/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/time/cells.h"
#include "analyzer/analysis/time/state_log.h"

struct row {
    struct mwa_cells states[MWA_STATES];
};

_Static_assert(MWA_STATES <= MWA_STATE_LOG_STATES, "a log has all of them");

/*
 * What a location did is kept as a log until that takes as much as the cells of two states: all
 * locations may be open at a time, and most of them say little.
 */
#define LOG_BYTES_MOST (2 * MWA_CELLS * sizeof(uint32_t))

/*
 * A cell is 2^shift ticks long and begins at a multiple of that, so that cells of
 * different partial results fit together. When time grows out of the cells there are, each
 * two of them become one: between MWA_CELLS / 2 and MWA_CELLS cover the time of all.
 */
struct partial {
    const struct mwa_trace *trace;
    bool is_logged; /* of a location whose time is in log, and has no cells; no other is packed,
                       finished or merged into */
    struct mwa_state_log log;
    size_t dropped; /* bytes of log in which what is useful does not count */
    struct row *rows; /* none, or the first one that was asked for, or all */
    uint32_t first_row; /* of a location the row that it is in */
    uint32_t rows_kept;
    uint32_t row_count;
    uint32_t ranks_per_row;
    unsigned shift;
    uint64_t first_cell; /* time >> shift of the first cell */
    uint64_t origin;     /* what comes before is not shown */
    uint64_t from;       /* of all events; from > to: none */
    uint64_t to;
    uint64_t done;     /* the location's time up to here is accounted for */
    bool has_begun;
    bool is_through;   /* the run has ended */
    bool is_paused;
};

static enum mw_status begin(void *data)
{
    struct partial *partial = data;
    uint64_t ranks = partial->trace->rank_count;

    partial->from = UINT64_MAX;
    partial->origin = partial->trace->begins_in_init ? mwa_trace_origin(partial->trace) : 0;
    partial->ranks_per_row = (uint32_t)((ranks + MWA_TIMELINE_ROWS - 1) / MWA_TIMELINE_ROWS);
    partial->row_count =
        ranks > 0 ? (uint32_t)((ranks - 1) / partial->ranks_per_row + 1) : 0;
    return MW_OK;
}

static void fini(void *data)
{
    struct partial *partial = data;

    for (uint32_t i = 0; i < partial->rows_kept; i++) {
        for (unsigned state = 0; state < MWA_STATES; state++) {
            mwa_cells_fini(&partial->rows[i].states[state]);
        }
    }
    free(partial->rows);
    mwa_state_log_fini(&partial->log);
}

/* Null: nothing was charged to it. */
static struct row *find_row(const struct partial *partial, uint32_t row)
{
    return row >= partial->first_row && row - partial->first_row < partial->rows_kept
               ? &partial->rows[row - partial->first_row]
               : NULL;
}

/* Null without memory. The partial result of a location has one row, that of all has all. */
static struct row *row_of(struct partial *partial, uint32_t row)
{
    bool is_first = partial->rows_kept == 0;
    uint32_t count = is_first ? 1 : partial->row_count;
    struct row *rows = find_row(partial, row);

    if (rows) {
        return rows;
    }
    rows = calloc(count, sizeof *rows);
    if (!rows) {
        return NULL;
    }
    if (!is_first) {
        memcpy(rows + partial->first_row, partial->rows, partial->rows_kept * sizeof *rows);
    }
    free(partial->rows);
    partial->rows = rows;
    partial->rows_kept = count;
    partial->first_row = is_first ? row : 0;
    return find_row(partial, row);
}

static enum mw_status coarsen(struct partial *partial)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < partial->rows_kept; i++) {
        for (unsigned state = 0; state < MWA_STATES && status == MW_OK; state++) {
            status = mwa_cells_coarsen(&partial->rows[i].states[state], partial->first_cell);
        }
    }
    partial->first_cell /= 2;
    partial->shift++;
    return status;
}

/* Puts count empty cells before the first one; as many at the end are empty. */
static void move_up(struct partial *partial, uint64_t count)
{
    for (uint32_t i = 0; i < partial->rows_kept; i++) {
        for (unsigned state = 0; state < MWA_STATES; state++) {
            mwa_cells_move_up(&partial->rows[i].states[state], count);
        }
    }
    partial->first_cell -= count;
}

/*
 * Makes the cells reach over the time from from to to as well, as far as it is shown.
 * \return MW_OK, MW_ERROR_MEMORY.
 */
static enum mw_status reach(struct partial *partial, uint64_t from, uint64_t to)
{
    enum mw_status status = MW_OK;
    uint64_t needed;

    from = from > partial->origin ? from : partial->origin;
    to = to > partial->origin ? to : partial->origin;
    if (partial->from > partial->to) {
        partial->first_cell = from >> partial->shift;
    }
    partial->from = from < partial->from ? from : partial->from;
    partial->to = to > partial->to ? to : partial->to;
    if (partial->is_logged) {
        return MW_OK;
    }
    while (status == MW_OK &&
           (partial->to >> partial->shift) - (partial->from >> partial->shift) >= MWA_CELLS) {
        status = coarsen(partial);
    }
    needed = partial->from >> partial->shift;
    if (status == MW_OK && needed < partial->first_cell) {
        move_up(partial, partial->first_cell - needed);
    }
    return status;
}

/* Charges ticks, spread evenly from from to to, to a state of a row. */
static enum mw_status charge(struct partial *partial, uint32_t row, enum mwa_state state,
                             uint64_t from, uint64_t to, uint64_t ticks)
{
    struct row *cells = row_of(partial, row);
    enum mw_status status = cells ? MW_OK : MW_ERROR_MEMORY;

    for (uint64_t at = from > partial->origin ? from : partial->origin, end;
         at < to && status == MW_OK; at = end) {
        uint64_t index = at >> partial->shift;

        end = (index + 1) << partial->shift;
        end = end < to && end > at ? end : to;
        status = mwa_cells_add(&cells->states[state], index - partial->first_cell,
                               mwa_ticks_share(ticks, from, to, at, end));
    }
    return status;
}

/* Charges all that is in the log of from, of a location of row, to into, which may be the same. */
static enum mw_status charge_logged(struct partial *into, uint32_t row, const struct partial *from)
{
    struct mwa_state_log_place place = { 0 };
    struct mwa_stretch stretch;
    enum mw_status status = MW_OK;

    while (status == MW_OK && mwa_state_log_next(&from->log, &place, &stretch)) {
        if (stretch.state != MWA_STATE_USEFUL || place.at > from->dropped) {
            status = charge(into, row, (enum mwa_state)stretch.state, stretch.from, stretch.to,
                            stretch.ticks);
        }
    }
    return status;
}

/* Makes cells of the log, which has become too long. */
static enum mw_status end_log(struct partial *partial, uint32_t row)
{
    enum mw_status status;

    partial->is_logged = false;
    partial->first_cell = partial->from;
    status = reach(partial, partial->from, partial->to);
    if (status == MW_OK) {
        status = charge_logged(partial, row, partial);
    }
    mwa_state_log_fini(&partial->log);
    return status;
}

/* Charges ticks of the location that is read, as above. */
static enum mw_status take_stretch(struct partial *partial, uint32_t row, enum mwa_state state,
                                   uint64_t from, uint64_t to, uint64_t ticks)
{
    const struct mwa_stretch stretch = {
        .state = state, .from = from, .to = to, .ticks = ticks
    };
    enum mw_status status;

    if (!partial->is_logged) {
        return charge(partial, row, state, from, to, ticks);
    }
    status = from < to ? mwa_state_log_add(&partial->log, &stretch) : MW_OK;
    return status == MW_OK && partial->log.bytes.bytes > LOG_BYTES_MOST ? end_log(partial, row)
                                                                        : status;
}

/* Of the location that is read no time counts as useful so far: its run only begins. */
static void drop_useful(struct partial *partial, uint32_t row)
{
    partial->dropped = partial->log.bytes.bytes;
    if (find_row(partial, row)) {
        mwa_cells_fini(&find_row(partial, row)->states[MWA_STATE_USEFUL]);
    }
}

/* The time up to now was outside of MPI. */
static enum mw_status take_useful(struct partial *partial, uint32_t row, uint64_t now)
{
    uint64_t from = partial->done;

    if (partial->is_paused || partial->is_through || now <= from) {
        return MW_OK;
    }
    partial->done = now;
    return take_stretch(partial, row, MWA_STATE_USEFUL, from, now, now - from);
}

static enum mw_status take_call(struct partial *partial, uint32_t row,
                                const struct mwa_moment *moment)
{
    const struct mwa_call *call = moment->call;
    uint64_t length = call->leave - call->enter;
    enum mw_status status = take_useful(partial, row, call->enter);

    if (mwa_begins_run(moment)) {
        drop_useful(partial, row);
    }
    if (status == MW_OK) {
        status = take_stretch(partial, row, mwa_state_of(call->region, call->use), call->enter,
                              call->leave, call->inclusive);
    }
    if (status == MW_OK && call->inclusive < length) {
        status = take_stretch(partial, row, MWA_STATE_USEFUL, call->enter, call->leave,
                              length - call->inclusive);
    }
    partial->done = call->leave;
    return status;
}

static enum mw_status take_event(void *data, const struct mwa_moment *moment)
{
    struct partial *partial = data;
    uint64_t now = moment->event->time;
    enum mw_status status;
    uint32_t row;

    if (moment->location->rank == MWA_NONE || !moment->location->master) {
        return MW_OK;
    }
    row = moment->location->rank / partial->ranks_per_row;
    if (!partial->has_begun) {
        partial->has_begun = true;
        partial->is_logged = true;
        partial->first_row = row;
        partial->done = now;
    }
    status = reach(partial, now, now);
    if (status != MW_OK) {
        return status;
    }
    if (moment->call && moment->call->outermost) {
        return take_call(partial, row, moment);
    }
    if (mwa_ends_run(moment)) {
        status = take_useful(partial, row, now);
        partial->is_through = true;
    } else if (moment->event->kind == MWA_MEASUREMENT) {
        status = moment->mpi_depth == 0 ? take_useful(partial, row, now) : MW_OK;
        partial->is_paused = !moment->event->of.on;
        partial->done = now;
    }
    return status;
}

static enum mw_status end(void *data, const struct mwa_location *location, uint64_t last)
{
    struct partial *partial = data;
    enum mw_status status;

    if (location->rank == MWA_NONE || !location->master || !partial->has_begun) {
        return MW_OK;
    }
    status = reach(partial, last, last);
    return status == MW_OK
               ? take_useful(partial, location->rank / partial->ranks_per_row, last)
               : status;
}

/* Adds the ticks of cells in from to those in into, which are as long or longer. */
static enum mw_status merge_cells(const struct partial *into, struct mwa_cells *to,
                                  const struct partial *from, const struct mwa_cells *cells)
{
    enum mw_status status = MW_OK;

    for (uint64_t at = 0; cells->low && at < MWA_CELLS && status == MW_OK; at++) {
        uint64_t index = (from->first_cell + at) >> (into->shift - from->shift);

        if (index - into->first_cell < MWA_CELLS) {
            status = mwa_cells_add(to, index - into->first_cell, mwa_cells_at(cells, at));
        }
    }
    return status;
}

static enum mw_status merge(void *into_data, const void *from_data)
{
    struct partial *into = into_data;
    const struct partial *from = from_data;
    enum mw_status status = MW_OK;

    if (from->from > from->to) {
        return MW_OK;
    }
    while (into->shift < from->shift && status == MW_OK) {
        status = coarsen(into);
    }
    status = status == MW_OK ? reach(into, from->from, from->to) : status;
    if (status == MW_OK && from->is_logged) {
        return charge_logged(into, from->first_row, from);
    }
    for (uint32_t i = 0; i < from->rows_kept && status == MW_OK; i++) {
        struct row *row = row_of(into, from->first_row + i);

        status = row ? MW_OK : MW_ERROR_MEMORY;
        for (unsigned state = 0; state < MWA_STATES && status == MW_OK; state++) {
            status = merge_cells(into, &row->states[state], from, &from->rows[i].states[state]);
        }
    }
    return status;
}

/* What a partial result is, before its rows. */
struct packed {
    uint64_t first_cell;
    uint64_t from;
    uint64_t to;
    uint32_t first_row;
    uint32_t rows_kept;
    uint64_t shift;
};

static void pack(const void *data, struct mw_buffer *to)
{
    const struct partial *partial = data;
    const struct packed packed = { .first_cell = partial->first_cell,
                                   .from = partial->from,
                                   .to = partial->to,
                                   .first_row = partial->first_row,
                                   .rows_kept = partial->rows_kept,
                                   .shift = partial->shift };

    mw_buffer_append(to, &packed, sizeof packed);
    for (uint32_t i = 0; i < partial->rows_kept; i++) {
        for (unsigned state = 0; state < MWA_STATES; state++) {
            mwa_cells_pack(&partial->rows[i].states[state], to);
        }
    }
}

static enum mw_status unpack(void *data, const struct mwa_moment *moment, struct mw_cursor *from)
{
    struct partial *partial = data;
    struct packed packed;
    enum mw_status status = MW_OK;

    if (!mw_cursor_take(from, &packed, sizeof packed) || packed.shift > 63 ||
        packed.rows_kept > partial->row_count ||
        packed.first_row > partial->row_count - packed.rows_kept) {
        return MW_ERROR_FORMAT;
    }
    partial->rows = calloc(packed.rows_kept + 1u, sizeof *partial->rows);
    if (!partial->rows) {
        return MW_ERROR_MEMORY;
    }
    partial->first_cell = packed.first_cell;
    partial->from = packed.from;
    partial->to = packed.to;
    partial->first_row = packed.first_row;
    partial->rows_kept = packed.rows_kept;
    partial->shift = (unsigned)packed.shift;
    for (uint32_t i = 0; i < partial->rows_kept && status == MW_OK; i++) {
        for (unsigned state = 0; state < MWA_STATES && status == MW_OK; state++) {
            status = mwa_cells_unpack(&partial->rows[i].states[state], from);
        }
    }
    return status;
}

/* Adds a part of a cell's ticks to a bin of a row, per rank that shares the row. */
static void add_part(const struct partial *partial, struct mwa_timeline *timeline, uint32_t row,
                     uint64_t cell, uint32_t bin, double part)
{
    const struct row *cells = find_row(partial, row);
    uint64_t ranks = partial->trace->rank_count - (uint64_t)row * timeline->ranks_per_row;
    float *shares = timeline->shares +
                    ((size_t)row * timeline->window.bins + bin) * MWA_TIMELINE_STATES;

    ranks = ranks < timeline->ranks_per_row ? ranks : timeline->ranks_per_row;
    for (unsigned state = 0; cells && state < MWA_STATES; state++) {
        shares[state] +=
            (float)((double)mwa_cells_at(&cells->states[state], cell) * part / (double)ranks);
    }
}

/* Spreads a cell's ticks over the bins that it lies in. */
static void spread(const struct partial *partial, struct mwa_timeline *timeline, uint64_t cell)
{
    const struct mwa_window *window = &timeline->window;
    uint64_t begin = (partial->first_cell + cell) << partial->shift;
    uint64_t end = begin + (UINT64_C(1) << partial->shift);
    struct mwa_piece piece = { 0 };

    begin = begin > window->from ? begin : window->from;
    end = end < window->to && end > begin ? end : window->to;
    while (mwa_window_next(window, begin, end, &piece)) {
        uint64_t width = mwa_window_edge(window, piece.bin + 1) -
                         mwa_window_edge(window, piece.bin);
        double part = (double)(piece.to - piece.from) / (double)(end - begin) / (double)width;

        for (uint32_t row = 0; row < timeline->rows; row++) {
            add_part(partial, timeline, row, cell, piece.bin, part);
        }
    }
}

/* Spreads all cells over bins, from shares of 0 on, between the timeline's ends. */
static enum mw_status spread_all(const struct partial *partial, struct mwa_timeline *timeline)
{
    timeline->shares = calloc((size_t)timeline->rows * timeline->window.bins + 1,
                              MWA_TIMELINE_STATES * sizeof *timeline->shares);
    if (!timeline->shares) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t cell = 0; cell < MWA_CELLS; cell++) {
        spread(partial, timeline, cell);
    }
    return MW_OK;
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    struct mwa_timeline *timeline = result;
    uint64_t length = partial->to > partial->from ? partial->to - partial->from : 0;

    *timeline = (struct mwa_timeline){ .rows = partial->row_count,
                                       .ranks_per_row = partial->ranks_per_row };
    if (length == 0) {
        return MW_OK;
    }
    timeline->window = (struct mwa_window){
        .from = partial->from,
        .to = partial->to,
        .bins = length < MWA_TIMELINE_BINS ? (uint32_t)length : MWA_TIMELINE_BINS
    };
    return spread_all(partial, timeline);
}

void mwa_timeline_fini(struct mwa_timeline *timeline)
{
    free(timeline->shares);
    *timeline = (struct mwa_timeline){ 0 };
}

/* --- waits ------------------------------------------------------------------------------------ */

static enum mw_status begin_waits(void *result, const struct mwa_trace *trace,
                                  const struct mwa_window *window)
{
    struct mwa_timeline_waits *waits = result;

    waits->partial = mwa_partial_create(&mwa_timeline_analysis, trace);
    return waits->partial ? MW_OK : MW_ERROR_MEMORY;
}

static enum mw_status take_wait(void *user, uint32_t rank, const struct mwa_region *call,
                                enum mwa_use use, uint64_t from, uint64_t to)
{
    struct partial *partial = ((struct mwa_timeline_waits *)user)->partial;
    enum mwa_state state = call ? mwa_state_of(call, use) : MWA_STATE_OTHER;
    enum mw_status status;

    status = reach(partial, from, to);
    return status == MW_OK ? charge(partial, rank / partial->ranks_per_row, state, from, to,
                                    to - from)
                           : status;
}

static enum mw_status add_waits(void *result, const void *other)
{
    const struct mwa_timeline_waits *from = other;

    return merge(((struct mwa_timeline_waits *)result)->partial, from->partial);
}

static void pack_waits(const void *result, struct mw_buffer *to)
{
    pack(((const struct mwa_timeline_waits *)result)->partial, to);
}

static enum mw_status unpack_waits(void *result, struct mw_cursor *from)
{
    return unpack(((struct mwa_timeline_waits *)result)->partial, NULL, from);
}

const struct mwa_wait_analysis mwa_timeline_waits_analysis = { .begin = begin_waits,
                                                               .visit = take_wait,
                                                               .add = add_waits,
                                                               .pack = pack_waits,
                                                               .unpack = unpack_waits };

void mwa_timeline_waits_fini(struct mwa_timeline_waits *waits)
{
    mwa_partial_destroy(&mwa_timeline_analysis, waits->partial);
    *waits = (struct mwa_timeline_waits){ 0 };
}

/* Makes waiting of as much of a state as there is; how much there is not. */
static float take_out(float *shares, unsigned state, float waiting)
{
    const float part = waiting < shares[state] ? waiting : shares[state];

    shares[state] -= part;
    shares[MWA_TIMELINE_WAITING] += part;
    return waiting - part;
}

enum mw_status mwa_timeline_split(struct mwa_timeline *timeline,
                                  const struct mwa_timeline_waits *waits)
{
    struct mwa_timeline waiting = *timeline;
    size_t bins = (size_t)timeline->rows * timeline->window.bins;

    if (timeline->window.bins == 0 || spread_all(waits->partial, &waiting) != MW_OK) {
        return timeline->window.bins == 0 ? MW_OK : MW_ERROR_MEMORY;
    }
    for (size_t i = 0; i < bins * MWA_TIMELINE_STATES; i += MWA_TIMELINE_STATES) {
        float rest = 0;

        for (unsigned state = 0; state < MWA_STATES; state++) {
            const float left = take_out(timeline->shares + i, state, waiting.shares[i + state]);

            rest += state != MWA_STATE_P2P ? left : 0;
        }
        (void)take_out(timeline->shares + i, MWA_STATE_P2P, rest);
    }
    free(waiting.shares);
    return MW_OK;
}

const struct mwa_analysis mwa_timeline_analysis = {
    .name = "timeline",
    .kinds = MWA_KIND(MWA_ENTER) | MWA_KIND(MWA_LEAVE) | MWA_KIND(MWA_MEASUREMENT),
    .size = sizeof(struct partial),
    .begin = begin,
    .event = take_event,
    .end = end,
    .merge = merge,
    .pack = pack,
    .unpack = unpack,
    .finish = finish,
    .fini = fini
};
