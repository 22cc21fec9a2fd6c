#include "analyzer/model/bins.h"

#include <criterion/criterion.h>

/* Ten ticks in four bins: edges at 100, 102.5, 105, 107.5 and 110, of whole ticks. */
static const struct mwa_window uneven = { .from = 100, .to = 110, .bins = 4 };

Test(bins, begin_at_the_first_tick_behind_their_edge)
{
    static const uint64_t edges[] = { 100, 103, 105, 108, 110 };
    static const uint32_t bins[] = { 0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3 };

    for (uint32_t bin = 0; bin <= 4; bin++) {
        cr_expect_eq(mwa_window_edge(&uneven, bin), edges[bin], "edge %u", bin);
    }
    for (uint64_t time = 100; time <= 110; time++) {
        cr_expect_eq(mwa_window_bin(&uneven, time), bins[time - 100], "time %u", (unsigned)time);
    }
    cr_expect_eq(mwa_window_bin(&uneven, 3), 0);
    cr_expect_eq(mwa_window_bin(&uneven, 1000), 3);
    cr_expect(mwa_window_has(&uneven, 100) && mwa_window_has(&uneven, 110));
    cr_expect_not(mwa_window_has(&uneven, 99) || mwa_window_has(&uneven, 111));
}

static void expect_pieces(const struct mwa_window *window, uint64_t from, uint64_t to,
                          const struct mwa_piece *pieces, unsigned count)
{
    struct mwa_piece piece = { 0 };
    unsigned found = 0;

    while (mwa_window_next(window, from, to, &piece)) {
        cr_assert_lt(found, count);
        cr_expect_eq(piece.bin, pieces[found].bin);
        cr_expect_eq(piece.from, pieces[found].from);
        cr_expect_eq(piece.to, pieces[found].to);
        found++;
    }
    cr_expect_eq(found, count);
}

Test(bins, part_a_time_at_their_edges_and_leave_out_what_is_outside)
{
    expect_pieces(&uneven, 101, 106,
                  (const struct mwa_piece[]){ { 0, 101, 103 }, { 1, 103, 105 }, { 2, 105, 106 } },
                  3);
    expect_pieces(&uneven, 0, 101, (const struct mwa_piece[]){ { 0, 100, 101 } }, 1);
    expect_pieces(&uneven, 108, 500, (const struct mwa_piece[]){ { 3, 108, 110 } }, 1);
    expect_pieces(&uneven, 50, 100, NULL, 0);
    expect_pieces(&uneven, 110, 120, NULL, 0);
    expect_pieces(&uneven, 104, 104, NULL, 0);
}

/* Two ticks in three bins: edges at 0, 0.67, 1.33 and 2: the last one has no tick of its own. */
Test(bins, may_be_more_than_ticks)
{
    const struct mwa_window window = { .to = 2, .bins = 3 };
    const struct mwa_window none = { .from = 7, .to = 7, .bins = 1 };

    expect_pieces(&window, 0, 2, (const struct mwa_piece[]){ { 0, 0, 1 }, { 1, 1, 2 } }, 2);
    expect_pieces(&none, 0, 10, NULL, 0);
}

/* A bin is 2^61 ticks, times bins more than 64 bits hold. */
Test(bins, may_be_as_long_as_time_is)
{
    const struct mwa_window window = { .to = UINT64_C(1) << 63, .bins = 4 };
    const uint64_t quarter = UINT64_C(1) << 61;

    cr_expect_eq(mwa_window_edge(&window, 3), 3 * quarter);
    cr_expect_eq(mwa_window_bin(&window, 3 * quarter - 1), 2);
    cr_expect_eq(mwa_window_bin(&window, 3 * quarter), 3);
}

/* 5 ticks over [10, 20): half a tick for each. Rounded sums at 10, 13, 16, 20: 0, 1, 3, 5. */
Test(bins, get_shares_that_add_up)
{
    cr_expect_eq(mwa_ticks_share(5, 10, 20, 10, 13), 1);
    cr_expect_eq(mwa_ticks_share(5, 10, 20, 13, 16), 2);
    cr_expect_eq(mwa_ticks_share(5, 10, 20, 16, 20), 2);
    cr_expect_eq(mwa_ticks_share(10, 10, 20, 13, 16), 3);
    cr_expect_eq(mwa_ticks_share(0, 10, 20, 13, 16), 0);
}
