#include "analyzer/analysis/counters/course.h"

#include <criterion/criterion.h>
#include <malloc.h>

#include "test/unit/analyzer/travel.h"

static void add(struct mwa_course *course, uint64_t time, double value)
{
    cr_assert_eq(mwa_course_add(course, time, value), MW_OK);
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
    mwa_course_fini(&course);
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
    mwa_course_fini(&course);
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
    mwa_course_fini(&course);
}

/* A time, a value, and a byte of what its cell has seen: 8,704 of all that may be, and what they
 * have grown out of is not yet given back. */
Test(course, takes_seventeen_bytes_of_a_sample)
{
    const size_t before = mallinfo2().uordblks;
    struct mwa_course course = { 0 };

    for (uint64_t i = 0; i < MWA_COURSE_SAMPLES; i++) {
        add(&course, 3 * i, (double)(i % 5));
    }
    cr_expect_lt(mallinfo2().uordblks - before, 12000);
    mwa_course_fini(&course);
}

static uint64_t any(uint64_t *state, uint64_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 33) % below;
}

static void expect_same(const struct mwa_course *one, const struct mwa_course *other)
{
    cr_assert_eq(one->shift, other->shift);
    cr_assert_eq(one->count, other->count);
    for (uint64_t i = 0; i < one->count; i++) {
        cr_assert_eq(one->samples[i].time, other->samples[i].time);
        cr_assert_float_eq(one->samples[i].value, other->samples[i].value, 0);
    }
}

/* What is taken can be appended to another one. */
static enum mw_status take(void *user, struct mw_cursor *from)
{
    struct mwa_course taken = { 0 }, put = { 0 };
    enum mw_status status = mwa_course_unpack(&taken, from);

    if (status == MW_OK) {
        cr_assert_eq(mwa_course_append(&put, &taken, 1), MW_OK);
    }
    mwa_course_fini(&taken);
    mwa_course_fini(&put);
    return status;
}

/* What another process gets of course, which goes. */
static struct mwa_course travelled(struct mwa_course *course)
{
    struct mwa_course taken = { 0 };
    struct mw_buffer packed = { 0 };
    struct mw_cursor from;

    mwa_course_pack(course, &packed);
    travel_try(&packed, 48, take, NULL);
    from = (struct mw_cursor){ packed.data, packed.bytes };
    cr_assert_eq(mwa_course_unpack(&taken, &from), MW_OK);
    mw_buffer_fini(&packed);
    mwa_course_fini(course);
    return taken;
}

/*
 * Random samples in parts, of which some have none and others thousands, close together or far
 * apart, with levels that count from the beginning of each part: put together they are what one has
 * that was given all.
 */
Test(course, of_parts_is_that_of_the_whole)
{
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct mwa_course whole = { .most = seed % 3 ? 0 : 6 + (uint32_t)seed };
        struct mwa_course put = whole;
        uint64_t state = seed, time = 0;
        double level = 0;

        for (uint64_t parts = 1 + any(&state, 6); parts > 0; parts--) {
            struct mwa_course part = { .most = whole.most };
            const double before = level;

            for (uint64_t left = any(&state, 1u << any(&state, 13)); left > 0; left--) {
                time += 1 + any(&state, 1u << any(&state, 12));
                level += (double)any(&state, 9) - 4;
                add(&whole, time, level);
                add(&part, time, level - before);
            }
            part = travelled(&part);
            cr_assert_eq(mwa_course_append(&put, &part, before), MW_OK);
            mwa_course_fini(&part);
        }
        expect_same(&put, &whole);
        mwa_course_fini(&put);
        mwa_course_fini(&whole);
    }
}

Test(course, that_is_none_is_refused)
{
    struct mwa_course course = { 0 };
    struct mw_buffer packed = { 0 };

    for (uint64_t i = 0; i < 3000; i++) {
        add(&course, 5 * i, (double)(i % 7));
    }
    mwa_course_pack(&course, &packed);
    travel_try(&packed, 20000, take, NULL);
    mw_buffer_fini(&packed);
    mwa_course_fini(&course);
}
