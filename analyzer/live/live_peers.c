/*
 * Batches have numbers, and the other one says which it expects: what has not come is sent again,
 * from there on. Spools keep what there is no room for, so that little is kept here.
 */
#include "analyzer/live/live_peers.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/live/live_tell.h"
#include "formats/base/array.h"

#define BATCH_BYTES 60000u /* and a record more */
#define WINDOW 4u /* batches on their way to one: mpiwatch-carry takes eight messages */
#define SECOND 1000000000u
#define AGAIN (2 * (uint64_t)SECOND) /* after which what was not answered is sent again */

struct peer {
    struct mw_buffer writing;  /* the batch that is being made */
    struct mw_buffer *waiting; /* those that are made, from number first on */
    uint32_t waiting_count;
    uint32_t first;
    uint32_t sent;     /* the number of the one that is to be sent next */
    uint64_t sent_at;  /* when one was sent last, or had come */
    uint32_t expected; /* the number of its own that is to be taken next */
    struct mw_buffer come[WINDOW]; /* those from there on that have come, by number modulo */
    uint64_t heard;    /* ns */
    bool is_owed;      /* an answer */
    bool is_lost;
    bool is_cut;       /* something that was put will never come */
};

struct mwa_live_peers {
    struct peer *all;
    uint32_t count;
    uint32_t own;
    uint32_t generation;
    void (*give)(void *context, uint32_t to, const void *message, size_t bytes);
    void *context;
};

struct mwa_live_peers *mwa_live_peers_create(uint32_t count, uint32_t own,
                                             void (*give)(void *context, uint32_t to,
                                                          const void *message, size_t bytes),
                                             void *context)
{
    struct mwa_live_peers *peers = calloc(1, sizeof *peers);

    if (!peers) {
        return NULL;
    }
    *peers = (struct mwa_live_peers){.own = own, .generation = 1, .give = give,
                                     .context = context};
    peers->all = calloc(count + (size_t)1, sizeof *peers->all);
    peers->count = peers->all ? count : 0;
    for (uint32_t i = 0; i < peers->count; i++) {
        peers->all[i].heard = mwa_live_time();
    }
    if (!peers->all) {
        mwa_live_peers_destroy(peers);
        return NULL;
    }
    return peers;
}

static void forget(struct peer *peer)
{
    mw_buffer_fini(&peer->writing);
    for (uint32_t i = 0; i < peer->waiting_count; i++) {
        mw_buffer_fini(&peer->waiting[i]);
    }
    free(peer->waiting);
    for (uint32_t i = 0; i < WINDOW; i++) {
        mw_buffer_fini(&peer->come[i]);
    }
    *peer = (struct peer){.heard = peer->heard, .is_lost = peer->is_lost, .is_owed = true};
}

void mwa_live_peers_destroy(struct mwa_live_peers *peers)
{
    if (!peers) {
        return;
    }
    for (uint32_t i = 0; i < peers->count; i++) {
        forget(&peers->all[i]);
    }
    free(peers->all);
    free(peers);
}

uint32_t mwa_live_peers_count(const struct mwa_live_peers *peers)
{
    return peers->count;
}

uint32_t mwa_live_peers_own(const struct mwa_live_peers *peers)
{
    return peers->own;
}

uint32_t mwa_live_peers_generation(const struct mwa_live_peers *peers)
{
    return peers->generation;
}

static void begin_generation(struct mwa_live_peers *peers, uint32_t generation)
{
    peers->generation = generation;
    for (uint32_t i = 0; i < peers->count; i++) {
        forget(&peers->all[i]);
    }
}

void mwa_live_peers_anew(struct mwa_live_peers *peers)
{
    begin_generation(peers, peers->generation + 1);
}

/* --- telling -------------------------------------------------------------------------------- */

static void cut(struct peer *peer)
{
    forget(peer);
    peer->is_cut = true;
}

/* Puts the batch behind those that wait. */
static void close_batch(struct peer *peer)
{
    if (peer->writing.bytes == 0 || peer->writing.failed ||
        !mw_array_grow((void **)&peer->waiting, peer->waiting_count, sizeof *peer->waiting)) {
        if (peer->writing.bytes > 0) {
            cut(peer); /* no memory for it */
        }
        return;
    }
    peer->waiting[peer->waiting_count++] = peer->writing;
    peer->writing = (struct mw_buffer){.failed = false};
}

void mwa_live_peers_put(struct mwa_live_peers *peers, uint32_t to,
                        const struct mw_live_record *record)
{
    struct peer *peer = &peers->all[to];

    if (to == peers->own || peer->is_cut) {
        return;
    }
    mw_live_record_put(&peer->writing, record);
    if (peer->writing.bytes > BATCH_BYTES || peer->writing.failed) {
        close_batch(peer);
    }
}

bool mwa_live_peers_are_full(const struct mwa_live_peers *peers)
{
    for (uint32_t i = 0; i < peers->count; i++) {
        if (peers->all[i].waiting_count > WINDOW && !peers->all[i].is_lost) {
            return true;
        }
    }
    return false;
}

bool mwa_live_peers_is_lost(const struct mwa_live_peers *peers, uint32_t which)
{
    return peers->all[which].is_lost;
}

struct giving {
    struct mwa_live_peers *peers;
    uint32_t to;
};

static void give(void *context, const void *message, size_t bytes)
{
    const struct giving *giving = context;

    giving->peers->give(giving->peers->context, giving->to, message, bytes);
}

