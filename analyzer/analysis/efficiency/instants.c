/* Pools, since there are some for each call, and links go as soon as times are known. */
#include "analyzer/analysis/efficiency/instants.h"

#include <stdlib.h>

#include "formats/base/order.h"

struct mwa_instant_link {
    struct mwa_instant_link *next; /* first: a pool's to write over */
    struct mwa_instant *follower;
    bool is_message;   /* that is not waited for in some case: */
    uint32_t place;    /* of the call that receives it */
};

void mwa_instants_init(struct mwa_instants *instants, const struct mwa_what_if_cases *cases)
{
    *instants = (struct mwa_instants){ .cases = cases,
                                       .pool = { .size = sizeof(struct mwa_instant) },
                                       .links = { .size = sizeof(struct mwa_instant_link) } };
}

void mwa_instants_fini(struct mwa_instants *instants)
{
    mwa_pool_fini(&instants->pool);
    mwa_pool_fini(&instants->links);
}

struct mwa_instant *mwa_instant_make(struct mwa_instants *instants)
{
    struct mwa_instant *instant = mwa_pool_take(&instants->pool);

    if (instant) {
        instant->missing = 1;
        instant->references = 1;
        instant->rank = MWA_NONE;
        instant->call_at = MWA_NONE;
        instant->written = instants->tape ? mwa_tape_take(instants->tape) : 0;
        instants->alive++;
    }
    return instant;
}

struct mwa_instant *mwa_instant_given(struct mwa_instants *instants, uint64_t register_given)
{
    struct mwa_instant *instant = mwa_pool_take(&instants->pool);

    if (instant) {
        instant->references = 1;
        instant->written = register_given;
        instant->is_given = instant->is_set = true;
        instants->alive++;
    }
    return instant;
}

void mwa_instant_drop(struct mwa_instants *instants, struct mwa_instant *instant)
{
    if (instant && --instant->references == 0) {
        if (instants->tape && !instant->is_given) {
            mwa_tape_give(instants->tape, instant->written);
        }
        mwa_pool_give(&instants->pool, instant);
        instants->alive--;
    }
}

/* Whether a case has a message that is sent at instant waited for by a call at place. */
static bool is_awaited(const struct mwa_what_if_case *one, const struct mwa_instant *instant,
                       uint32_t place)
{
    for (uint32_t i = 0; i < one->place_count; i++) {
        if (one->places[i] == place) {
            return false;
        }
    }
    return instant->rank != one->sends.rank || instant->call_at != one->sends.place ||
           one->sends.rank == MWA_NONE;
}

/* The follower comes no earlier than instant, which is known. */
static void put_behind(struct mwa_instants *instants, const struct mwa_instant *instant,
                       struct mwa_instant *follower, bool is_message, uint32_t place)
{
    unsigned cases = 0;

    for (uint32_t i = 0; i < instants->cases->count; i++) {
        const bool counts =
            !is_message || is_awaited(&instants->cases->list[i], instant, place);

        cases |= (unsigned)counts << i;
        if (counts && instant->at[i] > follower->at[i]) {
            follower->at[i] = instant->at[i];
        }
    }
    if (instants->tape) {
        mwa_instant_write_behind(instants, instant, follower, cases);
    }
}

static int by_rank(const void *one, const void *other)
{
    const struct mwa_what_if_factor *a = one;
    const struct mwa_what_if_factor *b = other;

    return mw_order(a->rank, b->rank) ?: mw_order(a->place, b->place);
}

/* The time before instant in a case, ticks. */
static uint64_t ticks_in(const struct mwa_what_if_case *one, const struct mwa_instant *instant)
{
    const struct mwa_what_if_factor key = { .rank = instant->rank, .place = instant->call_at };
    const struct mwa_what_if_factor *found =
        one->factor_count > 0 && instant->rank != MWA_NONE && !instant->opens
            ? bsearch(&key, one->factors, one->factor_count, sizeof key, by_rank)
            : NULL;

    return found ? (uint64_t)((double)instant->ticks * found->factor + found->more + 0.5)
                 : instant->ticks;
}

/* Nothing is missing: its own times. */
static void settle_times(struct mwa_instants *instants, struct mwa_instant *instant)
{
    uint64_t ticks[MWA_WHAT_IF_CASES] = { 0 };

    for (uint32_t i = 0; i < instants->cases->count; i++) {
        ticks[i] = ticks_in(&instants->cases->list[i], instant);
        instant->at[i] += ticks[i];
        if (instant->ends && instant->at[i] > instant->ends[i]) {
            instant->ends[i] = instant->at[i];
        }
    }
    instants->running -= instant->ends != NULL;
    if (instants->tape) {
        mwa_instant_write_ticks(instants, instant, ticks);
        if (instant->ends) {
            mwa_instant_write_end(instants, instant);
        }
    }
}

void mwa_instant_close(struct mwa_instants *instants, struct mwa_instant *instant)
{
    struct mwa_instant *known = NULL;

    if (--instant->missing > 0) {
        return;
    }
    instant->references++;
    for (known = instant; known; known = instant) {
        struct mwa_instant_link *link;

        instant = known->next;
        known->next = NULL;
        settle_times(instants, known);
        while ((link = known->followers) != NULL) {
            struct mwa_instant *follower = link->follower;

            known->followers = link->next;
            put_behind(instants, known, follower, link->is_message, link->place);
            mwa_pool_give(&instants->links, link);
            if (--follower->missing == 0) {
                follower->next = instant;
                instant = follower;
            } else {
                mwa_instant_drop(instants, follower);
            }
        }
        mwa_instant_drop(instants, known);
    }
}

enum mw_status mwa_instant_follow(struct mwa_instants *instants, struct mwa_instant *instant,
                                  struct mwa_instant *follower, bool is_message, uint32_t place)
{
    struct mwa_instant_link *link;

    if (instant->missing == 0) {
        put_behind(instants, instant, follower, is_message, place);
        return MW_OK;
    }
    link = mwa_pool_take(&instants->links);
    if (!link) {
        return MW_ERROR_MEMORY;
    }
    *link = (struct mwa_instant_link){ instant->followers, follower, is_message, place };
    instant->followers = link;
    follower->references++;
    follower->missing++;
    return MW_OK;
}
