#ifndef MWR_VARIABLES_SCHEDULE_H
#define MWR_VARIABLES_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * When variables are read (--pvar-when): a list, with commas, of
 *
 *   exit         at the end of every call that is recorded
 *   enter        at its beginning
 *   both         exit and enter
 *   calls=N      at the end of every Nth call
 *   interval=T   at the end of a call, T after the last time at the earliest
 *   thread=T     every T, by a thread of the recorder's own
 *   phase        at MPI_Pcontrol
 *
 * Knows no MPI.
 */
struct mwr_schedule {
    bool at_exit;
    bool at_enter;
    bool at_phase;
    uint64_t calls;     /* 0: not by number */
    uint64_t interval;  /* ns, 0: not by time */
    uint64_t thread;    /* ns, 0: no thread */
};

/* \return false when text is no such list; *schedule is undefined then. */
bool mwr_schedule_parse(struct mwr_schedule *schedule, const char *text);

/* Reads "250us", "1ms", "2s", "100ns" or "0" as ns; all of length. \return false: it is none. */
bool mwr_duration_parse(const char *text, size_t length, uint64_t *nanoseconds);

#endif
