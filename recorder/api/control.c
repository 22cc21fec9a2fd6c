/*
 * What a program says of the recording itself. Each call is bracketed as a record
 * is (saying.h), so that a tool or a signal handler that comes in between does no
 * harm; inside of a call of MPI no variables are read.
 */
#include "recorder/api/control.h"

#include "recorder/api/saying.h"
#include "recorder/include/mpiwatch.h"
#include "recorder/recorder.h"
#include "recorder/variables/variables.h"

int mwr_control_pause(void)
{
    struct mwr_saying saying;

    if (!mwr_saying_begin(&saying)) {
        return MPIWATCH_IDLE;
    }
    mwr_recorder_pause();
    mwr_saying_end(&saying);
    return MPIWATCH_OK;
}

int mwr_control_resume(void)
{
    struct mwr_saying saying;

    if (!mwr_saying_begin(&saying)) {
        return MPIWATCH_IDLE;
    }
    mwr_recorder_resume();
    mwr_saying_end(&saying);
    return MPIWATCH_OK;
}

int mwr_control_snapshot(void)
{
    struct mwr_saying saying;
    int result = MPIWATCH_IDLE;

    if (!mwr_saying_begin(&saying)) {
        return MPIWATCH_IDLE;
    }
    if (saying.is_inside) {
        result = MPIWATCH_ERROR_INSIDE;
    } else if (mwr_variables_snapshot()) {
        result = MPIWATCH_OK;
    }
    mwr_saying_end(&saying);
    return result;
}

int mwr_control_is_recording(void)
{
    return __atomic_load_n(&mwr_recorder.phase, __ATOMIC_ACQUIRE) == MWR_RECORDING;
}
