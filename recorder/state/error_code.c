/*
 * A call may return what is no code of the MPI's: what the program's own callback (of attributes,
 * of a generalized request) has returned. Who asks Open MPI for the class of such a number makes
 * an error of his own, which ends the program where errors without an object are fatal. MPICH asks
 * for no more than its bits, and its MPI_LASTUSEDCODE is below codes that are in use.
 */
#include "recorder/state/error_code.h"

#include "recorder/dispatch/chain.h"
#include "recorder/recorder.h"
#include "recorder/state/own_mpi.h"

/* Without MPI_Init nobody can be asked what codes the program has added. */
static bool is_added(int error_code)
{
    const int *last = NULL;
    int has = 0;

    return !mwr_recorder.is_apart &&
           MWR_PMPI(Comm_get_attr)(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &has) ==
               MPI_SUCCESS &&
           has && error_code <= *last;
}

static bool is_known(int error_code)
{
    return !mwr_mpi_is_openmpi() ||
           (error_code >= 0 && (error_code <= MPI_ERR_LASTCODE || is_added(error_code)));
}

int mwr_error_class(int error_code)
{
    int error_class = error_code;

    if (is_known(error_code)) {
        MWR_PMPI(Error_class)(error_code, &error_class);
    }
    return error_class;
}
