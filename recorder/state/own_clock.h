#ifndef MWR_STATE_OWN_CLOCK_H
#define MWR_STATE_OWN_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "formats/base/status.h"
#include "recorder/state/clock_line.h"

/*
 * The clock of all records: CLOCK_MONOTONIC in ns, which is read by way of the processor's
 * time-stamp counter where that can be trusted (clock_line.h): the kernel itself takes its time
 * from it, it is invariant, and nobody has forbidden to read it.
 *
 * The counter is read without a fence (rdtsc, neither rdtscp nor lfence, which take twice as
 * long): the processor may then read it some instructions early or late, tens of ns, which is the
 * recorder's own work around the call. That a message is received before it was sent can't come of
 * it, since nobody sees a message sooner than a cache line has gone from one core to another.
 *
 * AArch64 has a counter like it (cntvct_el0), and clock_gettime(2) stays there: it reads the same
 * counter, so that times are no finer for reading it here, and where that ticks every 40 ns (25
 * MHz, as before ARMv8.6) two readings that frame another one may be the same, while points are
 * judged here by how many ticks lie between. What a reading would save, the isb and the sums, was
 * not measured on any such machine.
 */

#ifdef __x86_64__
#define MWR_HAS_TICKS 1
#define mwr_ticks() __builtin_ia32_rdtsc()
#endif

/* The thread's own. */
extern __thread struct mwr_clock_line mwr_clock_line
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Begins with the counter if may_count and it can be trusted, before other threads are recorded. */
void mwr_clock_start(bool may_count);

/* The time where the thread's line does not tell it. Keeps errno. */
uint64_t mwr_clock_slowly(void);

/* CLOCK_MONOTONIC in ns. Thread-safe, no system call on Linux; never goes back in a thread. */
MW_INLINE uint64_t mwr_clock(void)
{
#ifdef MWR_HAS_TICKS
    const struct mwr_clock_line *line = &mwr_clock_line;

    if (MW_LIKELY(line->ticks > 0)) {
        uint64_t ticks = mwr_ticks() - line->tick;

        if (MW_LIKELY(ticks < line->ticks)) {
            return line->time + (ticks * line->slope >> 32);
        }
    }
#endif
    return mwr_clock_slowly();
}

/* The wall clock in ns since 1970-01-01 UTC. */
static inline uint64_t mwr_wall_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
