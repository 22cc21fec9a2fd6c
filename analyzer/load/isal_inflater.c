/* What of the library is used is looked for once, by whichever thread comes first. */
#include "analyzer/load/isal_inflater.h"

#include "config.h"

#ifdef HAVE_ISAL

#include <isa-l.h>
#include <pthread.h>
#include <stdlib.h>

#include "formats/zip/isal_library.h"

struct mwa_isal_inflater {
    struct inflate_state state;
};

/* What is needed of the library, null where it is not all there: read by all, written once. */
static struct {
    void (*init)(struct inflate_state *state);
    void (*reset)(struct inflate_state *state);
    int (*inflate)(struct inflate_state *state);
    uint32_t (*crc)(uint32_t crc, const unsigned char *bytes, uint64_t count);
} library;
/* Whoever comes first looks for it. */
static pthread_once_t is_looked_for = PTHREAD_ONCE_INIT;

static void look_for_library(void)
{
    void *found = mw_isal_library_open();

    if (!found || !mw_isal_library_find(found, "isal_inflate_init", &library.init) ||
        !mw_isal_library_find(found, "isal_inflate_reset", &library.reset) ||
        !mw_isal_library_find(found, "crc32_gzip_refl", &library.crc) ||
        !mw_isal_library_find(found, "isal_inflate", &library.inflate)) {
        library.inflate = NULL;
    }
}

struct mwa_isal_inflater *mwa_isal_inflater_create(void)
{
    struct mwa_isal_inflater *isal;

    pthread_once(&is_looked_for, look_for_library);
    isal = library.inflate ? malloc(sizeof *isal) : NULL;
    if (isal) {
        library.init(&isal->state);
    }
    return isal;
}

void mwa_isal_inflater_destroy(struct mwa_isal_inflater *isal)
{
    free(isal);
}

void mwa_isal_inflater_reset(struct mwa_isal_inflater *isal)
{
    library.reset(&isal->state);
    isal->state.avail_in = 0;
}

void mwa_isal_inflater_give(struct mwa_isal_inflater *isal, const void *bytes, size_t count)
{
    isal->state.next_in = (uint8_t *)(uintptr_t)bytes; /* is only read */
    isal->state.avail_in = (uint32_t)count;
}

bool mwa_isal_inflater_is_through(const struct mwa_isal_inflater *isal)
{
    return isal->state.avail_in == 0;
}

/* Bytes that it has inflated ahead come out before it says that the stream has ended. */
enum mwa_inflating mwa_isal_inflater_take(struct mwa_isal_inflater *isal, void *out, size_t room,
                                          size_t *got)
{
    struct inflate_state *state = &isal->state;
    int code;

    state->next_out = out;
    state->avail_out = (uint32_t)room;
    code = library.inflate(state);
    *got = code < 0 ? 0 : room - state->avail_out;
    if (code < 0) {
        return MWA_INFLATE_DAMAGED;
    }
    return state->block_state == ISAL_BLOCK_FINISH ? MWA_INFLATED : MWA_INFLATING;
}

uint32_t mwa_isal_inflater_crc(const struct mwa_isal_inflater *isal, uint32_t crc,
                               const void *bytes, size_t count)
{
    return library.crc(crc, bytes, count);
}

#else

struct mwa_isal_inflater *mwa_isal_inflater_create(void)
{
    return NULL;
}

void mwa_isal_inflater_destroy(struct mwa_isal_inflater *isal)
{
}

void mwa_isal_inflater_reset(struct mwa_isal_inflater *isal)
{
}

void mwa_isal_inflater_give(struct mwa_isal_inflater *isal, const void *bytes, size_t count)
{
}

bool mwa_isal_inflater_is_through(const struct mwa_isal_inflater *isal)
{
    return true;
}

enum mwa_inflating mwa_isal_inflater_take(struct mwa_isal_inflater *isal, void *out, size_t room,
                                          size_t *got)
{
    *got = 0;
    return MWA_INFLATE_DAMAGED;
}

uint32_t mwa_isal_inflater_crc(const struct mwa_isal_inflater *isal, uint32_t crc,
                               const void *bytes, size_t count)
{
    return crc;
}

#endif
