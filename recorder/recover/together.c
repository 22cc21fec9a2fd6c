#include "config.h"

#include "recorder/recover/together.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "formats/base/launched_job.h"
#include "recorder/finalize/lent_transport.h"
#include "recorder/launcher/preload.h"

/* Any MPI will do that the launcher speaks to: Slurm's srun by --mpi=pmix or --mpi=pmi2. */
static enum mwr_mpi mpi_of_launcher(void)
{
    enum mwr_mpi mpi = mwr_preload_mpi_of_environment();

    if (mpi == MWR_MPI_UNKNOWN && getenv("PMIX_RANK")) {
        return MWR_MPI_OPENMPI;
    }
    return mpi == MWR_MPI_UNKNOWN && getenv("PMI_RANK") ? MWR_MPI_MPICH : mpi;
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

static enum mw_status find_library(char *path, size_t size, struct mw_diagnostic *diagnostic)
{
    const enum mwr_mpi mpi = mpi_of_launcher();

    return mpi != MWR_MPI_UNKNOWN
               ? mwr_preload_find(mpi, "", path, size, diagnostic)
               : mw_fail(diagnostic, MW_ERROR_USAGE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                         "%" PRIu32 " processes were started that can't speak to each other: "
                         "mpirun lets them, and srun with --mpi=pmix or --mpi=pmi2",
                         mw_launched_size());
}

void *mwr_together_find(const char *name, struct mw_diagnostic *diagnostic)
{
    char path[PATH_MAX];
    void *library;
    void *found = NULL;

    if (find_library(path, sizeof path, diagnostic) == MW_OK) {
        /* Global, or the library could not find the MPI that it needs (dlsym, RTLD_NEXT). */
        library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
        found = library ? dlsym(library, name) : NULL;
        if (!found) {
            const char *why = dlerror();

            (void)!mw_fail(diagnostic, MW_ERROR_USAGE, path, MW_DIAGNOSTIC_OFFSET_NONE,
                           "can't be opened: %s", why ? why : "unknown");
        }
    }
    return found;
}

static enum mw_status begin_lent(struct mw_transport *transport,
                                 struct mw_diagnostic *diagnostic)
{
    __typeof__(&mpiwatch_transport_begin) begin =
        (__typeof__(begin))mwr_together_find("mpiwatch_transport_begin", diagnostic);
    enum mw_status status = begin ? begin(transport, PACKAGE_STRING, diagnostic) : MW_ERROR_USAGE;

    if (status == MW_OK && transport->size != mw_launched_size()) {
        status = mw_fail(diagnostic, MW_ERROR_USAGE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                         "of %" PRIu32 " processes that were started each is alone: the launcher "
                         "is of another MPI than %s",
                         mw_launched_size(), mwr_mpi_title(mpi_of_launcher()));
        mwr_together_end(transport);
    }
    return status;
}

enum mw_status mwr_together_begin(struct mw_transport *transport,
                                  struct mw_diagnostic *diagnostic)
{
    return mw_launched_size() > 1 ? begin_lent(transport, diagnostic)
                                  : mw_transport_serial_init(transport, diagnostic);
}
