/*
 * Reads and writes may be cut short by signals and by full disks; here is the one
 * place that goes on or says why not. Nothing depends on a descriptor's position,
 * so that threads may share one.
 */
#include "formats/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define COPY_BYTES ((size_t)1 << 20)

enum mw_status mw_file_write_error(void)
{
    bool space = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;

    return space ? MW_ERROR_SPACE : MW_ERROR_SYSTEM;
}

uint64_t mw_file_bytes_allowed(uint64_t limit_bytes)
{
    struct rlimit limit;
    uint64_t allowed = limit_bytes > 0 ? limit_bytes : UINT64_MAX;

    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        limit.rlim_cur < allowed) {
        allowed = limit.rlim_cur;
    }
    return allowed;
}

enum mw_status mw_file_open_regular(const char *path, const char *what, int *descriptor,
                                    struct mw_diagnostic *diagnostic)
{
    struct stat about;

    /* O_NONBLOCK: a FIFO opens at once, a device does not wait for its carrier. */
    *descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    /* ELOOP: a symbolic link; ENXIO: a socket, or a device that isn't there. */
    if (*descriptor < 0 && errno != ELOOP && errno != ENXIO) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "can't open %s", what);
    }
    if (*descriptor >= 0 && fstat(*descriptor, &about) == 0 && S_ISREG(about.st_mode)) {
        return MW_OK;
    }
    if (*descriptor >= 0) {
        close(*descriptor);
        *descriptor = -1;
    }
    return mw_fail(diagnostic, MW_ERROR_FORMAT, path, MW_DIAGNOSTIC_OFFSET_NONE,
                   "%s is no regular file", what);
}

uint64_t mw_file_bytes_without_hole(int descriptor)
{
    struct stat about;
    uint64_t bytes = fstat(descriptor, &about) == 0 ? (uint64_t)about.st_size : 0;
    off_t hole = lseek(descriptor, 0, SEEK_HOLE);

    (void)lseek(descriptor, 0, SEEK_SET);
    return hole >= 0 && (uint64_t)hole < bytes ? (uint64_t)hole : bytes;
}

enum mw_status mw_file_read(int descriptor, void *to, size_t bytes, uint64_t offset,
                            const char *path, struct mw_diagnostic *diagnostic)
{
    size_t done = 0;

    while (done < bytes) {
        ssize_t got =
            pread(descriptor, (char *)to + done, bytes - done, (off_t)(offset + done));

        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return mw_fail(diagnostic, MW_ERROR_SYSTEM, path, offset + done, "can't read");
        }
        if (got == 0) {
            return mw_fail(diagnostic, MW_ERROR_FORMAT, path, offset + done,
                           "the file is shorter than it should be");
        }
        done += (size_t)got;
    }
    return MW_OK;
}

enum mw_status mw_file_write(int descriptor, const void *from, size_t bytes, uint64_t offset,
                             const char *path, struct mw_diagnostic *diagnostic)
{
    size_t done = 0;

    while (done < bytes) {
        ssize_t put = pwrite(descriptor, (const char *)from + done, bytes - done,
                             (off_t)(offset + done));

        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            return mw_fail(diagnostic, mw_file_write_error(), path, offset + done,
                           "can't write");
        }
        done += (size_t)put;
    }
    return MW_OK;
}

enum mw_status mw_file_copy(int source, uint64_t source_offset, int target,
                            uint64_t target_offset, uint64_t bytes, const char *path,
                            struct mw_diagnostic *diagnostic)
{
    char *buffer = malloc(COPY_BYTES);
    enum mw_status status = MW_OK;

    if (!buffer) {
        return mw_no_memory(diagnostic, path, "to copy");
    }
    for (uint64_t done = 0; status == MW_OK && done < bytes;) {
        size_t part = bytes - done < COPY_BYTES ? (size_t)(bytes - done) : COPY_BYTES;

        status = mw_file_read(source, buffer, part, source_offset + done, path, diagnostic);
        if (status == MW_OK) {
            status =
                mw_file_write(target, buffer, part, target_offset + done, path, diagnostic);
        }
        done += part;
    }
    free(buffer);
    return status;
}

enum mw_status mw_file_compare(int source, uint64_t source_offset, int target,
                               uint64_t target_offset, uint64_t bytes, const char *path,
                               struct mw_diagnostic *diagnostic)
{
    char *buffer = malloc(2 * COPY_BYTES);
    enum mw_status status = MW_OK;

    if (!buffer) {
        return mw_no_memory(diagnostic, path, "to compare");
    }
    for (uint64_t done = 0; status == MW_OK && done < bytes;) {
        size_t part = bytes - done < COPY_BYTES ? (size_t)(bytes - done) : COPY_BYTES;

        status = mw_file_read(source, buffer, part, source_offset + done, path, diagnostic);
        if (status == MW_OK) {
            status = mw_file_read(target, buffer + COPY_BYTES, part, target_offset + done, path,
                                  diagnostic);
        }
        if (status == MW_OK && memcmp(buffer, buffer + COPY_BYTES, part) != 0) {
            status = mw_fail(diagnostic, MW_ERROR_FORMAT, path, target_offset + done,
                             "the file system returned other bytes than were written");
        }
        done += part;
    }
    free(buffer);
    return status;
}
