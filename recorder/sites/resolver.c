/* The program is looked for from the library, since the program that runs is the user's. */
#include "recorder/sites/resolver.h"

#include "formats/archive/resolve_sites.h"
#include "recorder/sites/loaded.h"

bool mwr_resolver_find(char *path, size_t size)
{
    static const char here;
    struct mwr_loaded own;

    if (!mwr_loaded_find(&here, &own)) {
        own.path[0] = '\0';
    }
    return mw_resolver_find(own.path, PKGLIBDIR, path, size);
}
