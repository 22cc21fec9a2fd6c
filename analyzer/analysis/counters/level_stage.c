/*
 * What a location tells of itself comes in the order of time, and so do, mostly, the ends of the
 * messages that it receives: each has a row of its own, and all rows are merged at once, in a
 * tournament in which who is taken out is replaced by the next one of its row. Everything else
 * comes in order for a while at least: such pieces are merged first.
 */
#include "analyzer/analysis/counters/level_stage.h"

#include <stdlib.h>
#include <string.h>

#define LEAST 8192u /* changes that are put in order together, at least */
#define BLOCK 15u   /* changes */

#define NOTHING (~(unsigned __int128)0) /* the key of what is behind all */

struct mwa_level_block {
    struct mwa_level_block *next;
    struct mwa_level_change list[BLOCK];
};

static unsigned __int128 key_of(const struct mwa_level_change *change)
{
    return (unsigned __int128)change->time << 64 | change->order;
}

static bool comes_before(const struct mwa_level_change *one, const struct mwa_level_change *other)
{
    return key_of(one) < key_of(other);
}

bool mwa_level_stage_init(struct mwa_level_stage *stage, uint32_t locations)
{
    const size_t rows = 2 * (size_t)locations;

    *stage = (struct mwa_level_stage){ .row_count = (uint32_t)rows,
                                       .blocks = { .size = sizeof(struct mwa_level_block) },
                                       .most = LEAST };
    stage->rows = calloc(rows + 1, sizeof *stage->rows);
    stage->heads = calloc(rows + 1, sizeof *stage->heads);
    stage->lost = calloc(rows + 1, sizeof *stage->lost);
    return stage->rows && stage->heads && stage->lost;
}

void mwa_level_stage_fini(struct mwa_level_stage *stage)
{
    free(stage->rows);
    free(stage->heads);
    free(stage->lost);
    mwa_pool_fini(&stage->blocks);
    free(stage->loose.list);
    free(stage->added.list);
    free(stage->spare.list);
    *stage = (struct mwa_level_stage){ .frontier = 0 };
}

/* --- rows --------------------------------------------------------------------------------- */

/* Gives row a block for its next change. */
MW_APART bool extend(struct mwa_level_stage *stage, struct mwa_level_row *row)
{
    struct mwa_level_block *block = mwa_pool_take(&stage->blocks);

    if (!block) {
        return false;
    }
    *(row->first ? &row->last->next : &row->first) = block;
    row->last = block;
    row->end = 0;
    return true;
}

/* Puts change, which is not the last one, where it belongs, if that is in the last block. */
MW_APART bool insert(struct mwa_level_row *row, const struct mwa_level_change *change)
{
    struct mwa_level_change *list = row->last->list;
    const uint32_t begin = row->first == row->last ? row->begin : 0;
    uint32_t place = row->end;

    while (place > begin && comes_before(change, &list[place - 1])) {
        place--;
    }
    if (row->end == BLOCK || (place == 0 && row->first != row->last)) {
        return false; /* perhaps it is before what is in other blocks */
    }
    memmove(&list[place + 1], &list[place], (row->end++ - place) * sizeof *list);
    list[place] = *change;
    return true;
}

/* False: it can't be put into row. */
MW_INLINE bool put(struct mwa_level_stage *stage, struct mwa_level_row *row,
                   const struct mwa_level_change *change)
{
    if (row->first && MW_UNLIKELY(comes_before(change, &row->last->list[row->end - 1]))) {
        return insert(row, change);
    }
    if ((!row->first || row->end == BLOCK) && !extend(stage, row)) {
        return false;
    }
    row->last->list[row->end++] = *change;
    return true;
}

/* Takes the first changes out, up to the one at end in their block. */
static void drop(struct mwa_level_stage *stage, struct mwa_level_row *row, uint32_t end)
{
    struct mwa_level_block *block = row->first;

    stage->count -= end - row->begin;
    row->begin = end;
    if (end == (block == row->last ? row->end : BLOCK)) {
        row->first = block->next;
        row->begin = 0;
        mwa_pool_give(&stage->blocks, block);
    }
}

