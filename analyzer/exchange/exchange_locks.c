#include "analyzer/exchange/exchange_engine.h"

#include <stdlib.h>

/* Lock and unlock: see analyzer/exchange/exchange_onesided.h. */

/* --- epochs -------------------------------------------------------------------------------- */

void mwa_exchange_locks_release(struct mwa_exchange *exchange, struct mwa_lock_epoch *epoch)
{
    if (--epoch->references == 0) {
        mwa_exchange_release_call(exchange, epoch->lock);
        mwa_exchange_release_call(exchange, epoch->unlock);
        mwa_pool_give(&exchange->onesided.epochs, epoch);
    }
}

static struct mwa_lock_epoch *epoch_at(const struct mwa_exchange *exchange, struct mwa_key key)
{
    uint64_t known = mwa_map_get(&exchange->onesided.locks, key);

    return known == MWA_MAP_ABSENT ? NULL : (struct mwa_lock_epoch *)(uintptr_t)known;
}

/* The lock of rank that an operation on target is done under; null: none. */
static struct mwa_lock_epoch *epoch_over(const struct mwa_exchange *exchange, uint32_t window,
                                         uint32_t rank, uint32_t target)
{
    struct mwa_lock_epoch *epoch =
        exchange->onesided.locks.count == 0
            ? NULL
            : epoch_at(exchange, mwa_onesided_key(window, rank, target));

    return epoch || exchange->onesided.locks.count == 0
               ? epoch
               : epoch_at(exchange, mwa_onesided_key(window, rank, MWA_NONE));
}

static enum mw_status hold(struct mwa_exchange *exchange, struct mwa_exchange_call *call,
                           struct mwa_lock_epoch *epoch, uint32_t target)
{
    return epoch->is_sure
               ? MW_OK
               : mwa_exchange_hold(exchange, call,
                                   &(struct mwa_held){ .epoch = epoch, .target = target });
}

static enum mw_status take_lock(struct mwa_exchange *exchange, uint32_t rank,
                                const struct mwa_onesided_data *data,
                                struct mwa_exchange_call *call)
{
    struct mwa_exchange_onesided *onesided = &exchange->onesided;
    struct mwa_lock_epoch *epoch = mwa_pool_take(&onesided->epochs);
    uint64_t *place = mwa_map_put(&onesided->locks,
                                  mwa_onesided_key(data->window, rank, data->target), 0);

    if (!epoch || !place) {
        return mwa_exchange_no_memory(exchange);
    }
    if (*place != 0) { /* its unlock is not in the archive */
        mwa_exchange_locks_release(exchange, (struct mwa_lock_epoch *)(uintptr_t)*place);
    }
    *place = (uintptr_t)epoch;
    *epoch = (struct mwa_lock_epoch){ .lock = call,
                                      .window = data->window,
                                      .rank = rank,
                                      .target = data->target,
                                      .references = 1,
                                      .exclusive = data->exclusive,
                                      .number = onesided->epoch_number++,
                                      .begin = call->enter };
    call->references++;
    return hold(exchange, call, epoch, data->target);
}

/*
 * Whether the lock is one that was asked for and not unlocked so far: its epoch is there. Score-P
 * tells nothing but this, mpiwatch both in the same call.
 */
static bool is_requested(const struct mwa_exchange *exchange, uint32_t rank,
                         const struct mwa_onesided_data *data)
{
    return epoch_at(exchange, mwa_onesided_key(data->window, rank, data->target)) != NULL;
}

static enum mw_status take_unlock(struct mwa_exchange *exchange, uint32_t rank,
                                  const struct mwa_onesided_data *data,
                                  struct mwa_exchange_call *call)
{
    uint64_t known = mwa_map_remove(&exchange->onesided.locks,
                                    mwa_onesided_key(data->window, rank, data->target));
    struct mwa_lock_epoch *epoch;
    enum mw_status status = MW_OK;

    if (known == MWA_MAP_ABSENT) {
        return MW_OK; /* its lock is not in the archive */
    }
    epoch = (struct mwa_lock_epoch *)(uintptr_t)known;
    epoch->unlock = call;
    call->references++;
    if (call->is_left) {
        status = mwa_exchange_epochs_add(exchange, epoch);
    } else {
        epoch->next = exchange->onesided.being_closed[call->location];
        exchange->onesided.being_closed[call->location] = epoch;
    }
    return status == MW_OK ? hold(exchange, call, epoch, data->target) : status;
}

enum mw_status mwa_exchange_locks_left(struct mwa_exchange *exchange, uint32_t location)
{
    struct mwa_lock_epoch *epoch = exchange->onesided.being_closed[location];
    enum mw_status status = MW_OK;

    exchange->onesided.being_closed[location] = NULL;
    while (epoch && status == MW_OK) {
        struct mwa_lock_epoch *next = epoch->next;

        if (epoch->unlock->is_left) {
            status = mwa_exchange_epochs_add(exchange, epoch);
        }
        epoch = next;
    }
    return status;
}

static enum mw_status take_access(struct mwa_exchange *exchange, uint32_t rank,
                                  const struct mwa_onesided_data *data,
                                  struct mwa_exchange_call *call)
{
    struct mwa_exchange_onesided *onesided = &exchange->onesided;
    struct mwa_lock_epoch *epoch = epoch_over(exchange, data->window, rank, data->target);
    const struct mwa_key key = { rank, data->id };
    uint64_t *place, *target;

