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
    char resolved[PATH_MAX]; /* what is there is not missed for want of memory */
    const int length = snprintf(candidate, sizeof candidate, "%s%s/%s", directory, place, name);

    if (length >= (int)sizeof candidate || !realpath(candidate, resolved) ||
        strlen(resolved) >= size) {
        return false;
    }
    memcpy(path, resolved, strlen(resolved) + 1);
    return true;
}

/* The same at any of the places, as seen from the directory of the file own. */
static bool take_from(char *own, const char *const *places, size_t count, const char *name,
                      char *path, size_t size)
{
    char *slash = strrchr(own, '/');
    bool is_found = false;

    if (slash) {
        *slash = '\0';
    }
    for (size_t i = 0; slash && i < count && !is_found; i++) {
        is_found = mw_nearby_take(own, places[i], name, path, size);
    }
    return is_found;
}

/* In the build tree what /proc names lies in .libs, and what runs it beside. */
static void find_own(char own[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", own, PATH_MAX - 1);

    own[length > 0 ? length : 0] = '\0';
}

bool mw_nearby_program(char *own, const char *installed, const char *name, char *path,
                       size_t size)
{
    static const char *const places[] = {"", "/..", "/../lib/mpiwatch"};
    char caller[PATH_MAX];

    if (!own) {
        find_own(caller);
        own = caller;
    }
    return take_from(own, places, sizeof places / sizeof places[0], name, path, size) ||
           mw_nearby_take(installed, "", name, path, size);
}

bool mw_nearby_command(const char *installed, const char *name, char *path, size_t size)
{
    static const char *const places[] = {"", "/..", "/../../bin", "/../../../bin"};
    char own[PATH_MAX];

    find_own(own);
    return take_from(own, places, sizeof places / sizeof places[0], name, path, size) ||
           mw_nearby_take(installed, "", name, path, size);
}
