#ifndef MW_FORMATS_BASE_INDEX_TABLE_H
#define MW_FORMATS_BASE_INDEX_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Finds elements of an array by a key: an open-addressing table of their indices by
 * hash. The table knows neither keys nor elements, only hashes; whether an element is
 * the one that is looked for is asked of the caller. A zeroed table is empty.
 */
struct mw_index_slot {
    uint64_t hash;
    uint32_t index; /* MW_INDEX_NONE: free */
};

struct mw_index_table {
    struct mw_index_slot *slots;
    uint32_t room; /* a power of two, or 0 */
    uint32_t count;
};

#define MW_INDEX_NONE UINT32_MAX

typedef bool mw_index_equal(const void *context, uint32_t index, const void *key);

/* The index that was added with hash and is equal to key; MW_INDEX_NONE if there is none. */
uint32_t mw_index_find(const struct mw_index_table *table, uint64_t hash, mw_index_equal *equal,
                       const void *context, const void *key);

/* Adds index under hash; false without memory. */
bool mw_index_add(struct mw_index_table *table, uint64_t hash, uint32_t index);

void mw_index_fini(struct mw_index_table *table);

/* FNV-1a over bytes, going on from hash; begin with MW_HASH_START. */
#define MW_HASH_START 14695981039346656037u
uint64_t mw_hash_bytes(uint64_t hash, const void *data, uint64_t bytes);

#endif
