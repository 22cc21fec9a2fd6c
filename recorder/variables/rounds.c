#include "recorder/variables/rounds.h"

#include <stdlib.h>

#include "formats/base/array.h"
#include "recorder/recorder.h"
#include "recorder/variables/sampling.h"

/* At every call at most this many variables are read, of as many elements together. */
#define EACH_CALL_HANDLES  4u
#define EACH_CALL_ELEMENTS 32u

/* What a sample takes of the archive, compressed, and each value in it (see the header). */
#define COST_OF_SAMPLE (12 * 16)
#define COST_OF_VALUE  (1 * 16)

static void set_pending(bool is_pending)
{
    uint32_t bits = __atomic_load_n(&mwr_sampling, __ATOMIC_RELAXED);

    if (is_pending != ((bits & MWR_SAMPLE_PENDING) != 0)) {
        __atomic_store_n(&mwr_sampling, bits ^ MWR_SAMPLE_PENDING, __ATOMIC_RELAXED);
    }
}

/* --- the handles ------------------------------------------------------------------- */

bool mwr_rounds_add(struct mwr_rounds *rounds, struct mwr_handle *handle)
{
    if (!mw_array_grow((void **)&rounds->handles, rounds->count, sizeof *rounds->handles)) {
        return false;
    }
    rounds->handles[rounds->count++] = handle;
    rounds->has_new = true;
    return true;
}

bool mwr_rounds_has(const struct mwr_rounds *rounds, int index, enum mwr_bind bind,
                    uint32_t number)
{
    for (uint32_t i = 0; i < rounds->count; i++) {
        const struct mwr_handle *handle = rounds->handles[i];

        if (handle->index == index && handle->object.bind == bind &&
            handle->object.number == number) {
            return true;
        }
    }
    return false;
}

void mwr_rounds_choose(struct mwr_rounds *rounds, bool all)
{
    uint32_t elements = 0;
    uint32_t chosen = 0;

    for (uint32_t i = 0; i < rounds->count; i++) {
        struct mwr_handle *handle = rounds->handles[i];

        if (!handle->is_still &&
            (all || (handle->is_level && chosen < EACH_CALL_HANDLES &&
                     elements + handle->elements <= EACH_CALL_ELEMENTS))) {
            elements += handle->elements;
            rounds->handles[i] = rounds->handles[chosen];
            rounds->handles[chosen++] = handle;
        }
    }
    rounds->each_call = chosen;
}

void mwr_rounds_release(struct mwr_rounds *rounds, uint32_t at, struct mwr_stream *stream,
                        enum mw_record_type type)
{
    struct mwr_handle *handle = rounds->handles[at];

    if (stream) {
        (void)mwr_handle_read(rounds->session, handle);
        mwr_handle_write(handle, stream, type, MW_SAMPLE_END);
    }
    mwr_handle_destroy(rounds->session, handle);
    rounds->handles[at] = rounds->handles[--rounds->count];
    rounds->each_call = 0; /* until they are chosen again */
}

void mwr_rounds_fini(struct mwr_rounds *rounds)
{
    while (rounds->count > 0) {
        mwr_handle_destroy(rounds->session, rounds->handles[--rounds->count]);
    }
    free(rounds->handles);
    rounds->handles = NULL;
    rounds->each_call = 0;
}

/* --- reading and writing -------------------------------------------------------------- */

static void write_one(struct mwr_rounds *rounds, struct mwr_handle *handle,
                      struct mwr_stream *stream, enum mw_record_type type, uint8_t flags)
{
    mwr_handle_write(handle, stream, type, flags);
    rounds->credit -= COST_OF_SAMPLE + (int64_t)mwr_handle_values(handle) * COST_OF_VALUE;
}

/* Whether it is written with these flags of a round although nothing has changed. */
static bool is_written_anyway(const struct mwr_handle *handle, uint8_t flags)
{
    return handle->is_still ? (flags & MW_SAMPLE_END) != 0
                            : flags != 0 || !mwr_recorder.settings.pvar_delta;
}

void mwr_rounds_write(struct mwr_rounds *rounds, struct mwr_stream *stream,
                      enum mw_record_type type, uint8_t flags, uint64_t now)
{
    for (uint32_t i = 0; i < rounds->count; i++) {
        struct mwr_handle *handle = rounds->handles[i];

        if (mwr_handle_read(rounds->session, handle) || is_written_anyway(handle, flags)) {
            write_one(rounds, handle, stream, type, flags);
        }
        handle->is_pending = false;
    }
    set_pending(false);
    rounds->has_new = false;
    rounds->is_due = false;
    rounds->calls = 0;
    rounds->last_round = now;
    if (flags != 0) {
        rounds->last_keyframe = now;
    }
}

void mwr_rounds_look(struct mwr_rounds *rounds, struct mwr_stream *stream)
{
    bool is_pending = false;

    for (uint32_t i = 0; i < rounds->each_call; i++) {
        struct mwr_handle *handle = rounds->handles[i];

        if (MW_LIKELY(!mwr_handle_read(rounds->session, handle))) {
            handle->is_pending = false;
        } else if (mwr_handle_is_extreme(handle)) {
            write_one(rounds, handle, stream, MW_MEMBER_METRIC, 0);
        } else {
            handle->is_pending = true;
            is_pending = true;
        }
    }
    set_pending(is_pending);
}

void mwr_rounds_write_pending(struct mwr_rounds *rounds, struct mwr_stream *stream)
{
    for (uint32_t i = 0; i < rounds->each_call; i++) {
        if (rounds->handles[i]->is_pending) {
            write_one(rounds, rounds->handles[i], stream, MW_MEMBER_METRIC, 0);
        }
    }
    rounds->last_pending = rounds->calls;
    set_pending(false);
}
