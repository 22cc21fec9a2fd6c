#include "recorder/sites/resolver.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "formats/archive/resolve_sites.h"
#include "recorder/sites/loaded.h"

/* Writes DIRECTORY PLACE /mpiwatch-resolve to path, if that is a program. */
static bool take(const char *directory, const char *place, char *path, size_t size)
{
    int length = snprintf(path, size, "%s%s/" MW_RESOLVER_NAME, directory, place);

    return length > 0 && (size_t)length < size && access(path, X_OK) == 0;
}

bool mwr_resolver_find(char *path, size_t size)
{
    /* Beside a library, above the build tree's .libs, beside a program, or where programs are
       installed, seen from there. */
    static const char *const places[] = {"", "/..", "/../lib/mpiwatch"};
    static const char here;
    struct mwr_loaded own;
    char *slash;

    if (mwr_loaded_find(&here, &own)) {
        slash = strrchr(own.path, '/');
        if (slash) {
            *slash = '\0';
        }
        for (size_t i = 0; slash && i < sizeof places / sizeof places[0]; i++) {
            if (take(own.path, places[i], path, size)) {
                return true;
            }
        }
    }
    return take(PKGLIBDIR, "", path, size);
}
