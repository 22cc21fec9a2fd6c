#ifndef MWA_MODEL_BINS_H
#define MWA_MODEL_BINS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A part of the run and its bins: equal but for a tick where it doesn't divide evenly. A bin is
 * [its edge, the next edge), and the last one has the window's last tick as well. All times are
 * ticks, and all sums are of integers, so that what is spread over bins adds up to what it was.
 */

struct mwa_window {
    uint64_t from;
    uint64_t to;   /* not below from */
    uint32_t bins; /* at least 1; there may be more than ticks, of which some are empty then */
};

/* The part of a time that lies in one bin. */
struct mwa_piece {
    uint32_t bin;
    uint64_t from;
    uint64_t to;
};

/* The first tick of a bin; of bin number window->bins, the window's end. */
uint64_t mwa_window_edge(const struct mwa_window *window, uint32_t bin);

/* The bin of a time; of times outside the window, the first or the last one. */
uint32_t mwa_window_bin(const struct mwa_window *window, uint64_t time);

static inline bool mwa_window_has(const struct mwa_window *window, uint64_t time)
{
    return time >= window->from && time <= window->to;
}

/*
 * The pieces of [from, to), as far as it lies in the window, one after the other:
 *
 *     struct mwa_piece piece = { 0 };
 *
 *     while (mwa_window_next(window, from, to, &piece)) …
 *
 * piece is the one before, at first zeros. \return false: there are no more.
 */
bool mwa_window_next(const struct mwa_window *window, uint64_t from, uint64_t to,
                     struct mwa_piece *piece);

/*
 * How much of ticks, spread evenly over [begin, end), falls to [from, to) in it: differences of
 * sums that are rounded down, so that the shares of all pieces add up to ticks.
 */
uint64_t mwa_ticks_share(uint64_t ticks, uint64_t begin, uint64_t end, uint64_t from, uint64_t to);

#endif
