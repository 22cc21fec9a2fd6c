#ifndef MW_FORMATS_BASE_LAUNCHED_JOB_H
#define MW_FORMATS_BASE_LAUNCHED_JOB_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What launchers tell a process of its job by variables, before MPI has started: mpirun of Open
 * MPI and MPICH, and Slurm's srun. Thread-safe as long as nobody changes the environment.
 */

/* Whether this process is the first of its job; also when no launcher says that it isn't. */
bool mw_launched_first(void);

/* The processes of the job, 1 when no launcher says so. */
uint32_t mw_launched_size(void);

/* Those of them on this host, as far as that is said; at least 1. */
uint32_t mw_launched_here(void);

/* Whether this is one of several processes that were started so that they can use MPI: also where
 * one of these has started it in turn. A script of a batch system is none. */
bool mw_launched_for_mpi(void);

/* Who says what mw_launched_size is: "mpirun of Open MPI", "mpirun of MPICH", "srun", or "". */
const char *mw_launched_by(void);

/*
 * Which MPI's launcher it was, as in libmpiwatch-MPI.so ("openmpi", "mpich"), by the variables that
 * it leaves: Open MPI's and Hydra's are unmistakable; PMI alone is not, since Slurm speaks it to
 * both. Null: not known.
 */
const char *mw_launched_mpi(void);

/* The same, and where it is not known one that the launcher speaks to: srun --mpi=pmix or
 * --mpi=pmi2. Null: the processes can't speak to each other. */
const char *mw_launched_mpi_at_all(void);

#endif
