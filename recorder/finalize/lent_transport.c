/*
 * mpiwatch-recover is built once, without MPI, and yet has to speak over the MPI
 * that started it: it borrows the transport from the preloaded library of that
 * MPI.
 */
#include "config.h"

#include "recorder/finalize/lent_transport.h"

#include <string.h>

#include "recorder/dispatch/chain.h"
#include "recorder/finalize/transport_mpi.h"

#define LENT __attribute__((visibility("default")))

/* Written by mpiwatch_transport_begin. Who had to ask for it, and got none, would leave the other
 * processes waiting in MPI_Init. */
static struct mwr_mpi_transport lent;

LENT enum mw_status mpiwatch_transport_begin(struct mw_transport *transport, const char *version,
                                             struct mw_diagnostic *diagnostic)
{
    MPI_Comm comm;

    if (strcmp(version, PACKAGE_STRING) != 0) {
        return mw_fail(diagnostic, MW_ERROR_VERSION, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "the library is of %s, the program of %s", PACKAGE_STRING, version);
    }
    mwr_chain_prepare(MW_CALL_MPI_Comm_rank);
    lent = (struct mwr_mpi_transport){ 0 };
    if (MWR_PMPI(Init)(NULL, NULL) != MPI_SUCCESS ||
        MWR_PMPI(Comm_dup)(MPI_COMM_WORLD, &comm) != MPI_SUCCESS) {
        return mw_fail(diagnostic, MW_ERROR_MPI, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "MPI can't be started");
    }
    MWR_PMPI(Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
    mwr_transport_mpi_init(transport, &lent, comm);
    return MW_OK;
}

LENT void mpiwatch_transport_end(struct mw_transport *transport)
{
    struct mwr_mpi_transport *state = transport->context;

    MWR_PMPI(Comm_free)(&state->comm);
    MWR_PMPI(Finalize)();
}
