#ifndef MWR_LAUNCHER_ONCE_H
#define MWR_LAUNCHER_ONCE_H

#include <stdbool.h>

/*
 * A job of a thousand ranks has one trouble, and not a thousand: of the processes of a job on this
 * host that have the same to say at about the same time, one says it.
 *
 * Whoever comes first takes an abstract socket, which is no file and ends with the process, named
 * by the launcher, the user and the text; the process keeps it until it ends.
 *
 * \return whether this process is to say text: always when no launcher has started it together with
 * others, or when it can't be known. Not thread-safe.
 */
bool mwr_once_of_host(const char *text);

/*
 * Waits before the process ends, so that those that come later find that text has been said: a
 * third of a second, if mwr_once_of_host has taken a socket, else not at all.
 */
void mwr_once_linger(void);

#endif
