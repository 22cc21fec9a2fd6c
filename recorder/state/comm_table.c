/*
 * Open addressing. Readers take no lock: a slot's value is published before its handle, no handle
 * is taken out (they are reused), and a table that has become too small stays in memory when a
 * larger one takes its place, without the handles that stand for nothing, since a reader may be in
 * it.
 */
#include "recorder/state/comm_table.h"

#include <stdlib.h>

#define CAPACITY 256u /* at first */

struct slot {
    uintptr_t handle; /* 0: free */
    struct mwr_comm *comm; /* null: freed */
};

struct table {
    size_t capacity; /* a power of two */
    size_t used;
    struct slot slots[];
};

/* Written by mwr_comm_table_create, and by changes, of which there is one at a time; read without a
 * lock, by atomics. */
static struct table *comm_table;

static size_t slot_of(uintptr_t handle, size_t capacity)
{
    return (size_t)((handle >> 4 ^ handle) * 0x9e3779b97f4a7c15u >> 20) & (capacity - 1);
}

/* The slot that holds handle, or the free one where it would go. */
static struct slot *find_slot(struct table *table, uintptr_t handle)
{
    size_t at = slot_of(handle, table->capacity);

    for (;;) {
        uintptr_t found = __atomic_load_n(&table->slots[at].handle, __ATOMIC_ACQUIRE);

        if (found == handle || found == 0) {
            return &table->slots[at];
        }
        at = (at + 1) & (table->capacity - 1);
    }
}

static struct table *create(size_t capacity)
{
    struct table *table = calloc(1, sizeof *table + capacity * sizeof table->slots[0]);

    if (table) {
        table->capacity = capacity;
    }
    return table;
}

bool mwr_comm_table_create(void)
{
    comm_table = create(CAPACITY);
    return comm_table != NULL;
}

void mwr_comm_table_set(uintptr_t handle, struct mwr_comm *comm)
{
    struct slot *slot = find_slot(comm_table, handle);

    comm_table->used += slot->handle == 0; /* or it stood for nothing when the table grew */
    __atomic_store_n(&slot->comm, comm, __ATOMIC_RELEASE);
    __atomic_store_n(&slot->handle, handle, __ATOMIC_RELEASE);
}

bool mwr_comm_table_put(uintptr_t handle, struct mwr_comm *comm)
{
    if ((comm_table->used + 1) * 2 > comm_table->capacity) {
        struct table *grown = create(comm_table->capacity * 2);

        if (!grown) {
            return false;
        }
        for (size_t i = 0; i < comm_table->capacity; i++) {
            const struct slot *old = &comm_table->slots[i];

            if (old->comm) {
                *find_slot(grown, old->handle) = *old;
                grown->used++;
            }
        }
        __atomic_store_n(&comm_table, grown, __ATOMIC_RELEASE);
    }
    mwr_comm_table_set(handle, comm);
    return true;
}

struct mwr_comm *mwr_comm_table_get(uintptr_t handle)
{
    struct table *table = __atomic_load_n(&comm_table, __ATOMIC_ACQUIRE);
    struct slot *slot = table ? find_slot(table, handle) : NULL;

    /* A free slot's handle may be stored just now. */
    return slot && __atomic_load_n(&slot->handle, __ATOMIC_ACQUIRE) == handle
               ? __atomic_load_n(&slot->comm, __ATOMIC_ACQUIRE)
               : NULL;
}

bool mwr_comm_table_exists(void)
{
    return __atomic_load_n(&comm_table, __ATOMIC_RELAXED) != NULL;
}
