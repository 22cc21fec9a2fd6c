#include "analyzer/analysis/delay/delay_queue.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* The first of all that are there. */
static struct mwa_delay_item *take(struct mwa_delay_queue *queue)
{
    struct mwa_delay_item *item = NULL;

    cr_assert_eq(mwa_delay_queue_first(queue, true, &item), MW_OK);
    return item;
}

/* Two threads of rank 1 that waited for rank 0 from 10 to 20. */
static void put_wait(struct mwa_delay_queue *queue, uint32_t location)
{
    struct mwa_delay_item *item = mwa_delay_queue_make(queue, 0);

    cr_assert_not_null(item);
    item->time = 20;
    item->wait = (struct mwa_delay_wait){ .time = 10, .wait = 10, .rank = 1, .location = location };
    cr_assert(mwa_delay_queue_put(queue, item));
}

Test(delay_queue, has_waits_of_threads_in_their_order_whichever_came_first)
{
    for (uint32_t turn = 0; turn < 2; turn++) {
        struct mwa_delay_queue *queue = mwa_delay_queue_create(0);

        for (uint32_t i = 0; i < 2; i++) {
            put_wait(queue, i == turn ? 7 : 8);
        }
        for (uint32_t location = 7; location <= 8; location++) {
            struct mwa_delay_item *item = take(queue);

            cr_expect_eq(item->wait.location, location, "turn %u", turn);
            mwa_delay_queue_drop(queue, item);
        }
        mwa_delay_queue_destroy(queue);
    }
}

/* Ranks 0 and 1, the latter at 20, meet on a communicator. */
static void put_meeting(struct mwa_delay_queue *queue, uint32_t comm, uint64_t enter)
{
    struct mwa_delay_item *item = mwa_delay_queue_make(queue, 2);

    cr_assert_not_null(item);
    item->time = item->begin = 20;
    item->comm = comm;
    item->members[0] = (struct mwa_delay_member){ .rank = 0, .enter = enter };
    item->members[1] = (struct mwa_delay_member){ .rank = 1, .enter = 20 };
    cr_assert(mwa_delay_queue_put(queue, item));
}

Test(delay_queue, has_meetings_of_a_time_in_the_order_in_which_ranks_came_to_them)
{
    for (uint32_t turn = 0; turn < 2; turn++) {
        struct mwa_delay_queue *queue = mwa_delay_queue_create(0);

        for (uint32_t i = 0; i < 2; i++) {
            put_meeting(queue, i == turn ? 5 : 3, i == turn ? 12 : 18);
        }
        put_wait(queue, 7);
        for (uint32_t i = 0; i < 3; i++) {
            struct mwa_delay_item *item = take(queue);

            cr_expect_eq(item->comm, i == 0 ? 0 : i == 1 ? 5 : 3, "turn %u, item %u", turn, i);
            mwa_delay_queue_drop(queue, item);
        }
        mwa_delay_queue_destroy(queue);
    }
}

/* --- many, against a list that is looked through for the least ----------------------------- */

#define MANY 3000u

struct list {
    uint64_t times[MANY]; /* that are there; those of one time differ by rank */
    uint32_t ranks[MANY];
    uint32_t count;
};

static void put(struct mwa_delay_queue *queue, struct list *list, uint64_t time, uint32_t rank)
{
    struct mwa_delay_item *item = mwa_delay_queue_make(queue, 0);

    cr_assert_not_null(item);
    item->time = time;
    item->wait = (struct mwa_delay_wait){ .time = time, .rank = rank };
    cr_assert(mwa_delay_queue_put(queue, item));
    list->times[list->count] = time;
    list->ranks[list->count++] = rank;
}

/* Takes the first of queue, which is to be the least of the list. */
static void expect_least(struct mwa_delay_queue *queue, struct list *list)
{
    struct mwa_delay_item *item = take(queue);
    uint32_t least = 0;

    for (uint32_t i = 1; i < list->count; i++) {
        if (list->times[i] < list->times[least] ||
            (list->times[i] == list->times[least] && list->ranks[i] < list->ranks[least])) {
            least = i;
        }
    }
    cr_assert_eq(item->time, list->times[least]);
    cr_assert_eq(item->wait.rank, list->ranks[least]);
    list->times[least] = list->times[--list->count];
    list->ranks[least] = list->ranks[list->count];
    mwa_delay_queue_drop(queue, item);
}

/* By turns so many are put and some are taken; times go on by step at each, and are up to spread
 * earlier, so that runs are long, short, or go down all along. */
static void expect_order(unsigned seed, uint64_t step, uint64_t spread)
{
    struct mwa_delay_queue *queue = mwa_delay_queue_create(0);
    struct list *list = calloc(1, sizeof *list);
    uint64_t now = (uint64_t)MANY * 1000;
    struct mwa_delay_item *none;
    uint32_t total = 0;

    cr_assert(queue && list);
    while (total < MANY) {
        const uint32_t puts = (uint32_t)rand_r(&seed) % 50;
        const uint32_t takes = (uint32_t)rand_r(&seed) % 50;

        for (uint32_t i = 0; i < puts && total < MANY; i++, total++) {
            put(queue, list, now - (uint64_t)rand_r(&seed) % spread, total);
            now += step;
        }
        for (uint32_t i = 0; i < takes && list->count > 0; i++) {
            expect_least(queue, list);
        }
    }
    while (list->count > 0) {
        expect_least(queue, list);
    }
    cr_expect_eq(mwa_delay_queue_first(queue, true, &none), MW_END);
    mwa_delay_queue_destroy(queue);
    free(list);
}

Test(delay_queue, is_in_order_however_much_of_that_is_there_already)
{
    for (unsigned seed = 1; seed <= 5; seed++) {
        expect_order(seed, 1, 1);         /* in order */
        expect_order(seed, 10, 100);      /* nearly */
        expect_order(seed, 0, 3);         /* all at three times */
        expect_order(seed, 1, 1000000);   /* at random */
        expect_order(seed, UINT64_MAX, 1); /* each before all others */
    }
}

Test(delay_queue, has_as_many_as_it_is_long)
{
    struct mwa_delay_queue *queue = mwa_delay_queue_create(3);
    struct list list = { .count = 0 };
    struct mwa_delay_item *item;

    for (uint32_t i = 0; i < 3; i++) {
        put(queue, &list, 10 - i, 0);
        cr_expect_eq(mwa_delay_queue_first(queue, false, &item), MW_END);
    }
    put(queue, &list, 20, 0);
    cr_assert_eq(mwa_delay_queue_first(queue, false, &item), MW_OK);
    cr_expect_eq(item->time, 8);
    mwa_delay_queue_drop(queue, item);
    cr_expect_eq(mwa_delay_queue_first(queue, false, &item), MW_END);
    mwa_delay_queue_destroy(queue); /* with the three */
}
