/* What the engine tells reaches listeners that may lag: all of it, in order, and in time. */
#include "analyzer/exchange/relay.h"

#include <pthread.h>
#include <stdatomic.h>

#include <criterion/criterion.h>

#include "analyzer/model/waypoint.h"

#define CALLS 1000u
#define ROOM  7u /* so that there are many batches, none of which ends with a call */

static struct mwa_exchange_call calls[CALLS];
static bool are_released[CALLS];

/* What a listener has heard: as many steps of three for each call. */
static uint64_t heard;
static uint64_t fails_at; /* of these; 0: never */

static enum mw_status hear(uint64_t call, unsigned step)
{
    cr_assert_eq(heard, 3 * call + step, "step %u of call %lu", step, (unsigned long)call);
    heard++;
    return heard == fails_at ? MW_ERROR_MEMORY : MW_OK;
}

static enum mw_status hear_begin(void *user, struct mwa_exchange_call *call)
{
    cr_assert_not(are_released[call - calls]);
    return hear((uint64_t)(call - calls), 0);
}

static enum mw_status hear_waypoint(void *user, uint32_t location,
                                    const struct mwa_waypoint *waypoint)
{
    cr_assert_eq(waypoint->time, 10u * location);
    return hear(location, 1);
}

static enum mw_status hear_end(void *user, struct mwa_exchange_call *call)
{
    cr_assert_not(are_released[call - calls]);
    return hear((uint64_t)(call - calls), 2);
}

static enum mw_status is_near(void *user, struct mwa_exchange_call *call)
{
    cr_assert_fail("it may not lag");
    return MW_OK;
}

static void release(void *exchange, enum mwa_relayed what, void *object)
{
    const uint64_t call = (uint64_t)((struct mwa_exchange_call *)object - calls);

    cr_assert_eq(what, MWA_RELAYED_GONE);
    cr_assert(fails_at > 0 || heard >= 3 * (call + 1), "call %lu", (unsigned long)call);
    cr_assert_not(are_released[call]);
    are_released[call] = true;
}

/* Tells of all calls; what the relay ends with. */
static enum mw_status tell_all(void)
{
    static const struct mwa_exchange_listener listeners[] = {
        { .begin = is_near, .end = is_near },
        { .begin = hear_begin, .end = hear_end, .may_lag = true }
    };
    const struct mwa_relay_source source = { .release = release,
                                             .waypoints = { .visit = hear_waypoint } };
    struct mwa_thread_limit limit;
    struct mwa_relay *relay;
    enum mw_status status;

    mwa_thread_limit_init(&limit, 2);
    mwa_thread_limit_enter(&limit);
    relay = mwa_relay_start(listeners, 2, ROOM, &limit, &source);
    cr_assert_not_null(relay);
    for (uint32_t i = 0; i < CALLS; i++) {
        const struct mwa_waypoint waypoint = { .time = 10u * i };

        mwa_relay_tell(relay, MWA_RELAYED_BEGIN, &calls[i]);
        mwa_relay_waypoint(relay, i, &waypoint);
        mwa_relay_tell(relay, MWA_RELAYED_END, &calls[i]);
        mwa_relay_release(relay, MWA_RELAYED_GONE, &calls[i]);
    }
    status = mwa_relay_end(relay);
    mwa_thread_limit_leave(&limit);
    mwa_thread_limit_fini(&limit);
    for (uint32_t i = 0; i < CALLS; i++) {
        cr_assert(are_released[i]);
    }
    return status;
}

Test(relay, tells_all_in_order_and_frees_what_was_heard)
{
    cr_assert_eq(tell_all(), MW_OK);
    cr_expect_eq(heard, 3 * CALLS);
}

Test(relay, tells_nobody_any_more_when_one_has_failed)
{
    fails_at = 100;
    cr_assert_eq(tell_all(), MW_ERROR_MEMORY);
    cr_expect_eq(heard, 100);
}

/* --- how many work at a time ------------------------------------------------------------------ */

#define THREADS 6u
#define LIMIT   2u

static struct mwa_thread_limit limit_of_all;
static atomic_uint working, most;

static void *work(void *unused)
{
    for (unsigned i = 0; i < 2000; i++) {
        unsigned now, before;

        mwa_thread_limit_enter(&limit_of_all);
        now = atomic_fetch_add(&working, 1) + 1;
        before = atomic_load(&most);
        while (now > before && !atomic_compare_exchange_weak(&most, &before, now)) {
        }
        atomic_fetch_sub(&working, 1);
        mwa_thread_limit_leave(&limit_of_all);
    }
    return unused;
}

Test(thread_limit, lets_so_many_work_and_all_in_the_end)
{
    pthread_t threads[THREADS];
    int left;

    mwa_thread_limit_init(&limit_of_all, LIMIT);
    for (unsigned i = 0; i < THREADS; i++) {
        cr_assert_eq(pthread_create(&threads[i], NULL, work, NULL), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    cr_expect_leq(atomic_load(&most), LIMIT);
    cr_expect_eq(sem_getvalue(&limit_of_all.free, &left), 0);
    cr_expect_eq(left, LIMIT);
    mwa_thread_limit_fini(&limit_of_all);
}
