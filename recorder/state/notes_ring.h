#ifndef MWR_STATE_NOTES_RING_H
#define MWR_STATE_NOTES_RING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Memory in which the kernel notes where a thread of this process is, so many times in each second
 * that it runs in user mode (perf_event_open(2), a software clock, of that thread alone). Who takes
 * the notes out is one thread, always the same. Opening and closing is for any thread.
 */

/* Switches to a thread and back, in a second that it is on a core, from which on notes would slow
 * it down: each stops and starts their clock, which takes some us. */
#define MWR_NOTES_SWITCHES_MOST 50000u

struct perf_event_mmap_page;

/* Zeros: there is none. */
struct mwr_notes_ring {
    const volatile uint64_t *head; /* how far the kernel has written; null: it does not … */
    uint64_t seen;                 /* … and how far that was taken out */
    struct perf_event_mmap_page *page;
    uint64_t bytes;                /* of notes, a power of two */
};

/* Whether there are notes to be taken out. */
static inline bool mwr_notes_are_there(const struct mwr_notes_ring *ring)
{
    return ring->head && *ring->head != ring->seen;
}

/* Says, before recording begins, how many notes in a second are made; 0: none. */
void mwr_notes_start(uint32_t rate);

/*
 * Begins to note where a thread is; 0: the one that calls. own: it records itself; memory for
 * others is taken only where enough is left for such. False: errno tells why.
 */
bool mwr_notes_open(struct mwr_notes_ring *ring, pid_t thread, bool own);
void mwr_notes_close(struct mwr_notes_ring *ring);

/* What is there at this moment is passed over. */
void mwr_notes_pass(struct mwr_notes_ring *ring);

struct mwr_note {
    uint64_t address; /* that was next; 0: notes were lost, as there was no room, … */
    uint64_t lost;    /* … so many */
};

/* How far the kernel has written now; it has as much room again when mwr_notes_done says so. */
uint64_t mwr_notes_head(const struct mwr_notes_ring *ring);

/* Takes out the next note before head. False: there is none. */
bool mwr_notes_next(struct mwr_notes_ring *ring, uint64_t head, struct mwr_note *note);
void mwr_notes_done(struct mwr_notes_ring *ring, uint64_t head);

/* How many notes are made in so many ns in user mode. */
uint64_t mwr_notes_in(uint64_t ns);

/* How many notes there is room for, and whether there was none for more at head. */
uint64_t mwr_notes_room(const struct mwr_notes_ring *ring);
bool mwr_notes_are_full(const struct mwr_notes_ring *ring, uint64_t head);

#endif
