#ifndef MWR_LAUNCHED_H
#define MWR_LAUNCHED_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What launchers tell a process of its job by variables, before MPI has started: mpirun of Open
 * MPI and MPICH, and Slurm's srun. Thread-safe as long as nobody changes the environment.
 */

/* Whether this process is the first of its job; also when no launcher says that it isn't. */
bool mwr_launched_first(void);

/* The processes of the job, 1 when no launcher says so. */
uint32_t mwr_launched_size(void);

#endif
