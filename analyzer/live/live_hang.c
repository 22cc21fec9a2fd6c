/*
 * One partial result takes the events of all threads, so that a message is gone from it as soon as
 * both of its ends have been read. Who asks gets a copy, to which the open calls are told.
 */
#include "analyzer/live/live_hang.h"

#include <stdlib.h>
#include <string.h>

struct mwa_live_hang {
    const struct mwa_trace *trace;
    void *partial; /* mwa_hang_states_analysis's */
};

bool mwa_live_last_note(struct mwa_live_last *last, const struct mw_spool_call *call, bool is_left)
{
    last->has_now = call->now != NULL;
    last->is_left = false;
    if (call->now) {
        last->now = *call->now;
    }
    if (!is_left) {
        return true;
    }
    if (call->member_bytes > last->room) {
        char *grown = realloc(last->members, call->member_bytes);

        if (!grown) {
            return false;
        }
        last->members = grown;
        last->room = call->member_bytes;
    }
    if (call->member_bytes > 0) {
        memcpy(last->members, call->members, call->member_bytes);
    }
    last->call = *call;
    last->call.members = last->members;
    last->call.now = last->has_now ? &last->now : NULL;
    last->is_left = true;
    return true;
}

void mwa_live_last_fini(struct mwa_live_last *last)
{
    free(last->members);
    *last = (struct mwa_live_last){.room = 0};
}

struct mwa_live_hang *mwa_live_hang_create(const struct mwa_trace *trace)
{
    struct mwa_live_hang *hang = calloc(1, sizeof *hang);

    if (!hang) {
        return NULL;
    }
    hang->trace = trace;
    hang->partial = mwa_partial_create(&mwa_hang_states_analysis, trace);
    if (!hang->partial) {
        free(hang);
        return NULL;
    }
    mwa_hang_states_share(hang->partial);
    return hang;
}

void mwa_live_hang_destroy(struct mwa_live_hang *hang)
{
    if (hang) {
        mwa_partial_destroy(&mwa_hang_states_analysis, hang->partial);
        free(hang);
    }
}

static struct mwa_live_listener listener_of(void *partial)
{
    return (struct mwa_live_listener){
        .analysis = &mwa_hang_states_analysis, .partial = partial, .takes_codes = true};
}

struct mwa_live_listener mwa_live_hang_listener(const struct mwa_live_hang *hang)
{
    return listener_of(hang->partial);
}

/* Tells a copy of what is known of the call that the thread is in. */
static enum mw_status tell_last(const struct mwa_live_hang_thread *thread, void *partial)
{
    struct mwa_live_stream stream = *thread->stream;

    stream.listeners[0] = listener_of(partial);
    stream.listener_count = 1;
    stream.waits = NULL;
    return thread->last->is_left ? mwa_live_events(&stream, &thread->last->call) : MW_OK;
}

/* What the main threads' open calls wait for; the caller's to free, null: no memory. */
static struct mwa_hang_awaited *find_awaited(const struct mwa_live_hang *hang,
                                             const struct mwa_live_hang_thread *threads,
                                             uint32_t count)
{
    struct mwa_hang_awaited *awaited = calloc(hang->trace->rank_count + 1, sizeof *awaited);

    for (uint32_t i = 0; awaited && i < count; i++) {
        const struct mwa_location *location = &threads[i].stream->location;
        const struct mw_now *now = &threads[i].last->now;

        if (location->master && threads[i].last->has_now && now->what & MW_NOW_COMPLETES) {
            awaited[location->rank] = (struct mwa_hang_awaited){
                .ids = now->requests,
                .count = now->count < MW_NOW_REQUESTS ? now->count : MW_NOW_REQUESTS};
        }
    }
    return awaited;
}

enum mw_status mwa_live_hang_find(const struct mwa_live_hang *hang,
                                  const struct mwa_live_hang_thread *threads, uint32_t count,
                                  struct mwa_hang_states *states)
{
    const struct mwa_analysis *analysis = &mwa_hang_states_analysis;
    struct mwa_hang_awaited *awaited = find_awaited(hang, threads, count);
    void *now = mwa_partial_create(analysis, hang->trace);
    enum mw_status status = awaited && now ? MW_OK : MW_ERROR_MEMORY;

    *states = (struct mwa_hang_states){.rank_count = 0};
    if (status == MW_OK) {
        mwa_hang_states_share(now);
        status = mwa_partial_merge(analysis, now, hang->partial);
    }
    for (uint32_t i = 0; status == MW_OK && i < count; i++) {
        status = tell_last(&threads[i], now);
    }
    if (status == MW_OK) {
        status = mwa_hang_states_await(now, awaited);
    }
    if (status == MW_OK) {
        status = analysis->finish(now, states);
    }
    mwa_partial_destroy(analysis, now);
    free(awaited);
    return status;
}
