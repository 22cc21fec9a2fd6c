#ifndef MWR_STATE_COMPUTING_H
#define MWR_STATE_COMPUTING_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/state/noted_places.h"
#include "recorder/state/notes_ring.h"

/*
 * In which code a thread computes between calls of MPI (--functions): the kernel notes, so many
 * times in each second that the thread has run in user mode, where it was (perf_event_open(2), a
 * software clock, of this thread alone). The notes are in memory of the thread's that the kernel
 * writes: there is no signal, no descriptor that stays open, and no counter of the processor that
 * the program could miss. They are taken out at the beginning and at the end of calls, which says
 * on the way to which call the thread was: they are counted by that and by the address.
 *
 * Where the kernel refuses, nothing is counted, and the archive says why.
 */

#define MWR_COMPUTING_RATE_MOST 1000u /* notes in a second */

struct mwr_computed;

/* The thread's own; zeros: nothing is noted. */
struct mwr_computing {
    struct mwr_notes_ring ring;
    struct mwr_computed *computed; /* what was counted; lives until the process ends */
    uint64_t ran;                  /* ns in user mode, when they were taken out last */
    struct mwr_noted_owed owed;
    uint64_t checked;              /* ns on a core, when it was looked how often … */
    uint64_t switches;             /* … the kernel had switched to another thread and back */
    bool is_taking;                /* a signal's handler that calls MPI has to leave it alone */
    bool is_stopped;               /* since it did so too often */
    bool is_tried;
};

/* Whether there are notes to be taken out. */
static inline bool mwr_computing_has_notes(const struct mwr_computing *computing)
{
    return mwr_notes_are_there(&computing->ring);
}

/* Says whether threads are noted, by the settings, before recording begins. */
void mwr_computing_start(void);

/* A thread begins to record, or goes on after a pause: what was noted until now is nobody's. */
void mwr_computing_begin(struct mwr_computing *computing);

/* A call is entered, of which records have code as their call; or left. Keep errno. */
void mwr_computing_enter(struct mwr_computing *computing, unsigned code);
void mwr_computing_leave(struct mwr_computing *computing);

/* How many threads have begun to be noted so far. */
uint32_t mwr_computing_begun(void);

/* Whether a thread, as the kernel numbers it, is noted as one that records, as far as that is known
 * at this moment. */
bool mwr_computing_has(pid_t thread);

/* The thread ends, or has been forked and has no such memory: nothing more is noted. */
void mwr_computing_end(struct mwr_computing *computing);
void mwr_computing_forget(struct mwr_computing *computing);

/* Writes what all threads have counted since it was called last to the definitions: at the end. */
void mwr_computing_tell(void);

#endif