/* --- loose ones ---------------------------------------------------------------------------- */

static bool make_room(struct mwa_level_list *list, uint64_t count)
{
    return mwa_grow(&list->list, &list->capacity, count, sizeof *list->list);
}

static void swap(struct mwa_level_list *one, struct mwa_level_list *other)
{
    const struct mwa_level_list kept = *one;

    *one = *other;
    *other = kept;
}

/* Behind the changes of added from the one at first on that are in order. */
static uint64_t end_of_order(const struct mwa_level_list *added, uint64_t first)
{
    uint64_t end = first + 1;

    while (end < added->count && !comes_before(&added->list[end], &added->list[end - 1])) {
        end++;
    }
    return end;
}

/* Merges what is in order from one on and from other on to the end of into. */
static void merge(const struct mwa_level_change *one, uint64_t one_count,
                  const struct mwa_level_change *other, uint64_t other_count,
                  struct mwa_level_list *into)
{
    while (one_count > 0 && other_count > 0) {
        if (comes_before(other, one)) {
            into->list[into->count++] = *other++;
            other_count--;
        } else {
            into->list[into->count++] = *one++;
            one_count--;
        }
    }
    while (one_count-- > 0) {
        into->list[into->count++] = *one++;
    }
    while (other_count-- > 0) {
        into->list[into->count++] = *other++;
    }
}

/* Puts what was added in order. False without memory. */
static bool put_in_order(struct mwa_level_stage *stage)
{
    struct mwa_level_list *added = &stage->added;

    while (added->count > 1 && end_of_order(added, 0) < added->count) {
        uint64_t middle, end;

        if (!make_room(&stage->spare, added->count)) {
            return false;
        }
        stage->spare.count = 0;
        for (uint64_t first = 0; first < added->count; first = end) {
            middle = end_of_order(added, first);
            end = middle < added->count ? end_of_order(added, middle) : middle;
            merge(&added->list[first], middle - first, &added->list[middle], end - middle,
                  &stage->spare);
        }
        swap(added, &stage->spare);
    }
    return true;
}

/* Puts all loose ones in order. False without memory. */
static bool order_loose(struct mwa_level_stage *stage)
{
    const uint64_t left = stage->loose.count - stage->loose_first;

    if (stage->added.count == 0) {
        return true;
    }
    if (!put_in_order(stage) || !make_room(&stage->spare, left + stage->added.count)) {
        return false;
    }
    stage->spare.count = 0;
    merge(stage->loose.list + stage->loose_first, left, stage->added.list, stage->added.count,
          &stage->spare);
    swap(&stage->loose, &stage->spare);
    stage->loose_first = 0;
    stage->added.count = 0;
    return true;
}

/* --- the tournament -------------------------------------------------------------------------- */

/* What a row is compared by: of what is not before frontier, that it is behind all. */
static unsigned __int128 key_of_row(const struct mwa_level_row *row, uint64_t frontier)
{
    const struct mwa_level_change *change = row->first ? &row->first->list[row->begin] : NULL;

    return change && change->time < frontier ? key_of(change) : NOTHING;
}

/* Lets those play who come together at a match, or below it. Returns the winner. */
static struct mwa_level_head play(struct mwa_level_stage *stage, uint32_t match)
{
    struct mwa_level_head one, other;
    bool is_other;

    if (match >= stage->players) {
        return stage->heads[match - stage->players];
    }
    one = play(stage, 2 * match);
    other = play(stage, 2 * match + 1);
    is_other = other.key < one.key;
    stage->lost[match] = is_other ? one : other;
    return is_other ? other : one;
}

/* Begins with all rows that have something before frontier. */
static struct mwa_level_head begin(struct mwa_level_stage *stage, uint64_t frontier)
{
    stage->players = 0;
    for (uint32_t i = 0; i < stage->row_count; i++) {
        const unsigned __int128 key = key_of_row(&stage->rows[i], frontier);

        if (key < NOTHING) {
            stage->heads[stage->players] =
                (struct mwa_level_head){ .key = key, .row = i, .place = stage->players };
            stage->players++;
        }
    }
    return stage->players > 0 ? play(stage, 1) : (struct mwa_level_head){ .key = NOTHING };
}

