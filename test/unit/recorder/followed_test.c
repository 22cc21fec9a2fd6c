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
    struct mw_course_member course = {.head.type = 0};
    uint64_t held = 0;

    /* 0 until 100, 10 from 200 on; a thread that left its call at 150 reads 4 after that. */
    mwr_followed_restart(&followed, 0, 0);
    mwr_followed_change(&followed, 10, 100, 200);
    mwr_followed_change(&followed, 4, 120, 150);
    cr_assert_eq(mwr_followed_tell(&followed, 400, true, &held, &course), MWR_TELL_COURSE);
    /* At least 0 for 200 and 4 for 200, at most 10 for 100 of the first ones; rounded outwards. */
    cr_assert_float_eq(real_of(course.mean_lower), 2, 1e-4);
    cr_assert_float_eq(real_of(course.mean_upper), 4.5, 1e-4);
    cr_assert_eq(real_of(course.low), 0);
    cr_assert_eq(real_of(course.high), 10);
}
