#ifndef MWR_SITES_CALL_SITES_H
#define MWR_SITES_CALL_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/base/status.h"
#include "formats/table/calls.h"
#include "recorder/settings.h"

/*
 * From which place in the program a call comes (--sites). The entry point knows the address that
 * it returns to; a table, which only grows, tells the number by which the definitions know the
 * pair of call and address. Fortran's calls come from MPI's own libraries: where their code says
 * that a frame has a fixed size there, the address above is one load away.
 *
 * Readers take no lock. Addresses that go with a library are taken out: nobody can be calling
 * from there.
 */

struct mwr_site_entry {
    uint64_t key;   /* the address and behind it 16 bits of call; 0: free */
    uint32_t value; /* what records have as call, or MWR_SITE_FRAME and the frame's size
                       (mwr_frame_fixed) */
};

struct mwr_site_table {
    uint32_t mask; /* of indices; at most half of the entries are in use */
    struct mwr_site_entry entries[];
};

#define MWR_SITE_FRAME 0x80000000u
#define MWR_SITE_KEY(caller, call) ((uint64_t)(uintptr_t)(caller) << 16 | (call))

/* Null: sites are not told. */
extern struct mwr_site_table *mwr_site_table __attribute__((visibility("hidden")));

/* For a pair that is not in the table, and for what MPI's libraries call. */
unsigned mwr_site_find(unsigned call, void *caller);

/* Where a table is searched for the key, if masked, and from there on. */
MW_INLINE uint32_t mwr_site_slot(uint64_t key)
{
    return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* The value of the key; 0: it is not there (no call's is, nor any frame's). */
MW_INLINE uint32_t mwr_site_look(const struct mwr_site_table *table, uint64_t key)
{
    for (uint32_t slot = mwr_site_slot(key);; slot++) {
        const struct mwr_site_entry *entry = &table->entries[slot & table->mask];
        uint64_t found = __atomic_load_n(&entry->key, __ATOMIC_ACQUIRE);

        if (MW_LIKELY(found == key)) {
            return entry->value;
        }
        if (found == 0) {
            return 0;
        }
    }
}

/*
 * What a record of a call that returns to caller (null: not known) has as its call. To be
 * called while the call's guard is up.
 */
MW_INLINE unsigned mwr_site_code(unsigned call, void *caller)
{
    const struct mwr_site_table *table = __atomic_load_n(&mwr_site_table, __ATOMIC_ACQUIRE);
    uint32_t value;

    if (!table) {
        return call;
    }
    value = mwr_site_look(table, MWR_SITE_KEY(caller, call));
    if (MW_UNLIKELY(value - 1 >= MWR_SITE_FRAME - 1)) {
        return mwr_site_find(call, caller);
    }
    return value - 1;
}

/* Begins to tell sites, in a way that is not off, before recording does; without memory none are
 * told. */
void mwr_sites_start(const struct mwr_site_setting *setting);

/* In a child of fork(), of one thread: tells none from now on, and forgets none. */
void mwr_sites_stop(void);

/* The address in the program that a call comes from, behind MPI's own libraries. */
void *mwr_site_address(void *caller);

/*
 * The library that has this address goes: forgets the sites in it. Does nothing in a signal handler
 * that has interrupted the thread while it was finding a site: the program ends there.
 */
void mwr_sites_forget(const void *address);

#endif
