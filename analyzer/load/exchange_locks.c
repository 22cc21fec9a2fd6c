#include "analyzer/load/exchange_internal.h"

#include <stdlib.h>

/* Lock and unlock: see analyzer/load/exchange_onesided.h. */

/* A call's wait is divided among so many rivals at most; the first of these gets the rest. */
#define RIVALS_TOLD 64u

#define EPOCHS_KEPT 64u /* of a window, without looking for old ones */

/* --- epochs -------------------------------------------------------------------------------- */

/* Where epochs on target are listed. */
static uint32_t list_of(uint32_t target)
{
    return target == MWA_NONE ? MWA_LOCK_LISTS : target % MWA_LOCK_LISTS;
}

static struct mwa_lock_epoch **head_of(struct mwa_exchange *exchange,
                                       const struct mwa_lock_epoch *epoch)
{
    return &exchange->onesided.windows[epoch->window]
                .epochs[epoch->exclusive][list_of(epoch->target)];
}

static void unlink_epoch(struct mwa_exchange *exchange, struct mwa_lock_epoch *epoch)
{
    exchange->onesided.windows[epoch->window].count--;
    *(epoch->previous ? &epoch->previous->next : head_of(exchange, epoch)) = epoch->next;
    if (epoch->next) {
        epoch->next->previous = epoch->previous;
    }
    epoch->next = epoch->previous = NULL;
}

void mwa_exchange_locks_release(struct mwa_exchange *exchange, struct mwa_lock_epoch *epoch)
{
    if (--epoch->references == 0) {
        mwa_exchange_release_call(exchange, epoch->lock);
        mwa_exchange_release_call(exchange, epoch->unlock);
        mwa_pool_give(&exchange->onesided.epochs, epoch);
    }
}

/* Nothing before this time can turn out to have been a wait for a lock any more. */
static uint64_t settled_before(struct mwa_exchange *exchange)
{
    const struct mwa_exchange_onesided *onesided = &exchange->onesided;
    uint64_t time = mwa_exchange_known_to_all(exchange);

    for (uint64_t i = 0; i < onesided->lock_count; i++) {
        uint64_t enter = onesided->for_locks[i]->call->enter;

        time = enter < time ? enter : time;
    }
    return time;
}

/* Forgets epochs that nobody can have waited for but who is looked at already. */
static void forget_old(struct mwa_exchange *exchange, uint32_t window)
{
    struct mwa_lock_window *locked = &exchange->onesided.windows[window];
    uint64_t settled;

    if (locked->count < locked->enough || locked->count < EPOCHS_KEPT) {
        return;
    }
    settled = settled_before(exchange);
    for (unsigned i = 0; i < 2 * (MWA_LOCK_LISTS + 1); i++) {
        struct mwa_lock_epoch *epoch = locked->epochs[i / (MWA_LOCK_LISTS + 1)]
                                                     [i % (MWA_LOCK_LISTS + 1)];

        while (epoch) {
            struct mwa_lock_epoch *next = epoch->next;

            if (epoch->unlock && epoch->unlock->is_left && epoch->unlock->leave <= settled) {
                unlink_epoch(exchange, epoch);
                mwa_exchange_locks_release(exchange, epoch);
            }
            epoch = next;
        }
    }
    locked->enough = 2 * locked->count;
}

static struct mwa_lock_epoch *epoch_at(const struct mwa_exchange *exchange, struct mwa_key key)
{
    uint64_t known = mwa_table_get(&exchange->onesided.locks, key);

    return known == MWA_TABLE_ABSENT ? NULL : (struct mwa_lock_epoch *)(uintptr_t)known;
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
    struct mwa_lock_epoch **head;
    struct mwa_lock_epoch *epoch = mwa_pool_take(&onesided->epochs);
    uint64_t *place = mwa_table_put(&onesided->locks,
                                    mwa_onesided_key(data->window, rank, data->target), 0);

    if (!epoch || !place) {
        return mwa_exchange_no_memory(exchange);
    }
    if (*place != 0) { /* its unlock is not in the archive */
        struct mwa_lock_epoch *lost = (struct mwa_lock_epoch *)(uintptr_t)*place;

        unlink_epoch(exchange, lost);
        mwa_exchange_locks_release(exchange, lost);
    }
    *place = (uintptr_t)epoch;
    forget_old(exchange, data->window);
    *epoch = (struct mwa_lock_epoch){ .lock = call,
                                      .window = data->window,
                                      .rank = rank,
                                      .target = data->target,
                                      .references = 1,
                                      .exclusive = data->exclusive,
                                      .begin = call->enter };
    call->references++;
    head = head_of(exchange, epoch);
    epoch->next = *head;
    if (epoch->next) {
        epoch->next->previous = epoch;
    }
    *head = epoch;
    onesided->windows[data->window].count++;
    return hold(exchange, call, epoch, data->target);
}

static enum mw_status take_unlock(struct mwa_exchange *exchange, uint32_t rank,
                                  const struct mwa_onesided_data *data,
                                  struct mwa_exchange_call *call)
{
    uint64_t known = mwa_table_remove(&exchange->onesided.locks,
                                      mwa_onesided_key(data->window, rank, data->target));
    struct mwa_lock_epoch *epoch;

