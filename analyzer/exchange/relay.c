/*
 * Two threads that hand each other each call would do little else: it is done by some thousands at
 * a time, in a few batches that go round. What is freed in one comes back with it.
 */
#include "analyzer/exchange/relay.h"

#include <pthread.h>
#include <stdlib.h>

#include "analyzer/model/pool.h"

#define BATCHES 4u
#define WHAT    7u /* bits of an address that say what it is */

struct told_waypoint {
    uint32_t location;
    struct mwa_waypoint waypoint;
};

enum state { EMPTY, FULL, HEARD };

/* With room for as much of each. */
struct batch {
    enum state state;
    uint32_t count;
    uint32_t waypoint_count;
    uint32_t release_count;
    uintptr_t *told;
    uintptr_t *releases;
    struct told_waypoint *waypoints;
};

struct mwa_relay {
    struct mwa_audience audience;
    struct mwa_relay_source source;
    struct mwa_thread_limit *limit;
    uint32_t room;
    uint32_t filling;
    pthread_t thread;
    pthread_mutex_t lock;   /* guards the batches' states, status and is_over */
    pthread_cond_t changed; /* one of these has */
    enum mw_status status;
    bool is_over;
    enum mw_status known; /* status, as the engine's thread has seen it */
    struct batch batches[BATCHES];
};

/* --- the thread that tells -------------------------------------------------------------------- */

static enum mw_status tell(const struct mwa_relay *relay, enum mwa_relayed what, void *object)
{
    const struct mwa_audience *to = &relay->audience;
    const struct told_waypoint *told = object;

    switch (what) {
    case MWA_RELAYED_BEGIN:
        return mwa_audience_begin(to, object);
    case MWA_RELAYED_END:
        return mwa_audience_end(to, object);
    case MWA_RELAYED_MESSAGE:
        return mwa_audience_message(to, object);
    case MWA_RELAYED_COLLECTIVE:
        return mwa_audience_collective(to, object);
    case MWA_RELAYED_ROUND:
        return mwa_audience_round(to);
    case MWA_RELAYED_WAYPOINT:
        return relay->source.waypoints.visit(relay->source.waypoints.user, told->location,
                                             &told->waypoint);
    case MWA_RELAYED_SETTLED:
        mwa_audience_settled(to, object);
        break;
    case MWA_RELAYED_GONE:
        mwa_audience_gone(to, object);
        break;
    }
    return MW_OK;
}

static enum mw_status tell_batch(const struct mwa_relay *relay, const struct batch *batch)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < batch->count && status == MW_OK; i++) {
        const uintptr_t told = batch->told[i];

        if (i + 4 < batch->count) {
            mwa_pool_fetch((const void *)(batch->told[i + 4] & ~(uintptr_t)WHAT), 128);
        }
        status = tell(relay, (enum mwa_relayed)(told & WHAT), (void *)(told & ~(uintptr_t)WHAT));
    }
    return status;
}

static void *run(void *argument)
{
    struct mwa_relay *relay = argument;

    pthread_mutex_lock(&relay->lock);
    for (uint32_t at = 0;; at = (at + 1) % BATCHES) {
        struct batch *batch = &relay->batches[at];
        enum mw_status status = relay->status;

        while (batch->state != FULL && !relay->is_over) {
            pthread_cond_wait(&relay->changed, &relay->lock);
        }
        if (batch->state != FULL) {
            break;
        }
        pthread_mutex_unlock(&relay->lock);
        mwa_thread_limit_enter(relay->limit);
        status = status == MW_OK ? tell_batch(relay, batch) : status;
        mwa_thread_limit_leave(relay->limit);
        pthread_mutex_lock(&relay->lock);
        batch->state = HEARD;
        relay->status = status;
        pthread_cond_broadcast(&relay->changed);
    }
    pthread_mutex_unlock(&relay->lock);
    return NULL;
}

/* --- the engine's thread ---------------------------------------------------------------------- */

/* A batch has been heard, or is empty: frees what it has released, and has it anew. */
static void take_back(struct mwa_relay *relay, struct batch *batch)
{
    for (uint32_t i = 0; i < batch->release_count; i++) {
        const uintptr_t object = batch->releases[i];

        relay->source.release(relay->source.exchange, (enum mwa_relayed)(object & WHAT),
                              (void *)(object & ~(uintptr_t)WHAT));
    }
    batch->count = 0;
    batch->waypoint_count = 0;
    batch->release_count = 0;
}

