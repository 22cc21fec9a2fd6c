/*
 * A non-blocking collective says at its completion only which one it is, and they are numbered in
 * the order of posting: what was posted later waits for it. When one stays open for long, reading
 * ahead (lookahead.h) tells which it will be, and its number is kept for it.
 */
#include "analyzer/exchange/exchange_engine.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/exchange/lookahead.h"

/* One that is not complete, and has its number. */
struct mwa_exchange_reserved {
    struct mwa_exchange_call *begin;
    struct mwa_exchange_seat seat;
};

static struct mwa_key request_key(uint32_t rank, uint64_t request)
{
    return (struct mwa_key){ rank, request };
}

static struct mwa_exchange_post *first_of(const struct mwa_exchange_posts *posts)
{
    return posts->count > 0 ? &posts->items[posts->first - posts->base] : NULL;
}

static void take_first(struct mwa_exchange_posts *posts)
{
    posts->first++;
    posts->count--;
}

/* The first one, which has its begin only, gets its number. */
static enum mw_status reserve(struct mwa_exchange *exchange, uint32_t rank,
                              const struct mwa_exchange_post *first,
                              const struct mwa_long_collective *fate)
{
    const struct mwa_exchange_post part = { .begin = first->begin, .data = fate->data };
    struct mwa_exchange_reserved *one = calloc(1, sizeof *one);
    uint64_t *place = one ? mwa_map_put(&exchange->groups.reserved,
                                        request_key(rank, fate->request), 0)
                          : NULL;

    if (!place) {
        free(one);
        return mwa_exchange_no_memory(exchange);
    }
    *place = (uintptr_t)one;
    one->begin = first->begin;
    (void)mwa_map_remove(&exchange->groups.requests, request_key(rank, fate->request));
    return mwa_exchange_find_seat(exchange, &part, true, &one->seat);
}

/* The first one is complete: it takes part. */
static enum mw_status take_complete(struct mwa_exchange *exchange,
                                    const struct mwa_exchange_post *part)
{
    enum mw_status status = MW_OK;

    if (part->end->has_ended) {
        part->end->unresolved = true; /* told too early: it can't take part any more */
    } else {
        status = mwa_exchange_take_part(exchange, part, true);
        mwa_exchange_decide(exchange, part->end);
    }
    mwa_exchange_release_call(exchange, part->begin);
    mwa_exchange_release_call(exchange, part->end);
    return status;
}

/* The first one will never be complete. */
static void drop(struct mwa_exchange *exchange, const struct mwa_exchange_post *part)
{
    mwa_exchange_release_call(exchange, part->begin);
}

/* Hands on those of rank before the first one whose fate is not known. is_over: none is to come. */
static enum mw_status flush(struct mwa_exchange *exchange, uint32_t rank, bool is_over)
{
    struct mwa_exchange_posts *posts = &exchange->groups.posts[rank];
    const struct mwa_lookahead *ahead = mwa_matching_ahead(exchange->matching, rank);
    const struct mwa_exchange_post *first;
    enum mw_status status = MW_OK;

    while (status == MW_OK && (first = first_of(posts)) != NULL) {
        const struct mwa_exchange_post part = *first;
        const struct mwa_long_collective *fate =
            part.end || is_over || !ahead ? NULL
                                          : mwa_lookahead_collective(ahead, posts->first);

        if (!part.end && !is_over && !fate) {
            break;
        }
        take_first(posts);
        if (part.end) {
            status = take_complete(exchange, &part);
        } else if (fate && fate->ends) {
            status = reserve(exchange, rank, &part, fate);
        } else {
            drop(exchange, &part);
        }
    }
    return status;
}

enum mw_status mwa_exchange_post(struct mwa_exchange *exchange, uint32_t rank, uint64_t request,
                                 struct mwa_exchange_call *call)
{
    struct mwa_exchange_posts *posts = &exchange->groups.posts[rank];
    uint64_t used = posts->first - posts->base;
    uint64_t *place;

