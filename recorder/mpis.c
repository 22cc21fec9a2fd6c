/* One list, so that a library's name, an option's words and what a sentence says are of one MPI. */
#include "recorder/mpis.h"

#include <stddef.h>

const char *const mwr_mpi_words[] = {[MWR_MPI_UNKNOWN] = "auto",
                                     [MWR_MPI_OPENMPI] = "openmpi",
                                     [MWR_MPI_MPICH] = "mpich",
                                     [MWR_MPI_ABI] = "abi",
                                     NULL};

const char *mwr_mpi_title(enum mwr_mpi mpi)
{
    static const char *const titles[] = {[MWR_MPI_UNKNOWN] = "an unknown MPI",
                                         [MWR_MPI_OPENMPI] = "Open MPI",
                                         [MWR_MPI_MPICH] = "MPICH",
                                         [MWR_MPI_ABI] = "the MPI ABI"};

    return titles[mpi];
}
