#include "recorder/hooks/control.h"

#include "recorder/finalize/finish.h"
#include "recorder/finalize/start.h"
#include "recorder/recorder.h"

void mwr_after_init(unsigned id, uint64_t enter, int result)
{
    struct mwr_call call;

    if (result != MPI_SUCCESS || mwr_recorder.phase != MWR_IDLE) {
        return;
    }
    mwr_start();
    if (mwr_recorder.phase == MWR_IDLE) {
        return;
    }
    mwr_call_begin(&call, id);
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
    if (mwr_recorder.phase == MWR_RECORDING || mwr_recorder.phase == MWR_PAUSED) {
        mwr_finish(call);
    }
    call->record = NULL;
}

void mwr_after_pcontrol(struct mwr_call *call, int level)
{
    mwr_call_end(call);
    call->record = NULL;
    if (level == 0) {
        mwr_recorder_pause();
    } else {
        mwr_recorder_resume();
    }
}
