/*
 * The bounded queue of D. Vyukov: each slot has the number of the turn that may use it next. A
 * putter that is interrupted between taking its turn and filling the slot keeps back those behind
 * it until it goes on, and nobody waits for it.
 */
#include "recorder/variables/mpit_queue.h"

#include <stdlib.h>

bool mwr_mpit_queue_init(struct mwr_mpit_queue *queue)
{
    queue->slots = calloc(MWR_MPIT_QUEUE_MAX, sizeof *queue->slots);
    for (uint64_t i = 0; queue->slots && i < MWR_MPIT_QUEUE_MAX; i++) {
        queue->slots[i].turn = i;
    }
    return queue->slots != NULL;
}

static struct mwr_mpit_slot *slot_of(const struct mwr_mpit_queue *queue, uint64_t turn)
{
    return &queue->slots[turn & (MWR_MPIT_QUEUE_MAX - 1)];
}

bool mwr_mpit_queue_put(struct mwr_mpit_queue *queue, const struct mwr_mpit_told *told)
{
    uint64_t turn = __atomic_load_n(&queue->head, __ATOMIC_RELAXED);
    struct mwr_mpit_slot *slot;

    for (;;) {
        uint64_t next;

        slot = slot_of(queue, turn);
        next = __atomic_load_n(&slot->turn, __ATOMIC_ACQUIRE);
        if (next < turn) {
            return false; /* of the round before: nobody has taken it yet */
        }
        if (next > turn) {
            turn = __atomic_load_n(&queue->head, __ATOMIC_RELAXED);
        } else if (__atomic_compare_exchange_n(&queue->head, &turn, turn + 1, true,
                                               __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            break;
        }
    }
    slot->told = *told;
    __atomic_store_n(&slot->turn, turn + 1, __ATOMIC_RELEASE);
    return true;
}

bool mwr_mpit_queue_take(struct mwr_mpit_queue *queue, struct mwr_mpit_told *told)
{
    struct mwr_mpit_slot *slot = slot_of(queue, queue->tail);

    if (__atomic_load_n(&slot->turn, __ATOMIC_ACQUIRE) != queue->tail + 1) {
        return false;
    }
    *told = slot->told;
    __atomic_store_n(&slot->turn, queue->tail + MWR_MPIT_QUEUE_MAX, __ATOMIC_RELEASE);
    queue->tail++;
    return true;
}
