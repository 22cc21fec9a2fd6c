#ifndef MWA_ANALYSIS_POLL_ROW_H
#define MWA_ANALYSIS_POLL_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/analysis/analysis.h"

/*
 * Polls of a location that follow each other with nothing done in between, until one finds
 * something: a rank that waits as in one call from the first one's enter on. Between two of them it
 * is outside of MPI for 200 ns at most on average, which the loop and the recorder take, or for a
 * tenth of what it is inside; or for three quarters of that, in gaps of 1 us at most but for so
 * much: who works in between does not wait. For one thread.
 */
struct mwa_poll_row {
    uint64_t enter;  /* of the first, ticks */
    uint64_t left;   /* of the last that was left */
    uint64_t inside; /* ticks, of all */
    uint64_t breaks; /* ticks, of what it was outside: in longer gaps */
    uint64_t polls;  /* that were left, which found nothing; 0: there is no row */
};

/* For how long, ticks, its location was outside of MPI since the first was entered, up to time, at
 * which it has entered none since the last. */
static inline uint64_t mwa_poll_row_outside(const struct mwa_poll_row *row, uint64_t time)
{
    return time - row->enter - row->inside;
}

/* Whether a poll that is entered at time, ticks, goes on with the row. */
bool mwa_poll_row_goes_on(const struct mwa_poll_row *row, const struct mwa_trace *trace,
                          uint64_t time);

/* call, a poll that begins the row or goes on with it, was left and has found nothing. \return
 * whether it may go on; else, since something was done between polls that call stands for, there
 * is no row any more. */
bool mwa_poll_row_take(struct mwa_poll_row *row, const struct mwa_trace *trace,
                       const struct mwa_call *call);

#endif
