#include "analyzer/analysis/time/state_log.h"

#include <criterion/criterion.h>

/* Appends a stretch, all of which is in its state. */
static void add(struct mwa_state_log *log, unsigned state, uint64_t from, uint64_t to)
{
    const struct mwa_stretch stretch = {
        .state = state, .from = from, .to = to, .ticks = to - from
    };

    cr_assert_eq(mwa_state_log_add(log, &stretch), MW_OK);
}

static void expect_next(const struct mwa_state_log *log, struct mwa_state_log_place *place,
                        struct mwa_stretch expected)
{
    struct mwa_stretch found;

    cr_assert(mwa_state_log_next(log, place, &found));
    cr_expect_eq(found.state, expected.state);
    cr_expect_eq(found.from, expected.from);
    cr_expect_eq(found.to, expected.to);
    cr_expect_eq(found.ticks, expected.ticks);
}

/* From the first tick on to the last that there can be, with gaps, backwards, and in part. */
Test(state_log, says_again_what_it_was_told)
{
    const struct mwa_stretch told[] = { { 0, 0, 255, 255 },
                                        { 7, 255, 511, 256 },
                                        { 3, 511, 70000, 17 },
                                        { 1, 80000, 80001, 1 },
                                        { 1, 80000, 80001, 0 },
                                        { 5, UINT64_C(1) << 62, UINT64_MAX, 5 },
                                        { 2, 0, UINT64_MAX, UINT64_MAX } };
    struct mwa_state_log log = { 0 };
    struct mwa_state_log_place place = { 0 };
    struct mwa_stretch none;

    cr_expect_not(mwa_state_log_next(&log, &place, &none));
    for (unsigned i = 0; i < sizeof told / sizeof *told; i++) {
        cr_assert_eq(mwa_state_log_add(&log, &told[i]), MW_OK);
    }
    for (unsigned i = 0; i < sizeof told / sizeof *told; i++) {
        expect_next(&log, &place, told[i]);
    }
    cr_expect_not(mwa_state_log_next(&log, &place, &none));
    cr_expect_eq(place.at, log.bytes.bytes);
    mwa_state_log_fini(&log);
}

/* 20,000 of 300 ticks each, without a gap but before the first one, 8 bytes. */
Test(state_log, takes_three_bytes_of_a_stretch_behind_another)
{
    struct mwa_state_log log = { 0 };

    for (uint64_t i = 0; i < 20000; i++) {
        add(&log, i % 2, 1000000 + 300 * i, 1000300 + 300 * i);
    }
    cr_expect_eq(log.bytes.bytes, 8 + 3 * 20000);
    mwa_state_log_fini(&log);
    cr_expect_eq(log.end, 0);
}
