/*
 * A barrier beside another operation that all meet in may still be there for what is no call: while
 * there are windows, for what each stores in its memory and reads of the others' (MPI 4.0, 12.7).
 */
#include "analyzer/analysis/messages/operation_pairs.h"

#include <stdlib.h>

#include <otf2/otf2.h>

#include "analyzer/analysis/keyed_rows.h"
#include "analyzer/model/needs.h"
#include "formats/base/order.h"

/* What an operation may be in a pair. */
enum part {
    NO_PART,  /* the call is none, or not one that is looked at */
    COLLECTS, /* the root gets something of all */
    SPREADS,  /* all get something of the root */
    MEETS     /* all need all */
};

/* A collective operation that was left last, or is being made. */
struct operation {
    enum part part;
    bool is_barrier;
    uint32_t comm;
    uint32_t root;
    bool is_root;
    uint64_t sent;
    uint64_t received;
    uint32_t place;
    uint64_t ticks;
    uint64_t left;
};

struct partial {
    const struct mwa_trace *trace;
    struct mwa_index index; /* of rows */
    struct mwa_operation_pair *rows; /* second is MWA_NONE: what comes behind is something else */
    struct operation before;
    struct operation open; /* in the call that is being made */
    uint64_t windows; /* that the location has made and not freed */
};

static void add_part(struct mwa_pair_part *to, const struct mwa_pair_part *from)
{
    to->first += from->first;
    to->count += from->count;
    to->first_ns += from->first_ns;
    to->second_ns += from->second_ns;
    to->between_ns += from->between_ns;
    to->sent += from->sent;
    to->received += from->received;
    to->spread += from->spread;
}

static struct mwa_key key_of(const void *data)
{
    const struct mwa_operation_pair *row = data;

    return (struct mwa_key){ (uint64_t)row->first << 32 | row->second, 0 };
}

static void add(void *to_data, const void *data)
{
    struct mwa_operation_pair *to = to_data;
    const struct mwa_operation_pair *row = data;

    to->is_of_meetings = row->is_of_meetings;
    add_part(&to->others, &row->others);
    add_part(&to->roots, &row->roots);
}

static bool is_known(const struct mwa_trace *trace, const void *data)
{
    const struct mwa_operation_pair *row = data;

    return row->first < trace->site_count &&
           (row->second < trace->site_count || row->second == MWA_NONE);
}

static const struct mwa_keyed_rows rows = { MWA_ROWS_IN_PARTIAL(rows),
                                            .key = key_of,
                                            .add = add,
                                            .is_known = is_known };

/* Whether the operation that was left last and one that follows it are a pair. */
static bool are_pair(const struct partial *partial, const struct operation *after)
{
    const struct operation *before = &partial->before;

    return after->comm == before->comm &&
           (before->part == COLLECTS
                ? after->part == SPREADS && after->root == before->root
                : after->part == MEETS && partial->windows == 0 &&
                      (before->is_barrier || after->is_barrier));
}

/* Counts what was left last, if it can be the first one; behind it comes after, null: the end. */
static enum mw_status count(struct partial *partial, const struct operation *after, uint64_t enter)
{
    const struct mwa_trace *trace = partial->trace;
    const struct operation *before = &partial->before;
    struct mwa_operation_pair row;
    struct mwa_pair_part *part = before->is_root ? &row.roots : &row.others;

    if (before->part == NO_PART || before->part == SPREADS) {
        return MW_OK;
    }
    row = (struct mwa_operation_pair){ .first = before->place,
                                       .second = MWA_NONE,
                                       .is_of_meetings = before->part == MEETS };
    part->first = 1;
    if (after && are_pair(partial, after)) {
        row.second = after->place;
        part->count = 1;
        part->first_ns = mwa_trace_ns(trace, before->ticks);
        part->second_ns = mwa_trace_ns(trace, after->ticks);
        part->between_ns = mwa_trace_ns(trace, enter > before->left ? enter - before->left : 0);
        part->sent = before->sent;
        part->received = before->received;
        part->spread = after->received;
    }
    return mwa_rows_add(&rows, partial, &row);
}

