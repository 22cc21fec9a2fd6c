#ifndef MWR_VARIABLES_PROBE_H
#define MWR_VARIABLES_PROBE_H

#include <stdbool.h>

/*
 * Tries out in child processes what may crash: each of count things is touched in a
 * child; where one dies, the next child goes on with the thing after it. The program's
 * handler of SIGCHLD is not called for these children. Not thread-safe.
 *
 * signals[i] becomes the signal that thing i died of, 0 if it lived; SIGALRM if it took
 * longer than seconds.
 *
 * \return true when all were tried; false when there is no fork, and after SIGALRM, since the
 * children may wait for a lock that a thread of the parent holds: what came before is told.
 */
bool mwr_probe(int count, void (*touch)(int index), unsigned seconds, int *signals);

#endif
