#include "analyzer/exchange/exchange_engine.h"

#include <stdlib.h>

#include "analyzer/model/needs.h"

/* Instances of pairs are numbered apart from all others. */
#define SERIES_PAIR UINT64_C(0x7f)

/* --- pairs --------------------------------------------------------------------------------- */

/* Enters call as the member's part in its instance, which it has begun or will. */
static void add_member(struct mwa_member *member, struct mwa_exchange_call *call)
{
    member->rank = call->rank;
    member->begin = call;
    member->end = call;
    call->references += 2;
    member->collective->present++;
    if (call->has_begun) {
        member->collective->begun++;
    } else {
        member->next_joined = call->joined;
        call->joined = member;
    }
}

enum mw_status mwa_exchange_pair(struct mwa_exchange *exchange, const struct mwa_collective *like,
                                 uint32_t window, struct mwa_exchange_call *giver,
                                 struct mwa_exchange_call *waiter)
{
    struct mwa_collective made = *like;
    struct mwa_collective *pair;
    struct mwa_member *member;

    made.comm = exchange->trace->metrics.objects[window].comm;
    made.count = 2;
    made.root = 0;
    made.sequence = exchange->onesided.pairs++;
    made.key = (struct mwa_key){ SERIES_PAIR << 32 | window, made.sequence };
    pair = mwa_exchange_instance(exchange, &made);
    if (!pair) {
        return mwa_exchange_no_memory(exchange);
    }
    add_member(&pair->members[0], giver);
    pair->ended = 1; /* the giver's end means nothing to it, and may have been told */
    member = &pair->members[1];
    add_member(member, waiter);
    member->next_finished = waiter->finished;
    waiter->finished = member;
    if (!giver->has_begun) {
        member->waits = true;
        waiter->undecided++;
    }
    return MW_OK;
}

/* --- calls that are held ------------------------------------------------------------------- */

/* Who has not come to this so far enters after a member has left: all wait for nobody. */
static void settle_member(struct mwa_exchange *exchange, const struct mwa_member *member)
{
    struct mwa_collective *collective = member->collective;
    bool was_local = mwa_is_local_fence(collective);

    if (collective->present < collective->count) {
        mwa_fence_takes(collective, UINT64_MAX, UINT64_MAX);
        if (!was_local) {
            mwa_exchange_groups_became_local(exchange, collective);
        }
    }
}

static enum mw_status look_at(struct mwa_exchange *exchange, const struct mwa_held *held)
{
    if (held->member) {
        settle_member(exchange, held->member);
        return MW_OK;
    }
    return held->notice ? mwa_exchange_notices_settle(exchange, held)
                        : mwa_exchange_locks_settle(exchange, held);
}

/* Says whether held's call waited, and lets go of it; held is in no list. */
static enum mw_status settle(struct mwa_exchange *exchange, struct mwa_held *held)
{
    struct mwa_exchange_call *call = held->call;
    enum mw_status status = MW_OK;

    if (!call->has_ended) {
        status = look_at(exchange, held);
        mwa_exchange_decide(exchange, call);
    }
    if (held->notice) {
        mwa_exchange_notices_release(exchange, held->notice);
    } else if (held->epoch) {
        mwa_exchange_locks_release(exchange, held->epoch);
    }
    mwa_exchange_release_call(exchange, call);
    mwa_pool_give(&exchange->onesided.held, held);
    return status;
}

/* Whether a call was left before another one; at the same time, by location. */
static bool is_before(const struct mwa_held *one, const struct mwa_held *other)
{
    if (one->call->leave != other->call->leave) {
        return one->call->leave < other->call->leave;
    }
    if (one->call->location != other->call->location) {
        return one->call->location < other->call->location;
    }
    return one->number < other->number;
}

static void place(struct mwa_held_heap *heap, uint64_t at, struct mwa_held *held)
{
    heap->items[at] = held;
    held->place = at;
}

/* Puts held, for which there is room at, there or where it belongs above. */
static void move_up(struct mwa_held_heap *heap, uint64_t at, struct mwa_held *held)
{
    for (; at > 0 && is_before(held, heap->items[(at - 1) / 2]); at = (at - 1) / 2) {
        place(heap, at, heap->items[(at - 1) / 2]);
    }
    place(heap, at, held);
}

/* The same there or below. */
static void move_down(struct mwa_held_heap *heap, uint64_t at, struct mwa_held *held)
{
    for (uint64_t child = 2 * at + 1; child < heap->count; child = 2 * at + 1) {
        child += child + 1 < heap->count && is_before(heap->items[child + 1], heap->items[child]);
        if (!is_before(heap->items[child], held)) {
            break;
        }
        place(heap, at, heap->items[child]);
        at = child;
    }
    place(heap, at, held);
}

/* Where held waits for others to be read. */
static struct mwa_held_heap *heap_of(struct mwa_exchange_onesided *onesided,
                                     const struct mwa_held *held)
{
    return held->notice && held->notice->is_post ? &onesided->for_rank[held->notice->from]
                                                 : &onesided->for_all;
}

