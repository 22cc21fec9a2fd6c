#include "analyzer/load/inflater.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <zlib.h>

#include "analyzer/load/isal_inflater.h"

#define FAST_MOST 128u /* at a time by ISA-L, which takes 86 KiB of each; zlib takes 40 */

struct mwa_inflater {
    struct mwa_isal_inflater *isal; /* null: zlib does it */
    z_stream stream;
};

static _Atomic unsigned fast_ones; /* of ISA-L; counted by whoever makes and frees them */

static struct mwa_isal_inflater *create_fast(void)
{
    struct mwa_isal_inflater *isal = NULL;

    if (atomic_fetch_add(&fast_ones, 1) < FAST_MOST) {
        isal = mwa_isal_inflater_create();
    }
    if (!isal) {
        atomic_fetch_sub(&fast_ones, 1);
    }
    return isal;
}

static void destroy_fast(struct mwa_inflater *inflater)
{
    if (inflater->isal) {
        mwa_isal_inflater_destroy(inflater->isal);
        inflater->isal = NULL;
        atomic_fetch_sub(&fast_ones, 1);
    }
}

static bool init_zlib(struct mwa_inflater *inflater)
{
    inflater->stream = (z_stream){ 0 };
    return inflateInit2(&inflater->stream, -MAX_WBITS) == Z_OK; /* no header: ZIP has its own */
}

struct mwa_inflater *mwa_inflater_create(void)
{
    struct mwa_inflater *inflater = calloc(1, sizeof *inflater);

    if (!inflater) {
        return NULL;
    }
    inflater->isal = create_fast();
    if (!inflater->isal && !init_zlib(inflater)) {
        free(inflater);
        return NULL;
    }
    return inflater;
}

void mwa_inflater_destroy(struct mwa_inflater *inflater)
{
    if (!inflater) {
        return;
    }
    destroy_fast(inflater);
    inflateEnd(&inflater->stream); /* zeroed: fails, and does nothing */
    free(inflater);
}

void mwa_inflater_reset(struct mwa_inflater *inflater)
{
    if (inflater->isal) {
        mwa_isal_inflater_reset(inflater->isal);
    } else {
        inflater->stream.avail_in = 0;
        inflateReset(&inflater->stream);
    }
}

bool mwa_inflater_is_fast(const struct mwa_inflater *inflater)
{
    return inflater->isal;
}

bool mwa_inflater_reset_to_zlib(struct mwa_inflater *inflater)
{
    if (!inflater->isal) {
        mwa_inflater_reset(inflater);
        return true;
    }
    destroy_fast(inflater);
    return init_zlib(inflater);
}

void mwa_inflater_give(struct mwa_inflater *inflater, const void *bytes, size_t count)
{
    if (inflater->isal) {
        mwa_isal_inflater_give(inflater->isal, bytes, count);
    } else {
        inflater->stream.next_in = (z_const Bytef *)bytes;
        inflater->stream.avail_in = (uInt)count;
    }
}

bool mwa_inflater_is_through(const struct mwa_inflater *inflater)
{
    return inflater->isal ? mwa_isal_inflater_is_through(inflater->isal)
                          : inflater->stream.avail_in == 0;
}

/* Z_BUF_ERROR: what was given is used up, or there is no room. */
static enum mwa_inflating take_by_zlib(z_stream *stream, void *out, size_t room, size_t *got)
{
    int code;

    stream->next_out = out;
    stream->avail_out = (uInt)room;
    code = inflate(stream, Z_SYNC_FLUSH);
    *got = room - stream->avail_out;
    switch (code) {
    case Z_OK:
    case Z_BUF_ERROR: return MWA_INFLATING;
    case Z_STREAM_END: return MWA_INFLATED;
    case Z_MEM_ERROR: return MWA_INFLATE_NO_MEMORY;
    default: return MWA_INFLATE_DAMAGED;
    }
}

enum mwa_inflating mwa_inflater_take(struct mwa_inflater *inflater, void *out, size_t room,
                                     size_t *got)
{
    return inflater->isal ? mwa_isal_inflater_take(inflater->isal, out, room, got)
                          : take_by_zlib(&inflater->stream, out, room, got);
}

uint32_t mwa_inflater_crc(const struct mwa_inflater *inflater, uint32_t crc, const void *bytes,
                          size_t count)
{
    return inflater->isal ? mwa_isal_inflater_crc(inflater->isal, crc, bytes, count)
                          : (uint32_t)crc32_z(crc, bytes, count);
}
