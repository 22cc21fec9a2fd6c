/*
 * Changes of a location come in the order of time, many in a row, and what is left of the last time
 * is in order: such rows are merged, which takes a fraction of what sorting takes.
 */
#include "analyzer/analysis/counters/level_stage.h"

#include <stdlib.h>

#define LEAST 8192u /* changes that are put in order together, at least */

static bool comes_before(const struct mwa_level_change *one, const struct mwa_level_change *other)
{
    return one->time != other->time ? one->time < other->time : one->order < other->order;
}

static bool make_room(struct mwa_level_row *row, uint64_t count)
{
    return mwa_grow(&row->list, &row->capacity, count, sizeof *row->list);
}

static void swap(struct mwa_level_row *one, struct mwa_level_row *other)
{
    const struct mwa_level_row kept = *one;

    *one = *other;
    *other = kept;
}

/* Behind the changes of row from the one at first on that are in order. */
static uint64_t end_of_order(const struct mwa_level_row *row, uint64_t first)
{
    uint64_t end = first + 1;

    while (end < row->count && !comes_before(&row->list[end], &row->list[end - 1])) {
        end++;
    }
    return end;
}

/* Merges what is in order from first to middle, and from there to end, to the end of into. */
static void merge(const struct mwa_level_row *row, uint64_t first, uint64_t middle, uint64_t end,
                  struct mwa_level_row *into)
{
    const struct mwa_level_change *list = row->list;
    uint64_t other = middle;

    while (first < middle && other < end) {
        into->list[into->count++] =
            comes_before(&list[other], &list[first]) ? list[other++] : list[first++];
    }
    while (first < middle) {
        into->list[into->count++] = list[first++];
    }
    while (other < end) {
        into->list[into->count++] = list[other++];
    }
}

/* Puts what was added in order. False without memory. */
static bool put_in_order(struct mwa_level_stage *stage)
{
    struct mwa_level_row *added = &stage->added;

    while (added->count > 1 && end_of_order(added, 0) < added->count) {
        uint64_t middle, end;

        if (!make_room(&stage->spare, added->count)) {
            return false;
        }
        stage->spare.count = 0;
        for (uint64_t first = 0; first < added->count; first = end) {
            middle = end_of_order(added, first);
            end = middle < added->count ? end_of_order(added, middle) : middle;
            merge(added, first, middle, end, &stage->spare);
        }
        swap(added, &stage->spare);
    }
    return true;
}

/* The next change of those that wait from *waiting on and those that were added from *added on;
 * null: there are no more. */
static const struct mwa_level_change *next_of(const struct mwa_level_stage *stage,
                                              uint64_t *waiting, uint64_t *added)
{
    const bool has_waiting = *waiting < stage->waiting.count;
    const bool has_added = *added < stage->added.count;

    if (has_waiting && (!has_added || !comes_before(&stage->added.list[*added],
                                                    &stage->waiting.list[*waiting]))) {
        return &stage->waiting.list[(*waiting)++];
    }
    return has_added ? &stage->added.list[(*added)++] : NULL;
}

bool mwa_level_stage_is_full(const struct mwa_level_stage *stage)
{
    return stage->added.count >= stage->waiting.count &&
           stage->added.count + stage->waiting.count >= LEAST;
}

enum mw_status mwa_level_stage_add(struct mwa_level_stage *stage,
                                   const struct mwa_level_change *change)
{
    struct mwa_level_change *added;

    if (!make_room(&stage->added, stage->added.count + 1)) {
        return MW_ERROR_MEMORY;
    }
    added = &stage->added.list[stage->added.count++];
    *added = *change;
    added->time = added->time > stage->frontier ? added->time : stage->frontier;
    return MW_OK;
}

enum mw_status mwa_level_stage_drain(struct mwa_level_stage *stage, uint64_t frontier,
                                     struct mwa_level_marks *marks)
{
    const struct mwa_level_change *change;
    uint64_t waiting = 0, added = 0;
    enum mw_status status = MW_OK;

    if (!put_in_order(stage) ||
        !make_room(&stage->spare, stage->waiting.count + stage->added.count)) {
        return MW_ERROR_MEMORY;
    }
    stage->spare.count = 0;
    while (status == MW_OK && (change = next_of(stage, &waiting, &added))) {
        if (change->time < frontier) {
            status = mwa_level_marks_take(marks, change);
        } else {
            stage->spare.list[stage->spare.count++] = *change;
        }
    }
    swap(&stage->waiting, &stage->spare);
    stage->added.count = 0;
    stage->frontier = frontier;
    return status;
}

void mwa_level_stage_fini(struct mwa_level_stage *stage)
{
    free(stage->waiting.list);
    free(stage->added.list);
    free(stage->spare.list);
    *stage = (struct mwa_level_stage){ .frontier = 0 };
}
