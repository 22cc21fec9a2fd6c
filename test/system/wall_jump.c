/*
 * A library to preload: the wall clock jumps back by an hour whenever it is read. The
 * monotonic clock is left alone.
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time)
{
    static _Atomic long reads;
    long result = syscall(SYS_clock_gettime, clock, time);

    if (result == 0 && clock == CLOCK_REALTIME) {
        time->tv_sec -= 3600 * ++reads;
    }
    return (int)result;
}
