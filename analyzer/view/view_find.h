#ifndef MWA_VIEW_VIEW_FIND_H
#define MWA_VIEW_VIEW_FIND_H

#include "analyzer/view/view_match.h"

/*
 * The calls of rows that fit, in the order in which they are entered, those of one moment by their
 * number. Any thread.
 */

#define MWA_VIEW_FOUND_MOST 20000000u /* calls that are looked at for an answer */

/* Where a search begins: behind or before this call of this time. */
struct mwa_view_spot {
    uint64_t time; /* ticks */
    uint64_t call; /* number + 1; 0: before all of that time, UINT64_MAX: behind them */
};

/*
 * The first that fits behind a spot, or before it. \return its number; MWA_NONE: there is none, or,
 * if *until is not UINT64_MAX, none has been found as far as that time (ticks), and no more was
 * looked at; without memory that is where it began.
 */
uint32_t mwa_view_find(const struct mwa_view_match *match, struct mwa_view_spot spot,
                       bool is_back, uint64_t *until);

struct mwa_view_found {
    uint64_t all;
    uint64_t until_hit; /* how many of them are not behind hit */
    bool is_whole;      /* else more were not looked at: there are at least so many */
};

/* How many fit; hit: a call, or MWA_NONE. */
struct mwa_view_found mwa_view_count(const struct mwa_view_match *match, uint32_t hit);

#endif
