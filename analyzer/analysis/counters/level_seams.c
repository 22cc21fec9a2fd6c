/* What is put aside is little, as ranks come to a lull at about the same time, so that it is sorted
 * where it is needed. */
#include "analyzer/analysis/counters/level_seams.h"

#include <stdlib.h>

#include "analyzer/team/packing.h"
#include "formats/base/order.h"

/* When main threads enter the calls that they go on with behind a lull. */
struct entered {
    uint64_t first, last;
};

static struct entered entered_at(const struct mwa_trace *trace,
                                 const struct mwa_reading_start *start)
{
    struct entered entered = { UINT64_MAX, 0 };

    for (uint32_t i = 0; i < start->location_count; i++) {
        const uint64_t enter = start->locations[i].first.enter;

        if (start->locations[i].is_there && mwa_is_main_thread(trace, i)) {
            entered.first = enter < entered.first ? enter : entered.first;
            entered.last = enter > entered.last ? enter : entered.last;
        }
    }
    return entered;
}

void mwa_level_seams_init(struct mwa_level_seams *seams, const struct mwa_trace *trace,
                          const struct mwa_reading_start *start,
                          const struct mwa_reading_start *next)
{
    *seams = (struct mwa_level_seams){ .end = UINT64_MAX };
    if (start && start->is_lull) {
        seams->begin = entered_at(trace, start).last + 1;
    }
    if (next && next->is_lull) {
        seams->end = entered_at(trace, next).first;
    }
}

void mwa_level_seams_fini(struct mwa_level_seams *seams)
{
    free(seams->list);
}

enum mw_status mwa_level_seams_add(struct mwa_level_seams *seams,
                                   const struct mwa_level_change *change)
{
    seams->are_many |= seams->count >= MWA_LEVEL_SEAM_MOST;
    if (seams->are_many) {
        return MW_OK;
    }
    if (!mwa_grow(&seams->list, &seams->capacity, seams->count + 1, sizeof *seams->list)) {
        return MW_ERROR_MEMORY;
    }
    seams->list[seams->count++] = *change;
    return MW_OK;
}

/* --- put together ----------------------------------------------------------------------------- */

/* Of several of the same time and order the one that came first. */
static int by_time(const void *one, const void *other)
{
    const struct mwa_level_change *a = *(const struct mwa_level_change *const *)one;
    const struct mwa_level_change *b = *(const struct mwa_level_change *const *)other;

    return mw_order(a->time, b->time) ?: mw_order(a->order, b->order) ?:
           mw_order((uintptr_t)a, (uintptr_t)b);
}

/* Adds those of the later chapter, as the run has them. */
static enum mw_status add_later(struct mwa_level_seams *seams, struct mwa_level_marks *marks,
                                const struct mwa_level_seams *later,
                                const struct mwa_level_marks *later_marks, const uint64_t *sent)
{
    if (!mwa_grow(&seams->list, &seams->capacity, seams->count + later->count,
                  sizeof *seams->list)) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < later->count; i++) {
        const struct mwa_level_series *series = &later_marks->series[later->list[i].series];
        struct mwa_level_change change = later->list[i];

        change.series = mwa_level_marks_series(marks, series->kind, series->rank, series->comm);
        if (change.series == MWA_NONE) {
            return MW_ERROR_MEMORY;
        }
        if (change.order & MWA_LEVEL_OF_MESSAGE) {
            change.order += sent[(change.order & ~MWA_LEVEL_OF_MESSAGE) >> MWA_MESSAGE_RANK_BITS];
        }
        seams->list[seams->count++] = change;
    }
    return MW_OK;
}

/* Has marks take all that were put aside before end, and keeps the others. */
static enum mw_status take_before(struct mwa_level_seams *seams, struct mwa_level_marks *marks,
                                  uint64_t end)
{
    const struct mwa_level_change **sorted = calloc(seams->count + 1, sizeof(void *));
    uint64_t count = 0, kept = 0;
    enum mw_status status = sorted ? MW_OK : MW_ERROR_MEMORY;

    for (uint64_t i = 0; sorted && i < seams->count; i++) {
        if (seams->list[i].time < end) {
            sorted[count++] = &seams->list[i];
        }
    }
    if (count > 0) {
        qsort(sorted, count, sizeof(void *), by_time);
    }
    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        status = mwa_level_marks_take(marks, sorted[i]);
    }
    for (uint64_t i = 0; i < seams->count; i++) {
        if (seams->list[i].time >= end) {
            seams->list[kept++] = seams->list[i];
        }
    }
    seams->count = kept;
    free(sorted);
    return status;
}

enum mw_status mwa_level_seams_go_on(struct mwa_level_seams *seams, struct mwa_level_marks *marks,
                                     const struct mwa_level_seams *later,
                                     const struct mwa_level_marks *later_marks,
                                     const uint64_t *sent)
{
    enum mw_status status = add_later(seams, marks, later, later_marks, sent);

    if (status == MW_OK) {
        status = take_before(seams, marks, later->end);
    }
    seams->end = later->end;
    return status == MW_OK ? mwa_level_marks_go_on(marks, later_marks) : status;
}

/* --- for another process ---------------------------------------------------------------------- */

void mwa_level_seams_pack(const struct mwa_level_seams *seams, struct mw_buffer *to)
{
    mw_buffer_u64(to, seams->end);
    mwa_pack_array(to, seams->list, seams->count, sizeof *seams->list);
}

static bool is_sound(const struct mwa_level_change *change, const struct mwa_level_marks *marks)
{
    const uint64_t rank = (change->order & ~MWA_LEVEL_OF_MESSAGE) >> MWA_MESSAGE_RANK_BITS;

    return change->series < marks->series_count &&
           mwa_is_none_or_below(change->call, marks->trace->region_count) &&
           (!(change->order & MWA_LEVEL_OF_MESSAGE) || rank < marks->trace->rank_count);
}

enum mw_status mwa_level_seams_unpack(struct mwa_level_seams *seams,
                                      const struct mwa_level_marks *marks, struct mw_cursor *from)
{
    char end[sizeof(uint64_t)];
    enum mw_status status;

    if (!mw_cursor_take(from, end, sizeof end)) {
        return MW_ERROR_FORMAT;
    }
    seams->end = mw_get_u64(end);
    status = mwa_unpack_array(from, &seams->list, &seams->count, sizeof *seams->list);
    seams->capacity = seams->count;
    for (uint64_t i = 0; i < seams->count && status == MW_OK; i++) {
        status = is_sound(&seams->list[i], marks) ? MW_OK : MW_ERROR_FORMAT;
    }
    return status;
}
