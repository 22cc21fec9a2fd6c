#ifndef MWA_ANALYSIS_DELAY_DELAY_QUEUE_H
#define MWA_ANALYSIS_DELAY_DELAY_QUEUE_H

#include "analyzer/analysis/delay/activity.h"
#include "analyzer/analysis/delay/delay.h"

/*
 * Waits and meetings on their way from the order in which they are found to that of their
 * time, those of the same time by what they are: a queue that is shortened to a bounded length.
 * Not thread-safe.
 */

struct mwa_delay_member {
    uint32_t rank;
    uint64_t enter;
    struct mwa_mark *mark; /* then, null: not known */
};

/* A wait, or a meeting if it has members. Marks are the item's. */
struct mwa_delay_item {
    uint64_t time; /* of a wait its end, of a meeting the last enter */

    bool is_late; /* not all ranks have come as far as its marks */

    struct mwa_delay_wait wait;
    struct mwa_mark *waiter; /* at the wait's begin; null: not known */
    struct mwa_mark *cause;  /* at its end */

    uint32_t comm;
    uint32_t first; /* of the members' ranks the lowest */
    uint32_t count;
    uint64_t of_all; /* 0: some ranks are not there; else which of those of all, as they are told,
                        from 1 */
    uint64_t begin; /* from here on an interval begins with it */
    struct mwa_delay_member *members;
};

struct mwa_delay_queue;

/* Of at most length waits; a member of a meeting counts as one. Null without memory. */
struct mwa_delay_queue *mwa_delay_queue_create(uint64_t length);
void mwa_delay_queue_destroy(struct mwa_delay_queue *queue); /* null is fine */

/* A new item, all zero but for count members; null without memory. Put it, or drop it. */
struct mwa_delay_item *mwa_delay_queue_make(struct mwa_delay_queue *queue, uint32_t count);

/* Puts an item in whose wait, or comm, first and members, and time are set; false without memory,
 * which drops it. */
bool mwa_delay_queue_put(struct mwa_delay_queue *queue, struct mwa_delay_item *item) MW_MUST_CHECK;

/* Takes the first item out if the queue is too long, or anyway if all. MW_OK; MW_END: there is
 * none; MW_ERROR_MEMORY: nothing has changed. */
enum mw_status mwa_delay_queue_first(struct mwa_delay_queue *queue, bool all,
                                     struct mwa_delay_item **first) MW_MUST_CHECK;

/* Frees an item that is not in the queue. */
void mwa_delay_queue_drop(struct mwa_delay_queue *queue, struct mwa_delay_item *item);

#endif
