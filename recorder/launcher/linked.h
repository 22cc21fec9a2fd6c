#ifndef MWR_LAUNCHER_LINKED_H
#define MWR_LAUNCHER_LINKED_H

#include <stddef.h>

#include "recorder/launcher/program.h"
#include "recorder/mpis.h"

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
    bool several;     /* linked with more than one kind of MPI; library is the second */
    char path[256];   /* where the loader finds library; cut when it is longer */
    unsigned copies;  /* how many files of MPIs' C libraries there are */
    unsigned libraries; /* that the loader finds by their names */
    bool has_asan;    /* the first of them is AddressSanitizer's runtime, as it has to be */
};

/*
 * \return MW_OK with *linked filled; also when the loader can't tell (then it is zeroed).
 * \return MW_ERROR_MEMORY when no process could be made.
 */
enum mw_status mwr_linked_read(const struct mwr_program *program, struct mwr_linked *linked,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Whether the program would have two MPIs with library preloaded, the recorder's and its own:
 * what has MPICH's ABI goes by several names (Intel MPI, MVAPICH, Cray MPICH), and the recorder
 * needs the one that it was linked with. *linked becomes what there is then.
 *
 * \return as mwr_linked_read.
 */
enum mw_status mwr_linked_with(const struct mwr_program *program, const char *library,
                               struct mwr_linked *linked,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
