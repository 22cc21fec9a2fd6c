#include "formats/zip/deflate.h"

#include <stdlib.h>
#include <zlib.h>

#include "formats/base/file.h"

#define RAW_DEFLATE_WINDOW_BITS (-15) /* no zlib header: ZIP has its own */

struct mw_deflater {
    z_stream stream;
    size_t room;
    unsigned char *out; /* of room: a block that does not get smaller, and some more */
};

enum mw_status mw_deflater_create(int level, size_t block_bytes, struct mw_deflater **deflater,
                                  struct mw_diagnostic *diagnostic)
{
    struct mw_deflater *created = calloc(1, sizeof *created);

    if (created) {
        created->room = block_bytes + block_bytes / 16 + 4096;
        created->out = malloc(created->room);
    }
    if (!created || !created->out ||
        deflateInit2(&created->stream, level, Z_DEFLATED, RAW_DEFLATE_WINDOW_BITS, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        mw_deflater_destroy(created);
        return mw_no_memory(diagnostic, NULL, "to deflate at level %d", level);
    }
    *deflater = created;
    return MW_OK;
}

void mw_deflater_destroy(struct mw_deflater *deflater)
{
    if (!deflater) {
        return;
    }
    deflateEnd(&deflater->stream);
    free(deflater->out);
    free(deflater);
}

/* Deflates what is in the stream's input and writes it out, through to flush. */
static enum mw_status pump(struct mw_deflater *deflater, int flush, struct mw_deflated *deflated,
                           struct mw_diagnostic *diagnostic)
{
    z_stream *stream = &deflater->stream;
    bool filled;

    do {
        stream->next_out = deflater->out;
        stream->avail_out = (uInt)deflater->room;
        deflate(stream, flush); /* can't fail: the stream's state is sound, there is room */
        size_t got = deflater->room - stream->avail_out;
        enum mw_status status =
            mw_file_write(deflated->target, deflater->out, got,
                          deflated->offset + deflated->compressed, deflated->path, diagnostic);

        if (status != MW_OK) {
            return status;
        }
        deflated->compressed += got;
        filled = stream->avail_out == 0;
    } while (filled);
    return MW_OK;
}

enum mw_status mw_deflate_block(struct mw_deflater *deflater, const void *block, size_t bytes,
                                bool is_last, struct mw_deflated *deflated,
                                struct mw_diagnostic *diagnostic)
{
    if (deflated->block_count == 0) {
        deflateReset(&deflater->stream); /* the last member may not have come to its end */
    }
    mw_buffer_u64(&deflated->blocks, deflated->compressed);
    if (deflated->blocks.failed) {
        return mw_no_memory(diagnostic, deflated->path, "for the block index");
    }
    deflated->block_count++;
    deflated->bytes += bytes;
    deflated->crc = (uint32_t)crc32_z(deflated->crc, block, bytes);
    deflater->stream.next_in = (z_const Bytef *)block;
    deflater->stream.avail_in = (uInt)bytes;
    return pump(deflater, is_last ? Z_FINISH : Z_FULL_FLUSH, deflated, diagnostic);
}