    if (used > 0 && used >= posts->count) {
        memmove(posts->items, posts->items + used, posts->count * sizeof *posts->items);
        posts->base = posts->first;
    }
    if (!mwa_grow(&posts->items, &posts->capacity, posts->first - posts->base + posts->count + 1,
                  sizeof *posts->items)) {
        return mwa_exchange_no_memory(exchange);
    }
    place = mwa_map_put(&exchange->groups.requests, request_key(rank, request), 0);
    if (!place) {
        return mwa_exchange_no_memory(exchange);
    }
    *place = posts->first + posts->count;
    posts->items[*place - posts->base] = (struct mwa_exchange_post){ .begin = call };
    posts->count++;
    call->references++;
    return flush(exchange, rank, false);
}

/* One that has its number is complete in call. */
static enum mw_status complete_reserved(struct mwa_exchange *exchange,
                                        struct mwa_exchange_reserved *one,
                                        const struct mwa_event *event,
                                        struct mwa_exchange_call *call)
{
    const struct mwa_exchange_post part = { one->begin, call, event->of.collective,
                                            event->time };
    enum mw_status status = mwa_exchange_take_seat(exchange, &one->seat, &part);

    mwa_exchange_release_call(exchange, one->begin);
    free(one);
    return status;
}

enum mw_status mwa_exchange_complete(struct mwa_exchange *exchange, uint32_t rank,
                                     const struct mwa_event *event,
                                     struct mwa_exchange_call *call)
{
    const struct mwa_key key = request_key(rank, event->request);
    struct mwa_exchange_posts *posts = &exchange->groups.posts[rank];
    const uint64_t number = mwa_map_remove(&exchange->groups.requests, key);
    uint64_t reserved;

    if (number == MWA_MAP_ABSENT || number < posts->first) {
        reserved = mwa_map_remove(&exchange->groups.reserved, key);
        return reserved == MWA_MAP_ABSENT /* its beginning is not in the archive */
                   ? MW_OK
                   : complete_reserved(exchange,
                                       (struct mwa_exchange_reserved *)(uintptr_t)reserved,
                                       event, call);
    }
    posts->items[number - posts->base].end = call;
    posts->items[number - posts->base].data = event->of.collective;
    posts->items[number - posts->base].time = event->time;
    call->references++;
    call->undecided++;
    return flush(exchange, rank, false);
}

enum mw_status mwa_exchange_posts_look_ahead(struct mwa_exchange *exchange)
{
    enum mw_status status = MW_OK;

    for (uint32_t rank = 0; rank < exchange->trace->rank_count && status == MW_OK; rank++) {
        if (exchange->groups.posts[rank].count > 1) {
            status = mwa_matching_look_ahead(exchange->matching, rank);
            status = status == MW_OK ? flush(exchange, rank, false) : status;
        }
    }
    return status;
}

enum mw_status mwa_exchange_posts_finish(struct mwa_exchange *exchange)
{
    enum mw_status status = MW_OK;

    for (uint32_t rank = 0; rank < exchange->trace->rank_count && status == MW_OK; rank++) {
        status = flush(exchange, rank, true);
    }
    return status;
}

void mwa_exchange_posts_fini(struct mwa_exchange *exchange)
{
    struct mwa_exchange_groups *groups = &exchange->groups;

    for (uint64_t i = 0; groups->posts && i < exchange->trace->rank_count; i++) {
        free(groups->posts[i].items);
    }
    for (uint64_t i = 0; i < groups->reserved.capacity; i++) {
        if (groups->reserved.slots[i].value != MWA_MAP_ABSENT) {
            free((void *)(uintptr_t)groups->reserved.slots[i].value);
        }
    }
    free(groups->posts);
    mwa_map_fini(&groups->requests);
    mwa_map_fini(&groups->reserved);
}
