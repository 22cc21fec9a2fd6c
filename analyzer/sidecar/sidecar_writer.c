/*
 * The file gets its name when it is whole, so that nobody reads half of one, whoever is killed
 * and whatever is full; until then it has none, and goes with its writer. Its head is written last.
 */
#include "analyzer/sidecar/sidecar_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <zlib.h>

#include "analyzer/model/map.h"
#include "analyzer/sidecar/sidecar_layout.h"
#include "formats/base/file.h"

#define BUFFER_BYTES (256u << 10)
#define SHARE_OF_FREE 4u /* of what the disk has left, one takes the fourth part at most */

struct mwa_sidecar_writer {
    struct mwa_sidecar_head head;
    char path[MWA_SIDECAR_PATH_BYTES + 2 * MWA_SIDECAR_FILE_BYTES]; /* the file, or what it is to
                                                                       be called */
    bool has_name; /* there is a file of this path */
    char name[MWA_SIDECAR_FILE_BYTES];
    int directory;
    int file;
    uint64_t allowed;     /* bytes */
    uint64_t all_allowed; /* of all sidecars together */
    uint64_t written; /* of the file */
    struct mwa_sidecar_entry *table;
    uint64_t capacity;
    unsigned char *buffer; /* behind what is written */
    size_t used;           /* of it */
};

/* How much all may have, and how much of it one that is made now. */
static void find_limits(struct mwa_sidecar_writer *writer)
{
    struct statvfs found;
    uint64_t allowed;

    writer->all_allowed = allowed = mwa_sidecar_bytes_most(0);
    if (fstatvfs(writer->directory, &found) == 0) {
        const uint64_t share = (uint64_t)found.f_bavail * found.f_frsize / SHARE_OF_FREE;

        writer->all_allowed = mwa_sidecar_bytes_most((uint64_t)found.f_blocks * found.f_frsize);
        allowed = share < writer->all_allowed ? share : writer->all_allowed;
    }
    writer->allowed = mw_file_bytes_allowed(allowed);
}

/* A path in the directory that nobody else has; mwa_sidecar_trim knows it by its dot. */
static void make_path(struct mwa_sidecar_writer *writer, const char *directory)
{
    uint64_t number = (uint64_t)getpid(); /* better than none */

    (void)!getrandom(&number, sizeof number, 0);
    snprintf(writer->path, sizeof writer->path, "%s/.%s.%016" PRIx64, directory, writer->name,
             number);
}

static enum mw_status open_temporary(struct mwa_sidecar_writer *writer,
                                     struct mw_diagnostic *diagnostic)
{
    char path[MWA_SIDECAR_PATH_BYTES];

    writer->directory = mwa_sidecar_directory(true, path);
    if (writer->directory < 0) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "there is no cache of the user's own");
    }
    make_path(writer, path);
    writer->file = open(path, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (writer->file < 0) { /* some file systems know no files without names */
        writer->file = open(writer->path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
        writer->has_name = writer->file >= 0;
    }
    if (writer->file < 0) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "cannot write to the cache");
    }
    find_limits(writer);
    return MW_OK;
}

static void free_writer(struct mwa_sidecar_writer *writer)
{
    if (writer->file >= 0) {
        close(writer->file);
    }
    if (writer->has_name) {
        (void)unlink(writer->path);
    }
    if (writer->directory >= 0) {
        close(writer->directory);
    }
    free(writer->table);
    free(writer->buffer);
    free(writer);
}

enum mw_status mwa_sidecar_create(const struct mwa_archive_key *key, const char *part,
                                  uint32_t version, struct mwa_sidecar_writer **result,
                                  struct mw_diagnostic *diagnostic)
{
    struct mwa_sidecar_writer *writer = calloc(1, sizeof *writer);
    enum mw_status status;

    if (!writer || !(writer->buffer = malloc(BUFFER_BYTES))) {
        free(writer);
        return mw_no_memory(diagnostic, "", "to write to the cache");
    }
    writer->file = writer->directory = -1;
    writer->head = (struct mwa_sidecar_head){ .mark = MWA_SIDECAR_MARK,
                                              .key = *key,
                                              .version = version };
    snprintf(writer->head.part, sizeof writer->head.part, "%s", part);
    status = mwa_sidecar_name(key, part, writer->name)
                 ? open_temporary(writer, diagnostic)
                 : mw_fail(diagnostic, MW_ERROR_USAGE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                           "a sidecar can't be called %s", part);
    if (status == MW_OK) {
        memset(writer->buffer, 0, MWA_SIDECAR_HEAD_BYTES);
        writer->used = MWA_SIDECAR_HEAD_BYTES; /* written once more at the end */
        *result = writer;
    } else {
        free_writer(writer);
    }
    return status;
}

static enum mw_status write_at(const struct mwa_sidecar_writer *writer, const void *from,
                               size_t bytes, uint64_t offset, struct mw_diagnostic *diagnostic)
{
    if (bytes > writer->allowed || offset > writer->allowed - bytes) {
        errno = EFBIG;
        return mw_fail(diagnostic, MW_ERROR_SPACE, writer->path, offset,
                       "it would be larger than what the cache may have");
    }
    return mw_file_write(writer->file, from, bytes, offset, writer->path, diagnostic);
}

