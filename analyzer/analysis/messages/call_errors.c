/* Ranks are told apart until all are there: how many had an error cannot be added up otherwise. */
#include "analyzer/analysis/messages/call_errors.h"

#include <stdlib.h>

#include "analyzer/team/packing.h"
#include "formats/base/order.h"

struct partial {
    const struct mwa_trace *trace;
    struct mwa_index index; /* of rows */
    struct mwa_call_error *rows; /* of one rank each */
};

static void fini(void *data)
{
    struct partial *partial = data;

    mwa_index_fini(&partial->index);
    free(partial->rows);
}

static enum mw_status add(struct partial *partial, const struct mwa_call_error *row)
{
    const struct mwa_key key = { (uint64_t)row->rank << 32 | row->error_class, row->place };
    const uint64_t at = mwa_index_of(&partial->index, key, &partial->rows, sizeof *partial->rows);
    struct mwa_call_error *to;
    uint64_t count;

    if (at == MWA_MAP_ABSENT) {
        return MW_ERROR_MEMORY;
    }
    to = &partial->rows[at];
    count = to->count + row->count;
    if (to->count == 0 || row->first < to->first) {
        *to = *row;
    }
    to->count = count;
    return MW_OK;
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    struct partial *partial = data;
    const struct mwa_call *call = moment->call;

    if (moment->event->of.call.error_class == 0 || !call ||
        call->region->kind == MWA_REGION_USER || call->site == MWA_NONE) {
        return MW_OK;
    }
    return add(partial, &(struct mwa_call_error){
                            .place = moment->trace->sites[call->site].place,
                            .error_class = moment->event->of.call.error_class,
                            .rank = moment->location->rank,
                            .ranks = 1,
                            .count = call->repeat,
                            .first = call->leave });
}

static enum mw_status merge(void *into_data, const void *from_data)
{
    struct partial *into = into_data;
    const struct partial *from = from_data;
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < from->index.count && status == MW_OK; i++) {
        status = add(into, &from->rows[i]);
    }
    return status;
}

static void pack(const void *data, struct mw_buffer *to)
{
    const struct partial *partial = data;

    mwa_pack_array(to, partial->rows, partial->index.count, sizeof *partial->rows);
}

static enum mw_status unpack(void *data, const struct mwa_moment *moment, struct mw_cursor *from)
{
    struct partial *partial = data;

    return mwa_unpack_array(from, &partial->rows, &partial->index.count, sizeof *partial->rows);
}

static int by_place(const void *one, const void *other)
{
    const struct mwa_call_error *a = one, *b = other;

    return mw_order(a->place, b->place) ?: mw_order(a->error_class, b->error_class)
               ?: mw_order(a->first, b->first) ?: mw_order(a->rank, b->rank);
}

static int by_count(const void *one, const void *other)
{
    const struct mwa_call_error *a = one, *b = other;

    return mw_order(b->count, a->count) ?: mw_order(a->first, b->first) ?: by_place(one, other);
}

/* Makes one of rows that stand side by side and differ in their ranks, of which the first stays. */
static void sum_up(struct mwa_call_errors *errors, const struct mwa_call_error *rows,
                   uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        struct mwa_call_error *last = &errors->list[errors->count];

        errors->total += rows[i].count;
        if (i == 0 || rows[i].place != rows[i - 1].place ||
            rows[i].error_class != rows[i - 1].error_class) {
            *last = rows[i];
            errors->count++;
        } else {
            last[-1].count += rows[i].count;
            last[-1].ranks++;
        }
    }
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    const uint64_t count = partial->index.count;
    struct mwa_call_error *rows = calloc(count + 1, sizeof *rows);
    struct mwa_call_errors *errors = result;

    *errors = (struct mwa_call_errors){ .list = calloc(count + 1, sizeof *errors->list) };
    if (!rows || !errors->list) {
        free(rows);
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < count; i++) {
        rows[i] = partial->rows[i];
    }
    qsort(rows, count, sizeof *rows, by_place);
    sum_up(errors, rows, count);
    qsort(errors->list, errors->count, sizeof *errors->list, by_count);
    free(rows);
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
    .event = event,
    .merge = merge,
    .pack = pack,
    .unpack = unpack,
    .finish = finish,
    .fini = fini
};
