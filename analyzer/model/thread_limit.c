/* Who waits is woken by who leaves, and is not asked whose turn it is: each leaves soon. */
#include "analyzer/model/thread_limit.h"

void mwa_thread_limit_init(struct mwa_thread_limit *limit, uint32_t threads)
{
    pthread_mutex_init(&limit->lock, NULL);
    pthread_cond_init(&limit->left, NULL);
    limit->free = threads;
}

void mwa_thread_limit_fini(struct mwa_thread_limit *limit)
{
    pthread_cond_destroy(&limit->left);
    pthread_mutex_destroy(&limit->lock);
}

void mwa_thread_limit_enter(struct mwa_thread_limit *limit)
{
    if (!limit) {
        return;
    }
    pthread_mutex_lock(&limit->lock);
    while (limit->free == 0) {
        pthread_cond_wait(&limit->left, &limit->lock);
    }
    limit->free--;
    pthread_mutex_unlock(&limit->lock);
}

void mwa_thread_limit_leave(struct mwa_thread_limit *limit)
{
    if (!limit) {
        return;
    }
    pthread_mutex_lock(&limit->lock);
    limit->free++;
    pthread_cond_signal(&limit->left);
    pthread_mutex_unlock(&limit->lock);
}
