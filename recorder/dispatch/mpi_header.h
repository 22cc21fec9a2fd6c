#ifndef MWR_DISPATCH_MPI_HEADER_H
#define MWR_DISPATCH_MPI_HEADER_H

/*
 * mpi.h as the recorder needs it: the functions visible although everything else
 * of the recorder is compiled hidden (MPICH's mpi.h does not say so itself), none of
 * them behind a macro, and MWR_HAS_MPI_X of the build's MPI.
 */

#pragma GCC visibility push(default)
#include "recorder/dispatch/mpi_all.h"
#pragma GCC visibility pop

#include "mpi_has.h"

#endif
