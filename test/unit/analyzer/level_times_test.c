#include <criterion/criterion.h>

#include "analyzer/analysis/counters/level_times.h"

static void add(struct mwa_level_times *times, uint64_t time)
{
    cr_assert(mwa_level_times_add(times, time));
}

Test(level_times, are_gone_when_all_of_them_are_removed)
{
    struct mwa_level_times times = { .first = 0 };

    cr_expect_eq(mwa_level_times_first(&times), UINT64_MAX);
    add(&times, 10);
    add(&times, 10);
    add(&times, 20);
    mwa_level_times_remove(&times, 10);
    cr_expect_eq(mwa_level_times_first(&times), 10, "there is another one");
    mwa_level_times_remove(&times, 10);
    cr_expect_eq(mwa_level_times_first(&times), 20);
    mwa_level_times_remove(&times, 20);
    cr_expect_eq(mwa_level_times_first(&times), UINT64_MAX);
    mwa_level_times_fini(&times);
}

Test(level_times, may_be_removed_from_the_middle)
{
    struct mwa_level_times times = { .first = 0 };

    for (uint64_t time = 1; time <= 1000; time++) {
        add(&times, 10 * time);
    }
    for (uint64_t time = 1000; time > 1; time--) {
        mwa_level_times_remove(&times, 10 * time);
        mwa_level_times_remove(&times, 10 * time); /* it is there no more */
        mwa_level_times_remove(&times, 10 * time - 5); /* it never was */
        cr_assert_eq(mwa_level_times_first(&times), 10);
    }
    mwa_level_times_remove(&times, 10);
    cr_expect_eq(mwa_level_times_first(&times), UINT64_MAX);
    mwa_level_times_fini(&times);
}

Test(level_times, come_and_go)
{
    struct mwa_level_times times = { .first = 0 };

    for (uint64_t time = 1; time <= 5000; time++) {
        add(&times, time);
        if (time > 40) {
            cr_assert_eq(mwa_level_times_first(&times), time - 40);
            mwa_level_times_remove(&times, time - 40);
        }
    }
    cr_expect_eq(mwa_level_times_first(&times), 4961);
    cr_expect_lt(times.capacity, 200, "room is used again");
    mwa_level_times_fini(&times);
}
