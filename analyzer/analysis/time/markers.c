#include "analyzer/analysis/time/markers.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/team/packing.h"
#include "analyzer/model/map.h"
#include "formats/base/order.h"

/* Up to twice as many as are wanted, the latest of which are dropped then. */
struct partial {
    const struct mwa_trace *trace;
    struct mwa_markers markers;
    uint64_t capacity;
};

static int by_time(const void *left, const void *right)
{
    const struct mwa_marker *a = left, *b = right;

    return mw_order(a->time, b->time) ?: mw_order(a->location, b->location) ?:
           strcmp(a->text, b->text);
}

static void keep_first(struct mwa_markers *markers)
{
    if (markers->count > 0) {
        qsort(markers->list, markers->count, sizeof *markers->list, by_time);
    }
    markers->count = markers->count < MWA_MARKERS_MAX ? markers->count : MWA_MARKERS_MAX;
}

static enum mw_status add(struct partial *partial, const struct mwa_marker *marker)
{
    struct mwa_markers *markers = &partial->markers;

    if (markers->count == 2 * (uint64_t)MWA_MARKERS_MAX) {
        keep_first(markers);
    }
    if (!mwa_grow(&markers->list, &partial->capacity, markers->count + 1,
                  sizeof *markers->list)) {
        return MW_ERROR_MEMORY;
    }
    markers->list[markers->count++] = *marker;
    return MW_OK;
}

static enum mw_status take(void *user, const struct mwa_moment *moment)
{
    struct partial *partial = user;
    const struct mwa_marker marker = { .time = moment->event->time,
                                       .rank = moment->location->rank,
                                       .location = moment->event->location,
                                       .text = moment->event->of.mark.text };

    partial->markers.total++;
    return add(partial, &marker);
}

static enum mw_status merge(void *into, const void *from)
{
    struct partial *sum = into;
    const struct mwa_markers *added = &((const struct partial *)from)->markers;
    enum mw_status status = MW_OK;

    sum->markers.total += added->total;
    for (uint64_t i = 0; i < added->count && status == MW_OK; i++) {
        status = add(sum, &added->list[i]);
    }
    return status;
}

static void pack(const void *data, struct mw_buffer *to)
{
    const struct partial *partial = data;
    const struct mwa_markers *markers = &partial->markers;

    mw_buffer_u64(to, markers->total);
    mwa_pack_array(to, markers->list, markers->count, sizeof *markers->list);
    mwa_pack_texts(to, partial->trace, markers->list ? &markers->list->text : NULL, markers->count,
                   sizeof *markers->list);
}

static enum mw_status unpack(void *data, const struct mwa_moment *moment, struct mw_cursor *from)
{
    struct partial *partial = data;
    struct mwa_markers *markers = &partial->markers;
    char total[8];
    enum mw_status status;

    if (!mw_cursor_take(from, total, sizeof total)) {
        return MW_ERROR_FORMAT;
    }
    markers->total = mw_get_u64(total);
    status = mwa_unpack_array(from, &markers->list, &markers->count, sizeof *markers->list);
    partial->capacity = markers->count;
    return status == MW_OK ? mwa_unpack_texts(from, partial->trace, &markers->list->text,
                                              markers->count, sizeof *markers->list)
                           : status;
}

static enum mw_status finish(const void *user, void *result)
{
    const struct mwa_markers *from = &((const struct partial *)user)->markers;
    struct mwa_markers *markers = result;

    markers->total = from->total;
    markers->count = 0;
    markers->list = calloc(from->count + 1, sizeof *markers->list);
    if (!markers->list) {
        return MW_ERROR_MEMORY;
    }
    if (from->count > 0) {
        memcpy(markers->list, from->list, from->count * sizeof *markers->list);
    }
    markers->count = from->count;
    keep_first(markers);
    return MW_OK;
}

static void fini(void *data)
{
    struct partial *partial = data;

    mwa_markers_fini(&partial->markers);
}

const struct mwa_analysis mwa_markers_analysis = { .name = "markers",
                                                   .kinds = MWA_KIND(MWA_MARKER),
                                                   .size = sizeof(struct partial),
                                                   .event = take,
                                                   .merge = merge,
                                                   .pack = pack,
                                                   .unpack = unpack,
                                                   .finish = finish,
                                                   .fini = fini };

void mwa_markers_fini(struct mwa_markers *markers)
{
    free(markers->list);
    *markers = (struct mwa_markers){ 0 };
}
