#include "config.h"

#include "recorder/recover/together.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>

#include "recorder/finalize/lent_transport.h"
#include "recorder/launcher/preload.h"

/* Whether a launcher has started several processes. */
static bool has_peers(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};

    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *size = getenv(variables[i]);

        if (size && strtol(size, NULL, 10) > 1) {
            return true;
        }
    }
    return false;
}

static enum mw_status cannot_open(const char *path, struct mw_diagnostic *diagnostic)
{
    const char *why = dlerror();

    return mw_fail(diagnostic, MW_ERROR_USAGE, path, MW_DIAGNOSTIC_OFFSET_NONE,
                   "can't be opened: %s", why ? why : "unknown");
}

static enum mw_status begin_lent(struct mw_transport *transport,
                                 struct mw_diagnostic *diagnostic)
{
    enum mwr_mpi mpi = mwr_preload_mpi_of_environment();
    char path[PATH_MAX];
    enum mw_status status;
    void *library;
    __typeof__(&mpiwatch_transport_begin) begin;

    if (mpi == MWR_MPI_UNKNOWN) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "can't tell which MPI the launcher is of");
    }
    status = mwr_preload_find(mpi, "", path, sizeof path, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    /* Global, or the library could not find the MPI that it needs (dlsym, RTLD_NEXT). */
    library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    begin = library ? (__typeof__(begin))dlsym(library, "mpiwatch_transport_begin") : NULL;
    return begin ? begin(transport, PACKAGE_STRING, diagnostic) : cannot_open(path, diagnostic);
}

enum mw_status mwr_together_begin(struct mw_transport *transport,
                                  struct mw_diagnostic *diagnostic)
{
    return has_peers() ? begin_lent(transport, diagnostic)
                       : mw_transport_serial_init(transport, diagnostic);
}

void mwr_together_end(struct mw_transport *transport)
{
    __typeof__(&mpiwatch_transport_end) end =
        (__typeof__(end))dlsym(RTLD_DEFAULT, "mpiwatch_transport_end");

    if (end) {
        end(transport);
    } else {
        mw_transport_serial_fini(transport);
    }
}
