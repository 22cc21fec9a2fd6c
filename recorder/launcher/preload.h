#ifndef MWR_LAUNCHER_PRELOAD_H
#define MWR_LAUNCHER_PRELOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/base/status.h"
#include "recorder/mpis.h"

/* Which library is preloaded, and the environment that does it. */

/*
 * The MPI of the process's launcher, by the variables that it leaves: Open MPI's and
 * Hydra's are unmistakable; PMI alone is not, since Slurm speaks it to both.
 */
enum mwr_mpi mwr_preload_mpi_of_environment(void);

/*
 * Finds the MPI's libmpiwatch-openmpi.so or its like: in libdir if that is not "";
 * else in the build tree that this program runs from, in ../lib/mpiwatch beside it, and
 * where mpiwatch was configured to be installed. mpi must not be UNKNOWN.
 *
 * \return MW_OK and the absolute path in path[size].
 * \return MW_ERROR_USAGE when there is none, or its path has a blank or a colon in it,
 * which LD_PRELOAD can't express.
 */
enum mw_status mwr_preload_find(enum mwr_mpi mpi, const char *libdir, char *path, size_t size,
                                struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * What LD_PRELOAD becomes: library before what is there, once.
 *
 * \return a string for free(), or null.
 */
char *mwr_preload_variable(const char *library);

/*
 * Whether a library's name, or one in LD_PRELOAD's value, is that of AddressSanitizer's runtime,
 * which ends the program where another library is before it, unless ASAN_OPTIONS says otherwise.
 */
bool mwr_preload_has_asan(const char *names);

/*
 * What ASAN_OPTIONS becomes then: that, before what is there, which the user has said.
 *
 * \return a string for free(), or null.
 */
char *mwr_preload_asan_options(void);

#endif
