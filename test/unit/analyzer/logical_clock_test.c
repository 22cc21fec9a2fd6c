#include "analyzer/model/logical_clock.h"

#include <criterion/criterion.h>

static struct mwa_clock_layer layer;

static void jump(uint64_t time, uint64_t shift)
{
    cr_assert(mwa_clock_jump(&layer, time, shift));
}

static void limit(uint64_t time, uint64_t most)
{
    cr_assert(mwa_clock_limit(&layer, time, most));
}

static void expect_shift(uint64_t time, uint64_t shift)
{
    const uint64_t found = mwa_clock_shift(&layer, time);

    cr_expect_eq(found, shift, "%lu is moved by %lu, not %lu", (unsigned long)time,
                 (unsigned long)found, (unsigned long)shift);
}

/* A tick less every 100, until nothing is left. */
Test(logical_clock, falls_back_behind_a_jump)
{
    jump(1000, 50);
    mwa_clock_prepare(&layer, 1000);
    expect_shift(999, 0);
    expect_shift(1000, 50);
    expect_shift(1099, 50);
    expect_shift(1100, 49);
    expect_shift(5900, 1);
    expect_shift(6000, 0);
    expect_shift(UINT64_MAX, 0);
    mwa_clock_layer_fini(&layer);
}

/* 50 ticks in the 5000 before; where there are but 1000, in these. */
Test(logical_clock, comes_to_a_jump_by_a_straight_way)
{
    jump(100000, 50);
    mwa_clock_prepare(&layer, 0);
    expect_shift(95000, 0);
    expect_shift(97500, 25);
    expect_shift(99999, 49);
    expect_shift(100000, 50);
    mwa_clock_prepare(&layer, 99000);
    expect_shift(97500, 0);
    expect_shift(99500, 25);
    mwa_clock_layer_fini(&layer);
}

/* From 25 down to 10 at 97500: 10 in the first 2500 ticks, 40 in the others. */
Test(logical_clock, bends_where_a_send_must_not_be_moved_further)
{
    jump(100000, 50);
    mwa_clock_prepare(&layer, 0);
    limit(97500, 30);
    expect_shift(97500, 25);
    limit(97500, 10);
    limit(97500, 12);
    expect_shift(96250, 5);
    expect_shift(97500, 10);
    expect_shift(98750, 30);
    limit(98750, 20);
    expect_shift(98750, 20);
    expect_shift(99375, 35);
    limit(96250, 9);
    expect_shift(96250, 5);
    cr_expect_eq(layer.jumps[0].count, 2u);
    /* Nothing up to 98000: the line from there to 50 lies below 20 at 98750. */
    limit(98000, 0);
    cr_expect_eq(layer.jumps[0].count, 1u);
    expect_shift(97500, 0);
    expect_shift(98000, 0);
    expect_shift(98750, 18);
    expect_shift(99000, 25);
    mwa_clock_layer_fini(&layer);
}

/* In any order. */
Test(logical_clock, bends_the_same_whichever_send_is_told_first)
{
    static const uint64_t times[] = { 95700, 96100, 97300, 98200, 99100 };
    static const uint64_t most[] = { 3, 1, 9, 17, 26 };

    for (unsigned first = 0; first < 5; first++) {
        jump(100000, 50);
        mwa_clock_prepare(&layer, 0);
        for (unsigned i = 0; i < 5; i++) {
            const unsigned at = (first + (first % 2 ? i : 5 - i)) % 5;

            limit(times[at], most[at]);
        }
        /* Between 1 at 96100 and 26 at 99100 there are 11 and 18 where 9 and 17 may be. */
        cr_expect_eq(layer.jumps[0].count, 4u, "%lu points, from %u on",
                     (unsigned long)layer.jumps[0].count, first);
        expect_shift(95700, 0);
        expect_shift(96100, 1);
        expect_shift(97300, 9);
        expect_shift(98200, 17);
        expect_shift(98650, 21);
        mwa_clock_layer_fini(&layer);
    }
}

/*
 * 50 at 100000, of which 40 are left at 101000, where there are to be 90. The way to these 50 more
 * begins at 96000. A send at 98000, which 30 and 20 would move, may be moved by 20: 10 each.
 */
Test(logical_clock, adds_ways_up_and_lets_them_share_what_a_send_allows)
{
    jump(100000, 50);
    jump(101000, 90);
    mwa_clock_prepare(&layer, 0);
    expect_shift(98000, 50);
    expect_shift(100000, 90);
    expect_shift(101000, 90);
    cr_expect(mwa_clock_is_limited(&layer, 98000));
    cr_expect(mwa_clock_is_limited(&layer, 100500));
    cr_expect_not(mwa_clock_is_limited(&layer, 95000));
    cr_expect_not(mwa_clock_is_limited(&layer, 101000));
    limit(98000, 20);
    expect_shift(98000, 20);
    mwa_clock_layer_fini(&layer);
}

/* Also of jumps that are as large as can be, and at one time. */
Test(logical_clock, never_goes_back)
{
    struct mwa_logical_clock clock = { .count = 1 };
    uint64_t last = 0;

    jump(7000, 900);
    jump(7000, 1300);
    jump(20000, 1200);
    jump(20001, UINT64_MAX - 20001);
    mwa_clock_prepare(&layer, 0);
    limit(6500, 3);
    limit(19000, 1100);
    clock.layers[0] = layer;
    for (uint64_t time = 0; time < 30000; time++) {
        const uint64_t at = mwa_clock_at(&clock, time);

        cr_assert_geq(at, time);
        cr_assert_geq(at, last, "at %lu", (unsigned long)time);
        last = at;
    }
    cr_expect_eq(last, UINT64_MAX);
    mwa_clock_layer_fini(&layer);
}
