#include "recorder/variables/mpit_queue.h"

#include <criterion/criterion.h>
#include <pthread.h>

enum { THREADS = 4, EACH = 20000 };

static struct mwr_mpit_queue queue;
static uint64_t refused[THREADS];
static unsigned ended; /* threads, by atomics */

static bool put(uint32_t event, uint64_t value)
{
    return mwr_mpit_queue_put(&queue,
                              &(struct mwr_mpit_told){.event = event, .values = {value}});
}

Test(mpit_queue, gives_back_in_order_what_it_had_room_for)
{
    struct mwr_mpit_told told;

    cr_assert(mwr_mpit_queue_init(&queue));
    for (uint64_t round = 0; round < 3; round++) {
        for (uint64_t i = 0; i < MWR_MPIT_QUEUE_MAX; i++) {
            cr_assert(put(7, i));
        }
        cr_assert_not(put(7, 0), "it is full");
        for (uint64_t i = 0; i < MWR_MPIT_QUEUE_MAX; i++) {
            cr_assert(mwr_mpit_queue_take(&queue, &told));
            cr_assert(told.event == 7 && told.values[0] == i);
        }
        cr_assert_not(mwr_mpit_queue_take(&queue, &told), "it is empty");
    }
}

static void *put_many(void *which)
{
    for (uint64_t i = 0; i < EACH; i++) {
        refused[(uintptr_t)which] += !put((uint32_t)(uintptr_t)which, i);
    }
    __atomic_fetch_add(&ended, 1, __ATOMIC_RELEASE);
    return NULL;
}

/* Of each thread in its order, and as many as were not refused. */
Test(mpit_queue, loses_nothing_of_threads_but_what_it_refuses)
{
    pthread_t threads[THREADS];
    uint64_t taken[THREADS] = {0}, next[THREADS] = {0};
    struct mwr_mpit_told told;
    bool have_ended = false, is_empty = false;

    cr_assert(mwr_mpit_queue_init(&queue));
    for (uintptr_t i = 0; i < THREADS; i++) {
        cr_assert_eq(pthread_create(&threads[i], NULL, put_many, (void *)i), 0);
    }
    while (!have_ended || !is_empty) {
        have_ended = __atomic_load_n(&ended, __ATOMIC_ACQUIRE) == THREADS;
        is_empty = !mwr_mpit_queue_take(&queue, &told);
        if (!is_empty) {
            cr_assert_geq(told.values[0], next[told.event]);
            next[told.event] = told.values[0] + 1;
            taken[told.event]++;
        }
    }
    for (unsigned i = 0; i < THREADS; i++) {
        cr_assert_eq(pthread_join(threads[i], NULL), 0);
        cr_assert_eq(taken[i] + refused[i], EACH);
    }
}
