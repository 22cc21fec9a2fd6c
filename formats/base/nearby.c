/* Paths are resolved: programs that keep a preloaded library's may change their directory. */
#include "formats/base/nearby.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool mw_nearby_take(const char *directory, const char *place, const char *name, char *path,
                    size_t size)
{
    char candidate[PATH_MAX];
    char *resolved;
    int length;

    length = snprintf(candidate, sizeof candidate, "%s%s/%s", directory, place, name);
    resolved = length < (int)sizeof candidate ? realpath(candidate, NULL) : NULL;
    if (!resolved || strlen(resolved) >= size) {
        free(resolved);
        return false;
    }
    memcpy(path, resolved, strlen(resolved) + 1);
    free(resolved);
    return true;
}

bool mw_nearby_program(char *own, const char *installed, const char *name, char *path,
                       size_t size)
{
    static const char *const places[] = {"", "/..", "/../lib/mpiwatch"};
    char *slash = strrchr(own, '/');

    if (slash) {
        *slash = '\0';
    }
    for (size_t i = 0; slash && i < sizeof places / sizeof places[0]; i++) {
        if (mw_nearby_take(own, places[i], name, path, size)) {
            return true;
        }
    }
    return mw_nearby_take(installed, "", name, path, size);
}

bool mw_nearby_command(const char *installed, const char *name, char *path, size_t size)
{
    static const char *const places[] = {"", "/..", "/../../bin", "/../../../bin"};
    char own[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);

    own[length > 0 ? length : 0] = '\0';
    if (strrchr(own, '/')) {
        *strrchr(own, '/') = '\0';
    }
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (mw_nearby_take(own, places[i], name, path, size)) {
            return true;
        }
    }
    return mw_nearby_take(installed, "", name, path, size);
}
