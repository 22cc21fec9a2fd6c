#ifndef MWR_LAUNCHED_H
#define MWR_LAUNCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What launchers tell a process of its job by variables, before MPI has started: mpirun of Open
 * MPI and MPICH, and Slurm's srun. Thread-safe as long as nobody changes the environment.
 */

/* Whether this process is the first of its job; also when no launcher says that it isn't. */
bool mwr_launched_first(void);

/* The processes of the job, 1 when no launcher says so. */
uint32_t mwr_launched_size(void);

/* Who says what mwr_launched_size is: "mpirun of Open MPI", "mpirun of MPICH", "srun", or "". */
const char *mwr_launched_by(void);

/* What mpiwatch-record tells the program that it becomes; a variable of ours, and no setting. */
#define MWR_LAUNCHED_VARIABLE "MPIWATCH_LAUNCHED"

/*
 * Sets the variable: this process becomes a program that is linked with the library of an MPI, ""
 * with none. Not thread-safe.
 */
void mwr_launched_becomes(const char *library);

/*
 * Whether this process is what mpiwatch-record became, and none that it started.
 *
 * \param[out] library  as it was told, cut to size; null: of no interest.
 */
bool mwr_launched_as(char *library, size_t size);

#endif
