#ifndef MWR_STATE_KERNEL_TIME_H
#define MWR_STATE_KERNEL_TIME_H

#include <stdbool.h>
#include <stdint.h>

/*
 * How much of a thread's time in the kernel is told, by the kernel's ticks of a few milliseconds:
 * nothing of fewer than ten, which come by chance and of starting, and from then on all of it.
 */

/* Times in ns; all zero: not begun. The thread's own. */
struct mwr_kernel_time {
    uint64_t seen;   /* up to the last look */
    uint64_t open;   /* to be told: between calls of MPI, … */
    uint64_t enough; /* … once it is so much; 0: whatever it is */
};

/* What went by up to now, system, is nobody's. */
void mwr_kernel_time_begin(struct mwr_kernel_time *time, uint64_t system, uint64_t tick);

/* It is system now; what came since the last look was between calls of MPI, or not. */
void mwr_kernel_time_see(struct mwr_kernel_time *time, uint64_t system, bool is_between);

/* Whether there is something to tell. */
bool mwr_kernel_time_is_told(const struct mwr_kernel_time *time);

/* Whether what there may be is not told yet, and with it the page faults that it may be by. */
bool mwr_kernel_time_waits(const struct mwr_kernel_time *time);

/* What is to be told, which it is then. */
uint64_t mwr_kernel_time_take(struct mwr_kernel_time *time);

/* Nothing comes any more: what is not enough is not told, and nothing waits for it. */
void mwr_kernel_time_end(struct mwr_kernel_time *time);

#endif
