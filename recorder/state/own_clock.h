#ifndef MWR_STATE_OWN_CLOCK_H
#define MWR_STATE_OWN_CLOCK_H

#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC in ns: the clock of all records. Thread-safe, no system call on Linux. */
static inline uint64_t mwr_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The wall clock in ns since 1970-01-01 UTC. */
static inline uint64_t mwr_wall_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
