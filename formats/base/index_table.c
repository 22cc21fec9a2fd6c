#include "formats/base/index_table.h"

#include <stdlib.h>
#include <string.h>

/* Spreads hashes whose entropy is in the high bits, as those of short keys. */
static uint64_t mixed(uint64_t hash)
{
    hash ^= hash >> 32;
    hash *= 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static uint32_t first_slot(const struct mw_index_table *table, uint64_t hash)
{
    return (uint32_t)mixed(hash) & (table->room - 1);
}

uint32_t mw_index_find(const struct mw_index_table *table, uint64_t hash, mw_index_equal *equal,
                       const void *context, const void *key)
{
    if (table->room == 0) {
        return MW_INDEX_NONE;
    }
    for (uint32_t at = first_slot(table, hash);; at = (at + 1) & (table->room - 1)) {
        const struct mw_index_slot *slot = &table->slots[at];

        if (slot->index == MW_INDEX_NONE) {
            return MW_INDEX_NONE;
        }
        if (slot->hash == hash && equal(context, slot->index, key)) {
            return slot->index;
        }
    }
}

static void place(struct mw_index_table *table, uint64_t hash, uint32_t index)
{
    uint32_t at = first_slot(table, hash);

    while (table->slots[at].index != MW_INDEX_NONE) {
        at = (at + 1) & (table->room - 1);
    }
    table->slots[at] = (struct mw_index_slot){hash, index};
    table->count++;
}

static bool enlarge(struct mw_index_table *table)
{
    struct mw_index_table larger = {.room = table->room > 0 ? 2 * table->room : 64};

    larger.slots = malloc(larger.room * sizeof *larger.slots);
    if (!larger.slots) {
        return false;
    }
    for (uint32_t i = 0; i < larger.room; i++) {
        larger.slots[i].index = MW_INDEX_NONE;
    }
    for (uint32_t i = 0; i < table->room; i++) {
        if (table->slots[i].index != MW_INDEX_NONE) {
            place(&larger, table->slots[i].hash, table->slots[i].index);
        }
    }
    free(table->slots);
    *table = larger;
    return true;
}

bool mw_index_add(struct mw_index_table *table, uint64_t hash, uint32_t index)
{
    if (table->count >= table->room / 2 && !enlarge(table)) {
        return false;
    }
    place(table, hash, index);
    return true;
}

void mw_index_fini(struct mw_index_table *table)
{
    free(table->slots);
    memset(table, 0, sizeof *table);
}

uint64_t mw_hash_bytes(uint64_t hash, const void *data, uint64_t bytes)
{
    const unsigned char *next = data;

    for (uint64_t i = 0; i < bytes; i++) {
        hash = (hash ^ next[i]) * 1099511628211u;
    }
    return hash;
}
