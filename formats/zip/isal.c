/*
 * The library is opened anew for each deflater and never kept: a traced program has it in its
 * process only while its archive is written.
 */
#include "formats/zip/isal.h"

#include "config.h"

#ifdef HAVE_ISAL

#include <dlfcn.h>
#include <isa-l.h>
#include <stdlib.h>

#include "formats/zip/isal_library.h"

#define LEVEL 1

struct mw_isal {
    void *library;
    void (*init)(struct isal_zstream *stream);
    int (*deflate)(struct isal_zstream *stream);
    uint32_t (*crc)(uint32_t crc, const unsigned char *bytes, uint64_t count);
    struct isal_zstream stream;
    uint8_t tables[ISAL_DEF_LVL1_DEFAULT];
};

void mw_isal_reset(struct mw_isal *isal)
{
    isal->init(&isal->stream);
    isal->stream.level = LEVEL;
    isal->stream.level_buf = isal->tables;
    isal->stream.level_buf_size = sizeof isal->tables;
}

void mw_isal_give(struct mw_isal *isal, const void *block, size_t bytes, bool is_last)
{
    isal->stream.next_in = (uint8_t *)(uintptr_t)block; /* is only read */
    isal->stream.avail_in = (uint32_t)bytes;
    isal->stream.flush = is_last ? NO_FLUSH : FULL_FLUSH;
    isal->stream.end_of_stream = is_last;
}

size_t mw_isal_take(struct mw_isal *isal, void *out, size_t room)
{
    isal->stream.next_out = out;
    isal->stream.avail_out = (uint32_t)room;
    isal->deflate(&isal->stream); /* can't fail: see works() */
    return room - isal->stream.avail_out;
}

/* Another release of the library may want larger tables, which it says at the first call. */
static bool works(struct mw_isal *isal)
{
    uint8_t out[64];

    mw_isal_reset(isal);
    mw_isal_give(isal, out, 0, true);
    isal->stream.next_out = out;
    isal->stream.avail_out = sizeof out;
    return isal->deflate(&isal->stream) == COMP_OK;
}

struct mw_isal *mw_isal_create(void)
{
    struct mw_isal *isal = calloc(1, sizeof *isal);

    if (!isal) {
        return NULL;
    }
    isal->library = mw_isal_library_open();
    if (!isal->library ||
        !mw_isal_library_find(isal->library, "isal_deflate_init", &isal->init) ||
        !mw_isal_library_find(isal->library, "isal_deflate", &isal->deflate) ||
        !mw_isal_library_find(isal->library, "crc32_gzip_refl", &isal->crc) || !works(isal)) {
        mw_isal_destroy(isal);
        return NULL;
    }
    return isal;
}

void mw_isal_destroy(struct mw_isal *isal)
{
    if (isal && isal->library) {
        dlclose(isal->library);
    }
    free(isal);
}

uint32_t mw_isal_crc(const struct mw_isal *isal, uint32_t crc, const void *block, size_t bytes)
{
    return isal->crc(crc, block, bytes);
}

#else

struct mw_isal *mw_isal_create(void)
{
    return NULL;
}

void mw_isal_destroy(struct mw_isal *isal)
{
}

void mw_isal_reset(struct mw_isal *isal)
{
}

void mw_isal_give(struct mw_isal *isal, const void *block, size_t bytes, bool is_last)
{
}

size_t mw_isal_take(struct mw_isal *isal, void *out, size_t room)
{
    return 0;
}

uint32_t mw_isal_crc(const struct mw_isal *isal, uint32_t crc, const void *block, size_t bytes)
{
    return 0;
}

#endif
