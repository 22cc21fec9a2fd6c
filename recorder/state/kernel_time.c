/* Few ticks say nothing of a thread: how many are enough is here, without clocks and MPI. */
#include "recorder/state/kernel_time.h"

#define TICKS_ENOUGH 10u

void mwr_kernel_time_begin(struct mwr_kernel_time *time, uint64_t system, uint64_t tick)
{
    time->seen = system;
    time->enough = TICKS_ENOUGH * tick;
}

void mwr_kernel_time_see(struct mwr_kernel_time *time, uint64_t system, bool is_between)
{
    if (system > time->seen) {
        time->open += is_between ? system - time->seen : 0;
        time->seen = system;
    }
}

bool mwr_kernel_time_is_told(const struct mwr_kernel_time *time)
{
    return time->open > 0 && time->open >= time->enough;
}

bool mwr_kernel_time_waits(const struct mwr_kernel_time *time)
{
    return time->enough > 0;
}

uint64_t mwr_kernel_time_take(struct mwr_kernel_time *time)
{
    const uint64_t open = time->open;

    if (!mwr_kernel_time_is_told(time)) {
        return 0;
    }
    time->open = time->enough = 0;
    return open;
}

void mwr_kernel_time_end(struct mwr_kernel_time *time)
{
    time->open = mwr_kernel_time_is_told(time) ? time->open : 0;
    time->enough = 0;
}
