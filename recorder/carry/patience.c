/* Looks seldom once it has waited long: what is waited for takes seconds, as a rule. */
#include "recorder/carry/patience.h"

#include <unistd.h>

#include "recorder/dispatch/chain.h"
#include "recorder/finalize/lent_transport.h"
#include "recorder/finalize/transport_mpi.h"

#define LENT __attribute__((visibility("default")))

#define FIRST_LOOK 20u    /* microseconds */
#define LAST_LOOK  10000u

/* As formats/archive/lent_library.c takes them. */
_Static_assert(_Generic(&mpiwatch_transport_begin,
                        enum mw_status (*)(struct mw_transport *, const char *,
                                           struct mw_diagnostic *): 1,
                        default: 0),
               "what is lent is what is borrowed");
_Static_assert(_Generic(&mpiwatch_transport_end, void (*)(struct mw_transport *): 1, default: 0),
               "what is lent is what is borrowed");

LENT void mpiwatch_transport_await(struct mw_transport *transport)
{
    const struct mwr_mpi_transport *state = transport->context;
    unsigned look = FIRST_LOOK;
    MPI_Request request;
    int is_over = 0;

    if (MWR_PMPI(Ibarrier)(state->comm, &request) != MPI_SUCCESS) {
        return;
    }
    while (MWR_PMPI(Test)(&request, &is_over, MPI_STATUS_IGNORE) == MPI_SUCCESS && !is_over) {
        usleep(look);
        look += look < LAST_LOOK ? look / 4 + 1 : 0;
    }
}
