#ifndef MWR_STATE_OWN_MPI_H
#define MWR_STATE_OWN_MPI_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/dispatch/mpi_header.h"

/*
 * Which MPI this is, and what the two do differently. A library for one MPI knows it when it is
 * compiled; the one for the MPI ABI (MPI 5.0, chapter 20), whose mpi.h is the same for both, asks
 * the library that the program was started with.
 *
 * Once the chain of tools is prepared, also before MPI_Init, and from any thread.
 *
 * mwr_request_is_shared: whether the handle is one that this MPI gives to several requests at
 * once, because all of them are complete from the start. In Open MPI these are objects with a name
 * (the second one since 5.0), in MPICH handles of what is built in, which through the ABI are
 * pointers with such a number.
 */
#ifdef OPEN_MPI
extern struct ompi_request_t ompi_request_empty
    __attribute__((weak, visibility("default")));
extern struct ompi_request_t ompi_request_empty_send
    __attribute__((weak, visibility("default")));

static inline bool mwr_mpi_is_openmpi(void)
{
    return true;
}

static inline bool mwr_request_is_shared(MPI_Request handle)
{
    return handle == &ompi_request_empty || handle == &ompi_request_empty_send;
}
#elif defined(MWR_MPI_IS_ABI)
bool mwr_mpi_is_openmpi(void);
bool mwr_request_is_shared(MPI_Request handle);
#else
static inline bool mwr_mpi_is_openmpi(void)
{
    return false;
}

static inline bool mwr_request_is_shared(MPI_Request handle)
{
    return (uint32_t)handle >> 30 == 1;
}
#endif

#endif
