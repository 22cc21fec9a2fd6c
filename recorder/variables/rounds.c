#include "recorder/variables/rounds.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"
#include "formats/table/calls.h"
#include "recorder/recorder.h"
#include "recorder/variables/sampling.h"

/* At every call at most this many variables are read, of as many elements together. */
#define EACH_CALL_HANDLES  4u
#define EACH_CALL_ELEMENTS 32u

/* At a gap between calls of one thread, all are read if there are no more than these. */
#define GAP_HANDLES 64u

/* From when on there is a gap between calls, if variables are read at intervals of 0. */
#define GAP_NS 1000000u

/* What a sample takes of the archive, compressed, and each value in it (see the header). */
#define COST_OF_SAMPLE (18 * 16)
#define COST_OF_VALUE  (1 * 16)

bool mwr_rounds_has_credit(struct mwr_rounds *rounds, uint64_t now)
{
    const uint64_t second = 1000000000u;
    const uint64_t most = 100 * second; /* gives more than can be kept */
    uint64_t ticks = now - rounds->last_given;

    if (ticks >= second / 1024) {
        ticks = ticks < most ? ticks : most;
        mwr_rounds_give(rounds, (int64_t)(ticks * MWR_CREDIT_OF_SECOND / second));
        rounds->last_given = now;
    }
    return rounds->credit > 0;
}

/* Where what was read last is found after a kill. */
static struct mw_call_record *pending_record(const struct mwr_rounds *rounds)
{
    return (struct mw_call_record *)(void *)rounds->pending;
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
    for (uint32_t i = 0; i < rounds->count; i++) {
        mwr_handle_follow(rounds->handles[i], i < chosen);
    }
    rounds->is_placed = false;
}

/* Whether calls were made since the last look that nobody read after. */
static bool has_unseen(const struct mwr_rounds *rounds)
{
    return !rounds->hears_all_calls || __atomic_load_n(&mwr_gap_begins, __ATOMIC_RELAXED) == 0;
}

static struct mwr_since lost(uint64_t from, uint64_t to)
{
    return (struct mwr_since){.changed = from, .lost = from, .found = to};
}

struct mwr_reading mwr_rounds_reading(const struct mwr_rounds *rounds, uint64_t now)
{
    struct mwr_reading reading = {.now = now,
                                  .look.changed = rounds->last_look,
                                  .round = lost(rounds->all_read, now)};

    if (has_unseen(rounds)) {
        reading.look = lost(rounds->last_look, now);
    } else if (rounds->sees_all_calls) {
        /* It is now what it was at the end of the last call. */
        reading.round = lost(rounds->all_read,
                             rounds->calls > 0 ? rounds->last_look : rounds->all_read);
    }
    return reading;
}

struct mwr_reading mwr_rounds_reading_at_leave(const struct mwr_rounds *rounds, uint64_t enter,
                                               uint64_t now)
{
    struct mwr_reading reading = mwr_rounds_reading(rounds, now);

    reading.round = lost(rounds->all_read, now);
    if (rounds->sees_all_calls && !has_unseen(rounds)) {
        reading.look.changed = enter;
        if (rounds->calls <= 1) {
            reading.round = (struct mwr_since){.changed = enter};
        }
    }
    return reading;
}

void mwr_rounds_release(struct mwr_rounds *rounds, uint32_t at, struct mwr_stream *stream,
                        enum mw_record_type type, uint64_t now)
{
    struct mwr_handle *handle = rounds->handles[at];
    const struct mwr_reading reading = mwr_rounds_reading(rounds, now);

    if (stream) {
        (void)mwr_handle_read(rounds->session, handle, &reading);
        mwr_handle_write(handle, stream, type, MW_SAMPLE_END, now);
    }
    mwr_handle_destroy(rounds->session, handle);
    rounds->handles[at] = rounds->handles[--rounds->count];
    rounds->each_call = 0; /* until they are chosen again */
    rounds->is_placed = false;
}

