/*
 * A library to preload: a file system that takes its time to rename a file, as one far away
 * may. The recorder's last step is to give the archive its name.
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int renameat2(int from, const char *source, int to, const char *target, unsigned flags)
{
    struct timespec rest = {2, 100000000};

    while (nanosleep(&rest, &rest) != 0) {
    }
    return (int)syscall(SYS_renameat2, from, source, to, target, flags);
}
