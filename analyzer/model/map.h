#ifndef MWA_MODEL_MAP_H
#define MWA_MODEL_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/base/status.h"

/*
 * The two containers of the analyzer: an array that grows, and a map from keys of
 * 128 bits to numbers of 64. Not thread-safe.
 */

#define MWA_NONE UINT32_MAX

/* Whether index is of one of count things, or says that there is none. */
static inline bool mwa_is_none_or_below(uint64_t index, uint64_t count)
{
    return index == MWA_NONE || index < count;
}

/* As below, where there is none. */
bool mwa_grow_to(void *array, uint64_t *capacity, uint64_t count, size_t size);

/*
 * Makes room in *array (elements of size bytes, *capacity of them allocated) for at
 * least count elements; new ones are zero. At least doubles.
 *
 * \return true; false when there is no memory, and *array is as it was.
 */
MW_INLINE bool mwa_grow(void *array, uint64_t *capacity, uint64_t count, size_t size)
{
    return MW_LIKELY(count <= *capacity) || mwa_grow_to(array, capacity, count, size);
}

struct mwa_key {
    uint64_t high;
    uint64_t low;
};

struct mwa_map_slot {
    struct mwa_key key;
    uint64_t value; /* UINT64_MAX: a free slot */
};

/* Open addressing, at most 70 % full. All zero is an empty map. */
struct mwa_map {
    struct mwa_map_slot *slots;
    uint64_t capacity; /* a power of two, or 0 */
    uint64_t count;
};

#define MWA_MAP_ABSENT UINT64_MAX

void mwa_map_fini(struct mwa_map *map);

/* The value of key, or MWA_MAP_ABSENT. */
uint64_t mwa_map_get(const struct mwa_map *map, struct mwa_key key);

/*
 * The place of key's value, entered as value if the key is new. The place is good until
 * the next put or remove; nothing may set it to MWA_MAP_ABSENT.
 *
 * \return null when there is no memory.
 */
uint64_t *mwa_map_put(struct mwa_map *map, struct mwa_key key, uint64_t value);

/* Takes key out; its value, or MWA_MAP_ABSENT. */
uint64_t mwa_map_remove(struct mwa_map *map, struct mwa_key key);

/* The index of an array that has an element for each key, at the position at which it is here. All
 * zero is that of an empty one. */
struct mwa_index {
    struct mwa_map positions;
    struct mwa_key last; /* asked for, and where that is: it is often the next, too */
    uint64_t last_at;
    uint64_t capacity; /* of the array */
    uint64_t count;
};

/* As below, without a look at the last one. */
uint64_t mwa_index_put(struct mwa_index *index, struct mwa_key key, void *array, size_t size);

/*
 * The position of key in *array, which is as for mwa_grow; a key that is new gets an element at the
 * end, all zero. MWA_MAP_ABSENT without memory.
 */
static inline uint64_t mwa_index_of(struct mwa_index *index, struct mwa_key key, void *array,
                                    size_t size)
{
    return index->last_at < index->count && index->last.low == key.low &&
                   index->last.high == key.high
               ? index->last_at
               : mwa_index_put(index, key, array, size);
}

static inline void mwa_index_fini(struct mwa_index *index)
{
    mwa_map_fini(&index->positions);
}

#endif
