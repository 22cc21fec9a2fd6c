#include "recorder/state/thread_tallies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/spool/record.h"
#include "formats/table/calls.h"
#include "recorder/recorder.h"

/*
 * An open-addressing table; when it has become too small it stays in memory, since a process
 * that ends may be reading it.
 */
struct mwr_tallies {
    struct mwr_tallies *before;
    uint32_t number; /* how many there were before it */
    uint32_t capacity; /* a power of two */
    uint32_t used;
    struct mw_tally *slots;
    bool is_in_file;
};

static struct mw_tally *slot_of(const struct mwr_tallies *table, uint32_t comm, uint32_t call)
{
    uint64_t hash = ((uint64_t)comm << 16 ^ call) * 0x9e3779b97f4a7c15u;
    uint32_t at = (uint32_t)(hash >> 40) & (table->capacity - 1);

    while (table->slots[at].call != 0 &&
           (table->slots[at].comm != comm || table->slots[at].call != call + 1)) {
        at = (at + 1) & (table->capacity - 1);
    }
    return &table->slots[at];
}

/* The stream's file, made when it is needed first; false: there is none. */
static bool has_file(struct mwr_stream *stream)
{
    const struct mw_spool_identity identity = {
        .nonce = mwr_recorder.nonce, .rank = mwr_recorder.rank, .thread = stream->thread};
    char path[MWR_PATH_BYTES + 32];

    if (!stream->tallies_file.header && !stream->has_no_tallies_file) {
        snprintf(path, sizeof path, "%s/%u.filtered", mwr_recorder.spool, stream->thread);
        stream->has_no_tallies_file =
            mw_tallies_file_init(&stream->tallies_file, path, &identity, NULL) != MW_OK;
    }
    return !stream->has_no_tallies_file;
}

/* Free slots for table; once they are in memory they are so for good. False: no memory. */
static bool make_slots(struct mwr_stream *stream, struct mwr_tallies *table)
{
    table->is_in_file = (!table->before || table->before->is_in_file) && has_file(stream) &&
                        table->number < MW_TALLIES_TABLES &&
                        mw_tallies_file_table(&stream->tallies_file, table->number,
                                              &table->slots, NULL) == MW_OK;
    if (!table->is_in_file) {
        table->slots = calloc(table->capacity, sizeof table->slots[0]);
    }
    return table->slots != NULL;
}

/* A larger table with what is in the stream's; false: no memory. */
static bool grow(struct mwr_stream *stream)
{
    struct mwr_tallies *before = stream->tallies;
    struct mwr_tallies *table = calloc(1, sizeof *table);

    if (!table) {
        return false;
    }
    table->before = before;
    table->number = before ? before->number + 1 : 0;
    table->capacity = mw_tallies_slots(table->number);
    if (!make_slots(stream, table)) {
        free(table);
        return false;
    }
    for (uint32_t i = 0; before && i < before->capacity; i++) {
        const struct mw_tally *tally = &before->slots[i];

        if (tally->call != 0) {
            *slot_of(table, tally->comm, tally->call - 1) = *tally;
            table->used++;
        }
    }
    if (table->is_in_file) {
        mw_tallies_file_use(&stream->tallies_file, table->number);
    }
    __atomic_store_n(&stream->tallies, table, __ATOMIC_RELEASE);
    return true;
}

/* What there is no memory for: written by any thread, for nobody asks how often. */
static struct mw_tally nobody;

/* The stream's slot of a communicator and call, perhaps a new one; null: no memory. */
static struct mw_tally *find(struct mwr_stream *stream, uint32_t comm, uint32_t call)
{
    struct mw_tally *slot = stream->tallies ? slot_of(stream->tallies, comm, call) : NULL;

    if (slot && slot->call != 0) {
        return slot;
    }
    if (!slot || (stream->tallies->used + 1) * 2 > stream->tallies->capacity) {
        if (!grow(stream)) {
            return NULL;
        }
        slot = slot_of(stream->tallies, comm, call);
    }
    slot->comm = comm;
    __atomic_store_n(&slot->call, call + 1, __ATOMIC_RELEASE); /* others may be reading it */
    stream->tallies->used++;
    return slot;
}

struct mw_tally *mwr_tally_search(uint32_t comm, unsigned call)
{
    struct mwr_stream *stream = mwr_thread.recording;
    const struct mwr_tallies *before = stream->tallies;
    bool is_full = before && before->used >= MWR_TALLIES_MAX;
    struct mw_tally *tally = NULL;

    if (!is_full || slot_of(stream->tallies, comm, call)->call != 0) {
        tally = find(stream, comm, call);
    }
    if (!tally) {
        tally = find(stream, MW_COMM_NONE, call);
    }
    if (stream->tallies != before) {
        /* They have moved. */
        memset(mwr_thread.tallies, 0, sizeof mwr_thread.tallies);
    }
    if (!tally) {
        return &nobody;
    }
    mwr_thread.tallies[mwr_tally_place(comm, call)] = tally;
    return tally;
}

static void define(const struct mw_tally *tally)
{
    mwr_recorder_define(&(struct mw_definition){
        .kind = MW_DEFINE_FILTERED,
        .of.filtered = {.comm = tally->comm,
                        .call = tally->call - 1,
                        .calls = tally->calls,
                        .bytes_sent = tally->sent,
                        .bytes_received = tally->received},
    });
}

bool mwr_tallies_are_in_files(void)
{
    bool are = true;

    for (struct mwr_stream *stream = mwr_recorder.streams; stream; stream = stream->following) {
        const struct mwr_tallies *table = __atomic_load_n(&stream->tallies, __ATOMIC_ACQUIRE);

        are &= !table || table->is_in_file;
    }
    return are;
}

void mwr_tallies_tell(void)
{
    for (struct mwr_stream *stream = mwr_recorder.streams; stream; stream = stream->following) {
        const struct mwr_tallies *table = __atomic_load_n(&stream->tallies, __ATOMIC_ACQUIRE);

        for (uint32_t i = 0; table && i < table->capacity; i++) {
            if (table->slots[i].call != 0) {
                define(&table->slots[i]);
            }
        }
    }
}
