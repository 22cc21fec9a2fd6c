/*
 * An archive as one ZIP file: each process deflates into a piece of its own, whose
 * place is known once the sizes of all are; then all write at once. Afterwards
 * each compares what is there with its piece, and rank 0 every local header with
 * the directory.
 */
#include "formats/archive/pack.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/base/file.h"

static enum mw_status begin(struct mw_pack *pack, struct mw_diagnostic *diagnostic)
{
    char path[4096];
    enum mw_status status =
        mw_deflater_create(pack->level, MW_EVENT_CHUNK_BYTES, &pack->deflater, diagnostic);

    if (status == MW_OK) {
        status = mw_path_join(path, pack->scratch.path, "piece", diagnostic);
    }
    if (status == MW_OK) {
        status = mw_zip_piece_init(&pack->piece, path, diagnostic);
    }
    if (status != MW_OK || pack->transport->rank != 0) {
        return status;
    }
    status = mw_path_join(path, pack->scratch.path, "tail", diagnostic);
    return status == MW_OK ? mw_zip_piece_init(&pack->tail, path, diagnostic) : status;
}

/* The transport sees to it when it opens the output. */
static enum mw_status join(struct mw_pack *pack, struct mw_diagnostic *diagnostic)
{
    return MW_OK;
}

static enum mw_status open_member(struct mw_pack *pack, const char *name, bool global,
                                  struct mw_diagnostic *diagnostic)
{
    pack->open = global ? &pack->tail : &pack->piece;
    mw_zip_piece_begin(pack->open, name);
    return MW_OK;
}

static enum mw_status append(struct mw_pack *pack, const void *block, size_t bytes, bool is_last,
                             struct mw_diagnostic *diagnostic)
{
    return mw_zip_piece_append(pack->open, pack->deflater, block, bytes, is_last, diagnostic);
}

static enum mw_status collect(struct mw_pack *pack, struct mw_diagnostic *diagnostic)
{
    const struct mw_transport *transport = pack->transport;
    enum mw_status status = transport->exscan(transport->context, pack->piece.bytes,
                                              &pack->base, &pack->total, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    mw_zip_piece_place(&pack->piece, pack->base);
    return mw_pack_gather(pack, &pack->piece.entries, diagnostic);
}

static enum mw_status no_memory(const struct mw_pack *pack, struct mw_diagnostic *diagnostic)
{
    return mw_no_memory(diagnostic, pack->partial, "for the list of members");
}

static enum mw_status seal(struct mw_pack *pack, struct mw_diagnostic *diagnostic)
{
    struct mw_zip_piece *tail = &pack->tail;
    struct mw_buffer index = {0};
    struct mw_buffer directory = {0};
    size_t listed;
    enum mw_status status;

    mw_zip_piece_place(tail, pack->total);
    mw_buffer_append(&pack->entries, tail->entries.data, tail->entries.bytes);
    listed = tail->entries.bytes;
    mw_zip_index(&index, &pack->entries, MW_EVENT_CHUNK_BYTES);
    if (index.failed || pack->entries.failed) {
        status = no_memory(pack, diagnostic);
        goto out;
    }
    status = mw_pack_memory(pack, index.data, index.bytes, MW_ZIP_INDEX_NAME, diagnostic);
    if (status != MW_OK) {
        goto out;
    }
    struct mw_zip_piece last = {.entries = {.data = tail->entries.data + listed,
                                            .bytes = tail->entries.bytes - listed}};

    mw_zip_piece_place(&last, pack->total);
    mw_buffer_append(&pack->entries, last.entries.data, last.entries.bytes);
    mw_zip_directory(&directory, &pack->entries, pack->total + tail->bytes);
    if (directory.failed || pack->entries.failed) {
        status = no_memory(pack, diagnostic);
        goto out;
    }
    status = mw_file_write(tail->descriptor, directory.data, directory.bytes, tail->bytes,
                           tail->path, diagnostic);
    tail->bytes += directory.bytes;
out:
    mw_buffer_fini(&index);
    mw_buffer_fini(&directory);
    return status;
}

static enum mw_status write_pieces(struct mw_pack *pack, struct mw_diagnostic *diagnostic)
{
    const struct mw_transport *transport = pack->transport;
    bool first = transport->rank == 0;
    enum mw_status status = transport->output_open(transport->context, pack->partial,
                                                   pack->nonce, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    pack->made = first;
    status = transport->output_write(transport->context, pack->piece.descriptor, 0,
                                     pack->piece.bytes, pack->base, diagnostic);
    enum mw_status tail = transport->output_write(
        transport->context, first ? pack->tail.descriptor : -1, 0, first ? pack->tail.bytes : 0,
        first ? pack->total : 0, status == MW_OK ? diagnostic : NULL);

    status = status == MW_OK ? tail : status;
    enum mw_status closed =
        transport->output_close(transport->context, status == MW_OK ? diagnostic : NULL);

    return status == MW_OK ? closed : status;
}

/* Every local header is where the directory says and is the member's. */
static enum mw_status verify_headers(const struct mw_pack *pack, int output,
                                     struct mw_diagnostic *diagnostic)
{
    struct mw_cursor cursor = {pack->entries.data, pack->entries.bytes};
    struct mw_zip_entry entry;
    char header[30 + 256];

    while (mw_zip_entry_next(&cursor, &entry)) {
        size_t bytes = 30 + (size_t)entry.name_bytes;
        uint64_t offset = entry.data_offset - 20 - bytes;
        enum mw_status status =
            mw_file_read(output, header, bytes, offset, pack->partial, diagnostic);

        if (status != MW_OK) {
            return status;
        }
        if (mw_get_u32(header) != 0x04034b50u || mw_get_u32(header + 14) != entry.crc ||
            memcmp(header + 30, entry.name, entry.name_bytes) != 0) {
            return mw_fail(diagnostic, MW_ERROR_FORMAT, pack->partial, offset,
                           "the archive has no member where it should");
        }
    }
    return MW_OK;
}

static enum mw_status verify_global(const struct mw_pack *pack, int output,
                                    struct mw_diagnostic *diagnostic)
{
    struct stat about;
    enum mw_status status =
        mw_file_compare(pack->tail.descriptor, 0, output, pack->total, pack->tail.bytes,
                        pack->partial, diagnostic);

    if (status == MW_OK &&
        (fstat(output, &about) != 0 ||
         (uint64_t)about.st_size != pack->total + pack->tail.bytes)) {
        status = mw_fail(diagnostic, MW_ERROR_FORMAT, pack->partial, MW_DIAGNOSTIC_OFFSET_NONE,
                         "the archive has not the size that was written");
    }
    return status == MW_OK ? verify_headers(pack, output, diagnostic) : status;
}

static enum mw_status verify(struct mw_pack *pack, struct mw_diagnostic *diagnostic)
{
    int output = open(pack->partial, O_RDONLY | O_CLOEXEC);
    enum mw_status status;

    if (output < 0) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, pack->partial, MW_DIAGNOSTIC_OFFSET_NONE,
                       "can't open the archive to check it");
    }
    status = mw_file_compare(pack->piece.descriptor, 0, output, pack->base, pack->piece.bytes,
                             pack->partial, diagnostic);
    if (status == MW_OK && pack->transport->rank == 0) {
        status = verify_global(pack, output, diagnostic);
        pack->total += pack->tail.bytes;
    }
    close(output);
    return status;
}

const struct mw_pack_operations mw_pack_zip = {
    .begin = begin,
    .join = join,
    .open = open_member,
    .append = append,
    .collect = collect,
    .seal = seal,
    .write = write_pieces,
    .verify = verify,
};
