#ifndef MWR_DISPATCH_MPI_ALL_H
#define MWR_DISPATCH_MPI_ALL_H

/* All that the MPI declares: Open MPI has its MPIX_ functions in a header of their own. */
#include <mpi.h>
#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#endif
