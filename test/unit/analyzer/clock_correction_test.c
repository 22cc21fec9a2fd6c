#include "analyzer/load/clock_correction.h"

#include <criterion/criterion.h>

static void add(struct mwa_clock_correction *correction, uint64_t time, int64_t offset)
{
    cr_assert(mwa_clock_correction_add(correction, time, offset));
}

Test(clock_correction, does_nothing_with_less_than_two_offsets)
{
    struct mwa_clock_correction correction = { 0 };

    cr_expect_eq(mwa_clock_corrected(&correction, 5), 5);
    add(&correction, 100, 7);
    cr_expect_eq(mwa_clock_corrected(&correction, 500), 500);
    mwa_clock_correction_fini(&correction);
}

/* 40 ticks at 5000, 61 at 7100: one more each 100. Halves go to the even one. */
Test(clock_correction, grows_evenly_and_goes_on_behind_the_last_offset)
{
    struct mwa_clock_correction correction = { 0 };

    add(&correction, 5000, 40);
    add(&correction, 7100, 61);
    cr_expect_eq(mwa_clock_corrected(&correction, 4000), 4030);
    cr_expect_eq(mwa_clock_corrected(&correction, 5000), 5040);
    cr_expect_eq(mwa_clock_corrected(&correction, 5050), 5090);
    cr_expect_eq(mwa_clock_corrected(&correction, 5150), 5192);
    cr_expect_eq(mwa_clock_corrected(&correction, 6000), 6050);
    cr_expect_eq(mwa_clock_corrected(&correction, 9000), 9080);
    mwa_clock_correction_fini(&correction);
}

/* 0 ticks more from 0 to 1000, then -10 in 1000. An interval that was left is not gone back to. */
Test(clock_correction, takes_the_interval_of_each_time)
{
    struct mwa_clock_correction correction = { 0 };

    add(&correction, 0, -100);
    add(&correction, 1000, -100);
    add(&correction, 1000, -500); /* as good as none */
    cr_expect_eq(correction.count, 1);
    add(&correction, 2000, -510);
    cr_expect_eq(mwa_clock_corrected(&correction, 1000), 900);
    cr_expect_eq(mwa_clock_corrected(&correction, 1500), 995);
    cr_expect_eq(mwa_clock_corrected(&correction, 2000), 1490);
    cr_expect_eq(mwa_clock_corrected(&correction, 900), 401);
    mwa_clock_correction_fini(&correction);
}
