/*
 * Which ranks will fail is not known to any of them, nor whether for one reason: in a job of
 * several programs only some may. So it can't be the first rank's task to speak for the others. Two
 * that speak where one should is the worst that can come of it, and never that nobody does.
 */
#include "recorder/launcher/once.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "formats/base/launched_job.h"

#define LINGER_NS 333000000

/* Written by the program's only thread. */
static bool has_taken;

/* FNV-1a (Fowler, Noll, Vo). */
static uint64_t hash(const char *text)
{
    uint64_t value = UINT64_C(14695981039346656037);

    for (; *text; text++) {
        value = (value ^ (unsigned char)*text) * UINT64_C(1099511628211);
    }
    return value;
}

bool mwr_once_of_host(const char *text)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int descriptor;
    int length;

    if (mw_launched_size() < 2) {
        return true;
    }
    descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) {
        return true;
    }
    /* All ranks of a host are children of the launcher's process there. */
    length = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "mpiwatch-said-%ld-%ld-%016llx",
                      (long)getuid(), (long)getppid(), (unsigned long long)hash(text));
    if (bind(descriptor, (const struct sockaddr *)&name,
             (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)) != 0) {
        bool is_said = errno == EADDRINUSE;

        close(descriptor);
        return !is_said;
    }
    has_taken = true;
    return true;
}

void mwr_once_linger(void)
{
    struct timespec left = {.tv_nsec = LINGER_NS};

    while (has_taken && nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}
