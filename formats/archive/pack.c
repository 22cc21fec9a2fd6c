/*
 * What the two forms of an archive, ZIP file and directory, do alike; the rest is
 * in pack_zip.c and pack_directory.c. The partial output is removed only by who
 * may have made it.
 */
#include "formats/archive/pack.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/base/file.h"

enum mw_status mw_pack_gather(struct mw_pack *pack, const struct mw_buffer *mine,
                              struct mw_diagnostic *diagnostic)
{
    const struct mw_transport *transport = pack->transport;
    struct mw_parts parts;
    enum mw_status status =
        transport->gather(transport->context, mine->data, mine->bytes, &parts, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    for (uint32_t i = 0; i < parts.count; i++) {
        mw_buffer_append(&pack->entries, parts.parts[i], parts.sizes[i]);
    }
    mw_parts_fini(&parts);
    return pack->entries.failed
               ? mw_no_memory(diagnostic, pack->partial, "for the list of members")
               : MW_OK;
}

/* Appends the file's bytes, block by block; block has room for one. */
static enum mw_status pack_blocks(struct mw_pack *pack, int descriptor, const char *source,
                                  uint64_t bytes, char *block, struct mw_diagnostic *diagnostic)
{
    uint64_t done = 0;
    enum mw_status status;

    do {
        uint64_t left = bytes - done;
        size_t part = left < MW_EVENT_CHUNK_BYTES ? (size_t)left : MW_EVENT_CHUNK_BYTES;

        status = mw_file_read(descriptor, block, part, done, source, diagnostic);
        done += part;
        if (status == MW_OK) {
            status = pack->operations->append(pack, block, part, done == bytes, diagnostic);
        }
    } while (status == MW_OK && done < bytes);
    return status;
}

enum mw_status mw_pack_file(struct mw_pack *pack, const char *source, const char *name,
                            bool global, struct mw_diagnostic *diagnostic)
{
    int descriptor = open(source, O_RDONLY | O_CLOEXEC);
    char *block = malloc(MW_EVENT_CHUNK_BYTES);
    struct stat about;
    enum mw_status status;

    if (descriptor < 0 || fstat(descriptor, &about) != 0) {
        status = mw_fail(diagnostic, MW_ERROR_SYSTEM, source, MW_DIAGNOSTIC_OFFSET_NONE,
                         "can't open a scratch file");
    } else if (!block) {
        status = mw_no_memory(diagnostic, source, "to read a scratch file");
    } else {
        status = pack->operations->open(pack, name, global, diagnostic);
        if (status == MW_OK) {
            status = pack_blocks(pack, descriptor, source, (uint64_t)about.st_size, block,
                                 diagnostic);
        }
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    free(block);
    unlink(source);
    return status;
}

enum mw_status mw_pack_memory(struct mw_pack *pack, const void *data, size_t bytes,
                              const char *name, struct mw_diagnostic *diagnostic)
{
    const char *next = data;
    enum mw_status status = pack->operations->open(pack, name, true, diagnostic);

    for (; status == MW_OK && bytes > MW_EVENT_CHUNK_BYTES; bytes -= MW_EVENT_CHUNK_BYTES) {
        status = pack->operations->append(pack, next, MW_EVENT_CHUNK_BYTES, false, diagnostic);
        next += MW_EVENT_CHUNK_BYTES;
    }
    return status == MW_OK ? pack->operations->append(pack, next, bytes, true, diagnostic)
                           : status;
}

enum mw_status mw_pack_take(void *context, const void *chunk, size_t bytes, bool is_last,
                            struct mw_diagnostic *diagnostic)
{
    struct mw_pack *pack = context;

    return pack->operations->append(pack, chunk, bytes, is_last, diagnostic);
}

void mw_pack_abandon(struct mw_pack *pack)
{
    if (pack->made) {
        mw_remove_tree(pack->partial);
    }
}

void mw_pack_fini(struct mw_pack *pack)
{
    if (pack->file.is_open) {
        close(pack->file.descriptor);
    }
    mw_zip_piece_fini(&pack->piece);
    mw_zip_piece_fini(&pack->tail);
    mw_deflater_destroy(pack->deflater);
    mw_buffer_fini(&pack->entries);
    mw_buffer_fini(&pack->own);
    memset(pack, 0, sizeof *pack);
}
