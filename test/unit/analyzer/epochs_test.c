#include <criterion/criterion.h>
#include <stdlib.h>

#include "analyzer/exchange/exchange_engine.h"

/*
 * What exchange_epochs.c finds is what looking at all epochs finds, whatever the order in which
 * they come.
 */

#define EPOCHS  3000u
#define RANKS   5u
#define TARGETS 4u

static struct mwa_exchange exchange;
static struct mwa_lock_window window;
static struct mwa_exchange_call locks[EPOCHS];
static struct mwa_exchange_call unlocks[EPOCHS];
static struct mwa_lock_epoch epochs[EPOCHS];

static uint64_t below(uint64_t limit)
{
    return (uint64_t)rand() % limit;
}

/* An epoch on one of the targets or on all, somewhere in 0 to 100,000, unlocked within 500. */
static void add(uint32_t number)
{
    struct mwa_lock_epoch *epoch = &epochs[number];

    locks[number].enter = below(100000);
    unlocks[number].enter = locks[number].enter + below(1000);
    unlocks[number].leave = unlocks[number].enter + 1 + below(500);
    *epoch = (struct mwa_lock_epoch){ .lock = &locks[number],
                                      .unlock = &unlocks[number],
                                      .number = number,
                                      .rank = (uint32_t)below(RANKS),
                                      .target = (uint32_t)below(TARGETS),
                                      .references = 1,
                                      .exclusive = below(2) };
    if (epoch->target == 0 && !epoch->exclusive) {
        epoch->target = MWA_NONE;
    }
    cr_assert_eq(mwa_exchange_epochs_add(&exchange, epoch), MW_OK);
}

/* As exchange_onesided.h says it. */
static bool is_rival(const struct mwa_held *held, const struct mwa_lock_epoch *epoch)
{
    const struct mwa_exchange_call *call = held->call;
    uint64_t enter = epoch->unlock->enter, leave = epoch->unlock->leave;
    bool meets = epoch->target == held->target || epoch->target == MWA_NONE ||
                 held->target == MWA_NONE;
    bool in_between = leave > call->enter && leave <= call->leave;
    bool soon_after = enter >= call->enter && enter < call->leave && leave > call->leave &&
                      leave - call->leave <= call->leave - call->enter;

    return meets && epoch->rank != held->epoch->rank &&
           (epoch->exclusive || held->epoch->exclusive) && epoch->lock->enter < call->leave &&
           (in_between || soon_after);
}

static int later_first(const void *one, const void *other)
{
    const struct mwa_lock_epoch *a = *(const struct mwa_lock_epoch *const *)one;
    const struct mwa_lock_epoch *b = *(const struct mwa_lock_epoch *const *)other;

    if (a->unlock->leave != b->unlock->leave) {
        return a->unlock->leave < b->unlock->leave ? 1 : -1;
    }
    return a->rank != b->rank ? (a->rank > b->rank ? 1 : -1) : (a->number > b->number ? 1 : -1);
}

/* The search for what a call waited for; returns how many there are. */
static uint32_t compare(uint32_t count)
{
    static const struct mwa_lock_epoch *expected[EPOCHS];
    const struct mwa_lock_epoch *found[MWA_RIVALS_FOUND];
    struct mwa_exchange_call call = { .enter = below(100000) };
    struct mwa_lock_epoch own = { .rank = (uint32_t)below(RANKS), .exclusive = below(2) };
    struct mwa_held held = { .call = &call, .epoch = &own, .target = (uint32_t)below(TARGETS) };
    uint32_t found_count, expected_count = 0;

    call.leave = call.enter + below(below(10) ? 800 : 90000);
    held.target = below(4) ? held.target : MWA_NONE;
    for (uint32_t i = 0; i < count; i++) {
        if (is_rival(&held, &epochs[i])) {
            expected[expected_count++] = &epochs[i];
        }
    }
    found_count = mwa_exchange_epochs_find(&exchange, &held, found);
    qsort(expected, expected_count, sizeof expected[0], later_first);
    qsort(found, found_count, sizeof found[0], later_first);
    cr_assert_leq(found_count, expected_count);
    cr_assert(found_count == expected_count || found_count >= MWA_RIVALS_TOLD);
    for (uint32_t i = 0; i < found_count && i < MWA_RIVALS_TOLD; i++) {
        cr_assert_eq(found[i], expected[i], "the %u. of %u", i, expected_count);
    }
    return expected_count;
}

Test(epochs, are_found_as_by_looking_at_all)
{
    uint64_t all = 0;

    srand(3);
    window.enough = UINT64_MAX; /* none is forgotten */
    exchange.onesided.windows = &window;
    for (uint32_t i = 0; i < EPOCHS; i++) {
        add(i);
        all += compare(i + 1);
    }
    cr_expect_gt(all, EPOCHS, "there was something to find");
    mwa_map_fini(&exchange.onesided.closed);
}
