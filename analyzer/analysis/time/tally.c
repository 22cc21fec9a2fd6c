#include "analyzer/analysis/time/tally.h"

#include <stdlib.h>

#include "analyzer/team/packing.h"

/* A sum as it travels. */
struct entry {
    uint64_t key;
    uint64_t sum;
};

static bool add_to_table(struct mwa_tally *tally, uint32_t key, uint64_t amount)
{
    uint64_t *sum = mwa_map_put(&tally->table, (struct mwa_key){ 0, key }, 0);

    if (sum) {
        *sum += amount;
    }
    return sum != NULL;
}

/* The few have become too many. */
static bool spill(struct mwa_tally *tally)
{
    for (uint32_t i = 0; i < tally->few; i++) {
        if (!add_to_table(tally, tally->keys[i], tally->sums[i])) {
            return false;
        }
    }
    tally->few = 0;
    return true;
}

bool mwa_tally_add(struct mwa_tally *tally, uint32_t key, uint64_t amount)
{
    if (amount == 0) {
        return true;
    }
    if (tally->table.count > 0) {
        return add_to_table(tally, key, amount);
    }
    for (uint32_t i = 0; i < tally->few; i++) {
        if (tally->keys[i] == key) {
            tally->sums[i] += amount;
            return true;
        }
    }
    if (tally->few < MWA_TALLY_FEW) {
        tally->keys[tally->few] = key;
        tally->sums[tally->few++] = amount;
        return true;
    }
    return spill(tally) && add_to_table(tally, key, amount);
}

bool mwa_tally_add_all(struct mwa_tally *into, const struct mwa_tally *from)
{
    bool fine = true;

    for (uint32_t i = 0; i < from->few && fine; i++) {
        fine = mwa_tally_add(into, from->keys[i], from->sums[i]);
    }
    for (uint64_t i = 0; i < from->table.capacity && fine; i++) {
        const struct mwa_map_slot *slot = &from->table.slots[i];

        if (slot->value != MWA_MAP_ABSENT) {
            fine = mwa_tally_add(into, (uint32_t)slot->key.low, slot->value);
        }
    }
    return fine;
}

bool mwa_tally_absorb(struct mwa_tally *into, struct mwa_tally *from)
{
    bool fine;

    if (from->table.count > into->table.count) {
        struct mwa_tally swapped = *into;

        *into = *from;
        *from = swapped;
    }
    fine = mwa_tally_add_all(into, from);
    mwa_tally_fini(from);
    return fine;
}

static void spread_one(uint32_t key, uint64_t sum, uint32_t first, uint64_t *sums, uint64_t count)
{
    if (key >= first && key - first < count) {
        sums[key - first] += sum;
    }
}

void mwa_tally_spread(const struct mwa_tally *tally, uint32_t first, uint64_t *sums,
                      uint64_t count)
{
    for (uint32_t i = 0; i < tally->few; i++) {
        spread_one(tally->keys[i], tally->sums[i], first, sums, count);
    }
    for (uint64_t i = 0; i < tally->table.capacity; i++) {
        const struct mwa_map_slot *slot = &tally->table.slots[i];

        if (slot->value != MWA_MAP_ABSENT) {
            spread_one((uint32_t)slot->key.low, slot->value, first, sums, count);
        }
    }
}

uint64_t mwa_tally_get(const struct mwa_tally *tally, uint32_t key)
{
    uint64_t sum = mwa_map_get(&tally->table, (struct mwa_key){ 0, key });

    for (uint32_t i = 0; i < tally->few; i++) {
        if (tally->keys[i] == key) {
            return tally->sums[i];
        }
    }
    return sum == MWA_MAP_ABSENT ? 0 : sum;
}

static void pack_one(uint64_t key, uint64_t sum, struct mw_buffer *to)
{
    const struct entry entry = { key, sum };

    mw_buffer_append(to, &entry, sizeof entry);
}

void mwa_tally_pack(const struct mwa_tally *tally, struct mw_buffer *to)
{
    mw_buffer_u64(to, tally->few + tally->table.count); /* as mwa_pack_array has it */
    for (uint32_t i = 0; i < tally->few; i++) {
        pack_one(tally->keys[i], tally->sums[i], to);
    }
    for (uint64_t i = 0; i < tally->table.capacity; i++) {
        const struct mwa_map_slot *slot = &tally->table.slots[i];

        if (slot->value != MWA_MAP_ABSENT) {
            pack_one(slot->key.low, slot->value, to);
        }
    }
}

enum mw_status mwa_tally_unpack(struct mwa_tally *tally, struct mw_cursor *from)
{
    struct entry *entries = NULL;
    uint64_t count = 0;
    enum mw_status status = mwa_unpack_array(from, &entries, &count, sizeof *entries);

    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        status = entries[i].key > UINT32_MAX ? MW_ERROR_FORMAT
                 : mwa_tally_add(tally, (uint32_t)entries[i].key, entries[i].sum)
                     ? MW_OK
                     : MW_ERROR_MEMORY;
    }
    free(entries);
    return status;
}

void mwa_tally_fini(struct mwa_tally *tally)
{
    mwa_map_fini(&tally->table);
    *tally = (struct mwa_tally){ 0 };
}