/* Goes on with the next one of the winner's row. Returns the next winner. */
static struct mwa_level_head go_on(struct mwa_level_stage *stage, struct mwa_level_head head)
{
    for (uint32_t match = (stage->players + head.place) / 2; match > 0; match /= 2) {
        if (stage->lost[match].key < head.key) {
            const struct mwa_level_head winner = stage->lost[match];

            stage->lost[match] = head;
            head = winner;
        }
    }
    return head;
}

/* --- all together ---------------------------------------------------------------------------- */

MW_APART enum mw_status add_loose(struct mwa_level_stage *stage,
                                  const struct mwa_level_change *change)
{
    if (!make_room(&stage->added, stage->added.count + 1)) {
        return MW_ERROR_MEMORY;
    }
    stage->added.list[stage->added.count++] = *change;
    return MW_OK;
}

MW_APART enum mw_status add_late(struct mwa_level_stage *stage, uint32_t row,
                                 const struct mwa_level_change *change)
{
    struct mwa_level_change late = *change;

    late.time = stage->frontier;
    return mwa_level_stage_add(stage, row, &late);
}

enum mw_status mwa_level_stage_add(struct mwa_level_stage *stage, uint32_t row,
                                   const struct mwa_level_change *change)
{
    if (MW_UNLIKELY(change->time < stage->frontier)) {
        return add_late(stage, row, change);
    }
    stage->count++;
    return row < stage->row_count && put(stage, &stage->rows[row], change)
               ? MW_OK
               : add_loose(stage, change);
}

/* The key of the first loose one. */
static unsigned __int128 key_of_loose(const struct mwa_level_stage *stage, uint64_t frontier)
{
    const struct mwa_level_change *change = &stage->loose.list[stage->loose_first];

    return stage->loose_first < stage->loose.count && change->time < frontier ? key_of(change)
                                                                              : NOTHING;
}

/*
 * Hands the first change of head's row to marks, and of a location's events all of its time, for
 * none of another row comes between, up to the first loose one. head becomes the next winner.
 */
static enum mw_status take_row(struct mwa_level_stage *stage, uint64_t frontier,
                               struct mwa_level_head *head, unsigned __int128 loose,
                               struct mwa_level_marks *marks)
{
    const bool is_of_messages = head->row % 2 == 1;
    struct mwa_level_row *row = &stage->rows[head->row];
    const struct mwa_level_change *list = row->first->list;
    const uint32_t end = row->first == row->last ? row->end : BLOCK;
    const uint64_t time = list[row->begin].time;
    uint32_t at = row->begin;
    enum mw_status status;

    do {
        status = mwa_level_marks_take(marks, &list[at++]);
    } while (status == MW_OK && at < end && !is_of_messages && list[at].time == time &&
             key_of(&list[at]) < loose);
    drop(stage, row, at);
    head->key = key_of_row(row, frontier);
    if (is_of_messages || head->key >> 64 != time) {
        *head = go_on(stage, *head);
    }
    return status;
}

enum mw_status mwa_level_stage_drain(struct mwa_level_stage *stage, uint64_t frontier,
                                     struct mwa_level_marks *marks)
{
    enum mw_status status = order_loose(stage) ? MW_OK : MW_ERROR_MEMORY;
    struct mwa_level_head head = begin(stage, frontier);
    unsigned __int128 loose = key_of_loose(stage, frontier);

    while (status == MW_OK && (head.key < NOTHING || loose < NOTHING)) {
        if (head.key <= loose) {
            status = take_row(stage, frontier, &head, loose, marks);
        } else {
            status = mwa_level_marks_take(marks, &stage->loose.list[stage->loose_first++]);
            stage->count--;
            loose = key_of_loose(stage, frontier);
        }
    }
    stage->most = 2 * stage->count > LEAST ? 2 * stage->count : LEAST;
    stage->frontier = frontier;
    return status;
}
