#ifndef MWA_MODEL_POOL_H
#define MWA_MODEL_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define MWA_CACHE_LINE 64u /* bytes */

/*
 * Objects of one size that come and go by the million, at addresses that stay. All zero but
 * for size is empty. Not thread-safe.
 */
struct mwa_pool {
    size_t size; /* of an object, bytes; at least a pointer's, a multiple of 8 */
    void *free;
    void **chunks;
    uint64_t chunk_count;
    uint64_t chunk_capacity;
};

/* Makes objects to be taken, if there is memory. */
void mwa_pool_refill(struct mwa_pool *pool);

/*
 * Has an object of size bytes on its way to the caches while other things are
 * done. Null: there is none.
 */
static inline void mwa_pool_fetch(const void *object, size_t size)
{
    for (size_t at = 0; object && at < size; at += MWA_CACHE_LINE) {
        __builtin_prefetch((const char *)object + at, 1);
    }
}

/* As below, of a pool whose size is this: where the compiler knows it, that saves a call. */
static inline void *mwa_pool_take_sized(struct mwa_pool *pool, size_t size)
{
    void *object;

    if (!pool->free) {
        mwa_pool_refill(pool);
    }
    object = pool->free;
    if (object) {
        memcpy(&pool->free, object, sizeof pool->free);
        mwa_pool_fetch(pool->free, size);
        memset(object, 0, size);
    }
    return object;
}

/* An object, all zero; null when there is no memory. */
static inline void *mwa_pool_take(struct mwa_pool *pool)
{
    return mwa_pool_take_sized(pool, pool->size);
}

/*
 * Gives an object back; its bytes from offset 8 on stay until it is taken again. Free objects
 * are linked by their first word.
 */
static inline void mwa_pool_give(struct mwa_pool *pool, void *object)
{
    memcpy(object, &pool->free, sizeof pool->free);
    pool->free = object;
}

/* Makes all objects of from, of the same size, pool's, where they are; from is empty then. False
 * without memory: nothing has changed. */
bool mwa_pool_join(struct mwa_pool *pool, struct mwa_pool *from);

void mwa_pool_fini(struct mwa_pool *pool);

/*
 * The object at position *at of all that were ever taken, also those given back, and moves
 * *at on; null at the end. From *at = 0.
 */
void *mwa_pool_next(const struct mwa_pool *pool, uint64_t *at);

#endif
