/*
 * The library has to be found from wherever this program is run: build tree,
 * installation or a moved one. So places are sought from its own path on before
 * those of configure.
 */
#include "recorder/launcher/preload.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/base/nearby.h"

enum mwr_mpi mwr_preload_mpi_of_environment(void)
{
    if (getenv("OMPI_COMM_WORLD_RANK")) {
        return MWR_MPI_OPENMPI;
    }
    if (getenv("MPI_LOCALRANKID") || (getenv("PMI_RANK") && !getenv("SLURM_STEP_ID"))) {
        return MWR_MPI_MPICH;
    }
    return MWR_MPI_UNKNOWN;
}

/* The directory that this program lies in; "" when the system doesn't say. */
static void own_directory(char *directory, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", directory, size - 1);
    char *slash;

    directory[length > 0 ? length : 0] = '\0';
    slash = strrchr(directory, '/');
    if (slash) {
        *slash = '\0';
    }
}

/* Beside this program: the build tree (libtool's .libs in between or not), an installation. */
static bool take_nearby(const char *name, char *path, size_t size)
{
    static const char *const places[] = {"/.libs", "", "/../lib/mpiwatch"};
    char directory[PATH_MAX];

    own_directory(directory, sizeof directory);
    for (size_t place = 0; place < sizeof places / sizeof places[0]; place++) {
        if (mw_nearby_take(directory, places[place], name, path, size)) {
            return true;
        }
    }
    return false;
}

enum mw_status mwr_preload_find(enum mwr_mpi mpi, const char *libdir, char *path, size_t size,
                                struct mw_diagnostic *diagnostic)
{
    char name[64];
    bool found;

    snprintf(name, sizeof name, "libmpiwatch-%s.so", mwr_mpi_words[mpi]);
    if (*libdir) {
        found = mw_nearby_take(libdir, "", name, path, size);
    } else {
        found = take_nearby(name, path, size) || mw_nearby_take(PKGLIBDIR, "", name, path, size);
    }
    if (!found) {
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
