/*
 * The system makes the file, which says what is wrong when it can't, and MPI opens it. With hints
 * of the user's MPI makes it, too: over how many disks a file lies is settled when it is made.
 */
#include "recorder/finalize/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "formats/base/file.h"
#include "recorder/dispatch/chain.h"
#include "recorder/finalize/output_hints.h"
#include "recorder/recorder.h"

/* How long a process waits for rank 0's file to appear on its file system. */
#define APPEAR_ATTEMPTS 40
#define APPEAR_NS 50000000
/* What an MPI takes to open a file, beside the buffer that the hints tell. */
#define OPENING_BYTES (4ull << 20)

/*
 * What goes wrong in opening a file, and in the file later, is for the error handler that
 * MPI_FILE_NULL has when it is opened. That is the program's, which is neither called nor ends the
 * program for a file of ours. (MPICH 4.0 also frees it when such a file is closed, and once more in
 * MPI_Finalize, which ends the program.)
 */
static int open_apart(MPI_Comm comm, const char *path, int mode, MPI_File *file)
{
    MPI_Errhandler programs = MPI_ERRHANDLER_NULL;
    bool is_known = MWR_PMPI(File_get_errhandler)(MPI_FILE_NULL, &programs) == MPI_SUCCESS;
    MPI_Info info = mwr_output_hints();
    int error;

    if (is_known) {
        MWR_PMPI(File_set_errhandler)(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    }
    mwr_output_hints_be_silent();
    error = MWR_PMPI(File_open)(comm, path, mode, info, file);
    mwr_output_hints_be_told();
    if (is_known) {
        MWR_PMPI(File_set_errhandler)(MPI_FILE_NULL, programs);
        MWR_PMPI(Errhandler_free)(&programs);
    }
    if (info != MPI_INFO_NULL) {
        MWR_PMPI(Info_free)(&info);
    }
    return error;
}

/* False when the file was not made, or not anew. */
static bool make_by_mpi(const char *path)
{
    MPI_File file;

    if (open_apart(mwr_recorder.self, path, MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_EXCL,
                   &file) != MPI_SUCCESS) {
        return false;
    }
    MWR_PMPI(File_close)(&file);
    return true;
}

enum mw_status mwr_output_make(const char *path, uint64_t nonce,
                               struct mw_diagnostic *diagnostic)
{
    bool is_made = *mwr_recorder.settings.io_hints && make_by_mpi(path);
    int descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW |
                                    (is_made ? 0 : O_CREAT | O_EXCL), 0666);
    ssize_t written;

    if (descriptor < 0) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "can't create the output");
    }
    written = write(descriptor, &nonce, sizeof nonce);
    if (close(descriptor) != 0 || written != (ssize_t)sizeof nonce) {
        enum mw_status status = mw_fail(diagnostic, mw_file_write_error(), path,
                                        MW_DIAGNOSTIC_OFFSET_NONE, "can't write to the output");

        unlink(path);
        return status;
    }
    return MW_OK;
}

static bool has_stamp(const char *path, uint64_t nonce)
{
    uint64_t found = ~nonce;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    bool is_stamped = false;

    if (descriptor >= 0) {
        is_stamped = read(descriptor, &found, sizeof found) == (ssize_t)sizeof found &&
                     found == nonce;
        close(descriptor);
    }
    return is_stamped;
}

/* A network file system may take a moment to show it. */
enum mw_status mwr_output_see(const char *path, uint64_t nonce,
                              struct mw_diagnostic *diagnostic)
{
    const struct timespec pause = {.tv_nsec = APPEAR_NS};

    for (int i = 0; i < APPEAR_ATTEMPTS; i++) {
        if (has_stamp(path, nonce)) {
            return MW_OK;
        }
        nanosleep(&pause, NULL);
    }
    return mw_fail(diagnostic, MW_ERROR_SYSTEM, path, MW_DIAGNOSTIC_OFFSET_NONE,
                   "this rank does not see the file that rank 0 made: the output directory is "
                   "not shared");
}

enum mw_status mwr_output_has_memory(struct mw_diagnostic *diagnostic)
{
    const uint64_t bytes = OPENING_BYTES + mwr_output_hints_memory();
    void *volatile memory = malloc(bytes); /* a compiler may leave out what nobody looks at */
    const bool is_there = memory != NULL;

    free(memory);
    return is_there ? MW_OK
                    : mw_no_memory(diagnostic, NULL, "for %llu bytes to open the output with",
                                   (unsigned long long)bytes);
}

int mwr_output_open(MPI_Comm comm, const char *path, MPI_File *file)
{
    int error = open_apart(comm, path, MPI_MODE_RDWR, file);

    if (error == MPI_SUCCESS) {
        mwr_output_hints_tell(*file);
    }
    return error;
}

int mwr_output_room(const char *path, uint64_t bytes)
{
    int descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    int error;

    if (descriptor < 0) {
        return errno;
    }
    error = posix_fallocate(descriptor, 0, (off_t)bytes);
    close(descriptor);
    return error;
}
