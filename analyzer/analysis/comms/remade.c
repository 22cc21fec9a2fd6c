/*
 * What a call makes or frees is told before it is left, and its time then. So a location keeps what
 * its call does, and of all that is alive where it was made: by that what is freed is found. A file
 * has to be opened once, so that it counts from when the same place opens it again.
 */
#include "analyzer/analysis/comms/remade.h"

#include <stdlib.h>

#include "analyzer/analysis/keyed_rows.h"
#include "analyzer/model/needs.h"
#include "formats/base/order.h"

/* What a call that is being made does with a window, a communicator or a file. */
enum deed { NOTHING, MAKES, FREES };

struct partial {
    const struct mwa_trace *trace;
    struct mwa_index index; /* of rows */
    struct mwa_remade_row *rows; /* their times are ticks until finish */
    struct mwa_map alive; /* what is, to its row */
    uint64_t *alive_of; /* of each row, of this location */
    uint64_t alive_room;
    struct mwa_map opened; /* the files of this location, by the places that opened them */
    enum deed deed; /* of the call that is being made, … */
    struct mwa_key what; /* … and with what */
};

static void fini(void *data)
{
    struct partial *partial = data;

    mwa_map_fini(&partial->alive);
    mwa_map_fini(&partial->opened);
    free(partial->alive_of);
}

static struct mwa_key key_of(const void *data)
{
    const struct mwa_remade_row *row = data;

    return (struct mwa_key){ row->place, row->kind };
}

static void add(void *to_data, const void *data)
{
    struct mwa_remade_row *to = to_data;
    const struct mwa_remade_row *row = data;

    to->freed = row->freed < to->freed ? row->freed : to->freed; /* in any order the same */
    to->made += row->made;
    to->made_most = row->made_most > to->made_most ? row->made_most : to->made_most;
    to->at_once += row->at_once;
    to->make_ns += row->make_ns;
    to->free_ns += row->free_ns;
}

static bool is_known(const struct mwa_trace *trace, const void *data)
{
    const struct mwa_remade_row *row = data;

    return row->place < trace->site_count && row->kind <= MWA_REMADE_FILES &&
           (row->freed < trace->site_count || row->freed == MWA_NONE);
}

static const struct mwa_keyed_rows rows = { MWA_ROWS_IN_PARTIAL(rows),
                                            .key = key_of,
                                            .add = add,
                                            .is_known = is_known };

/* The row of a place; null: no memory. */
static struct mwa_remade_row *row_of(struct partial *partial, uint32_t place,
                                     enum mwa_remade_kind kind)
{
    const uint64_t before = partial->index.count;
    const uint64_t at = mwa_index_of(&partial->index, (struct mwa_key){ place, kind },
                                     &partial->rows, sizeof *partial->rows);

    if (at != MWA_MAP_ABSENT && partial->index.count > before) {
        partial->rows[at] = (struct mwa_remade_row){ .place = place,
                                                     .freed = MWA_NONE,
                                                     .kind = kind };
    }
    return at == MWA_MAP_ABSENT ? NULL : &partial->rows[at];
}

static void take_deed(struct partial *partial, const struct mwa_moment *moment)
{
    const struct mwa_event *event = moment->event;
    const unsigned call = moment->mpi ? moment->mpi->call : MW_CALL_COUNT;

    switch (event->kind) {
    case MWA_WINDOW_COLLECTIVE:
        partial->what = (struct mwa_key){ event->of.collective.root, MWA_REMADE_WINDOWS };
        partial->deed = mwa_makes_window(&event->of.collective)   ? MAKES
                        : mwa_frees_window(&event->of.collective) ? FREES
                                                                  : NOTHING;
        break;
    case MWA_OBJECT:
        if (mw_call_kind(call) == MW_KIND_FILE_OPEN || mw_call_kind(call) == MW_KIND_FILE_CLOSE) {
            partial->what = (struct mwa_key){ event->object, MWA_REMADE_FILES };
            partial->deed = mw_call_kind(call) == MW_KIND_FILE_OPEN ? MAKES : FREES;
        }
        break;
    default:
        partial->what = (struct mwa_key){ event->of.comm, MWA_REMADE_COMMS };
        partial->deed = event->kind == MWA_COMM_DESTROY      ? FREES
                        : mw_call_means(call, MW_MAKES_COMM) ? MAKES
                                                             : NOTHING;
    }
}

/* Ends what was made; its row, null: it was made before the record, or elsewhere. */
static struct mwa_remade_row *end_life(struct partial *partial)
{
    const uint64_t at = mwa_map_remove(&partial->alive, partial->what);

