#include "analyzer/analysis/time/timeline.h"

#include <criterion/criterion.h>
#include <math.h>

#include "test/data/archives.h"
#include "test/data/maker.h"
#include "test/unit/analyzer/archive_fixture.h"

static struct fixture fixture;

static double width_of(uint32_t bin)
{
    const struct mwa_window *window = &fixture.results.timeline.window;

    return (double)(mwa_window_edge(window, bin + 1) - mwa_window_edge(window, bin));
}

/* Ticks of a row in a state: shares times the length of a bin. */
static double ticks(uint32_t row, unsigned state)
{
    const struct mwa_timeline *timeline = &fixture.results.timeline;
    double sum = 0;

    for (uint32_t bin = 0; bin < timeline->window.bins; bin++) {
        sum += width_of(bin) * mwa_timeline_at(timeline, row, bin)[state];
    }
    return sum;
}

static bool near(double value, double expected)
{
    return fabs(value - expected) < 0.01;
}

/* Rank 0: useful 100 to 200, 250 to 300, 150 of 200 in polls, 500 to 1000; MPI_Send 50.
 * Rank 1 receives from 150 on what is sent from 200 on. */
Test(timeline, adds_up_to_the_time_in_each_state)
{
    const struct mwa_timeline *timeline = &fixture.results.timeline;

    fixture_open(&fixture, make_plain);
    cr_assert_eq(timeline->rows, 2);
    cr_assert_eq(timeline->ranks_per_row, 1);
    cr_assert_eq(timeline->window.bins, 1000);
    cr_expect_eq(timeline->window.to - timeline->window.from, 1100);
    cr_expect(near(ticks(0, MWA_STATE_USEFUL), 800), "%g", ticks(0, MWA_STATE_USEFUL));
    cr_expect(near(ticks(0, MWA_STATE_P2P), 100), "%g", ticks(0, MWA_STATE_P2P));
    cr_expect(near(ticks(0, MWA_STATE_OTHER), 100), "%g", ticks(0, MWA_STATE_OTHER));
    cr_expect(near(ticks(1, MWA_STATE_USEFUL), 850), "%g", ticks(1, MWA_STATE_USEFUL));
    cr_expect(near(ticks(1, MWA_STATE_P2P), 100), "%g", ticks(1, MWA_STATE_P2P));
    cr_expect(near(ticks(1, MWA_TIMELINE_WAITING), 50), "%g", ticks(1, MWA_TIMELINE_WAITING));
    cr_expect_eq(ticks(1, MWA_STATE_IO), 0);
    fixture_close(&fixture);
}

/* A bin is 1.1 ticks, to whole ones, from 100 on: number 106 is 216 to 218, in rank 0's send and
 * rank 1's receive; 240 to 289 are 364 to 419, in polls of which a quarter is inside (to a tick);
 * 950 is past rank 0's end. */
Test(timeline, says_what_a_bin_is_made_of)
{
    const struct mwa_timeline *timeline = &fixture.results.timeline;
    double useful = 0;

    fixture_open(&fixture, make_plain);
    cr_expect(near(mwa_timeline_at(timeline, 0, 106)[MWA_STATE_P2P], 1));
    cr_expect(near(mwa_timeline_at(timeline, 1, 106)[MWA_STATE_P2P], 1));
    cr_expect(near(mwa_timeline_at(timeline, 0, 106)[MWA_STATE_USEFUL], 0));
    for (uint32_t bin = 240; bin < 290; bin++) {
        useful += width_of(bin) * mwa_timeline_at(timeline, 0, bin)[MWA_STATE_USEFUL];
    }
    cr_expect(fabs(useful - 41.25) <= 1, "%g", useful);
    cr_expect(near(mwa_timeline_at(timeline, 0, 950)[MWA_STATE_OTHER], 0));
    cr_expect(near(mwa_timeline_at(timeline, 1, 950)[MWA_STATE_OTHER], 1));
    fixture_close(&fixture);
}

/* Rank 1 is paused from 250 to 400. */
Test(timeline, leaves_out_what_was_not_recorded)
{
    double known = 0;

    fixture_open(&fixture, make_paused);
    for (unsigned state = 0; state < MWA_TIMELINE_STATES; state++) {
        known += ticks(1, state);
    }
    cr_expect_eq(fixture.results.timeline.window.to - fixture.results.timeline.window.from, 1000);
    cr_expect(near(known, 1000 - 150), "%g", known);
    fixture_close(&fixture);
}

/* 28 hours in ns. Rank 0 sends from 20 to 25 thousand seconds on, rank 1 receives from 15 to 30. */
static void make_long_run(const char *directory)
{
    const uint64_t thousand_s = UINT64_C(1000000000000);
    struct maker *maker = maker_create(directory, 2, 1);
    OTF2_EvtWriter *zero = maker_writer(maker, 0, 0), *one = maker_writer(maker, 1, 0);

    maker_length(maker, 101 * thousand_s);
    maker_init(zero);
    maker_init(one);
    maker_send(zero, 20 * thousand_s, 25 * thousand_s, MAKER_WORLD, 1, 7, 1000);
    maker_recv(one, 15 * thousand_s, 30 * thousand_s, MAKER_WORLD, 0, 7, 1000);
    maker_finalize(zero, 100 * thousand_s);
    maker_finalize(one, 100 * thousand_s);
    maker_finish(maker);
}

/* Thousands of seconds, to the bin of 100 s that a change of state lies in. */
static bool lasts(uint32_t row, unsigned state, double expected)
{
    return fabs(ticks(row, state) / 1e12 - expected) < 0.1;
}

/* In a bin are more ns than 32 bits hold. */
Test(timeline, keeps_the_ticks_of_long_runs)
{
    fixture_open(&fixture, make_long_run);
    cr_expect(lasts(0, MWA_STATE_USEFUL, 95), "%g", ticks(0, MWA_STATE_USEFUL));
    cr_expect(lasts(0, MWA_STATE_P2P, 5), "%g", ticks(0, MWA_STATE_P2P));
    cr_expect(lasts(1, MWA_STATE_USEFUL, 85), "%g", ticks(1, MWA_STATE_USEFUL));
    cr_expect(lasts(1, MWA_STATE_P2P, 10), "%g", ticks(1, MWA_STATE_P2P));
    cr_expect(lasts(1, MWA_TIMELINE_WAITING, 5), "%g", ticks(1, MWA_TIMELINE_WAITING));
    fixture_close(&fixture);
}
