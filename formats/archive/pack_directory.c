/*
 * An archive as a directory: all processes write into it at once, since files need
 * no order. It has no checksums of its own as ZIP has, so that rank 0 lists them
 * in mpiwatch.sums.
 */
#include "formats/archive/pack.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "formats/base/file.h"

#define NONCE_NAME "mpiwatch.nonce"
#define SUMS_NAME "mpiwatch.sums"
#define READ_BYTES ((size_t)1 << 20)

static enum mw_status create(const char *path, int *descriptor,
                             struct mw_diagnostic *diagnostic)
{
    *descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    return *descriptor >= 0
               ? MW_OK
               : mw_fail(diagnostic, mw_file_write_error(), path, MW_DIAGNOSTIC_OFFSET_NONE,
                         "can't create a file of the archive");
}

static enum mw_status close_written(int descriptor, const char *path, enum mw_status status,
                                    struct mw_diagnostic *diagnostic)
{
    if (close(descriptor) != 0 && status == MW_OK) {
        return mw_fail(diagnostic, mw_file_write_error(), path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "can't close a file of the archive");
    }
    return status;
}

/* Writes bytes as the file name of the archive. */
static enum mw_status write_small(struct mw_pack *pack, const char *name, const void *data,
                                  size_t bytes, struct mw_diagnostic *diagnostic)
{
    char path[4096];
    int descriptor;
    enum mw_status status = mw_path_join(path, pack->partial, name, diagnostic);

    if (status == MW_OK) {
        status = create(path, &descriptor, diagnostic);
    }
    if (status != MW_OK) {
        return status;
    }
    status = mw_file_write(descriptor, data, bytes, 0, path, diagnostic);
    return close_written(descriptor, path, status, diagnostic);
}

static enum mw_status make_directory(const char *path, struct mw_diagnostic *diagnostic)
{
    return mkdir(path, 0777) == 0
               ? MW_OK
               : mw_fail(diagnostic, mw_file_write_error(), path, MW_DIAGNOSTIC_OFFSET_NONE,
                         "can't make the archive's directory");
}

static enum mw_status begin(struct mw_pack *pack, struct mw_diagnostic *diagnostic)
{
    char traces[4096];
    enum mw_status status = mw_path_join(traces, pack->partial, "traces", diagnostic);

    if (status != MW_OK || pack->transport->rank != 0) {
        return status;
    }
    status = make_directory(pack->partial, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    pack->made = true;
    status = make_directory(traces, diagnostic);
    return status == MW_OK ? write_small(pack, NONCE_NAME, &pack->nonce, sizeof pack->nonce,
                                         diagnostic)
                           : status;
}

static enum mw_status join(struct mw_pack *pack, struct mw_diagnostic *diagnostic)
{
    char path[4096];
    uint64_t nonce = 0;
    int descriptor;
    enum mw_status status = mw_path_join(path, pack->partial, NONCE_NAME, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, pack->partial, MW_DIAGNOSTIC_OFFSET_NONE,
                       "the directory that rank 0 made can't be seen from here");
    }
    status = mw_file_read(descriptor, &nonce, sizeof nonce, 0, path, diagnostic);
    close(descriptor);
    if (status == MW_OK && nonce != pack->nonce) {
        status = mw_fail(diagnostic, MW_ERROR_FORMAT, pack->partial, MW_DIAGNOSTIC_OFFSET_NONE,
                         "this is not the directory that rank 0 made");
    }
    return status;
}

/* The CRC-32 of bytes of a file. */
static enum mw_status sum_up(int descriptor, uint64_t bytes, const char *path, uint32_t *crc,
                             struct mw_diagnostic *diagnostic)
{
    char *buffer = malloc(READ_BYTES);
    enum mw_status status = MW_OK;

    if (!buffer) {
        return mw_no_memory(diagnostic, path, "to read a file");
    }
    *crc = 0;
    for (uint64_t done = 0; status == MW_OK && done < bytes;) {
        size_t part = bytes - done < READ_BYTES ? (size_t)(bytes - done) : READ_BYTES;

        status = mw_file_read(descriptor, buffer, part, done, path, diagnostic);
        if (status == MW_OK) {
            *crc = (uint32_t)crc32_z(*crc, (const Bytef *)buffer, part);
        }
        done += part;
    }
    free(buffer);
    return status;
}

/* Keeps name, checksum and size as an entry of the block index without blocks. */
static void put_entry(struct mw_pack *pack, const char *name, uint32_t crc, uint64_t bytes)
{
    mw_buffer_u32(&pack->own, (uint32_t)strlen(name));
    mw_buffer_u32(&pack->own, crc);
    mw_buffer_u64(&pack->own, bytes);
    mw_buffer_u64(&pack->own, bytes);
    mw_buffer_u64(&pack->own, 0);
    mw_buffer_u64(&pack->own, 0);
    mw_buffer_append(&pack->own, name, strlen(name));
    pack->total += bytes;
}

