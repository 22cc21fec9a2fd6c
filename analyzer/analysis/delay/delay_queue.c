#include "analyzer/analysis/delay/delay_queue.h"

#include <stdlib.h>

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
    struct place *places; /* a heap */
    uint64_t capacity;
    uint64_t count;
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
    for (uint64_t i = 0; i < queue->count; i++) {
        empty(queue->places[i].item);
    }
    free(queue->places);
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

/* Puts place at the free position at, or above. */
static void rise(struct mwa_delay_queue *queue, uint64_t at, const struct place *place)
{
    for (; at > 0 && is_before(place, &queue->places[(at - 1) / 2]); at = (at - 1) / 2) {
        queue->places[at] = queue->places[(at - 1) / 2];
    }
    queue->places[at] = *place;
}

bool mwa_delay_queue_put(struct mwa_delay_queue *queue, struct mwa_delay_item *item)
{
    const struct place place = { .time = item->time, .key = key_of(item), .item = item };

    if (!mwa_grow(&queue->places, &queue->capacity, queue->count + 1, sizeof *queue->places)) {
        mwa_delay_queue_drop(queue, item);
        return false;
    }
    queue->weight += item->count > 0 ? item->count : 1;
    rise(queue, queue->count++, &place);
    return true;
}

/* Puts place, which was the last one, where the first one was: mostly that is far down, so that
 * it is not compared on the way there. */
static void sift(struct mwa_delay_queue *queue, struct place place)
{
    struct place *places = queue->places;
    uint64_t at = 0;

    for (uint64_t child = 1; child < queue->count; child = 2 * at + 1) {
        child += child + 1 < queue->count && is_before(&places[child + 1], &places[child]);
        places[at] = places[child];
        at = child;
    }
    rise(queue, at, &place);
}

struct mwa_delay_item *mwa_delay_queue_first(struct mwa_delay_queue *queue, bool all)
{
    struct mwa_delay_item *first;

    if (queue->count == 0 || (!all && queue->weight <= queue->length)) {
        return NULL;
    }
    first = queue->places[0].item;
    queue->weight -= first->count > 0 ? first->count : 1;
    if (--queue->count > 0) {
        sift(queue, queue->places[queue->count]);
    }
    return first;
}