/* Sends one of those that wait, or none (null): then what is expected. */
static enum mw_status send_one(struct mwa_live_peers *peers, uint32_t to, uint32_t number,
                               const struct mw_buffer *records, const struct mw_run *run,
                               struct mw_diagnostic *diagnostic)
{
    struct giving giving = {peers, to};
    struct mwa_live_telling telling = {.give = give, .context = &giving};
    const struct mw_live_batch batch = {.generation = peers->generation,
                                        .expected = peers->all[to].expected,
                                        .number = number,
                                        .has_records = records != NULL};

    peers->all[to].is_owed = false;
    return mwa_live_tell_one(run, MW_LIVE_CALLS, &batch, records, &telling, diagnostic);
}

static enum mw_status send_to(struct mwa_live_peers *peers, uint32_t to, const struct mw_run *run,
                              bool is_flushed, struct mw_diagnostic *diagnostic)
{
    struct peer *peer = &peers->all[to];
    const uint64_t now = mwa_live_time();
    enum mw_status status = MW_OK;

    if (is_flushed && peer->waiting_count < WINDOW / 2) { /* else there will be fuller ones */
        close_batch(peer);
    }
    if (peer->sent != peer->first && now - peer->sent_at > AGAIN) {
        peer->sent = peer->first;
    }
    while (status == MW_OK && peer->sent - peer->first < peer->waiting_count &&
           peer->sent - peer->first < WINDOW) {
        status = send_one(peers, to, peer->sent, &peer->waiting[peer->sent - peer->first], run,
                          diagnostic);
        peer->sent++;
        peer->sent_at = now;
    }
    return status == MW_OK && (peer->is_owed || is_flushed)
               ? send_one(peers, to, 0, NULL, run, diagnostic)
               : status;
}

enum mw_status mwa_live_peers_send(struct mwa_live_peers *peers, const struct mw_run *run,
                                   bool is_flushed, uint64_t silence,
                                   struct mw_diagnostic *diagnostic)
{
    const uint64_t now = mwa_live_time();
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; status == MW_OK && i < peers->count; i++) {
        struct peer *peer = &peers->all[i];

        if (i == peers->own) {
            continue;
        }
        peer->is_lost = now - peer->heard > silence;
        if (peer->is_lost && peer->waiting_count > WINDOW) {
            cut(peer);
        }
        status = send_to(peers, i, run, is_flushed, diagnostic);
    }
    return status;
}

/* --- hearing -------------------------------------------------------------------------------- */

/* What it has need not wait any more. */
static void settle(struct peer *peer, uint32_t expected)
{
    const uint32_t come = expected - peer->first;

    if (come == 0 || come > peer->waiting_count || come > peer->sent - peer->first) {
        return;
    }
    for (uint32_t i = 0; i < come; i++) {
        mw_buffer_fini(&peer->waiting[i]);
    }
    peer->waiting_count -= come;
    memmove(peer->waiting, &peer->waiting[come], peer->waiting_count * sizeof *peer->waiting);
    peer->first = expected;
    peer->sent_at = mwa_live_time();
}

/* Keeps what has come before it could be taken; without memory it comes again. */
static void keep(struct peer *peer, uint32_t number, const struct mw_cursor *records)
{
    struct mw_buffer *place = &peer->come[number % WINDOW];

    if (number - peer->expected < WINDOW && place->bytes == 0 && records->left > 0) {
        mw_buffer_append(place, records->next, records->left);
        if (place->failed) {
            mw_buffer_fini(place);
        }
    }
}

/* Whether one telling is later than another one; behind the last number comes 0. */
static bool is_later(uint32_t one, uint32_t other)
{
    return (int32_t)(one - other) > 0;
}

/* Answers what the other one says beside records. \return whether these are of this telling. */
static bool take_batch(struct mwa_live_peers *peers, struct peer *peer,
                       const struct mw_live_batch *batch)
{
    peer->heard = mwa_live_time();
    if (peer->is_cut) {
        mwa_live_peers_anew(peers);
    }
    if (is_later(batch->generation, peers->generation)) {
        begin_generation(peers, batch->generation);
    }
    peer->is_lost = false;
    if (batch->generation != peers->generation) {
        peer->is_owed = true; /* it has to know that all begins anew */
        return false;
    }
    settle(peer, batch->expected);
    return true;
}

void mwa_live_peers_take(struct mwa_live_peers *peers, uint32_t from,
                         const struct mw_live_batch *batch, const struct mw_cursor *records,
                         bool (*take)(void *context, uint32_t from,
                                      const struct mw_cursor *records),
                         void *context)
{
    struct peer *peer = from < peers->count && from != peers->own ? &peers->all[from] : NULL;
    const uint32_t generation = batch ? batch->generation : peers->generation;
    bool is_taken = true;

    if (!peer || (batch && !take_batch(peers, peer, batch))) {
        return;
    }
    if (batch && batch->has_records) {
        keep(peer, batch->number, records);
        peer->is_owed = true;
    }
    while (is_taken && generation == peers->generation &&
           peer->come[peer->expected % WINDOW].bytes > 0) {
        struct mw_buffer *next = &peer->come[peer->expected % WINDOW];
        const struct mw_cursor of_next = {.next = next->data, .left = next->bytes};

        is_taken = take(context, from, &of_next);
        if (is_taken && generation == peers->generation) {
            mw_buffer_fini(next);
            peer->expected++;
            peer->is_owed = true;
        }
    }
}
