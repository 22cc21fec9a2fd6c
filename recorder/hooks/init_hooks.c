/*
 * Recording begins behind MPI_Init, as all that it needs is MPI's; the time of the
 * entry was taken before, so that the record of MPI_Init is whole nevertheless.
 */
#include "recorder/hooks/init_hooks.h"

#include <stdlib.h>

#include "formats/base/launched_job.h"
#include "recorder/dispatch/chain.h"
#include "recorder/finalize/ending.h"
#include "recorder/finalize/last_attribute.h"
#include "recorder/finalize/siblings.h"
#include "recorder/finalize/start.h"
#include "recorder/hooks/message.h"
#include "recorder/hooks/session.h"
#include "recorder/recorder.h"
#include "recorder/variables/variables.h"

void mwr_before_init(void)
{
    if (mwr_recorder.phase == MWR_IDLE) {
        mwr_siblings_mark();
        mwr_variables_prepare();
    }
}

void mwr_say_what_is_hidden(void)
{
    if (mw_launched_first()) {
        mwr_say("MPIWATCH_INTERPOSE_PMPI=0: calls by PMPI names are not recorded, which are all "
                "calls of Fortran bindings in Open MPI and some in MPICH");
    }
}

bool mwr_is_initialized(void)
{
    int flag = 0;

    MWR_PMPI(Initialized)(&flag);
    return flag;
}

void mwr_after_init(unsigned id, void *caller, uint64_t enter, int result)
{
    struct mwr_call call;

    /* A tool below us may have said MPI_SUCCESS without calling MPI. */
    if (result != MPI_SUCCESS || mwr_recorder.phase != MWR_IDLE || !mwr_is_initialized()) {
        return;
    }
    mwr_session_forget_world();
    mwr_start();
    if (mwr_recorder.phase == MWR_IDLE) {
        mwr_variables_abandon();
        return;
    }
    mwr_call_begin(&call, id, caller);
    if (call.record) {
        call.record->enter = enter;
    }
    mwr_call_end(&call);
    if (mwr_recorder.settings.start_paused) {
        mwr_recorder_pause();
    }
}

void mwr_before_finalize(struct mwr_call *call)
{
    if (mwr_recorder.is_apart) {
        mwr_call_end(call);
        call->record = NULL;
    } else if (mwr_ending_is_open()) {
        mwr_last_attribute_await(call);
    } else {
        call->record = NULL;
    }
}

void mwr_after_pcontrol(struct mwr_call *call, int level)
{
    if (!call->record) {
        mwr_variables_phase();
    }
    mwr_call_end(call);
    call->record = NULL;
    if (level == 0) {
        mwr_recorder_pause();
    } else {
        mwr_recorder_resume();
    }
}
