#include "formats/zip/deflate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "formats/base/file.h"

#define RAW_DEFLATE_WINDOW_BITS (-15) /* no zlib header: ZIP has its own */
#define OUT_BYTES ((size_t)64 << 10)

struct mw_deflater {
    z_stream stream;
    size_t block_bytes;
    unsigned char *in;  /* block_bytes */
    unsigned char *out; /* OUT_BYTES */
};

/* Where the deflated bytes of one file go. */
struct target {
    int descriptor;
    const char *path;
    uint64_t begin;
    uint64_t bytes;
};

enum mw_status mw_deflater_create(int level, size_t block_bytes, struct mw_deflater **deflater,
                                  struct mw_diagnostic *diagnostic)
{
    struct mw_deflater *created = calloc(1, sizeof *created);

    if (created) {
        created->block_bytes = block_bytes;
        created->in = malloc(block_bytes);
        created->out = malloc(OUT_BYTES);
    }
    if (!created || !created->in || !created->out ||
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
    free(deflater->in);
    free(deflater->out);
    free(deflater);
}

/* Deflates what is in the stream's input and writes it out, through to flush. */
static enum mw_status pump(struct mw_deflater *deflater, int flush, struct target *target,
                           struct mw_diagnostic *diagnostic)
{
    z_stream *stream = &deflater->stream;
    bool filled;

    do {
        stream->next_out = deflater->out;
        stream->avail_out = (uInt)OUT_BYTES;
        deflate(stream, flush); /* can't fail: the stream's state is sound, there is room */
        size_t got = OUT_BYTES - stream->avail_out;
        enum mw_status status = mw_file_write(target->descriptor, deflater->out, got,
                                              target->begin + target->bytes, target->path,
                                              diagnostic);

        if (status != MW_OK) {
            return status;
        }
        target->bytes += got;
        filled = stream->avail_out == 0;
    } while (filled);
    return MW_OK;
}

static enum mw_status deflate_blocks(struct mw_deflater *deflater, int source,
                                     const char *source_path, struct target *target,
                                     struct mw_deflated *deflated, struct mw_buffer *blocks,
                                     struct mw_diagnostic *diagnostic)
{
    uint64_t done = 0;

    deflateReset(&deflater->stream);
    do {
        uint64_t left = deflated->bytes - done;
        size_t part = left < deflater->block_bytes ? (size_t)left : deflater->block_bytes;
        enum mw_status status =
            mw_file_read(source, deflater->in, part, done, source_path, diagnostic);

        if (status != MW_OK) {
            return status;
        }
        mw_buffer_u64(blocks, target->bytes);
        deflated->block_count++;
        deflated->crc = (uint32_t)crc32_z(deflated->crc, deflater->in, part);
        deflater->stream.next_in = deflater->in;
        deflater->stream.avail_in = (uInt)part;
        done += part;
        status = pump(deflater, done < deflated->bytes ? Z_FULL_FLUSH : Z_FINISH, target,
                      diagnostic);
        if (status != MW_OK) {
            return status;
        }
    } while (done < deflated->bytes);
    return MW_OK;
}

enum mw_status mw_deflate_file(struct mw_deflater *deflater, const char *source_path,
                               int target_descriptor, const char *target_path,
                               uint64_t target_offset, struct mw_deflated *deflated,
                               struct mw_buffer *blocks, struct mw_diagnostic *diagnostic)
{
    struct target target = {target_descriptor, target_path, target_offset, 0};
    int source = open(source_path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    enum mw_status status;

    memset(deflated, 0, sizeof *deflated);
    if (source < 0 || fstat(source, &about) != 0) {
        status = mw_fail(diagnostic, MW_ERROR_SYSTEM, source_path, MW_DIAGNOSTIC_OFFSET_NONE,
                         "can't open a scratch file");
    } else {
        deflated->bytes = (uint64_t)about.st_size;
        status = deflate_blocks(deflater, source, source_path, &target, deflated, blocks,
                                diagnostic);
        deflated->compressed = target.bytes;
    }
    if (status == MW_OK && blocks->failed) {
        status = mw_no_memory(diagnostic, source_path, "for the block index");
    }
    if (source >= 0) {
        close(source);
    }
    return status;
}