static enum mw_status put_in(struct mwa_exchange *exchange, struct mwa_held *held)
{
    struct mwa_held_heap *heap = heap_of(&exchange->onesided, held);
    struct mwa_notice *notice = held->notice;

    if (!mwa_grow(&heap->items, &heap->capacity, heap->count + 1, sizeof(struct mwa_held *))) {
        return mwa_exchange_no_memory(exchange);
    }
    held->number = exchange->onesided.held_number++;
    heap->count++;
    move_up(heap, heap->count - 1, held);
    if (notice) {
        held->next = NULL;
        held->previous = notice->last_held;
        *(notice->last_held ? &notice->last_held->next : &notice->first_held) = held;
        notice->last_held = held;
    }
    return MW_OK;
}

static void take_out(struct mwa_exchange *exchange, struct mwa_held *held)
{
    struct mwa_held_heap *heap = heap_of(&exchange->onesided, held);
    struct mwa_notice *notice = held->notice;
    struct mwa_held *last = heap->items[--heap->count];

    if (last != held && is_before(last, held)) {
        move_up(heap, held->place, last);
    } else if (last != held) {
        move_down(heap, held->place, last);
    }
    if (notice) {
        *(held->previous ? &held->previous->next : &notice->first_held) = held->next;
        *(held->next ? &held->next->previous : &notice->last_held) = held->previous;
    }
}

/* held's call was left: settles it, or puts it where it waits for others to be read. */
static enum mw_status after_leave(struct mwa_exchange *exchange, struct mwa_held *held)
{
    return held->notice && mwa_exchange_notices_is_clear(exchange, held)
               ? settle(exchange, held)
               : put_in(exchange, held);
}

enum mw_status mwa_exchange_hold(struct mwa_exchange *exchange, struct mwa_exchange_call *call,
                                 const struct mwa_held *like)
{
    struct mwa_exchange_onesided *onesided = &exchange->onesided;
    struct mwa_held *held;

    if (call->has_ended) {
        return MW_OK; /* told too early */
    }
    held = mwa_pool_take(&onesided->held);
    if (!held) {
        return mwa_exchange_no_memory(exchange);
    }
    *held = *like;
    held->call = call;
    call->references++;
    call->undecided++;
    if (held->notice) {
        held->notice->references++;
    } else if (held->epoch) {
        held->epoch->references++;
    }
    if (call->is_left) {
        return after_leave(exchange, held);
    }
    held->next = onesided->being_made[call->location];
    onesided->being_made[call->location] = held;
    return MW_OK;
}

enum mw_status mwa_exchange_onesided_left(struct mwa_exchange *exchange, uint32_t location)
{
    struct mwa_held *held = exchange->onesided.being_made[location];
    enum mw_status status = mwa_exchange_locks_left(exchange, location);

    exchange->onesided.being_made[location] = NULL;
    while (held && status == MW_OK) {
        struct mwa_held *next = held->next;

        status = after_leave(exchange, held);
        held = next;
    }
    return status;
}

enum mw_status mwa_exchange_settle_notice(struct mwa_exchange *exchange,
                                          struct mwa_notice *notice)
{
    enum mw_status status = MW_OK;

    while (notice->first_held && status == MW_OK) {
        struct mwa_held *held = notice->first_held;

        take_out(exchange, held);
        status = settle(exchange, held);
    }
    return status;
}

/* Settles those whose calls were left before known, when no more is said of what was before that:
 * what others do at the tick at which a call is left may concern it. */
static enum mw_status settle_left(struct mwa_exchange *exchange, struct mwa_held_heap *heap,
                                  uint64_t known)
{
    enum mw_status status = MW_OK;

    while (heap->count > 0 && heap->items[0]->call->leave < known && status == MW_OK) {
        struct mwa_held *held = heap->items[0];

        take_out(exchange, held);
        status = settle(exchange, held);
    }
    return status;
}

/* --- how far all have been read -------------------------------------------------------------- */

static bool is_behind(const void *user, uint32_t one, uint32_t other)
{
    const uint64_t *known = user;

    return known[one] != known[other] ? known[one] < known[other] : one < other;
}

uint64_t mwa_exchange_known_to_all(const struct mwa_exchange *exchange)
{
    uint32_t last = mwa_lineup_first(&exchange->onesided.by_known);

    return last == MWA_NONE ? UINT64_MAX : exchange->onesided.known[last];
}

uint64_t mwa_exchange_known_of(const struct mwa_exchange *exchange, uint32_t rank)
{
    uint32_t last = mwa_lineup_first_of(&exchange->onesided.by_known, rank);

    return last == MWA_NONE ? UINT64_MAX : exchange->onesided.known[last];
}

