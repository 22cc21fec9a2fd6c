#ifndef MWA_ANALYSIS_READING_ORDER_H
#define MWA_ANALYSIS_READING_ORDER_H

#include <stdint.h>

/*
 * In which order a pass reads locations that are open together. What it finds does not depend on
 * that, which is why a test program brings functions of its own in place of these two
 * (test/system/any_order.c).
 *
 * A pass goes in rounds. In each, every location that is not behind a certain time is read up to
 * it, in whole batches, but for those of which many calls wait for what others do; which batches
 * belong to a round is decided by the events alone, so that everything has been read just as far at
 * its end, whatever came first within.
 */

struct mwa_turn {
    uint64_t at;     /* whose turn it is */
    uint64_t events; /* so many are read at most */
};

/*
 * The next turn among count locations that are not through with the round, at least 1; the first
 * is the furthest behind. rest is what the batch of each still has, by a function of its position.
 */
struct mwa_turn mwa_reading_turn(uint64_t count, uint64_t (*rest)(const void *user, uint64_t at),
                                 const void *user);

/* The time up to which a round goes that is to go to until. */
uint64_t mwa_reading_round(uint64_t until);

#endif
