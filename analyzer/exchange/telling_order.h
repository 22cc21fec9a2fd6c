#ifndef MWA_EXCHANGE_TELLING_ORDER_H
#define MWA_EXCHANGE_TELLING_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * In which order the engine tells what may be told of several locations. What is found does not
 * depend on that, so that one day several may tell: which is why a test program brings a function
 * of its own in place of this one (test/system/any_order.c).
 */

struct mwa_telling_turn {
    uint64_t skipped; /* so many of the locations that may go on have to wait for another turn; of
                         more than there are, all but the last */
    uint64_t steps;   /* so many begins and ends are told at most, of one location; 0: nothing is
                         told until more was read */
};

/* The next turn; all: the round is over, so that steps is at least 1. */
struct mwa_telling_turn mwa_telling_next(bool all);

#endif
