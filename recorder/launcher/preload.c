/* Of a directory that is named nothing else is tried: who names one means that one. */
#include "recorder/launcher/preload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/archive/lent_library.h"
#include "formats/base/launched_job.h"
#include "formats/base/nearby.h"

enum mwr_mpi mwr_preload_mpi_of_environment(void)
{
    const char *launched = mw_launched_mpi();
    enum mwr_mpi mpi = MWR_MPI_UNKNOWN;

    while (launched && mwr_mpi_words[mpi] && strcmp(mwr_mpi_words[mpi], launched) != 0) {
        mpi++;
    }
    return mpi;
}

enum mw_status mwr_preload_find(enum mwr_mpi mpi, const char *libdir, char *path, size_t size,
                                struct mw_diagnostic *diagnostic)
{
    char name[64];

    snprintf(name, sizeof name, "libmpiwatch-%s.so", mwr_mpi_words[mpi]);
    if (*libdir ? !mw_nearby_take(libdir, "", name, path, size)
                : !mw_lent_library_path(mwr_mpi_words[mpi], PKGLIBDIR, path, size)) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, *libdir ? libdir : PKGLIBDIR,
                       MW_DIAGNOSTIC_OFFSET_NONE,
                       "no %s there: mpiwatch was built without this MPI, or is installed "
                       "elsewhere (--libdir)",
                       name);
    }
    if (strpbrk(path, " \t:")) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "LD_PRELOAD can't express a path with blanks or colons");
    }
    return MW_OK;
}

char *mwr_preload_variable(const char *library)
{
    const char *before = getenv("LD_PRELOAD");
    size_t length = strlen(library);
    char *value;

    if (!before || !*before) {
        return strdup(library);
    }
    if (strncmp(before, library, length) == 0 && strchr(": ", before[length])) {
        return strdup(before); /* strchr also finds the end */
    }
    return asprintf(&value, "%s:%s", library, before) < 0 ? NULL : value;
}

bool mwr_preload_has_asan(const char *names)
{
    return strstr(names, "libasan.so") || strstr(names, "libclang_rt.asan");
}

char *mwr_preload_asan_options(void)
{
    const char *before = getenv("ASAN_OPTIONS");
    char *value;

    return asprintf(&value, "verify_asan_link_order=0%s%s", before && *before ? ":" : "",
                    before ? before : "") < 0
               ? NULL
               : value;
}