static enum mw_status open_member(struct mw_pack *pack, const char *name, bool global,
                                  struct mw_diagnostic *diagnostic)
{
    struct mw_pack_file *file = &pack->file;
    enum mw_status status = mw_path_join(file->path, pack->partial, name, diagnostic);

    (void)global; /* files have no order */
    snprintf(file->name, sizeof file->name, "%s", name);
    file->bytes = 0;
    file->crc = 0;
    if (status == MW_OK) {
        status = create(file->path, &file->descriptor, diagnostic);
    }
    file->is_open = status == MW_OK;
    return status;
}

static enum mw_status append(struct mw_pack *pack, const void *block, size_t bytes, bool is_last,
                             struct mw_diagnostic *diagnostic)
{
    struct mw_pack_file *file = &pack->file;
    enum mw_status status =
        mw_file_write(file->descriptor, block, bytes, file->bytes, file->path, diagnostic);

    file->crc = (uint32_t)crc32_z(file->crc, block, bytes);
    file->bytes += bytes;
    if (is_last) {
        file->is_open = false;
        status = close_written(file->descriptor, file->path, status, diagnostic);
        put_entry(pack, file->name, file->crc, file->bytes);
    }
    return status;
}

static enum mw_status collect(struct mw_pack *pack, struct mw_diagnostic *diagnostic)
{
    const struct mw_transport *transport = pack->transport;
    uint64_t before;
    enum mw_status status = transport->exscan(transport->context, pack->total, &before,
                                              &pack->total, diagnostic);

    return status == MW_OK ? mw_pack_gather(pack, &pack->own, diagnostic) : status;
}

/* Writes mpiwatch.sums: checksum, size and name, a line for each file. */
static enum mw_status seal(struct mw_pack *pack, struct mw_diagnostic *diagnostic)
{
    struct mw_cursor cursor = {pack->entries.data, pack->entries.bytes};
    struct mw_zip_entry entry;
    struct mw_buffer sums = {0};
    char line[512];
    char nonce[4096];
    enum mw_status status = mw_path_join(nonce, pack->partial, NONCE_NAME, diagnostic);

    while (mw_zip_entry_next(&cursor, &entry)) {
        int length = snprintf(line, sizeof line, "%08" PRIx32 " %" PRIu64 " %.*s\n", entry.crc,
                              entry.bytes, (int)entry.name_bytes, entry.name);

        mw_buffer_append(&sums, line, (size_t)length);
    }
    if (status == MW_OK && sums.failed) {
        status = mw_no_memory(diagnostic, pack->partial, "for the checksums");
    }
    if (status == MW_OK) {
        status = write_small(pack, SUMS_NAME, sums.data, sums.bytes, diagnostic);
        pack->total += sums.bytes;
        unlink(nonce);
    }
    mw_buffer_fini(&sums);
    return status;
}

/* The files are where they belong already. */
static enum mw_status write_pieces(struct mw_pack *pack, struct mw_diagnostic *diagnostic)
{
    return MW_OK;
}

static enum mw_status verify_file(const struct mw_pack *pack, const struct mw_zip_entry *entry,
                                  struct mw_diagnostic *diagnostic)
{
    char name[512];
    char path[4096];
    uint32_t crc = 0;
    int descriptor;
    enum mw_status status;

    snprintf(name, sizeof name, "%.*s", (int)entry->name_bytes, entry->name);
    status = mw_path_join(path, pack->partial, name, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "can't open a file of the archive to check it");
    }
    status = sum_up(descriptor, entry->bytes, path, &crc, diagnostic);
    close(descriptor);
    if (status == MW_OK && crc != entry->crc) {
        status = mw_fail(diagnostic, MW_ERROR_FORMAT, path, MW_DIAGNOSTIC_OFFSET_NONE,
                         "the file system returned other bytes than were written");
    }
    return status;
}

static enum mw_status verify(struct mw_pack *pack, struct mw_diagnostic *diagnostic)
{
    struct mw_cursor cursor = {pack->own.data, pack->own.bytes};
    struct mw_zip_entry entry;
    enum mw_status status = MW_OK;

    while (status == MW_OK && mw_zip_entry_next(&cursor, &entry)) {
        status = verify_file(pack, &entry, diagnostic);
    }
    return status;
}

const struct mw_pack_operations mw_pack_directory = {
    .begin = begin,
    .join = join,
    .open = open_member,
    .append = append,
    .collect = collect,
    .seal = seal,
    .write = write_pieces,
    .verify = verify,
};
