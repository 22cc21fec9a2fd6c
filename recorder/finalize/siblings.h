#ifndef MWR_FINALIZE_SIBLINGS_H
#define MWR_FINALIZE_SIBLINGS_H

#include <stdbool.h>

/*
 * Whether all ranks of the job that are on this host run the recorder: one that doesn't would
 * never come to the recorder's collectives. Where the launcher is MPICH's hydra, which says
 * nothing of the job's other programs, every process leaves a mark before MPI_Init: an
 * abstract socket named by the launcher's process id and the process's number on the host,
 * which is no file and ends with the process. After MPI_Init, which no process leaves before all
 * have come in, it looks for those of the others; with MPI sessions, after the first
 * communicator of all processes.
 *
 * Under other launchers nothing is marked, and nothing is found missing.
 */

/* Before MPI_Init or MPI_Session_init. */
void mwr_siblings_mark(void);

/*
 * Without communication. If so, the first of the host's ranks that have a mark says it.
 *
 * \return whether a rank of this host is without a mark; the same on all of them.
 */
bool mwr_siblings_are_missing(void);

/* When all have looked. */
void mwr_siblings_unmark(void);

/*
 * Says so, once for all that the launcher started, when the MPI takes each of them for a job of one
 * process: the launcher is another MPI's. Called behind MPI_Init.
 */
void mwr_siblings_tell_strangers(void);

#endif