    if (!epoch || epoch->is_sure) {
        return MW_OK;
    }
    place = mwa_map_put(&onesided->operations, key, 0);
    target = mwa_map_put(&onesided->targets, key, 0);
    if (!place || !target) {
        return mwa_exchange_no_memory(exchange);
    }
    if (*place != 0) {
        mwa_exchange_locks_release(exchange, (struct mwa_lock_epoch *)(uintptr_t)*place);
    }
    *place = (uintptr_t)epoch;
    *target = data->target;
    epoch->references++;
    return hold(exchange, call, epoch, data->target);
}

/* Operations are complete, for which the lock was needed if they are so at the target. */
static enum mw_status take_done(struct mwa_exchange *exchange, uint32_t rank,
                                const struct mwa_onesided_data *data,
                                struct mwa_exchange_call *call)
{
    const struct mwa_key key = { rank, data->id };
    uint64_t known = exchange->onesided.operations.count == 0
                         ? MWA_MAP_ABSENT
                         : mwa_map_remove(&exchange->onesided.operations, key);
    struct mwa_lock_epoch *epoch;
    enum mw_status status;

    if (known == MWA_MAP_ABSENT) {
        return MW_OK;
    }
    epoch = (struct mwa_lock_epoch *)(uintptr_t)known;
    status = hold(exchange, call, epoch,
                  (uint32_t)mwa_map_remove(&exchange->onesided.targets, key));
    if (data->step == MWA_STEP_DONE && epoch->target != MWA_NONE && !epoch->is_sure) {
        epoch->is_sure = true;
        epoch->sure_since = call->enter;
    }
    mwa_exchange_locks_release(exchange, epoch);
    return status;
}

enum mw_status mwa_exchange_locks_take(struct mwa_exchange *exchange, uint32_t rank,
                                       const struct mwa_onesided_data *data,
                                       struct mwa_exchange_call *call)
{
    switch (data->step) {
    case MWA_STEP_REQUEST:
        return take_lock(exchange, rank, data, call);
    case MWA_STEP_LOCK:
        return is_requested(exchange, rank, data) ? MW_OK : take_lock(exchange, rank, data, call);
    case MWA_STEP_UNLOCK:
        return take_unlock(exchange, rank, data, call);
    case MWA_STEP_ACCESS:
        return take_access(exchange, rank, data, call);
    case MWA_STEP_DONE:
    case MWA_STEP_DONE_LOCALLY:
        return take_done(exchange, rank, data, call);
    case MWA_STEP_NOTICE:
    case MWA_STEP_AWAIT:
    case MWA_STEP_GROUP:
        break;
    }
    return MW_OK;
}

/* --- who waited for whom ------------------------------------------------------------------- */

/* The one that was left last comes first. */
static int by_leave(const void *one, const void *other)
{
    return mwa_exchange_epochs_is_later(*(const struct mwa_lock_epoch *const *)one,
                                        *(const struct mwa_lock_epoch *const *)other)
               ? -1
               : 1;
}

/* Divides the wait of held's call among its rivals, which are sorted. */
static enum mw_status divide(struct mwa_exchange *exchange, const struct mwa_held *held,
                             const struct mwa_lock_epoch *const *rivals, uint32_t count)
{
    struct mwa_exchange_call *call = held->call;
    uint64_t until = call->leave;
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < count && until > call->enter && status == MW_OK; i++) {
        const struct mwa_lock_epoch *rival = rivals[i];
        struct mwa_collective like = { .kind = MWA_GROUP_LOCK };
        bool is_rest = i + 1 == MWA_RIVALS_TOLD;

        like.until = rival->unlock->leave < until ? rival->unlock->leave : until;
        like.since = rival->begin > call->enter && !is_rest ? rival->begin : call->enter;
        if (like.since < like.until) {
            status = mwa_exchange_pair(exchange, &like, rival->window, rival->unlock, call);
            until = like.since;
        }
    }
    return status;
}

enum mw_status mwa_exchange_locks_settle(struct mwa_exchange *exchange,
                                         const struct mwa_held *held)
{
    const struct mwa_lock_epoch *rivals[MWA_RIVALS_FOUND];
    uint32_t count = mwa_exchange_epochs_find(exchange, held, rivals);
    struct mwa_lock_epoch *epoch = held->epoch;
    uint64_t until;

    if (count == 0) {
        return MW_OK;
    }
    qsort(rivals, count, sizeof rivals[0], by_leave);
    until = rivals[0]->unlock->leave;
    until = until < held->call->leave ? until : held->call->leave;
    if (until - held->call->enter <= epoch->longest) {
        return MW_OK;
    }
    epoch->longest = until - held->call->enter;
    epoch->begin = until;
    return divide(exchange, held, rivals, count);
}

void mwa_exchange_locks_finish(struct mwa_exchange *exchange)
{
    struct mwa_lock_epoch *epoch;

    for (uint64_t at = 0; (epoch = mwa_pool_next(&exchange->onesided.epochs, &at)) != NULL;) {
        if (epoch->references > 0) {
            epoch->references = 1;
            mwa_exchange_locks_release(exchange, epoch);
        }
    }
}