    if (known == MWA_TABLE_ABSENT) {
        return MW_OK; /* its lock is not in the archive */
    }
    epoch = (struct mwa_lock_epoch *)(uintptr_t)known;
    epoch->unlock = call;
    call->references++;
    return hold(exchange, call, epoch, data->target);
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
    place = mwa_table_put(&onesided->operations, key, 0);
    target = mwa_table_put(&onesided->targets, key, 0);
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
                         ? MWA_TABLE_ABSENT
                         : mwa_table_remove(&exchange->onesided.operations, key);
    struct mwa_lock_epoch *epoch;
    enum mw_status status;

    if (known == MWA_TABLE_ABSENT) {
        return MW_OK;
    }
    epoch = (struct mwa_lock_epoch *)(uintptr_t)known;
    status = hold(exchange, call, epoch,
                  (uint32_t)mwa_table_remove(&exchange->onesided.targets, key));
    epoch->is_sure |= data->step == MWA_STEP_DONE && epoch->target != MWA_NONE;
    mwa_exchange_locks_release(exchange, epoch);
    return status;
}

enum mw_status mwa_exchange_locks_take(struct mwa_exchange *exchange, uint32_t rank,
                                       const struct mwa_onesided_data *data,
                                       struct mwa_exchange_call *call)
{
    switch (data->step) {
    case MWA_STEP_LOCK:
        return take_lock(exchange, rank, data, call);
    case MWA_STEP_UNLOCK:
        return take_unlock(exchange, rank, data, call);
    case MWA_STEP_ACCESS:
        return take_access(exchange, rank, data, call);
    default:
        return take_done(exchange, rank, data, call);
    }
}

/* --- who waited for whom ------------------------------------------------------------------- */

/* Whether held's call waited for a rival of its epoch. */
static bool waited_for(const struct mwa_held *held, const struct mwa_lock_epoch *rival)
{
    const struct mwa_exchange_call *call = held->call;
    const struct mwa_exchange_call *unlock = rival->unlock;

    if (!unlock || !unlock->is_left || rival->rank == held->epoch->rank ||
        (rival->target != MWA_NONE && held->target != MWA_NONE &&
         rival->target != held->target) ||
        unlock->leave <= call->enter || unlock->enter >= call->leave ||
        rival->lock->enter >= call->leave) {
        return false;
    }
    return unlock->leave <= call->leave ||
           (unlock->enter >= call->enter &&
            unlock->leave - call->leave <= call->leave - call->enter);
}

/* Adds the rivals of a list that held's call waited for; false without memory. */
static bool add_rivals(struct mwa_exchange_onesided *onesided, const struct mwa_held *held,
                       struct mwa_lock_epoch *list)
{
    for (struct mwa_lock_epoch *rival = list; rival; rival = rival->next) {
        if (!waited_for(held, rival)) {
            continue;
        }
        if (!mwa_grow(&onesided->rivals, &onesided->rival_capacity, onesided->rival_count + 1,
                      sizeof(struct mwa_lock_epoch *))) {
            return false;
        }
        onesided->rivals[onesided->rival_count++] = rival;
    }
    return true;
}

/* Finds all that held's call waited for. */
static bool find_rivals(struct mwa_exchange_onesided *onesided, const struct mwa_held *held)
{
    const struct mwa_lock_window *window = &onesided->windows[held->epoch->window];
    uint32_t own = list_of(held->target);
    bool fine = true;

    onesided->rival_count = 0;
    for (unsigned exclusive = !held->epoch->exclusive; exclusive < 2; exclusive++) {
        for (uint32_t i = 0; i <= MWA_LOCK_LISTS; i++) {
            if (i == own || own == MWA_LOCK_LISTS || i == MWA_LOCK_LISTS) {
                fine = fine && add_rivals(onesided, held, window->epochs[exclusive][i]);
            }
        }
    }
    return fine;
}

/* The one that was left last comes first. */
static int by_leave(const void *one, const void *other)
{
    uint64_t a = (*(struct mwa_lock_epoch *const *)one)->unlock->leave;
    uint64_t b = (*(struct mwa_lock_epoch *const *)other)->unlock->leave;

    return a == b ? 0 : a < b ? 1 : -1;
}

/* Divides the wait of held's call among its rivals, which are sorted. */
static enum mw_status divide(struct mwa_exchange *exchange, const struct mwa_held *held)
{
    struct mwa_exchange_call *call = held->call;
    struct mwa_lock_epoch **rivals = exchange->onesided.rivals;
    uint64_t until = call->leave;
    uint64_t count = exchange->onesided.rival_count;
    uint32_t told = 0;
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < count && until > call->enter && status == MW_OK; i++) {
        const struct mwa_lock_epoch *rival = rivals[i];
        struct mwa_collective like = { .kind = MWA_GROUP_LOCK };
        bool is_rest = ++told == RIVALS_TOLD;

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
    struct mwa_exchange_onesided *onesided = &exchange->onesided;
    struct mwa_lock_epoch *epoch = held->epoch;
    uint64_t until;

    if (!find_rivals(onesided, held)) {
        return mwa_exchange_no_memory(exchange);
    }
    if (onesided->rival_count == 0) {
        return MW_OK;
    }
    qsort(onesided->rivals, onesided->rival_count, sizeof(struct mwa_lock_epoch *), by_leave);
    until = onesided->rivals[0]->unlock->leave;
    until = until < held->call->leave ? until : held->call->leave;
    if (until - held->call->enter <= epoch->longest) {
        return MW_OK;
    }
    epoch->longest = until - held->call->enter;
    epoch->begin = until;
    return divide(exchange, held);
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
