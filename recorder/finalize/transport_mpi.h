#ifndef MWR_FINALIZE_TRANSPORT_MPI_H
#define MWR_FINALIZE_TRANSPORT_MPI_H

#include "formats/archive/transport.h"
#include "recorder/dispatch/mpi_header.h"

/*
 * The transport over MPI. Uses only the recorder's private communicator, so that the
 * application's pending receives can't catch anything; errors are returned.
 */

struct mwr_mpi_transport {
    MPI_Comm comm;
    int rank;
    int size;
    MPI_File file; /* MPI_FILE_NULL: no output open */
    /* While it is open: */
    const char *path; /* the caller's */
    uint64_t end;     /* bytes of the output, as far as it is known */
};

/* Fills transport; state and comm must live as long as it. */
void mwr_transport_mpi_init(struct mw_transport *transport, struct mwr_mpi_transport *state,
                            MPI_Comm comm);

#endif
