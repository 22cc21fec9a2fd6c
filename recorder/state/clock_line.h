#ifndef MWR_STATE_CLOCK_LINE_H
#define MWR_STATE_CLOCK_LINE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * CLOCK_MONOTONIC by the processor's time-stamp counter: the counter is read in 13 ns where
 * clock_gettime takes 32. A line leads from ticks to ns, and every MWR_CLOCK_LINE_NS it is laid
 * anew through what both clocks have shown, so that it follows whatever time daemons do to the
 * clock: by 50 parts in a million at most, which is 500 ns until the next time, and typically by
 * less than one. Each thread has a line of its own, and what it tells never goes back.
 *
 * Nothing here reads a clock. Functions are thread-safe on distinct lines.
 */

#define MWR_CLOCK_LINE_NS 10000000u
#define MWR_CLOCK_SLOPE 4294967296.0 /* a slope of one ns a tick */

/* Both clocks at one time: the counter within the ticks around tick that reading the other took. */
struct mwr_clock_point {
    uint64_t tick;
    uint64_t time; /* ns */
    uint64_t width; /* ticks */
};

/* All zero: no line. */
struct mwr_clock_line {
    uint64_t tick;  /* where it begins … */
    uint64_t time;  /* … at this time in ns */
    uint64_t slope; /* ns a tick, times MWR_CLOCK_SLOPE, which is 2^32 */
    uint64_t ticks; /* so long it holds, at most 2^26; 0: there is none */
    double rate;    /* ns a tick, as the process has found it at first */
    struct mwr_clock_point latest;
    uint64_t points; /* that it has been laid through */
    uint64_t error;  /* the farthest from CLOCK_MONOTONIC that it was found, in ns */
};

/* The line from point on. rate: ns a tick, of a counter of 1 MHz to 6 GHz. */
void mwr_clock_line_begin(struct mwr_clock_line *line, const struct mwr_clock_point *point,
                          double rate);

/*
 * Lays the line anew through point, which comes after the others. What it told up to point's tick
 * stays below what it tells from then on.
 *
 * \return false: the two clocks do not go together, by more than 50 parts in a million; the line is
 * as before, and not to be used any more.
 */
bool mwr_clock_line_move(struct mwr_clock_line *line, const struct mwr_clock_point *point);

/* The latest time in ns that the line has told if it was asked at tick. */
uint64_t mwr_clock_line_told(const struct mwr_clock_line *line, uint64_t tick);

#endif
