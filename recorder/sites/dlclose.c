/*
 * dlclose(3) as programs see it: what comes to lie where a library was is not what sites were
 * known there. Who has closed a library can't be calling from it, so afterwards is soon enough.
 */
#include <dlfcn.h>
#include <errno.h>

#include "recorder/sites/call_sites.h"

__attribute__((visibility("default"))) int dlclose(void *handle)
{
    static int (*next)(void *handle);
    int (*function)(void *handle) = __atomic_load_n(&next, __ATOMIC_RELAXED);
    int result;
    int error;

    if (!function) {
        *(void **)&function = dlsym(RTLD_NEXT, "dlclose");
        __atomic_store_n(&next, function, __ATOMIC_RELAXED);
    }
    result = function(handle);
    error = errno;
    mwr_sites_forget_gone();
    errno = error;
    return result;
}
