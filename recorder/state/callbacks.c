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
    static const char may_be[] = "MPI may call functions of the program";
    static const char *const tells[MWR_CALLBACKS][2] = {
        [MWR_CALLBACK_ERRHANDLER] = {MW_CIRCUMSTANCE_ERRHANDLER, may_be},
        [MWR_CALLBACK_KEYVAL] = {MW_CIRCUMSTANCE_KEYVAL, may_be},
        [MWR_CALLBACK_REQUEST] = {MW_CIRCUMSTANCE_REQUEST, may_be},
        [MWR_CALLBACK_FINALIZE] = {MW_CIRCUMSTANCE_FINALIZE, may_be},
        [MWR_CALLBACK_FINALIZE_OVER] = {MW_CIRCUMSTANCE_FINALIZE_OVER, "MPI has called them"},
    };

    /* What comes before there is a record, in MPI_Init, is the MPI's own. */
    if (result == MPI_SUCCESS && mwr_recorder.definitions &&
        !__atomic_exchange_n(&is_told[which], true, __ATOMIC_RELAXED)) {
        mwr_recorder_define(&(struct mw_definition){
            .kind = MW_DEFINE_CIRCUMSTANCE,
            .of.circumstance = {.of = MW_CIRCUMSTANCE_OF_PROCESS,
                                .name = tells[which][0],
                                .value = tells[which][1]}});
    }
}
