/*
 * Waits and meetings are found nearly in the order of their time: of 64 ranks in step one of 67
 * comes before the one that was put before it, of 1,000 one of 1,120. So what is put is runs, and
 * these are merged when something is taken out, where a heap costs each the logarithm of all.
 */
#include "analyzer/analysis/delay/delay_queue.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/model/pool.h"
#include "formats/base/order.h"

/* An item with what it is compared by: looking at the items themselves misses the caches. */
struct place {
    uint64_t time;
    uint64_t key;
    struct mwa_delay_item *item;
};

struct mwa_delay_queue {
    struct mwa_pool pool;
    struct place *places; /* those from first up to end: runs, each in order */
    uint64_t capacity;
    uint64_t first;
    uint64_t end;
    uint64_t *runs; /* where the second run begins, and all further ones */
    uint64_t run_capacity;
    uint64_t run_count; /* of these */
    struct place *aside; /* room to merge in */
    uint64_t aside_capacity;
    uint64_t length;
    uint64_t weight; /* of all items */
};

struct mwa_delay_queue *mwa_delay_queue_create(uint64_t length)
{
    struct mwa_delay_queue *queue = calloc(1, sizeof *queue);

    if (queue) {
        queue->pool.size = sizeof(struct mwa_delay_item);
        queue->length = length;
    }
    return queue;
}

static void empty(struct mwa_delay_item *item)
{
    mwa_mark_drop(item->waiter);
    mwa_mark_drop(item->cause);
    for (uint32_t i = 0; i < item->count; i++) {
        mwa_mark_drop(item->members[i].mark);
    }
    free(item->members);
}

void mwa_delay_queue_destroy(struct mwa_delay_queue *queue)
{
    if (!queue) {
        return;
    }
    for (uint64_t i = queue->first; i < queue->end; i++) {
        empty(queue->places[i].item);
    }
    free(queue->places);
    free(queue->runs);
    free(queue->aside);
    mwa_pool_fini(&queue->pool);
    free(queue);
}

void mwa_delay_queue_drop(struct mwa_delay_queue *queue, struct mwa_delay_item *item)
{
    empty(item);
    mwa_pool_give(&queue->pool, item);
}

/* Of those that are of the same ranks and time: threads may wait for the same one, and what they
 * are told of then is of one of them only; ranks may meet twice and take no time for it. */
static int order_of_same(const struct mwa_delay_item *one, const struct mwa_delay_item *other)
{
    return mw_order(one->wait.time, other->wait.time)
               ?: mw_order(one->wait.location, other->wait.location)
               ?: mw_order(one->wait.cause_site, other->wait.cause_site)
               ?: mw_order(one->wait.selected, other->wait.selected)
               ?: mw_order(one->comm, other->comm)
               ?: mw_order(one->first, other->first)
               ?: mw_order(one->begin, other->begin)
               ?: mw_order(one->of_all, other->of_all);
}

/* Whichever comes first is as likely: a branch would be a guess, so that both are compared. */
static inline bool is_before(const struct place *one, const struct place *other)
{
    if (MW_UNLIKELY((one->time == other->time) & (one->key == other->key))) {
        return order_of_same(one->item, other->item) < 0;
    }
    return (one->time < other->time) | ((one->time == other->time) & (one->key < other->key));
}

/* Of meetings at the same time the first is the one for which ranks had to come earlier. */
static uint64_t key_of_meeting(const struct mwa_delay_item *item)
{
    const uint64_t most = UINT64_MAX >> 1;
    uint64_t earlier = 0;

    for (uint32_t i = 0; i < item->count; i++) {
        const uint64_t by = item->time - item->members[i].enter;

        earlier = by < most - earlier ? earlier + by : most;
    }
    return most - earlier;
}

/* Waits come before meetings that end at the same time, which are that of these waits. */
static uint64_t key_of(const struct mwa_delay_item *item)
{
    return item->count > 0 ? UINT64_C(1) << 63 | key_of_meeting(item)
                           : (uint64_t)item->wait.rank << 32 | item->wait.cause;
}

