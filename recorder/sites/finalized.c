/*
 * What compilers have each library call when it goes, be it by dlclose(3) or at the end of the
 * program: what comes to lie in its place is not what sites were known there. (dlclose itself is
 * not always called by its name: UCX takes its place in the whole program. A library that is
 * loaded so that it finds another function than this one finds MPI's, too, and not the recorder's.)
 *
 * Its own functions for the end may call MPI, so afterwards is soon enough.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

#include "recorder/sites/call_sites.h"

/* The C library's; dso is an address in the library, or null: the program itself. */
void __cxa_finalize(void *dso);

__attribute__((visibility("default"))) void __cxa_finalize(void *dso)
{
    static void (*next)(void *dso);
    void (*function)(void *dso) = __atomic_load_n(&next, __ATOMIC_RELAXED);
    int error = errno;

    if (!function) {
        *(void **)&function = dlsym(RTLD_NEXT, "__cxa_finalize");
        __atomic_store_n(&next, function, __ATOMIC_RELAXED);
    }
    errno = error;
    if (function) {
        function(dso);
    }
    error = errno;
    if (dso) {
        mwr_sites_forget(dso);
    }
    errno = error;
}
