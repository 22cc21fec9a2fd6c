/*
 * A rank that MPI has called back seems to wait in the call in which that happened, and may do
 * anything: send to whom it seems to wait for, say. Whoever proves that ranks wait for each other
 * has to know that.
 */
#include "recorder/state/callbacks.h"

#include "recorder/dispatch/mpi_header.h"
#include "recorder/recorder.h"

/* Written by atomics: the thread tells that is the first. */
static bool is_told[MWR_CALLBACKS];

void mwr_callback_given(enum mwr_callback which, int result)
{
    static const char *const names[MWR_CALLBACKS] = {
        [MWR_CALLBACK_ERRHANDLER] = MW_CIRCUMSTANCE_ERRHANDLER,
        [MWR_CALLBACK_KEYVAL] = MW_CIRCUMSTANCE_KEYVAL,
    };

    if (result == MPI_SUCCESS && !__atomic_exchange_n(&is_told[which], true, __ATOMIC_RELAXED)) {
        mwr_recorder_define(&(struct mw_definition){
            .kind = MW_DEFINE_CIRCUMSTANCE,
            .of.circumstance = {.of = MW_CIRCUMSTANCE_OF_PROCESS,
                                .name = names[which],
                                .value = "MPI may call functions of the program"}});
    }
}
