/* Ranks are told apart until all are there: how many had an error cannot be added up otherwise. */
#include "analyzer/analysis/messages/call_errors.h"

#include <stdlib.h>

#include "analyzer/analysis/keyed_rows.h"
#include "formats/base/order.h"

struct partial {
    const struct mwa_trace *trace;
    struct mwa_index index; /* of rows */
    struct mwa_call_error *rows; /* of one rank each */
};

static struct mwa_key key_of(const void *data)
{
    const struct mwa_call_error *row = data;

    return (struct mwa_key){ (uint64_t)row->rank << 32 | row->error_class,
                             (uint64_t)row->is_fatal << 32 | row->place };
}

static void add(void *to_data, const void *data)
{
    struct mwa_call_error *to = to_data;
    const struct mwa_call_error *row = data;
    const uint64_t count = to->count + row->count;

    if (row->first < to->first) {
        *to = *row;
    }
    to->count = count;
}

static bool is_known(const struct mwa_trace *trace, const void *data)
{
    const struct mwa_call_error *row = data;

    return row->place < trace->site_count &&
           (row->rank < trace->rank_count || row->rank == MWA_NONE);
}

static const struct mwa_keyed_rows rows = { MWA_ROWS_IN_PARTIAL(rows),
                                            .key = key_of,
                                            .add = add,
                                            .is_known = is_known };

/* Of a call that was never left: the error that ended its rank, if there is no other thread. */
static uint32_t fatal_error(const struct mwa_moment *moment)
{
    const struct mwa_trace *trace = moment->trace;
    const uint32_t rank = moment->location->rank;

    return moment->call->outermost && rank < trace->rank_count && trace->ranks[rank].locations == 1
               ? mwa_rank_fatal(&trace->ranks[rank])
               : 0;
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    struct partial *partial = data;
    const struct mwa_call *call = moment->call;
    uint32_t error_class;

    if (!call || call->region->kind == MWA_REGION_USER || call->site == MWA_NONE) {
        return MW_OK;
    }
    error_class = call->open ? fatal_error(moment) : moment->event->of.call.error_class;
    if (error_class == 0) {
        return MW_OK;
    }
    return mwa_rows_add(&rows, partial,
                        &(struct mwa_call_error){
                            .place = moment->trace->sites[call->site].place,
                            .error_class = error_class,
                            .rank = moment->location->rank,
                            .ranks = 1,
                            .is_fatal = call->open,
                            .count = call->repeat,
                            .first = call->open ? call->enter : call->leave });
}

static int by_place(const void *one, const void *other)
{
    const struct mwa_call_error *a = one, *b = other;

    return mw_order(a->place, b->place) ?: mw_order(a->error_class, b->error_class)
               ?: mw_order(a->is_fatal, b->is_fatal) ?: mw_order(a->first, b->first)
               ?: mw_order(a->rank, b->rank);
}

static int by_count(const void *one, const void *other)
{
    const struct mwa_call_error *a = one, *b = other;

    return mw_order(b->is_fatal, a->is_fatal) ?: mw_order(b->count, a->count)
               ?: mw_order(a->first, b->first) ?: by_place(one, other);
}

/* Makes one of rows that stand side by side and differ in their ranks, of which the first stays. */
static void sum_up(struct mwa_call_errors *errors, const struct mwa_call_error *list,
                   uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        struct mwa_call_error *last = &errors->list[errors->count];

        errors->total += list[i].count;
        if (i == 0 || list[i].place != list[i - 1].place ||
            list[i].error_class != list[i - 1].error_class ||
            list[i].is_fatal != list[i - 1].is_fatal) {
            *last = list[i];
            errors->count++;
        } else {
            last[-1].count += list[i].count;
            last[-1].ranks++;
        }
    }
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    const uint64_t count = partial->index.count;
    struct mwa_call_error *list = mwa_rows_copy(&rows, partial);
    struct mwa_call_errors *errors = result;

    *errors = (struct mwa_call_errors){ .list = calloc(count + 1, sizeof *errors->list) };
    if (!list || !errors->list) {
        free(list);
        return MW_ERROR_MEMORY;
    }
    qsort(list, count, sizeof *list, by_place);
    sum_up(errors, list, count);
    qsort(errors->list, errors->count, sizeof *errors->list, by_count);
    free(list);
    return MW_OK;
}

void mwa_call_errors_fini(struct mwa_call_errors *errors)
{
    free(errors->list);
    *errors = (struct mwa_call_errors){ .list = NULL };
}

const struct mwa_analysis mwa_call_errors_analysis = {
    .name = "call errors",
    .kinds = MWA_KIND(MWA_LEAVE),
    .size = sizeof(struct partial),
    .rows = &rows,
    .event = event,
    .finish = finish
};
