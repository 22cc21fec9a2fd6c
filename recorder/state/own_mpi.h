#ifndef MWR_STATE_OWN_MPI_H
#define MWR_STATE_OWN_MPI_H

#include <stdbool.h>

#include "recorder/dispatch/mpi_header.h"

/*
 * Which MPI this is, for the few places where what the two do differs. A library for one MPI
 * knows it when it is compiled; the one for the MPI ABI (MPI 5.0, chapter 20), whose mpi.h is the
 * same for both, asks the library that the program was started with.
 *
 * Once the chain of tools is prepared, also before MPI_Init, and from any thread.
 */
#ifdef OPEN_MPI
static inline bool mwr_mpi_is_openmpi(void)
{
    return true;
}
#elif defined(MWR_MPI_IS_ABI)
bool mwr_mpi_is_openmpi(void);
#else
static inline bool mwr_mpi_is_openmpi(void)
{
    return false;
}
#endif

#endif
