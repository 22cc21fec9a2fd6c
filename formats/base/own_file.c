/*
 * Every descriptor is looked at before it is used and before it is closed: its number may be the
 * program's by then.
 */
#include "formats/base/own_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "formats/base/file.h"

/* Some file systems let signals interrupt an allocation; a timer must not do so for ever. */
#define ALLOCATION_ATTEMPTS 100

#define WRITE_ATTEMPTS 1000
#define HIGH_DESCRIPTOR 500

/* What was written by system calls, by any thread. */
static atomic_uint_fast64_t all_bytes, all_calls;

/*
 * open and close are cancellation points. A thread of the program that is to be cancelled
 * gets there later, at one of its own.
 */
static int hold_cancellation(void)
{
    int before = PTHREAD_CANCEL_ENABLE;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

static void restore_cancellation(int before)
{
    pthread_setcancelstate(before, NULL);
}

static bool is_same(const struct mw_own_file *file, const struct stat *about)
{
    return (uint64_t)about->st_dev == file->device && (uint64_t)about->st_ino == file->inode;
}

static bool leads_to(const struct mw_own_file *file, int descriptor)
{
    struct stat about;

    return fstat(descriptor, &about) == 0 && is_same(file, &about);
}

/*
 * Closes the descriptor; false if it leads elsewhere, since another thread of the program has
 * closed and reused it meanwhile. What leads elsewhere is the program's, and stays open.
 */
static bool close_own(const struct mw_own_file *file, int descriptor)
{
    if (!leads_to(file, descriptor)) {
        errno = EBADF;
        return false;
    }
    close(descriptor);
    return true;
}

/* \return a descriptor of the file, -1 with errno if there is none. */
static int open_own(const struct mw_own_file *file)
{
    /* What is at the path now may be anything: a FIFO must not hold us, nor a terminal us. */
    int descriptor = open(file->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (descriptor >= 0 && !leads_to(file, descriptor)) {
        close(descriptor);
        descriptor = -1;
        errno = ESTALE;
    }
    return descriptor;
}

/*
 * The same with a number that open gives nobody while lower ones are free: if another thread of
 * the program closes it at this moment, what is written comes to nothing, and not into the file
 * that the program opens next.
 */
static int open_high(const struct mw_own_file *file)
{
    int descriptor = open_own(file);
    int high = descriptor >= 0 ? fcntl(descriptor, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR) : -1;

    if (high < 0) {
        return descriptor; /* there may be no such numbers */
    }
    close_own(file, descriptor);
    if (!leads_to(file, high)) {
        close(high);
        errno = EBADF;
        return -1;
    }
    return high;
}

static enum mw_status cannot_open(const struct mw_own_file *file,
                                  struct mw_diagnostic *diagnostic)
{
    return mw_fail(diagnostic, MW_ERROR_SYSTEM, file->path, MW_DIAGNOSTIC_OFFSET_NONE,
                   "can't open it again");
}

static enum mw_status create(struct mw_own_file *file, const char *path,
                             struct mw_diagnostic *diagnostic)
{
    int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    struct stat about;

    if (descriptor < 0) {
        return mw_fail(diagnostic, mw_file_write_error(), path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "can't create it");
    }
    if (fstat(descriptor, &about) == 0) {
        file->device = (uint64_t)about.st_dev;
        file->inode = (uint64_t)about.st_ino;
    }
    close(descriptor);
    return MW_OK;
}

enum mw_status mw_own_file_create(struct mw_own_file *file, const char *path,
                                  struct mw_diagnostic *diagnostic)
{
    enum mw_status status;
    int cancellation;

    memset(file, 0, sizeof *file);
    file->path = strdup(path);
    if (!file->path) {
        return mw_no_memory(diagnostic, path, "to create it");
    }
    cancellation = hold_cancellation();
    status = create(file, path, diagnostic);
    restore_cancellation(cancellation);
    if (status != MW_OK) {
        mw_own_file_fini(file);
    }
    return status;
}

/* Allocates the file up to end. Sets errno. */
static bool allocate(const struct mw_own_file *file, int descriptor, uint64_t end)
{
    int error = EINTR;

    if (end > mw_file_bytes_allowed(0)) {
        errno = EFBIG;
        return false;
    }
    for (unsigned i = 0; error == EINTR && i < ALLOCATION_ATTEMPTS; i++) {
        error = posix_fallocate(descriptor, (off_t)file->bytes, (off_t)(end - file->bytes));
    }
    errno = error;
    return error == 0;
}

static enum mw_status map(struct mw_own_file *file, int descriptor, uint64_t offset,
                          size_t bytes, void **mapped, struct mw_diagnostic *diagnostic)
{
    uint64_t end = offset + bytes;

    if (end > file->bytes && !allocate(file, descriptor, end)) {
        return mw_fail(diagnostic, mw_file_write_error(), file->path, file->bytes,
                       "can't allocate %llu bytes", (unsigned long long)(end - file->bytes));
    }
    *mapped =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, (off_t)offset);
    if (*mapped == MAP_FAILED) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, file->path, offset, "can't map %zu bytes",
                       bytes);
    }
    return MW_OK;
}

enum mw_status mw_own_file_map(struct mw_own_file *file, uint64_t offset, size_t bytes,
                               void **mapped, struct mw_diagnostic *diagnostic)
{
    int cancellation = hold_cancellation();
    int descriptor = open_own(file);
    enum mw_status status;

    if (descriptor < 0) {
        status = cannot_open(file, diagnostic);
        goto out;
    }
    status = map(file, descriptor, offset, bytes, mapped, diagnostic);
    if (!close_own(file, descriptor) && status == MW_OK) {
        munmap(*mapped, bytes); /* it may be another file's */
        status = mw_fail(diagnostic, MW_ERROR_SYSTEM, file->path, MW_DIAGNOSTIC_OFFSET_NONE,
                         "the program took its descriptor");
    }
    if (status == MW_OK && offset + bytes > file->bytes) {
        file->bytes = offset + bytes;
    }
out:
    restore_cancellation(cancellation);
    return status;
}

