/*
 * A kernel that counts no ticks of threads, as some sandboxes have: to be preloaded, it refuses the
 * clocks that ITIMER_PROF and ITIMER_VIRTUAL go by.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>

#define ARGUMENTS 6

long syscall(long number, ...)
{
    static long (*real)(long, ...);
    long argument[ARGUMENTS];
    va_list list;

    va_start(list, number);
    for (int i = 0; i < ARGUMENTS; i++) {
        argument[i] = va_arg(list, long);
    }
    va_end(list);
    if (number == SYS_clock_gettime && ((int)argument[0] == -4 || (int)argument[0] == -3)) {
        errno = EINVAL;
        return -1;
    }
    if (!real) {
        *(void **)&real = dlsym(RTLD_NEXT, "syscall");
    }
    return real(number, argument[0], argument[1], argument[2], argument[3], argument[4],
                argument[5]);
}
