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

static enum mw_status cannot_open(const char *path, struct mw_diagnostic *diagnostic)
{
    const char *why = dlerror();

    return mw_fail(diagnostic, MW_ERROR_USAGE, path, MW_DIAGNOSTIC_OFFSET_NONE,
                   "can't be opened: %s", why ? why : "unknown");
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

static enum mw_status begin_lent(struct mw_transport *transport,
                                 struct mw_diagnostic *diagnostic)
{
    enum mwr_mpi mpi = mpi_of_launcher();
    char path[PATH_MAX];
    enum mw_status status;
    void *library;
    __typeof__(&mpiwatch_transport_begin) begin;

    if (mpi == MWR_MPI_UNKNOWN) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "%" PRIu32 " processes were started that can't speak to each other: mpirun "
                       "lets them, and srun with --mpi=pmix or --mpi=pmi2",
                       mw_launched_size());
    }
    status = mwr_preload_find(mpi, "", path, sizeof path, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    /* Global, or the library could not find the MPI that it needs (dlsym, RTLD_NEXT). */
    library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    begin = library ? (__typeof__(begin))dlsym(library, "mpiwatch_transport_begin") : NULL;
    status = begin ? begin(transport, PACKAGE_STRING, diagnostic) : cannot_open(path, diagnostic);
    if (status == MW_OK && transport->size != mw_launched_size()) {
        status = mw_fail(diagnostic, MW_ERROR_USAGE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                         "of %" PRIu32 " processes that were started each is alone: the launcher "
                         "is of another MPI than %s",
                         mw_launched_size(), mwr_mpi_title(mpi));
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
