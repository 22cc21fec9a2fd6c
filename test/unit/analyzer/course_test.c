#include "analyzer/analysis/counters/course.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static void add(struct mwa_course *course, uint64_t time, double value)
{
    cr_assert_eq(mwa_course_add(course, &(struct mwa_sample){ .time = time, .value = value }),
                 MW_OK);
}

Test(course, keeps_all_samples_while_they_are_few)
{
    struct mwa_course course = { 0 };

    for (uint64_t i = 0; i < MWA_COURSE_SAMPLES; i++) {
        add(&course, 3 * i, (double)(i % 5));
    }
    cr_assert_eq(course.count, MWA_COURSE_SAMPLES);
    for (uint64_t i = 0; i < course.count; i++) {
        cr_assert_eq(course.samples[i].time, 3 * i);
        cr_assert_float_eq(course.samples[i].value, (double)(i % 5), 0);
    }
    free(course.samples);
}

/*
 * A tick apart, one sample more than there may be: cells of two ticks hold two samples each and
 * lose none, cells of four keep two of four.
 */
Test(course, keeps_of_each_cell_the_greatest_the_least_and_the_last)
{
    const double values[4] = { 5, 9, 7, 2 };
    struct mwa_course course = { 0 };

    for (uint64_t i = 0; i <= MWA_COURSE_SAMPLES; i++) {
        add(&course, i, values[i % 4]);
    }
    /* 9 and 2, which is the last as well, of each cell; then the one sample more. */
    cr_assert_eq(course.shift, 2);
    cr_assert_eq(course.count, MWA_COURSE_SAMPLES / 2 + 1);
    for (uint64_t i = 0; i + 1 < course.count; i += 2) {
        cr_assert_eq(course.samples[i].time, 2 * i + 1);
        cr_assert_float_eq(course.samples[i].value, 9, 0);
        cr_assert_eq(course.samples[i + 1].time, 2 * i + 3);
        cr_assert_float_eq(course.samples[i + 1].value, 2, 0);
    }
    free(course.samples);
}

/* A million samples, of which one is far above and one far below the others. */
Test(course, never_loses_the_extremes_nor_the_order)
{
    struct mwa_course course = { 0 };
    double most = 0, least = 0;

    for (uint64_t i = 0; i < 1000000; i++) {
        add(&course, 1000 * i, i == 123456 ? 1000 : i == 654321 ? -1000 : (double)(i % 7));
    }
    cr_assert_leq(course.count, MWA_COURSE_SAMPLES);
    cr_assert_geq(course.count, MWA_COURSE_SAMPLES / 6);
    for (uint64_t i = 0; i < course.count; i++) {
        cr_assert(i == 0 || course.samples[i].time > course.samples[i - 1].time);
        most = course.samples[i].value > most ? course.samples[i].value : most;
        least = course.samples[i].value < least ? course.samples[i].value : least;
    }
    cr_assert_float_eq(most, 1000, 0);
    cr_assert_float_eq(least, -1000, 0);
    cr_assert_eq(course.samples[course.count - 1].time, UINT64_C(999999000));
    free(course.samples);
}