enum mw_status mwa_exchange_onesided_advance(struct mwa_exchange *exchange, uint32_t location,
                                             uint64_t time)
{
    struct mwa_exchange_onesided *onesided = &exchange->onesided;
    uint32_t rank = exchange->trace->locations[location].rank;
    enum mw_status status = MW_OK;

    onesided->known[location] = time;
    if (rank == MWA_NONE) {
        return MW_OK;
    }
    mwa_lineup_changed(&onesided->by_known, location);
    if (onesided->for_rank[rank].count > 0) {
        status = settle_left(exchange, &onesided->for_rank[rank],
                             mwa_exchange_known_of(exchange, rank));
    }
    return status == MW_OK && onesided->for_all.count > 0
               ? settle_left(exchange, &onesided->for_all, mwa_exchange_known_to_all(exchange))
               : status;
}

/* --- the module ------------------------------------------------------------------------------ */

enum mw_status mwa_exchange_onesided_take(struct mwa_exchange *exchange, uint32_t rank,
                                          const struct mwa_onesided_data *data,
                                          struct mwa_exchange_call *call)
{
    struct mwa_exchange_onesided *onesided = &exchange->onesided;
    bool is_mine = true;
    enum mw_status status = MW_OK;

    if (exchange->trace->metrics.objects[data->window].comm == MWA_NONE || !call->region) {
        return MW_OK;
    }
    if (!mwa_grow(&onesided->windows, &onesided->window_capacity, data->window + (uint64_t)1,
                  sizeof *onesided->windows)) {
        return mwa_exchange_no_memory(exchange);
    }
    switch (data->step) {
    case MWA_STEP_NOTICE:
        return mwa_exchange_notices_give(exchange, rank, data, call);
    case MWA_STEP_AWAIT:
        return mwa_exchange_notices_await(exchange, rank, data, call);
    case MWA_STEP_ACCESS:
        status = mwa_exchange_notices_access(exchange, rank, data, call, &is_mine);
        break;
    case MWA_STEP_GROUP:
        return mwa_exchange_notices_group(exchange, rank, data, call);
    case MWA_STEP_REQUEST:
    case MWA_STEP_LOCK:
    case MWA_STEP_UNLOCK:
    case MWA_STEP_DONE:
    case MWA_STEP_DONE_LOCALLY:
        is_mine = false;
        break;
    }
    return is_mine ? status : mwa_exchange_locks_take(exchange, rank, data, call);
}

bool mwa_exchange_onesided_init(struct mwa_exchange *exchange)
{
    const struct mwa_trace *trace = exchange->trace;
    struct mwa_exchange_onesided *onesided = &exchange->onesided;

    onesided->notices.size = sizeof(struct mwa_notice);
    onesided->channels.size = sizeof(struct mwa_notice_channel);
    onesided->epochs.size = sizeof(struct mwa_lock_epoch);
    onesided->held.size = sizeof(struct mwa_held);
    onesided->being_made = calloc(trace->location_count + 1, sizeof(struct mwa_held *));
    onesided->being_closed = calloc(trace->location_count + 1, sizeof(struct mwa_lock_epoch *));
    onesided->for_rank = calloc(trace->rank_count + 1, sizeof *onesided->for_rank);
    onesided->known = calloc(trace->location_count + 1, sizeof *onesided->known);
    return onesided->being_made && onesided->being_closed &&
           onesided->for_rank && onesided->known &&
           mwa_lineup_init(&onesided->by_known, trace, is_behind, onesided->known);
}

void mwa_exchange_onesided_fini(struct mwa_exchange *exchange)
{
    struct mwa_exchange_onesided *onesided = &exchange->onesided;

    for (uint64_t i = 0; onesided->for_rank && i < exchange->trace->rank_count; i++) {
        free(onesided->for_rank[i].items);
    }
    free(onesided->windows);
    free(onesided->being_made);
    free(onesided->for_rank);
    free(onesided->known);
    mwa_lineup_fini(&onesided->by_known);
    free(onesided->being_closed);
    free(onesided->for_all.items);
    mwa_pool_fini(&onesided->notices);
    mwa_pool_fini(&onesided->channels);
    mwa_pool_fini(&onesided->epochs);
    mwa_pool_fini(&onesided->held);
    mwa_map_fini(&onesided->by_channel);
    mwa_map_fini(&onesided->accesses);
    mwa_map_fini(&onesided->locks);
    mwa_map_fini(&onesided->closed);
    mwa_map_fini(&onesided->operations);
    mwa_map_fini(&onesided->targets);
}

enum mw_status mwa_exchange_onesided_finish(struct mwa_exchange *exchange)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < exchange->trace->location_count && status == MW_OK; i++) {
        status = mwa_exchange_onesided_left(exchange, i);
    }
    for (uint32_t i = 0; i < exchange->trace->location_count && status == MW_OK; i++) {
        status = mwa_exchange_onesided_advance(exchange, i, UINT64_MAX);
    }
    if (status == MW_OK) {
        mwa_exchange_notices_finish(exchange);
        mwa_exchange_locks_finish(exchange);
    }
    return status;
}
