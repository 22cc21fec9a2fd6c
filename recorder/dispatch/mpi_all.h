#ifndef MWR_DISPATCH_MPI_ALL_H
#define MWR_DISPATCH_MPI_ALL_H

/*
 * All that the MPI declares. Open MPI has its MPIX_ functions in a header of their own. For the
 * MPI ABI (MWR_MPI_IS_ABI, of configure) any MPI's copy of its mpi.h has to do, and they differ:
 * only MPICH's has what Fortran's libraries need, and its partitioned operations count by int where
 * the standard has MPI_Count.
 */
#ifdef MWR_MPI_IS_ABI
#define MPI_Psend_init mwr_psend_init_of_the_header
#define PMPI_Psend_init mwr_psend_init_of_the_library
#define MPI_Precv_init mwr_precv_init_of_the_header
#define PMPI_Precv_init mwr_precv_init_of_the_library
#include <mpi.h>
#undef MPI_Psend_init
#undef PMPI_Psend_init
#undef MPI_Precv_init
#undef PMPI_Precv_init
#define MPI_F08_status MPI_F08_Status

typedef int MPI_Fint;
int MPI_Psend_init(const void *buf, int partitions, MPI_Count count, MPI_Datatype datatype,
                   int dest, int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request);
int MPI_Precv_init(void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source,
                   int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request);
#else
#include <mpi.h>
#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#endif

#endif
