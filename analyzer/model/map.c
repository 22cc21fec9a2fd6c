#include "analyzer/model/map.h"

#include <stdlib.h>
#include <string.h>

bool mwa_grow(void *array, uint64_t *capacity, uint64_t count, size_t size)
{
    void **place = array;
    uint64_t wanted = *capacity ? *capacity * 2 : 16;
    char *grown;

    if (count <= *capacity) {
        return true;
    }
    wanted = wanted < count ? count : wanted;
    if (wanted > SIZE_MAX / size || !(grown = realloc(*place, wanted * size))) {
        return false;
    }
    memset(grown + *capacity * size, 0, (wanted - *capacity) * size);
    *place = grown;
    *capacity = wanted;
    return true;
}

void mwa_table_fini(struct mwa_table *table)
{
    free(table->slots);
    *table = (struct mwa_table){ 0 };
}

static uint64_t hash_of(struct mwa_key key)
{
    uint64_t mixed = key.low * 0x9e3779b97f4a7c15u ^ key.high * 0xc2b2ae3d27d4eb4fu;

    mixed ^= mixed >> 32;
    mixed *= 0xd6e8feb86659fd93u;
    return mixed ^ mixed >> 29;
}

static bool same_key(struct mwa_key a, struct mwa_key b)
{
    return a.high == b.high && a.low == b.low;
}

/* The slot of key, or the free one where it would go. The table is not empty of slots. */
static uint64_t find_slot(const struct mwa_table *table, struct mwa_key key)
{
    uint64_t at = hash_of(key) & (table->capacity - 1);

    while (table->slots[at].value != MWA_TABLE_ABSENT && !same_key(table->slots[at].key, key)) {
        at = (at + 1) & (table->capacity - 1);
    }
    return at;
}

static bool rehash(struct mwa_table *table)
{
    struct mwa_table bigger = { .capacity = table->capacity ? table->capacity * 2 : 16,
                                .count = table->count };

    bigger.slots = malloc(bigger.capacity * sizeof *bigger.slots);
    if (!bigger.slots) {
        return false;
    }
    memset(bigger.slots, 0xff, bigger.capacity * sizeof *bigger.slots);
    for (uint64_t i = 0; i < table->capacity; i++) {
        if (table->slots[i].value != MWA_TABLE_ABSENT) {
            bigger.slots[find_slot(&bigger, table->slots[i].key)] = table->slots[i];
        }
    }
    free(table->slots);
    *table = bigger;
    return true;
}

uint64_t mwa_table_get(const struct mwa_table *table, struct mwa_key key)
{
    return table->capacity ? table->slots[find_slot(table, key)].value : MWA_TABLE_ABSENT;
}

uint64_t *mwa_table_put(struct mwa_table *table, struct mwa_key key, uint64_t value)
{
    uint64_t at;

    if ((table->count + 1) * 10 > table->capacity * 7 && !rehash(table)) {
        return NULL;
    }
    at = find_slot(table, key);
    if (table->slots[at].value == MWA_TABLE_ABSENT) {
        table->slots[at] = (struct mwa_table_slot){ key, value };
        table->count++;
    }
    return &table->slots[at].value;
}

uint64_t mwa_table_element(struct mwa_table *index, struct mwa_key key, void *array,
                           uint64_t *capacity, uint64_t *count, size_t size)
{
    uint64_t *place;

    if (!mwa_grow(array, capacity, *count + 1, size)) {
        return MWA_TABLE_ABSENT;
    }
    place = mwa_table_put(index, key, *count);
    if (!place) {
        return MWA_TABLE_ABSENT;
    }
    *count += *place == *count;
    return *place;
}

uint64_t mwa_table_remove(struct mwa_table *table, struct mwa_key key)
{
    uint64_t mask = table->capacity - 1;
    uint64_t hole, value;

    if (table->capacity == 0) {
        return MWA_TABLE_ABSENT;
    }
    hole = find_slot(table, key);
    value = table->slots[hole].value;
    if (value == MWA_TABLE_ABSENT) {
        return value;
    }
    /* Move back what could not be where it wanted to because of the removed one. */
    for (uint64_t at = (hole + 1) & mask; table->slots[at].value != MWA_TABLE_ABSENT;
         at = (at + 1) & mask) {
        uint64_t home = hash_of(table->slots[at].key) & mask;

        if (((at - home) & mask) >= ((at - hole) & mask)) {
            table->slots[hole] = table->slots[at];
            hole = at;
        }
    }
    table->slots[hole].value = MWA_TABLE_ABSENT;
    table->count--;
    return value;
}