struct mwa_delay_item *mwa_delay_queue_make(struct mwa_delay_queue *queue, uint32_t count)
{
    struct mwa_delay_item *item = mwa_pool_take_sized(&queue->pool, sizeof *item);

    if (item && count > 0) {
        item->members = calloc(count, sizeof *item->members);
        item->count = item->members ? count : 0;
    }
    if (item && count > 0 && !item->members) {
        mwa_pool_give(&queue->pool, item);
        return NULL;
    }
    return item;
}

bool mwa_delay_queue_put(struct mwa_delay_queue *queue, struct mwa_delay_item *item)
{
    const struct place place = { .time = item->time, .key = key_of(item), .item = item };
    const bool begins_run =
        queue->end > queue->first && is_before(&place, &queue->places[queue->end - 1]);

    if (!mwa_grow(&queue->places, &queue->capacity, queue->end + 1, sizeof *queue->places) ||
        (begins_run && !mwa_grow(&queue->runs, &queue->run_capacity, queue->run_count + 1,
                                 sizeof *queue->runs))) {
        mwa_delay_queue_drop(queue, item);
        return false;
    }
    if (begins_run) {
        queue->runs[queue->run_count++] = queue->end;
    }
    queue->weight += item->count > 0 ? item->count : 1;
    queue->places[queue->end++] = place;
    return true;
}

/* --- what comes first --------------------------------------------------------------------- */

/* Makes one run of that from low up to middle, and the one behind it, up to high. From behind: of
 * a long one only those are moved that come after the first of the other. False without memory. */
static bool merge(struct mwa_delay_queue *queue, uint64_t low, uint64_t middle, uint64_t high)
{
    struct place *places = queue->places;
    uint64_t left = middle;
    uint64_t right = high - middle;

    if (!mwa_grow(&queue->aside, &queue->aside_capacity, right, sizeof *queue->aside)) {
        return false;
    }
    memcpy(queue->aside, places + middle, right * sizeof *places);
    while (right > 0) {
        if (left > low && is_before(&queue->aside[right - 1], &places[left - 1])) {
            places[left + right - 1] = places[left - 1];
            left--;
        } else {
            places[left + right - 1] = queue->aside[right - 1];
            right--;
        }
    }
    return true;
}

/* Where a run of those behind the first one begins; behind the last one: where that ends. */
static uint64_t begin_of(const struct mwa_delay_queue *queue, uint64_t run)
{
    return run < queue->run_count ? queue->runs[run] : queue->end;
}

/* Makes one run of all: of those behind the first two and two of like length, and of these and the
 * first, which may be much longer, at last. False without memory. */
static bool merge_all(struct mwa_delay_queue *queue)
{
    for (uint64_t width = 1; width < queue->run_count; width *= 2) {
        for (uint64_t i = 0; i + width < queue->run_count; i += 2 * width) {
            if (!merge(queue, begin_of(queue, i), begin_of(queue, i + width),
                       begin_of(queue, i + 2 * width))) {
                return false;
            }
        }
    }
    if (queue->run_count > 0 && !merge(queue, queue->first, queue->runs[0], queue->end)) {
        return false;
    }
    queue->run_count = 0;
    return true;
}

/* Moves what is there to where others were before, if these were more. */
static void move_up(struct mwa_delay_queue *queue)
{
    const uint64_t count = queue->end - queue->first;

    if (queue->first > count) {
        memcpy(queue->places, queue->places + queue->first, count * sizeof *queue->places);
        queue->first = 0;
        queue->end = count;
    }
}

enum mw_status mwa_delay_queue_first(struct mwa_delay_queue *queue, bool all,
                                     struct mwa_delay_item **first)
{
    if (queue->first == queue->end || (!all && queue->weight <= queue->length)) {
        return MW_END;
    }
    if (queue->run_count > 0 && !merge_all(queue)) {
        return MW_ERROR_MEMORY;
    }
    *first = queue->places[queue->first++].item;
    queue->weight -= (*first)->count > 0 ? (*first)->count : 1;
    move_up(queue);
    return MW_OK;
}
