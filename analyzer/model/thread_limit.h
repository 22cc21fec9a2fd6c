#ifndef MWA_MODEL_THREAD_LIMIT_H
#define MWA_MODEL_THREAD_LIMIT_H

#include <pthread.h>
#include <stdint.h>

/*
 * Threads of which so many work at a time at most, as the user has said (-j): there may be more of
 * them, for each has work of its own kind. A thread enters before it works, and leaves before it
 * waits for another one. Any thread; a limit that is null is none.
 */
struct mwa_thread_limit {
    pthread_mutex_t lock;
    pthread_cond_t left;
    uint32_t free; /* how many more may work */
};

void mwa_thread_limit_init(struct mwa_thread_limit *limit, uint32_t threads);
void mwa_thread_limit_fini(struct mwa_thread_limit *limit); /* nobody works, or waits to */

void mwa_thread_limit_enter(struct mwa_thread_limit *limit);
void mwa_thread_limit_leave(struct mwa_thread_limit *limit);

#endif
