#ifndef MWR_LAUNCHER_LINKED_H
#define MWR_LAUNCHER_LINKED_H

#include <stddef.h>

#include "recorder/launcher/program.h"
#include "recorder/settings.h"

/*
 * Which MPI a dynamic program is linked with, directly or through its libraries.
 *
 * The program's own loader is asked, as ldd(1) does: it knows RUNPATH, LD_LIBRARY_PATH,
 * its cache and its hardware directories better than a second implementation would.
 * Nothing of the program runs. LD_PRELOAD is left out: it is the program that counts.
 */

struct mwr_linked {
    enum mwr_mpi mpi; /* UNKNOWN: none, more than one, or one that mpiwatch is not for */
    char library[64]; /* "libmpi.so.40"; "" when the program is linked with no MPI at all */
    bool several;     /* linked with more than one MPI; library is the second */
};

/*
 * \return MW_OK with *linked filled; also when the loader can't tell (then it is zeroed).
 * \return MW_ERROR_MEMORY when no process could be made.
 */
enum mw_status mwr_linked_read(const struct mwr_program *program, struct mwr_linked *linked,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* "Open MPI", "MPICH", or "an unknown MPI"; static storage. */
const char *mwr_mpi_title(enum mwr_mpi mpi);

#endif
