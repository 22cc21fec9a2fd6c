/*
 * The library is opened so that all see its symbols: it finds the MPI that it needs by its own
 * (dlsym, RTLD_NEXT). What the functions look like is said again by who has them
 * (recorder/finalize/lent_transport.h, recorder/carry/patience.h), and the compiler holds both
 * together there.
 */
#include "formats/archive/lent_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/base/launched_job.h"
#include "formats/base/nearby.h"

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

bool mw_lent_library_path(const char *mpi, const char *installed, char *path, size_t size)
{
    /* Beside this program: the build tree (libtool's .libs in between or not), an installation. */
    static const char *const places[] = {"/.libs", "", "/../lib/mpiwatch"};
    char directory[PATH_MAX];
    char name[64];

    snprintf(name, sizeof name, "libmpiwatch-%s.so", mpi);
    own_directory(directory, sizeof directory);
    for (size_t place = 0; place < sizeof places / sizeof places[0]; place++) {
        if (mw_nearby_take(directory, places[place], name, path, size)) {
            return true;
        }
    }
    return mw_nearby_take(installed, "", name, path, size);
}

static const char *meant(const char *mpi)
{
    return mpi ? mpi : mw_launched_mpi_at_all();
}

/* UCX, by which MPIs speak, warns on standard output, amid what the program prints there, and looks
 * at its environment when it is loaded. */
static void lead_words_of_ucx_away(void)
{
    (void)setenv("UCX_LOG_FILE", "stderr", 0);
}

void *mw_lent_function(const char *mpi, const char *name, struct mw_diagnostic *diagnostic)
{
    const char *which = meant(mpi);
    char path[PATH_MAX];
    void *library;
    void *found;

    if (!which) {
        (void)!mw_fail(diagnostic, MW_ERROR_USAGE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "%" PRIu32 " processes were started that can't speak to each other: "
                       "mpirun lets them, and srun with --mpi=pmix or --mpi=pmi2",
                       mw_launched_size());
        return NULL;
    }
    if (!mw_lent_library_path(which, PKGLIBDIR, path, sizeof path)) {
        (void)!mw_fail(diagnostic, MW_ERROR_USAGE, PKGLIBDIR, MW_DIAGNOSTIC_OFFSET_NONE,
                       "no libmpiwatch-%s.so there: mpiwatch was built without this MPI, or is "
                       "installed elsewhere", which);
        return NULL;
    }
    lead_words_of_ucx_away();
    errno = 0;
    library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    found = library ? dlsym(library, name) : NULL;
    if (!found && errno == ENOMEM) {
        (void)!mw_no_memory(diagnostic, path, "to open it");
    } else if (!found) {
        const char *why = dlerror();

        (void)!mw_fail(diagnostic, MW_ERROR_USAGE, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "can't be opened: %s", why ? why : "unknown");
    }
    return found;
}

enum mw_status mw_lent_begin(const char *mpi, const char *version, struct mw_transport *transport,
                             struct mw_diagnostic *diagnostic)
{
    enum mw_status (*begin)(struct mw_transport *, const char *, struct mw_diagnostic *);
    const uint32_t launched = mw_launched_size();
    enum mw_status status;

    *(void **)&begin = mw_lent_function(mpi, "mpiwatch_transport_begin", diagnostic);
    status = begin ? begin(transport, version, diagnostic) : diagnostic->status;
    if (status == MW_OK && launched > 1 && transport->size != launched) {
        status = mw_fail(diagnostic, MW_ERROR_USAGE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                         "of %" PRIu32 " processes that were started each is alone: the launcher "
                         "is of another MPI than libmpiwatch-%s.so",
                         launched, meant(mpi));
        mw_lent_end(transport);
    }
    return status;
}

void mw_lent_await(struct mw_transport *transport)
{
    void (*await)(struct mw_transport *);

    *(void **)&await = dlsym(RTLD_DEFAULT, "mpiwatch_transport_await");
    if (await) {
        await(transport);
    }
}

void mw_lent_end(struct mw_transport *transport)
{
    void (*end)(struct mw_transport *);

    *(void **)&end = dlsym(RTLD_DEFAULT, "mpiwatch_transport_end");
    if (end) {
        end(transport);
    } else {
        mw_transport_serial_fini(transport);
    }
}
