#include "recorder/sites/resolver.h"

#include <string.h>

#include "formats/archive/resolve_sites.h"
#include "formats/base/nearby.h"
#include "recorder/sites/loaded.h"

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
            if (mw_nearby_take(own.path, places[i], MW_RESOLVER_NAME, path, size)) {
                return true;
            }
        }
    }
    return mw_nearby_take(PKGLIBDIR, "", MW_RESOLVER_NAME, path, size);
}