    if (at == MWA_MAP_ABSENT) {
        return NULL;
    }
    partial->alive_of[at]--;
    return &partial->rows[at];
}

/* Whether a place opens a file for the first time, as far as is known. *status: MW_ERROR_MEMORY */
static bool is_opened_first(struct partial *partial, uint32_t place, enum mw_status *status)
{
    const struct mwa_metrics *metrics = &partial->trace->metrics;
    const uint64_t object = partial->what.high;
    const uint32_t file = object < metrics->object_count ? metrics->objects[object].file
                                                         : MWA_NONE;
    const struct mwa_key key = { place, file };

    if (file != MWA_NONE && mwa_map_get(&partial->opened, key) != MWA_MAP_ABSENT) {
        return false;
    }
    *status = file == MWA_NONE || mwa_map_put(&partial->opened, key, 0) ? MW_OK
                                                                        : MW_ERROR_MEMORY;
    return true;
}

static enum mw_status make(struct partial *partial, const struct mwa_call *call)
{
    const uint32_t place = partial->trace->sites[call->site].place;
    const enum mwa_remade_kind kind = (enum mwa_remade_kind)partial->what.low;
    enum mw_status status = MW_OK;
    struct mwa_remade_row *row;
    uint64_t at;

    (void)end_life(partial); /* its number is given anew */
    if (kind == MWA_REMADE_FILES && is_opened_first(partial, place, &status)) {
        return status;
    }
    row = row_of(partial, place, kind);
    if (!row || !mwa_grow(&partial->alive_of, &partial->alive_room, partial->index.count,
                          sizeof *partial->alive_of)) {
        return MW_ERROR_MEMORY;
    }
    at = (uint64_t)(row - partial->rows);
    if (!mwa_map_put(&partial->alive, partial->what, at)) {
        return MW_ERROR_MEMORY;
    }
    partial->alive_of[at]++;
    row->made++;
    row->made_most = row->made;
    row->at_once = partial->alive_of[at] > row->at_once ? partial->alive_of[at] : row->at_once;
    row->make_ns += call->inclusive;
    return MW_OK;
}

static void unmake(struct partial *partial, const struct mwa_call *call)
{
    struct mwa_remade_row *row = end_life(partial);

    if (row) {
        row->freed = row->freed == MWA_NONE ? partial->trace->sites[call->site].place : row->freed;
        row->free_ns += call->inclusive;
    }
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    struct partial *partial = data;
    const struct mwa_call *call = moment->call;
    enum deed deed;

    if (moment->event->kind != MWA_LEAVE) {
        take_deed(partial, moment);
        return MW_OK;
    }
    if (partial->deed == NOTHING || !call || !call->outermost) {
        return MW_OK;
    }
    deed = call->site == MWA_NONE ? NOTHING : partial->deed;
    partial->deed = NOTHING;
    if (deed == FREES) {
        unmake(partial, call);
    }
    return deed == MAKES ? make(partial, call) : MW_OK;
}

static int by_place(const void *one, const void *other)
{
    const struct mwa_remade_row *a = one;
    const struct mwa_remade_row *b = other;

    return mw_order(a->place, b->place) ?: mw_order(a->kind, b->kind);
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    struct mwa_remade *remade = result;

    remade->count = partial->index.count;
    remade->rows = mwa_rows_copy(&rows, partial);
    if (!remade->rows) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < remade->count; i++) {
        struct mwa_remade_row *row = &remade->rows[i];

        row->make_ns = mwa_trace_ns(partial->trace, row->make_ns);
        row->free_ns = mwa_trace_ns(partial->trace, row->free_ns);
    }
    qsort(remade->rows, remade->count, sizeof *remade->rows, by_place);
    return MW_OK;
}

void mwa_remade_fini(struct mwa_remade *remade)
{
    free(remade->rows);
    *remade = (struct mwa_remade){ .rows = NULL };
}

const struct mwa_analysis mwa_remade_analysis = {
    .name = "what is remade",
    .kinds = MWA_KIND(MWA_LEAVE) | MWA_KIND(MWA_WINDOW_COLLECTIVE) | MWA_KIND(MWA_COMM_CREATE) |
             MWA_KIND(MWA_COMM_DESTROY) | MWA_KIND(MWA_OBJECT),
    .size = sizeof(struct partial),
    .rows = &rows,
    .event = event,
    .finish = finish,
    .fini = fini
};
