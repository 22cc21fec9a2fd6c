#ifndef MWA_MODEL_THREAD_LIMIT_H
#define MWA_MODEL_THREAD_LIMIT_H

#include <semaphore.h>
#include <stdint.h>

/*
 * Threads of which so many work at a time at most, as the user has said (-j): there may be more of
 * them, for each has work of its own kind. A thread enters before it works, and leaves before it
 * waits for another one. Any thread; a limit that is null is none.
 */
struct mwa_thread_limit {
    sem_t free; /* how many more may work */
};

static inline void mwa_thread_limit_init(struct mwa_thread_limit *limit, uint32_t threads)
{
    (void)sem_init(&limit->free, 0, threads); /* which fails for more than INT_MAX */
}

/* Nobody works, or waits to. */
static inline void mwa_thread_limit_fini(struct mwa_thread_limit *limit)
{
    (void)sem_destroy(&limit->free);
}

static inline void mwa_thread_limit_enter(struct mwa_thread_limit *limit)
{
    while (limit && sem_wait(&limit->free) != 0) {
        /* a signal came */
    }
}

static inline void mwa_thread_limit_leave(struct mwa_thread_limit *limit)
{
    if (limit) {
        (void)sem_post(&limit->free);
    }
}

#endif
