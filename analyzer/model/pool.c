/*
 * Calls and messages come and go with every event: a list of free ones is what
 * makes that cheaper than malloc, and blocks are only freed all together.
 */
#include "analyzer/model/pool.h"

#include <stdlib.h>

#include "analyzer/model/huge_pages.h"
#include "analyzer/model/map.h"

#define CHUNK_OBJECTS 64u

void mwa_pool_refill(struct mwa_pool *pool)
{
    char *chunk;

    if (!mwa_grow(&pool->chunks, &pool->chunk_capacity, pool->chunk_count + 1,
                  sizeof *pool->chunks)) {
        return;
    }
    mwa_huge_pages_go_on();
    chunk = calloc(CHUNK_OBJECTS, pool->size);
    if (!chunk) {
        return;
    }
    pool->chunks[pool->chunk_count++] = chunk;
    for (unsigned i = CHUNK_OBJECTS; i-- > 0;) {
        mwa_pool_give(pool, chunk + i * pool->size);
    }
}

bool mwa_pool_join(struct mwa_pool *pool, struct mwa_pool *from)
{
    void *last = from->free;
    void *next;

    if (from->chunk_count == 0) {
        return true;
    }
    if (!mwa_grow(&pool->chunks, &pool->chunk_capacity, pool->chunk_count + from->chunk_count,
                  sizeof *pool->chunks)) {
        return false;
    }
    memcpy(pool->chunks + pool->chunk_count, from->chunks,
           from->chunk_count * sizeof *from->chunks);
    pool->chunk_count += from->chunk_count;
    from->chunk_count = 0;
    if (last) { /* the free ones of both are one list */
        for (memcpy(&next, last, sizeof next); next; memcpy(&next, last, sizeof next)) {
            last = next;
        }
        memcpy(last, &pool->free, sizeof pool->free);
        pool->free = from->free;
    }
    mwa_pool_fini(from);
    return true;
}

void mwa_pool_fini(struct mwa_pool *pool)
{
    for (uint64_t i = 0; i < pool->chunk_count; i++) {
        free(pool->chunks[i]);
    }
    free(pool->chunks);
    *pool = (struct mwa_pool){ .size = pool->size };
}

void *mwa_pool_next(const struct mwa_pool *pool, uint64_t *at)
{
    uint64_t index = (*at)++;

    return index < pool->chunk_count * CHUNK_OBJECTS
               ? (char *)pool->chunks[index / CHUNK_OBJECTS] + index % CHUNK_OBJECTS * pool->size
               : NULL;
}