/* Allocates the file up to end without making it longer. Sets errno. */
static bool reserve(struct mw_own_file *file, int descriptor, uint64_t end)
{
    int error = EINTR;

    if (end > mw_file_bytes_allowed(0)) {
        errno = EFBIG;
        return false;
    }
    for (unsigned i = 0; error == EINTR && i < ALLOCATION_ATTEMPTS; i++) {
        error = fallocate(descriptor, FALLOC_FL_KEEP_SIZE, (off_t)file->bytes,
                          (off_t)(end - file->bytes)) == 0
                    ? 0
                    : errno;
    }
    if (error == 0) {
        file->bytes = end;
    }
    errno = error;
    return error == 0;
}

enum mw_status mw_own_file_reserve(struct mw_own_file *file, uint64_t end,
                                   struct mw_diagnostic *diagnostic)
{
    int cancellation;
    int descriptor;
    enum mw_status status = MW_OK;

    if (end <= file->bytes) {
        return MW_OK;
    }
    cancellation = hold_cancellation();
    descriptor = open_high(file);
    if (descriptor < 0) {
        status = cannot_open(file, diagnostic);
    } else {
        if (!reserve(file, descriptor, end) && errno != EOPNOTSUPP && errno != ENOSYS) {
            status = mw_fail(diagnostic, mw_file_write_error(), file->path, file->bytes,
                             "can't allocate %llu bytes",
                             (unsigned long long)(end - file->bytes));
        }
        close_own(file, descriptor);
    }
    restore_cancellation(cancellation);
    return status;
}

/* Sets errno. */
static bool write_all(int descriptor, uint64_t offset, const char *from, size_t bytes)
{
    size_t done = 0;

    if (offset + bytes > mw_file_bytes_allowed(0)) {
        errno = EFBIG;
        return false;
    }
    for (unsigned i = 0; done < bytes && i < WRITE_ATTEMPTS; i++) {
        /* Not pwrite, which tools of the program may count as its own. */
        long put = syscall(SYS_pwrite64, descriptor, from + done, bytes - done,
                           (off_t)(offset + done));

        atomic_fetch_add_explicit(&all_calls, 1, memory_order_relaxed);
        if (put > 0) {
            atomic_fetch_add_explicit(&all_bytes, (uint64_t)put, memory_order_relaxed);
            done += (size_t)put;
        } else if (put == 0 || errno != EINTR) {
            return false;
        }
    }
    return done == bytes;
}

void mw_own_file_all_written(uint64_t *bytes, uint64_t *calls)
{
    *bytes = atomic_load_explicit(&all_bytes, memory_order_relaxed);
    *calls = atomic_load_explicit(&all_calls, memory_order_relaxed);
}

/* Once; the program may close the descriptor meanwhile. */
static enum mw_status write_once(struct mw_own_file *file, uint64_t offset, const void *from,
                                 size_t bytes, struct mw_diagnostic *diagnostic)
{
    int descriptor = open_high(file);
    enum mw_status status = MW_OK;

    if (descriptor < 0) {
        return cannot_open(file, diagnostic);
    }
    if (!write_all(descriptor, offset, from, bytes)) {
        status = mw_fail(diagnostic, mw_file_write_error(), file->path, offset,
                         "can't write %zu bytes", bytes);
    }
    if (!close_own(file, descriptor) && status == MW_OK) {
        status = mw_fail(diagnostic, MW_ERROR_SYSTEM, file->path, MW_DIAGNOSTIC_OFFSET_NONE,
                         "the program took its descriptor");
    }
    return status;
}

enum mw_status mw_own_file_write(struct mw_own_file *file, uint64_t offset, const void *from,
                                 size_t bytes, struct mw_diagnostic *diagnostic)
{
    int cancellation = hold_cancellation();
    enum mw_status status = write_once(file, offset, from, bytes, diagnostic);

    /*
     * What a thread of the program does to descriptors at this moment is an accident, what it
     * does to the file or to its path is not.
     */
    for (unsigned i = 1; status == MW_ERROR_SYSTEM && i < WRITE_ATTEMPTS; i++) {
        if (!mw_own_file_is_there(file)) {
            break;
        }
        sched_yield();
        status = write_once(file, offset, from, bytes, diagnostic);
    }
    restore_cancellation(cancellation);
    return status;
}

void mw_own_file_cut(struct mw_own_file *file, uint64_t bytes)
{
    int cancellation = hold_cancellation();
    int descriptor = open_own(file);

    if (descriptor >= 0) {
        if (ftruncate(descriptor, (off_t)bytes) == 0) {
            file->bytes = bytes;
        }
        close_own(file, descriptor);
    }
    restore_cancellation(cancellation);
}

bool mw_own_file_is_there(const struct mw_own_file *file)
{
    struct stat about;

    return file->path && (lstat(file->path, &about) == 0
                              ? is_same(file, &about)
                              : errno != ENOENT && errno != ENOTDIR);
}

void mw_own_file_fini(struct mw_own_file *file)
{
    free(file->path);
    memset(file, 0, sizeof *file);
}

void mw_own_file_discard(struct mw_own_file *file)
{
    if (mw_own_file_is_there(file)) {
        unlink(file->path);
    }
    mw_own_file_fini(file);
}
