/*
 * Calls and messages come and go with every event: a list of free ones is what
 * makes that cheaper than malloc, and blocks are only freed all together.
 */
#include "analyzer/model/pool.h"

#include <stdlib.h>

#include "analyzer/model/map.h"

#define CHUNK_OBJECTS 64u

void mwa_pool_refill(struct mwa_pool *pool)
{
    char *chunk;

    if (!mwa_grow(&pool->chunks, &pool->chunk_capacity, pool->chunk_count + 1,
                  sizeof *pool->chunks)) {
        return;
    }
    chunk = calloc(CHUNK_OBJECTS, pool->size);
    if (!chunk) {
        return;
    }
    pool->chunks[pool->chunk_count++] = chunk;
    for (unsigned i = CHUNK_OBJECTS; i-- > 0;) {
        mwa_pool_give(pool, chunk + i * pool->size);
    }
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
