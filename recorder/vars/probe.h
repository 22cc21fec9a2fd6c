#ifndef MWR_VARS_PROBE_H
#define MWR_VARS_PROBE_H

#include <stdbool.h>

/*
 * Tries out in child processes what may crash: each of count things is touched in a
 * child; where one dies, the next child goes on with the thing after it.
 */

/* signals[i] becomes the signal that thing i died of, 0 if it lived. \return false: no fork. */
bool mwr_probe(int count, void (*touch)(int index), int *signals);

#endif