void mwr_rounds_fini(struct mwr_rounds *rounds)
{
    while (rounds->count > 0) {
        mwr_handle_destroy(rounds->session, rounds->handles[--rounds->count]);
    }
    free(rounds->handles);
    rounds->handles = NULL;
    rounds->each_call = 0;
    if (rounds->pending) {
        __atomic_store_n(&pending_record(rounds)->state, MW_STATE_EMPTY, __ATOMIC_RELEASE);
        rounds->pending = NULL;
    }
}

/* --- reading and writing -------------------------------------------------------------- */

static void charge(struct mwr_rounds *rounds, const struct mwr_handle *handle)
{
    rounds->credit -= COST_OF_SAMPLE + (int64_t)mwr_handle_values(handle) * COST_OF_VALUE;
}

/* Whether it is written with these flags of a round although nothing has changed. */
static bool is_written_anyway(const struct mwr_handle *handle, uint8_t flags)
{
    return handle->is_still ? (flags & MW_SAMPLE_END) != 0
                            : flags != 0 || !mwr_recorder.settings.pvar_delta;
}

static void write_one(struct mwr_rounds *rounds, struct mwr_handle *handle,
                      struct mwr_stream *stream, enum mw_record_type type, uint8_t flags,
                      uint64_t now)
{
    mwr_handle_write(handle, stream, type, flags, now);
    charge(rounds, handle);
}

/* --- what is found after a kill ------------------------------------------------------ */

