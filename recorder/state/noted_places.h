#ifndef MWR_STATE_NOTED_PLACES_H
#define MWR_STATE_NOTED_PLACES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What notes of where threads are (recorder/state/notes_ring.h) tell, counted by the place and the
 * call of MPI that comes next. One thread counts; any may read meanwhile, as who ends the process.
 */

#define MWR_NOTED_PLACES 4096u /* pairs of call and address that are told apart */

/* A place at which a thread was, on the way to a call. */
struct mwr_noted_place {
    uintptr_t address; /* 0: there is none; set last */
    uint32_t code;     /* of the call */
    uint32_t module;   /* index; UINT32_MAX: it is the recorder's code, or MPI's */
    uint32_t unloaded; /* libraries, when it was seen that this is loaded there */
    uint64_t own_address; /* as the module's file counts */
    uint64_t count;
    uint64_t told; /* of that, in the definitions */
};

/* Zeros: nothing was noted. */
struct mwr_noted {
    uint64_t outside; /* notes between calls, … */
    uint64_t inside;  /* … in calls, … */
    uint64_t lost;    /* … and those between calls that nobody could keep, or tell where */
    uint32_t places;
    struct mwr_noted_place table[MWR_NOTED_PLACES];
};

/* Adds to one of the counts, for others to read. */
static inline void mwr_noted_add(uint64_t *count, uint64_t more)
{
    __atomic_store_n(count, *count + more, __ATOMIC_RELAXED);
}

/* Notes of a thread that found no room, as far as that is known without the kernel, and where they
 * were added. Zeros: none. */
struct mwr_noted_owed {
    uint64_t notes;
    uint64_t *to; /* null: none that the kernel has yet to tell of */
};

/* There was no room for more than so many of the notes that were made. The kernel tells how many
 * there were with the next note that it makes, which may be in another call, or never: until then
 * they are as many as the thread's time says. */
void mwr_noted_owe(struct mwr_noted_owed *owed, uint64_t *to, uint64_t made, uint64_t room);

/* The kernel tells it, of those that are owed. */
void mwr_noted_settle(struct mwr_noted_owed *owed, uint64_t lost);

/* How many libraries the process has unloaded: others may have come to where they were. Takes the
 * loader's lock. */
uint32_t mwr_noted_unloaded(void);

/*
 * Counts a note of a thread that was at address, on the way to a call of which records have code,
 * when so many libraries had been unloaded. \return whether it is in code of the program or its
 * libraries, and not in MPI's. Takes the loader's lock.
 */
bool mwr_noted_count(struct mwr_noted *noted, uint64_t address, uint32_t code, uint32_t unloaded);

/*
 * Tells of all places, as definitions, what was not told of them: of_others: of threads that call
 * no MPI. The lock of the sites has to be held, and no two may tell at a time.
 */
void mwr_noted_tell(struct mwr_noted *noted, bool of_others);

#endif
