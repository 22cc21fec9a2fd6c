#include "recorder/hooks/nested.h"

#include "recorder/dispatch/chain.h"
#include "recorder/state/clock.h"
#include "recorder/state/comms.h"
#include "recorder/variables/variables.h"

/* The library's own. */
static mwr_MPI_Comm_free_function *library_free;
static mwr_MPI_Comm_disconnect_function *library_disconnect;

static int free_by(mwr_MPI_Comm_free_function *function, MPI_Comm *comm)
{
    struct mwr_call none = {.record = NULL}; /* there is no call to add anything to */
    MPI_Comm handle = comm ? *comm : MPI_COMM_NULL;
    struct mwr_comm *known = mwr_comm_forget_known(handle);
    int result;

    if (known) {
        mwr_variables_comm_ends(&none, known);
    }
    result = function(comm);
    if (known && result == MPI_SUCCESS) {
        mwr_comm_freed(known, mwr_clock());
    } else if (known) {
        mwr_comm_remember(known, handle);
    }
    return result;
}

static int nested_free(MPI_Comm *comm)
{
    return free_by(library_free, comm);
}

static int nested_disconnect(MPI_Comm *comm)
{
    return free_by(library_disconnect, comm);
}

void mwr_nested_prepare(void)
{
    library_free = MWR_PMPI(Comm_free);
    library_disconnect = MWR_PMPI(Comm_disconnect);
    mwr_chain.library[MW_CALL_MPI_Comm_free] = (mwr_function)nested_free;
    mwr_chain.library[MW_CALL_MPI_Comm_disconnect] = (mwr_function)nested_disconnect;
}
