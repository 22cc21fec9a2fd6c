#include "analyzer/analysis/comms/comm_activity.h"

#include <stdlib.h>

#include "analyzer/analysis/comms/charge.h"
#include "analyzer/analysis/keyed_rows.h"
#include "formats/base/order.h"

struct partial {
    const struct mwa_trace *trace;
    struct mwa_charger charger;
    struct mwa_index index; /* communicator and bin to position in cells */
    struct mwa_comm_cell *cells; /* times are ticks */
};

static enum mw_status begin(void *data)
{
    struct partial *partial = data;

    mwa_charger_init(&partial->charger);
    return MW_OK;
}

static void fini(void *data)
{
    struct partial *partial = data;

    mwa_charger_fini(&partial->charger);
}

static struct mwa_key key_of(const void *data)
{
    const struct mwa_comm_cell *cell = data;

    return (struct mwa_key){ cell->comm, cell->bin };
}

static void add(void *to_data, const void *data)
{
    struct mwa_comm_cell *to = to_data;
    const struct mwa_comm_cell *cell = data;

    to->calls += cell->calls;
    to->bytes += cell->bytes;
    to->time_ns += cell->time_ns;
}

static bool is_known(const struct mwa_trace *trace, const void *data)
{
    return ((const struct mwa_comm_cell *)data)->comm < trace->comm_count;
}

static const struct mwa_keyed_rows rows = { MWA_ROWS_IN_PARTIAL(cells),
                                            .key = key_of,
                                            .add = add,
                                            .is_known = is_known };

static struct mwa_comm_cell *cell_of(struct partial *partial, uint32_t comm, uint32_t bin)
{
    uint64_t at = mwa_index_of(&partial->index, (struct mwa_key){ comm, bin }, &partial->cells,
                               sizeof *partial->cells);

    if (at == MWA_MAP_ABSENT) {
        return NULL;
    }
    partial->cells[at].comm = comm;
    partial->cells[at].bin = bin;
    return &partial->cells[at];
}

static enum mw_status take_bytes(struct partial *partial, const struct mwa_moment *moment,
                                 uint64_t bytes)
{
    uint32_t comm = mwa_event_comm(moment->event);
    struct mwa_comm_cell *cell;

    if (comm == MWA_NONE || bytes == UINT64_MAX || bytes == 0 ||
        !mwa_window_has(moment->window, moment->event->time)) {
        return MW_OK;
    }
    cell = cell_of(partial, comm, mwa_window_bin(moment->window, moment->event->time));
    if (!cell) {
        return MW_ERROR_MEMORY;
    }
    cell->bytes += bytes;
    return MW_OK;
}

static enum mw_status take_time(struct partial *partial, const struct mwa_window *window,
                                const struct mwa_charge *charge)
{
    const struct mwa_call *call = charge->call;
    struct mwa_piece piece = { 0 };

    while (mwa_window_next(window, call->enter, call->leave, &piece)) {
        struct mwa_comm_cell *cell = cell_of(partial, charge->comm, piece.bin);

        if (!cell) {
            return MW_ERROR_MEMORY;
        }
        cell->time_ns += mwa_ticks_share(call->inclusive, call->enter, call->leave, piece.from,
                                         piece.to);
    }
    return MW_OK;
}

static enum mw_status take_charge(struct partial *partial, const struct mwa_moment *moment)
{
    struct mwa_charge charge;
    struct mwa_comm_cell *cell;

    if (mwa_charger_take(&partial->charger, moment, &charge) != MW_OK) {
        return MW_ERROR_MEMORY;
    }
    if (charge.comm == MWA_NONE) {
        return MW_OK;
    }
    if (mwa_window_has(moment->window, charge.call->enter)) {
        cell = cell_of(partial, charge.comm, mwa_window_bin(moment->window, charge.call->enter));
        if (!cell) {
            return MW_ERROR_MEMORY;
        }
        cell->calls += charge.call->repeat;
    }
    return take_time(partial, moment->window, &charge);
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    enum mw_status status = MW_OK;

    switch (moment->event->kind) {
    case MWA_SEND:
    case MWA_ISEND:
        status = take_bytes(data, moment, moment->event->of.message.bytes);
        break;
    case MWA_COLLECTIVE_END:
    case MWA_COLLECTIVE_COMPLETE:
        status = take_bytes(data, moment, moment->event->of.collective.bytes_sent);
        break;
    default:
        break;
    }
    return status == MW_OK ? take_charge(data, moment) : status;
}

/* Another process's rows, which have been taken out, have to be of the window. */
static enum mw_status unpack(void *data, const struct mwa_moment *moment, struct mw_cursor *from)
{
    const struct partial *partial = data;

    for (uint64_t i = 0; i < partial->index.count; i++) {
        if (partial->cells[i].bin >= moment->window->bins) {
            return MW_ERROR_FORMAT;
        }
    }
    return MW_OK;
}

static int by_comm_and_bin(const void *one, const void *other)
{
    const struct mwa_comm_cell *a = one;
    const struct mwa_comm_cell *b = other;

    return mw_order(a->comm, b->comm) ?: mw_order(a->bin, b->bin);
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    struct mwa_comm_activity *activity = result;

    *activity = (struct mwa_comm_activity){ .count = partial->index.count };
    activity->cells = mwa_rows_copy(&rows, partial);
    if (!activity->cells) {
        activity->count = 0;
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < activity->count; i++) {
        activity->cells[i].time_ns = mwa_trace_ns(partial->trace, activity->cells[i].time_ns);
    }
    qsort(activity->cells, activity->count, sizeof *activity->cells, by_comm_and_bin);
    return MW_OK;
}

void mwa_comm_activity_fini(struct mwa_comm_activity *activity)
{
    free(activity->cells);
    *activity = (struct mwa_comm_activity){ 0 };
}

const struct mwa_analysis mwa_comm_activity_analysis = { .name = "communicators over time",
                                                         .kinds = MWA_CHARGE_KINDS,
                                                         .size = sizeof(struct partial),
                                                         .rows = &rows,
                                                         .begin = begin,
                                                         .event = event,
                                                         .unpack = unpack,
                                                         .finish = finish,
                                                         .fini = fini };
