#include "recorder/variables/followed.h"

#include <criterion/criterion.h>
#include <string.h>

static double real_of(uint64_t bits)
{
    double real;

    memcpy(&real, &bits, sizeof real);
    return real;
}

Test(followed, bounds_a_mean_whoever_reads_with_an_earlier_time)
{
    struct mwr_followed followed;
    struct mw_partly_member course = {.unseen = 0};
    uint64_t held = 0;

    /* 0 until 100, 10 from 200 on; a thread that left its call at 150 reads 4 after that. */
    mwr_followed_restart(&followed, 0, 0);
    mwr_followed_change(&followed, 10, 100, 200);
    mwr_followed_change(&followed, 4, 120, 150);
    cr_assert_eq(mwr_followed_tell(&followed, 400, &held, &course), MWR_TELL_COURSE);
    /* At least 0 for 200 and 4 for 200, at most 10 for 100 of the first ones; rounded outwards. */
    cr_assert_float_eq(real_of(course.seen.mean_lower), 2, 1e-4);
    cr_assert_float_eq(real_of(course.seen.mean_upper), 4.5, 1e-4);
    cr_assert_eq(real_of(course.seen.low), 0);
    cr_assert_eq(real_of(course.seen.high), 10);
}

Test(followed, leaves_out_of_the_mean_what_nobody_has_seen)
{
    struct mwr_followed followed;
    struct mw_partly_member course = {.unseen = 0};
    uint64_t held = 0;

    /* 2 until 100, unknown until 300, 6 until 350 at least, 10 from 400 on. */
    mwr_followed_restart(&followed, 2, 0);
    mwr_followed_lose(&followed, 6, 100, 300);
    mwr_followed_change(&followed, 10, 350, 400);
    cr_assert_eq(mwr_followed_tell(&followed, 500, &held, &course), MWR_TELL_PARTLY);
    cr_assert_eq(course.unseen, 200);
    /* 200, 300, 50 times 6 to 10, and 1000, of 300. */
    cr_assert_float_eq(real_of(course.seen.mean_lower), 1800 / 300., 1e-4);
    cr_assert_float_eq(real_of(course.seen.mean_upper), 2000 / 300., 1e-4);
    cr_assert_eq(real_of(course.seen.low), 2);
    cr_assert_eq(real_of(course.seen.high), 10);
}

Test(followed, says_nothing_of_what_was_not_seen_at_all)
{
    struct mwr_followed followed;
    struct mw_partly_member course = {.unseen = 0};
    uint64_t held = 0;

    mwr_followed_restart(&followed, 2, 0);
    mwr_followed_lose(&followed, 2, 0, 500);
    cr_assert_eq(mwr_followed_tell(&followed, 500, &held, &course), MWR_TELL_NOTHING);
}