/* Hands on what there is, and waits for room. */
static void hand_on(struct mwa_relay *relay)
{
    struct batch *batch = &relay->batches[relay->filling];
    bool waits;

    relay->filling = (relay->filling + 1) % BATCHES;
    pthread_mutex_lock(&relay->lock);
    batch->state = FULL;
    pthread_cond_broadcast(&relay->changed);
    batch = &relay->batches[relay->filling];
    waits = batch->state == FULL;
    if (waits) {
        mwa_thread_limit_leave(relay->limit);
    }
    while (batch->state == FULL) {
        pthread_cond_wait(&relay->changed, &relay->lock);
    }
    batch->state = EMPTY;
    relay->known = relay->status;
    pthread_mutex_unlock(&relay->lock);
    if (waits) {
        mwa_thread_limit_enter(relay->limit);
    }
    take_back(relay, batch);
}

/* Frees a relay that has no thread. */
static void destroy(struct mwa_relay *relay)
{
    for (uint32_t i = 0; i < BATCHES; i++) {
        free(relay->batches[i].told);
        free(relay->batches[i].releases);
        free(relay->batches[i].waypoints);
    }
    pthread_cond_destroy(&relay->changed);
    pthread_mutex_destroy(&relay->lock);
    mwa_audience_fini(&relay->audience);
    free(relay);
}

static bool make_batches(struct mwa_relay *relay)
{
    bool are_made = true;

    for (uint32_t i = 0; i < BATCHES && are_made; i++) {
        struct batch *batch = &relay->batches[i];

        batch->told = malloc(relay->room * sizeof *batch->told);
        batch->releases = malloc(relay->room * sizeof *batch->releases);
        batch->waypoints = malloc(relay->room * sizeof *batch->waypoints);
        are_made = batch->told && batch->releases && batch->waypoints;
    }
    return are_made;
}

struct mwa_relay *mwa_relay_start(const struct mwa_exchange_listener *listeners, uint32_t count,
                                  uint32_t room, struct mwa_thread_limit *limit,
                                  const struct mwa_relay_source *source)
{
    struct mwa_relay *relay = calloc(1, sizeof *relay);

    if (!relay) {
        return NULL;
    }
    relay->room = room;
    relay->limit = limit;
    relay->source = *source;
    pthread_mutex_init(&relay->lock, NULL);
    pthread_cond_init(&relay->changed, NULL);
    if (!mwa_audience_init(&relay->audience, MWA_AUDIENCE_FAR, listeners, count) ||
        !make_batches(relay) || pthread_create(&relay->thread, NULL, run, relay) != 0) {
        destroy(relay);
        return NULL;
    }
    return relay;
}

void mwa_relay_tell(struct mwa_relay *relay, enum mwa_relayed what, void *object)
{
    struct batch *batch = &relay->batches[relay->filling];

    batch->told[batch->count++] = (uintptr_t)object | what;
    if (batch->count == relay->room) {
        hand_on(relay);
    }
}

void mwa_relay_waypoint(struct mwa_relay *relay, uint32_t location,
                        const struct mwa_waypoint *waypoint)
{
    struct batch *batch = &relay->batches[relay->filling];
    struct told_waypoint *told = &batch->waypoints[batch->waypoint_count++];

    *told = (struct told_waypoint){ location, *waypoint };
    mwa_relay_tell(relay, MWA_RELAYED_WAYPOINT, told);
}

void mwa_relay_release(struct mwa_relay *relay, enum mwa_relayed what, void *object)
{
    struct batch *batch = &relay->batches[relay->filling];

    batch->releases[batch->release_count++] = (uintptr_t)object | what;
    if (batch->release_count == relay->room) {
        hand_on(relay);
    }
}

enum mw_status mwa_relay_status(const struct mwa_relay *relay)
{
    return relay->known;
}

enum mw_status mwa_relay_end(struct mwa_relay *relay)
{
    enum mw_status status;

    hand_on(relay);
    pthread_mutex_lock(&relay->lock);
    relay->is_over = true;
    pthread_cond_broadcast(&relay->changed);
    pthread_mutex_unlock(&relay->lock);
    mwa_thread_limit_leave(relay->limit);
    pthread_join(relay->thread, NULL);
    mwa_thread_limit_enter(relay->limit);
    status = relay->status;
    for (uint32_t i = 0; i < BATCHES; i++) {
        take_back(relay, &relay->batches[i]);
    }
    destroy(relay);
    return status;
}
