/*
 * mpiwatch-recover is built once, without MPI, and yet has to speak over the MPI
 * that started it: it borrows the transport from the preloaded library of that
 * MPI.
 */
#include "config.h"

#include "recorder/finalize/lent_transport.h"

#include <stdlib.h>
#include <string.h>

#include "recorder/dispatch/chain.h"
#include "recorder/finalize/transport_mpi.h"

#define LENT __attribute__((visibility("default")))

LENT enum mw_status mpiwatch_transport_begin(struct mw_transport *transport, const char *version,
                                             struct mw_diagnostic *diagnostic)
{
    struct mwr_mpi_transport *state;
    MPI_Comm comm;

    if (strcmp(version, PACKAGE_STRING) != 0) {
        return mw_fail(diagnostic, MW_ERROR_VERSION, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "the library is of %s, the program of %s", PACKAGE_STRING, version);
    }
    mwr_chain_prepare(MW_CALL_MPI_Comm_rank);
    state = calloc(1, sizeof *state);
    if (!state || MWR_PMPI(Init)(NULL, NULL) != MPI_SUCCESS ||
        MWR_PMPI(Comm_dup)(MPI_COMM_WORLD, &comm) != MPI_SUCCESS) {
        free(state);
        return mw_fail(diagnostic, MW_ERROR_MPI, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "MPI can't be started");
    }
    MWR_PMPI(Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
    mwr_transport_mpi_init(transport, state, comm);
    return MW_OK;
}

LENT void mpiwatch_transport_end(struct mw_transport *transport)
{
    struct mwr_mpi_transport *state = transport->context;

    MWR_PMPI(Comm_free)(&state->comm);
    MWR_PMPI(Finalize)();
    free(state);
}
