/*
 * Ids are dense in one archive and spread in another: keys are mixed before slots
 * are searched one after the other. Removing closes the gap at once, so that no
 * marks of what was removed slow down the search.
 */
#include "analyzer/model/map.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/model/huge_pages.h"

bool mwa_grow_to(void *array, uint64_t *capacity, uint64_t count, size_t size)
{
    void **place = array;
    uint64_t wanted = *capacity ? *capacity * 2 : 4;
    char *grown;

    wanted = wanted < count ? count : wanted;
    mwa_huge_pages_go_on();
    if (wanted > SIZE_MAX / size || !(grown = realloc(*place, wanted * size))) {
        return false;
    }
    memset(grown + *capacity * size, 0, (wanted - *capacity) * size);
    *place = grown;
    *capacity = wanted;
    return true;
}

void mwa_map_fini(struct mwa_map *map)
{
    free(map->slots);
    *map = (struct mwa_map){ 0 };
}

MW_INLINE uint64_t hash_of(struct mwa_key key)
{
    uint64_t mixed = key.low * 0x9e3779b97f4a7c15u ^ key.high * 0xc2b2ae3d27d4eb4fu;

    mixed ^= mixed >> 32;
    mixed *= 0xd6e8feb86659fd93u;
    return mixed ^ mixed >> 29;
}

MW_INLINE bool same_key(struct mwa_key a, struct mwa_key b)
{
    return a.high == b.high && a.low == b.low;
}

/* The slot of key, or the free one where it would go. The map is not empty of slots. */
MW_INLINE uint64_t find_slot(const struct mwa_map *map, struct mwa_key key)
{
    uint64_t at = hash_of(key) & (map->capacity - 1);

    while (map->slots[at].value != MWA_MAP_ABSENT && !same_key(map->slots[at].key, key)) {
        at = (at + 1) & (map->capacity - 1);
    }
    return at;
}

MW_APART bool rehash(struct mwa_map *map)
{
    struct mwa_map bigger = { .capacity = map->capacity ? map->capacity * 2 : 16,
                                .count = map->count };

    bigger.slots = malloc(bigger.capacity * sizeof *bigger.slots);
    if (!bigger.slots) {
        return false;
    }
    memset(bigger.slots, 0xff, bigger.capacity * sizeof *bigger.slots);
    for (uint64_t i = 0; i < map->capacity; i++) {
        if (map->slots[i].value != MWA_MAP_ABSENT) {
            bigger.slots[find_slot(&bigger, map->slots[i].key)] = map->slots[i];
        }
    }
    free(map->slots);
    *map = bigger;
    return true;
}

uint64_t mwa_map_get(const struct mwa_map *map, struct mwa_key key)
{
    return map->capacity ? map->slots[find_slot(map, key)].value : MWA_MAP_ABSENT;
}

uint64_t *mwa_map_put(struct mwa_map *map, struct mwa_key key, uint64_t value)
{
    uint64_t at;

    if (MW_UNLIKELY((map->count + 1) * 10 > map->capacity * 7) && !rehash(map)) {
        return NULL;
    }
    at = find_slot(map, key);
    if (map->slots[at].value == MWA_MAP_ABSENT) {
        map->slots[at] = (struct mwa_map_slot){ key, value };
        map->count++;
    }
    return &map->slots[at].value;
}

uint64_t mwa_map_remove(struct mwa_map *map, struct mwa_key key)
{
    uint64_t mask = map->capacity - 1;
    uint64_t hole, value;

    if (map->capacity == 0) {
        return MWA_MAP_ABSENT;
    }
    hole = find_slot(map, key);
    value = map->slots[hole].value;
    if (value == MWA_MAP_ABSENT) {
        return value;
    }
    /* Move back what could not be where it wanted to because of the removed one. */
    for (uint64_t at = (hole + 1) & mask; map->slots[at].value != MWA_MAP_ABSENT;
         at = (at + 1) & mask) {
        uint64_t home = hash_of(map->slots[at].key) & mask;

        if (((at - home) & mask) >= ((at - hole) & mask)) {
            map->slots[hole] = map->slots[at];
            hole = at;
        }
    }
    map->slots[hole].value = MWA_MAP_ABSENT;
    map->count--;
    return value;
}

uint64_t mwa_index_put(struct mwa_index *index, struct mwa_key key, void *array, size_t size)
{
    uint64_t *place;

    if (!mwa_grow(array, &index->capacity, index->count + 1, size)) {
        return MWA_MAP_ABSENT;
    }
    place = mwa_map_put(&index->positions, key, index->count);
    if (!place) {
        return MWA_MAP_ABSENT;
    }
    index->count += *place == index->count;
    index->last = key;
    index->last_at = *place;
    return *place;
}