static enum mw_status flush(struct mwa_sidecar_writer *writer, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = write_at(writer, writer->buffer, writer->used, writer->written,
                                     diagnostic);

    writer->written += writer->used;
    writer->used = 0;
    return status;
}

static enum mw_status append(struct mwa_sidecar_writer *writer, const void *from, uint64_t bytes,
                             struct mw_diagnostic *diagnostic)
{
    const unsigned char *at = from;
    enum mw_status status = MW_OK;

    while (status == MW_OK && bytes > 0) {
        const uint64_t room = BUFFER_BYTES - writer->used;
        const uint64_t now = bytes < room ? bytes : room;

        memcpy(writer->buffer + writer->used, at, now);
        writer->used += now;
        at += now;
        bytes -= now;
        if (writer->used == BUFFER_BYTES) {
            status = flush(writer, diagnostic);
        }
    }
    return status;
}

/* Zeros up to where something may begin. */
static enum mw_status align(struct mwa_sidecar_writer *writer, struct mw_diagnostic *diagnostic)
{
    static const unsigned char zeros[MWA_SIDECAR_ALIGNMENT];
    const uint64_t over = (writer->written + writer->used) % MWA_SIDECAR_ALIGNMENT;

    return over > 0 ? append(writer, zeros, MWA_SIDECAR_ALIGNMENT - over, diagnostic) : MW_OK;
}

enum mw_status mwa_sidecar_begin(struct mwa_sidecar_writer *writer, const char *name,
                                 uint64_t number, struct mw_diagnostic *diagnostic)
{
    struct mwa_sidecar_entry *entry;

    if (!mwa_grow(&writer->table, &writer->capacity, writer->head.count + 1,
                  sizeof *writer->table)) {
        return mw_no_memory(diagnostic, writer->path, "to write to the cache");
    }
    entry = &writer->table[writer->head.count++];
    *entry = (struct mwa_sidecar_entry){ .number = number };
    snprintf(entry->name, sizeof entry->name, "%s", name);
    enum mw_status status = align(writer, diagnostic);

    entry->offset = writer->written + writer->used;
    return status;
}

enum mw_status mwa_sidecar_write(struct mwa_sidecar_writer *writer, const void *from,
                                 uint64_t bytes, struct mw_diagnostic *diagnostic)
{
    struct mwa_sidecar_entry *entry = &writer->table[writer->head.count - 1];

    entry->bytes += bytes;
    entry->crc = (uint32_t)crc32_z(entry->crc, from, bytes);
    return append(writer, from, bytes, diagnostic);
}

static int by_entry(const void *one, const void *other)
{
    return mwa_sidecar_order(one, other);
}

static enum mw_status write_table(struct mwa_sidecar_writer *writer,
                                  struct mw_diagnostic *diagnostic)
{
    struct mwa_sidecar_head *head = &writer->head;
    const uint64_t bytes = head->count * sizeof *writer->table;
    enum mw_status status = align(writer, diagnostic);

    if (bytes > 0) {
        qsort(writer->table, head->count, sizeof *writer->table, by_entry);
    }
    head->table = writer->written + writer->used;
    head->table_crc = (uint32_t)crc32_z(0, (const void *)writer->table, bytes);
    if (status == MW_OK) {
        status = append(writer, writer->table, bytes, diagnostic);
    }
    if (status == MW_OK) {
        status = flush(writer, diagnostic);
    }
    head->crc = (uint32_t)crc32_z(0, (const void *)head, offsetof(struct mwa_sidecar_head, crc));
    return status == MW_OK ? write_at(writer, head, sizeof *head, 0, diagnostic) : status;
}

/* A name that is there already is taken by none but a file that has one. */
static bool give_name(struct mwa_sidecar_writer *writer)
{
    char nameless[64];

    if (!writer->has_name) {
        snprintf(nameless, sizeof nameless, "/proc/self/fd/%d", writer->file);
        writer->has_name =
            linkat(AT_FDCWD, nameless, AT_FDCWD, writer->path, AT_SYMLINK_FOLLOW) == 0;
    }
    if (!writer->has_name ||
        renameat(AT_FDCWD, writer->path, writer->directory, writer->name) != 0) {
        return false;
    }
    writer->has_name = false;
    return true;
}

enum mw_status mwa_sidecar_commit(struct mwa_sidecar_writer *writer,
                                  struct mw_diagnostic *diagnostic)
{
    enum mw_status status = write_table(writer, diagnostic);

    if (status == MW_OK) {
        mwa_sidecar_trim(writer->directory, writer->all_allowed);
        if (!give_name(writer)) {
            status = mw_fail(diagnostic, MW_ERROR_SYSTEM, writer->path, MW_DIAGNOSTIC_OFFSET_NONE,
                             "it can't be given its name");
        }
    }
    free_writer(writer);
    return status;
}

void mwa_sidecar_discard(struct mwa_sidecar_writer *writer)
{
    if (writer) {
        free_writer(writer);
    }
}
