/* Who comes first keeps its file open; the other half of what may be open is for all else. */
#include "analyzer/load/rationed_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Files that stay open. Written by any thread, by atomics. */
static atomic_ulong kept;

/* Takes one of those that may; false: there is none left. */
static bool take_ration(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return false;
    }
    if (atomic_fetch_add(&kept, 1) < limit.rlim_cur / 2) {
        return true;
    }
    atomic_fetch_sub(&kept, 1);
    return false;
}

static int open_path(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static void close_saving_errno(int descriptor)
{
    const int saved = errno;

    close(descriptor);
    errno = saved;
}

bool mwa_rationed_open(struct mwa_rationed_file *file, const char *path, struct stat *found)
{
    const int descriptor = open_path(path);

    if (descriptor < 0 || fstat(descriptor, found) != 0) {
        if (descriptor >= 0) {
            close_saving_errno(descriptor);
        }
        return false;
    }
    *file = (struct mwa_rationed_file){ .descriptor = descriptor };
    if (!take_ration()) {
        close(descriptor);
        *file = (struct mwa_rationed_file){ .descriptor = -1,
                                            .path = strdup(path),
                                            .device = found->st_dev,
                                            .inode = found->st_ino };
        if (!file->path) {
            errno = ENOMEM;
            return false;
        }
    }
    return true;
}

void mwa_rationed_close(struct mwa_rationed_file *file)
{
    if (file->descriptor >= 0) {
        close(file->descriptor);
        atomic_fetch_sub(&kept, 1);
    }
    free(file->path);
    *file = (struct mwa_rationed_file){ .descriptor = -1 };
}

/* A descriptor to read with, to be given back; -1 with errno. */
static int borrow(const struct mwa_rationed_file *file)
{
    struct stat found;
    int descriptor;

    if (file->descriptor >= 0) {
        return file->descriptor;
    }
    descriptor = open_path(file->path);
    if (descriptor >= 0 && (fstat(descriptor, &found) != 0 || found.st_dev != file->device ||
                            found.st_ino != file->inode)) {
        close(descriptor);
        errno = ESTALE;
        return -1;
    }
    return descriptor;
}

static void give_back(const struct mwa_rationed_file *file, int descriptor)
{
    if (file->descriptor < 0) {
        close_saving_errno(descriptor);
    }
}

ssize_t mwa_rationed_read(const struct mwa_rationed_file *file, void *buffer, size_t size,
                          uint64_t offset)
{
    const int descriptor = borrow(file);
    ssize_t got;

    if (descriptor < 0) {
        return -1;
    }
    got = pread(descriptor, buffer, size, (off_t)offset);
    give_back(file, descriptor);
    return got;
}

int mwa_rationed_stat(const struct mwa_rationed_file *file, struct stat *found)
{
    const int descriptor = borrow(file);
    int code;

    if (descriptor < 0) {
        return -1;
    }
    code = fstat(descriptor, found);
    give_back(file, descriptor);
    return code;
}
