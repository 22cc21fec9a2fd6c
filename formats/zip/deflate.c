#include "formats/zip/deflate.h"

#include <stdlib.h>
#include <zlib.h>

#include "formats/base/file.h"
#include "formats/zip/isal.h"

#define RAW_DEFLATE_WINDOW_BITS (-15) /* no zlib header: ZIP has its own */

#define ISAL_LEVEL 1                  /* where ISA-L is as good as zlib, and faster */

struct mw_deflater {
    struct mw_isal *isal; /* null: zlib does it */
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
        created->isal = level == ISAL_LEVEL ? mw_isal_create() : NULL;
    }
    if (!created || !created->out ||
        (!created->isal && deflateInit2(&created->stream, level, Z_DEFLATED,
                                        RAW_DEFLATE_WINDOW_BITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)) {
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
    mw_isal_destroy(deflater->isal);
    deflateEnd(&deflater->stream); /* zeroed: fails, and does nothing */
    free(deflater->out);
    free(deflater);
}

static void reset(struct mw_deflater *deflater)
{
    if (deflater->isal) {
        mw_isal_reset(deflater->isal);
    } else {
        deflateReset(&deflater->stream);
    }
}

static void give(struct mw_deflater *deflater, const void *block, size_t bytes, bool is_last,
                 struct mw_deflated *deflated)
{
    if (deflater->isal) {
        deflated->crc = mw_isal_crc(deflater->isal, deflated->crc, block, bytes);
        mw_isal_give(deflater->isal, block, bytes, is_last);
    } else {
        deflated->crc = (uint32_t)crc32_z(deflated->crc, block, bytes);
        deflater->stream.next_in = (z_const Bytef *)block;
        deflater->stream.avail_in = (uInt)bytes;
    }
}

/* Fills out; less than full at the block's end. */
static size_t take(struct mw_deflater *deflater, bool is_last)
{
    z_stream *stream = &deflater->stream;

    if (deflater->isal) {
        return mw_isal_take(deflater->isal, deflater->out, deflater->room);
    }
    stream->next_out = deflater->out;
    stream->avail_out = (uInt)deflater->room;
    /* Can't fail: the stream's state is sound, there is room. */
    deflate(stream, is_last ? Z_FINISH : Z_FULL_FLUSH);
    return deflater->room - stream->avail_out;
}

enum mw_status mw_deflate_block(struct mw_deflater *deflater, const void *block, size_t bytes,
                                bool is_last, struct mw_deflated *deflated,
                                struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;
    size_t got;

    if (deflated->block_count == 0) {
        reset(deflater); /* the last member may not have come to its end */
    }
    mw_buffer_u64(&deflated->blocks, deflated->compressed);
    if (deflated->blocks.failed) {
        return mw_no_memory(diagnostic, deflated->path, "for the block index");
    }
    deflated->block_count++;
    deflated->bytes += bytes;
    give(deflater, block, bytes, is_last, deflated);
    do {
        got = take(deflater, is_last);
        status = mw_file_write(deflated->target, deflater->out, got,
                               deflated->offset + deflated->compressed, deflated->path,
                               diagnostic);
        deflated->compressed += got;
    } while (status == MW_OK && got == deflater->room);
    return status;
}