static enum part part_of(const struct mwa_collective_data *told)
{
    switch (told->operation) {
    case OTF2_COLLECTIVE_OP_REDUCE:
    case OTF2_COLLECTIVE_OP_GATHER:
    case OTF2_COLLECTIVE_OP_GATHERV:
        return COLLECTS;
    case OTF2_COLLECTIVE_OP_BCAST:
        return SPREADS;
    default:
        return mwa_do_all_meet(told) ? MEETS : NO_PART;
    }
}

/* A collective operation ends inside of a call. */
static void take_operation(struct partial *partial, const struct mwa_moment *moment)
{
    const struct mwa_collective_data *told = &moment->event->of.collective;
    const enum part part = part_of(told);

    partial->open.part = NO_PART;
    if (!moment->mpi || moment->site == MWA_NONE || told->comm == MWA_NONE || told->of_handle ||
        moment->trace->comms[told->comm].inter || moment->location->rank == MWA_NONE) {
        return;
    }
    partial->open = (struct operation){
        .part = part,
        .is_barrier = told->operation == OTF2_COLLECTIVE_OP_BARRIER,
        .comm = told->comm,
        .root = told->root,
        .is_root = part != MEETS &&
                   mwa_trace_peer(moment->trace, told->comm, moment->location->rank,
                                  told->root) == moment->location->rank,
        .sent = told->bytes_sent,
        .received = told->bytes_received,
        .place = moment->trace->sites[moment->site].place
    };
}

static void take_window(struct partial *partial, const struct mwa_collective_data *told)
{
    partial->windows += mwa_makes_window(told);
    partial->windows -= partial->windows > 0 && mwa_frees_window(told);
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    struct partial *partial = data;
    enum mw_status status;

    switch (moment->event->kind) {
    case MWA_COLLECTIVE_END:
        take_operation(partial, moment);
        return MW_OK;
    case MWA_WINDOW_COLLECTIVE:
        take_window(partial, &moment->event->of.collective);
        return MW_OK;
    default:
        break;
    }
    if (!moment->call || !moment->call->outermost ||
        (partial->before.part == NO_PART && partial->open.part == NO_PART)) {
        return MW_OK;
    }
    partial->open.ticks = moment->call->inclusive;
    partial->open.left = moment->call->leave;
    status = count(partial, &partial->open, moment->call->enter);
    partial->before = partial->open;
    partial->open.part = NO_PART;
    return status;
}

static enum mw_status end(void *data, const struct mwa_location *location, uint64_t last)
{
    return count(data, NULL, last);
}

static int by_places(const void *one, const void *other)
{
    const struct mwa_operation_pair *a = one;
    const struct mwa_operation_pair *b = other;

    return mw_order(a->first, b->first) ?: mw_order(a->second, b->second);
}

/* Rows of one first place stand side by side: the number of its operations goes to each. */
static void sum_up(struct mwa_operation_pair *list, uint64_t count)
{
    for (uint64_t from = 0, to; from < count; from = to) {
        uint64_t others = 0;
        uint64_t roots = 0;

        for (to = from; to < count && list[to].first == list[from].first; to++) {
            others += list[to].others.first;
            roots += list[to].roots.first;
        }
        for (uint64_t i = from; i < to; i++) {
            list[i].others.first = others;
            list[i].roots.first = roots;
        }
    }
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    struct mwa_operation_pairs *pairs = result;
    const uint64_t count = partial->index.count;

    *pairs = (struct mwa_operation_pairs){ .rows = mwa_rows_copy(&rows, partial) };
    if (!pairs->rows) {
        return MW_ERROR_MEMORY;
    }
    qsort(pairs->rows, count, sizeof *pairs->rows, by_places);
    sum_up(pairs->rows, count);
    for (uint64_t i = 0; i < count; i++) {
        if (pairs->rows[i].second != MWA_NONE) {
            pairs->rows[pairs->count++] = pairs->rows[i];
        }
    }
    return MW_OK;
}

void mwa_operation_pairs_fini(struct mwa_operation_pairs *pairs)
{
    free(pairs->rows);
    *pairs = (struct mwa_operation_pairs){ .rows = NULL };
}

const struct mwa_analysis mwa_operation_pairs_analysis = {
    .name = "operation pairs",
    .kinds = MWA_KIND(MWA_LEAVE) | MWA_KIND(MWA_COLLECTIVE_END) |
             MWA_KIND(MWA_WINDOW_COLLECTIVE),
    .size = sizeof(struct partial),
    .rows = &rows,
    .event = event,
    .end = end,
    .finish = finish
};
