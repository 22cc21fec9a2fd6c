#ifndef MWR_VARIABLES_SCHEDULE_H
#define MWR_VARIABLES_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * How variables are recorded, as settings say it. Knows no MPI.
 *
 * When they are read (--pvar-when): a list, with commas, of
 *
 *   exit         at the end of every call that is recorded
 *   enter        at its beginning
 *   both         exit and enter
 *   calls=N      at the end of every Nth call
 *   interval=T   at the end of a call, T after the last time at the earliest
 *   thread=T     every T, by a thread of the recorder's own
 *   phase        at MPI_Pcontrol
 *   comm         in calls that make or free a communicator, a window or a file
 *   user         where the program calls mpiwatch_snapshot, which it may in any case
 */
struct mwr_schedule {
    bool at_exit;
    bool at_enter;
    bool at_phase;
    bool at_object; /* made or about to end */
    bool at_user;
    uint64_t calls;     /* 0: not by number */
    uint64_t interval;  /* ns, 0: not by time */
    uint64_t thread;    /* ns, 0: no thread */
};

/* \return false when text is no such list; *schedule is undefined then. */
bool mwr_schedule_parse(struct mwr_schedule *schedule, const char *text);

/*
 * What is written of a variable with a value for each peer (--pvar-array): stats, sum,
 * full, top:N, the N greatest with their peers. A list of sum and some of max,
 * argmax, nonzero is stats.
 */
enum mwr_array_kind { MWR_ARRAY_STATISTICS, MWR_ARRAY_SUM, MWR_ARRAY_FULL, MWR_ARRAY_TOP };

#define MWR_ARRAY_TOP_MOST 127u /* pairs of values: a sample has 255 at most */

struct mwr_array {
    enum mwr_array_kind kind;
    uint32_t top; /* MWR_ARRAY_TOP: 1 to MWR_ARRAY_TOP_MOST */
};

/* \return false: text is none, and *array unchanged. */
bool mwr_array_parse(struct mwr_array *array, const char *text);

/* Writes array as mwr_array_parse reads it; 16 bytes are enough. */
void mwr_array_print(struct mwr_array array, char *text, size_t size);

/* Reads "250us", "1ms", "2s", "100ns" or "0" as ns; all of length. \return false: it is none. */
bool mwr_duration_parse(const char *text, size_t length, uint64_t *nanoseconds);

/* Writes it so that it is read as the same; 32 bytes are enough. */
void mwr_duration_print(uint64_t nanoseconds, char *text, size_t size);

#endif
