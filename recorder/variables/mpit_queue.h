#ifndef MWR_VARIABLES_MPIT_QUEUE_H
#define MWR_VARIABLES_MPIT_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A queue of fixed size for what the MPI's callbacks tell. Who puts takes no lock, and may be
 * interrupted at any moment by another one that does so, in a signal handler or another thread.
 * One takes at a time.
 */

#define MWR_MPIT_VALUES_MAX 8u  /* elements of an event that are kept */
#define MWR_MPIT_QUEUE_MAX 4096u /* a power of two */

struct mwr_mpit_told {
    uint32_t event; /* index of whose event it is */
    uint64_t time;  /* ticks */
    uint64_t values[MWR_MPIT_VALUES_MAX];
};

struct mwr_mpit_slot {
    uint64_t turn; /* by atomics: of whom it is the slot next */
    struct mwr_mpit_told told;
};

struct mwr_mpit_queue {
    struct mwr_mpit_slot *slots; /* MWR_MPIT_QUEUE_MAX of them */
    uint64_t head;               /* by atomics: the turn of who puts next */
    uint64_t tail;               /* the turn of who takes next */
};

/* \return false: no memory. It is never freed, since nobody knows when the last callback comes. */
bool mwr_mpit_queue_init(struct mwr_mpit_queue *queue);

/* Async-signal-safe. \return false: the queue is full. */
bool mwr_mpit_queue_put(struct mwr_mpit_queue *queue, const struct mwr_mpit_told *told);

/* \return false: there is nothing, or it is being put just now. */
bool mwr_mpit_queue_take(struct mwr_mpit_queue *queue, struct mwr_mpit_told *told);

#endif