/* What is stored from here on comes behind that, for who reads the file meanwhile, too. */
static void make_empty(struct mwr_rounds *rounds)
{
    __atomic_store_n(&pending_record(rounds)->state, MW_STATE_EMPTY, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

/* Gives the variables of each call their places in the file. */
static void place_all(struct mwr_rounds *rounds, const struct mwr_stream *stream)
{
    const char *end;
    char *to;

    if (!rounds->pending) {
        rounds->pending = mw_spool_pending(&stream->spool);
    }
    end = rounds->pending + MW_PENDING_BYTES - sizeof(struct mw_member);
    to = rounds->pending + sizeof(struct mw_call_record);
    make_empty(rounds);
    for (uint32_t i = 0; i < rounds->each_call; i++) {
        char *behind = mwr_handle_place(rounds->handles[i], to, end);

        to = behind ? behind : to;
    }
    memset(to, 0, sizeof(struct mw_member));
    *pending_record(rounds) = (struct mw_call_record){.type = MW_RECORD_SAMPLE,
                                                      .words = sizeof(struct mw_call_record) / 8,
                                                      .call = MW_CALL_MPI_Pcontrol,
                                                      .repeat = 1};
    rounds->is_placed = true;
}

/* Some of what was read at now is not as before. */
static void begin_store(struct mwr_rounds *rounds, const struct mwr_stream *stream, uint64_t now)
{
    struct mw_call_record *record;

    if (MW_UNLIKELY(!rounds->is_placed)) {
        place_all(rounds, stream);
    }
    record = pending_record(rounds);
    make_empty(rounds);
    record->enter = record->leave = now;
}

static void end_store(struct mwr_rounds *rounds)
{
    __atomic_store_n(&pending_record(rounds)->state, MW_STATE_DONE, __ATOMIC_RELEASE);
}

/* --- looks and rounds ------------------------------------------------------------------ */

/* Those of each call were read. */
static void note_look(struct mwr_rounds *rounds, uint64_t now)
{
    const uint64_t interval = mwr_recorder.settings.pvar_interval;

    __atomic_store_n(&mwr_gap_begins, now + (interval > 0 ? interval : GAP_NS), __ATOMIC_RELAXED);
    rounds->last_look = now;
}

void mwr_rounds_write(struct mwr_rounds *rounds, struct mwr_stream *stream,
                      enum mw_record_type type, uint8_t flags,
                      const struct mwr_reading *reading)
{
    for (uint32_t i = 0; i < rounds->count; i++) {
        struct mwr_handle *handle = rounds->handles[i];

        if (mwr_handle_read(rounds->session, handle, reading) || is_written_anyway(handle, flags)) {
            write_one(rounds, handle, stream, type, flags, reading->now);
        }
        handle->is_pending = false;
    }
    begin_store(rounds, stream, reading->now);
    for (uint32_t i = 0; i < rounds->each_call; i++) {
        mwr_handle_store(rounds->handles[i]);
    }
    end_store(rounds);
    note_look(rounds, reading->now);
    rounds->has_new = false;
    rounds->is_due = false;
    rounds->calls = 0;
    rounds->last_round = rounds->all_read = reading->now;
    if (flags != 0) {
        rounds->last_keyframe = reading->now;
    }
}

/* Reads one of those that are read after each call. \return whether it has changed since. */
static bool look_at(struct mwr_rounds *rounds, const struct mwr_stream *stream,
                    struct mwr_handle *handle, const struct mwr_reading *reading)
{
    const uint32_t changes = handle->followed.changes;

    handle->is_pending = mwr_handle_read(rounds->session, handle, reading);
    if (MW_LIKELY(handle->followed.changes == changes)) {
        return false;
    }
    begin_store(rounds, stream, reading->now);
    mwr_handle_store(handle);
    end_store(rounds);
    return true;
}

void mwr_rounds_look(struct mwr_rounds *rounds, struct mwr_stream *stream,
                     const struct mwr_reading *reading)
{
    for (uint32_t i = 0; i < rounds->each_call; i++) {
        struct mwr_handle *handle = rounds->handles[i];

        if ((look_at(rounds, stream, handle, reading) || handle->flags != 0) &&
            handle->is_pending && mwr_handle_is_extreme(handle)) {
            write_one(rounds, handle, stream, MW_MEMBER_METRIC, 0, reading->now);
        }
    }
    note_look(rounds, reading->now);
}

bool mwr_rounds_look_between(struct mwr_rounds *rounds, struct mwr_stream *stream,
                             const struct mwr_reading *reading, bool is_written)
{
    const uint32_t count = rounds->sees_all_calls && rounds->count > GAP_HANDLES
                               ? rounds->each_call
                               : rounds->count;
    struct mw_call_record *record = NULL;
    bool has_moved = false;

    for (uint32_t i = 0; i < count; i++) {
        struct mwr_handle *handle = rounds->handles[i];
        bool is_changed;

        if (i < rounds->each_call) {
            has_moved |= look_at(rounds, stream, handle, reading);
            is_changed = handle->is_pending;
        } else {
            is_changed = mwr_handle_read(rounds->session, handle, reading);
        }
        if (!is_changed || !is_written) {
            continue;
        }
        record = record ? record
                        : mw_spool_begin_mark(&stream->spool, MW_RECORD_SAMPLE,
                                              MW_CALL_MPI_Pcontrol, reading->now);
        if (record) {
            write_one(rounds, handle, stream, MW_MEMBER_METRIC, 0, reading->now);
        }
    }
    if (record) {
        mw_spool_end(&stream->spool, record, reading->now);
    }
    if (count == rounds->count) {
        rounds->all_read = reading->now;
        rounds->calls = 0;
    }
    note_look(rounds, reading->now);
    return has_moved;
}

void mwr_rounds_write_pending(struct mwr_rounds *rounds, struct mwr_stream *stream)
{
    struct mw_call_record *record = NULL;

    for (uint32_t i = 0; i < rounds->each_call; i++) {
        if (!rounds->handles[i]->is_pending) {
            continue;
        }
        record = record ? record
                        : mw_spool_begin_mark(&stream->spool, MW_RECORD_SAMPLE,
                                              MW_CALL_MPI_Pcontrol, rounds->last_look);
        if (record) {
            write_one(rounds, rounds->handles[i], stream, MW_MEMBER_METRIC, 0,
                      rounds->last_look);
        }
    }
    if (record) {
        mw_spool_end(&stream->spool, record, rounds->last_look);
    }
}
