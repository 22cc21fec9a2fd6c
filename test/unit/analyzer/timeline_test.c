#include "analyzer/analysis/time/timeline.h"

#include <criterion/criterion.h>
#include <malloc.h>
#include <math.h>
#include <string.h>

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

/* --- a location that is told by hand ---------------------------------------------------------- */

#define BEGIN UINT64_C(5000)
#define EVERY UINT64_C(1000)
#define INSIDE UINT64_C(300)

static const struct mwa_region send = { .call = MW_CALL_MPI_Send, .kind = MWA_REGION_MPI };
static const struct mwa_region init = { .call = MW_CALL_MPI_Init, .kind = MWA_REGION_INIT };

static const struct mwa_location *location_of_rank_0(void)
{
    const struct mwa_location *location = &fixture.results.trace->locations[0];

    cr_assert(location->rank == 0 && location->master);
    return location;
}

/* The location of rank 0 leaves a call that it was in from enter on, and inside for so long. */
static void tell_call(void *partial, const struct mwa_region *region, uint64_t enter,
                      uint64_t leave, uint64_t inside)
{
    const struct mwa_trace *trace = fixture.results.trace;
    const struct mwa_event event = { .kind = MWA_LEAVE, .time = leave };
    const struct mwa_call call = {
        .region = region, .enter = enter, .leave = leave, .inclusive = inside, .outermost = true
    };
    const struct mwa_moment moment = {
        .trace = trace, .location = location_of_rank_0(), .event = &event, .call = &call
    };
    const struct mwa_event entered = { .kind = MWA_ENTER, .time = enter };
    const struct mwa_moment before = {
        .trace = trace, .location = moment.location, .event = &entered, .mpi = region
    };

    cr_assert_eq(mwa_timeline_analysis.event(partial, &before), MW_OK);
    cr_assert_eq(mwa_timeline_analysis.event(partial, &moment), MW_OK);
}

/* Sends, a tick of each thousand in 300, behind MPI_Init; the tenth is of polls, half inside. */
static void *tell_sends(uint64_t count)
{
    const struct mwa_trace *trace = fixture.results.trace;
    void *partial = mwa_partial_create(&mwa_timeline_analysis, trace);

    cr_assert(partial);
    tell_call(partial, &send, 200, 210, 10);
    tell_call(partial, &init, 1000, BEGIN, BEGIN - 1000);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t leave = BEGIN + (i + 1) * EVERY;

        tell_call(partial, &send, leave - INSIDE, leave, i % 10 == 9 ? INSIDE / 2 : INSIDE);
    }
    return partial;
}

/* Ends a location, which goes, and adds it to total. */
static void end_into(void *total, void *partial, uint64_t last)
{
    cr_assert_eq(mwa_timeline_analysis.end(partial, location_of_rank_0(), last), MW_OK);
    cr_assert_eq(mwa_partial_merge(&mwa_timeline_analysis, total, partial), MW_OK);
    mwa_partial_destroy(&mwa_timeline_analysis, partial);
}

static struct mwa_timeline finish(void *total)
{
    struct mwa_timeline timeline;

    cr_assert_eq(mwa_timeline_analysis.finish(total, &timeline), MW_OK);
    mwa_partial_destroy(&mwa_timeline_analysis, total);
    return timeline;
}

/* The ticks that the first row of timeline has in a state. */
static double ticks_of(const struct mwa_timeline *timeline, unsigned state)
{
    double sum = 0;

    for (uint32_t bin = 0; bin < timeline->window.bins; bin++) {
        sum += (double)(mwa_window_edge(&timeline->window, bin + 1) -
                        mwa_window_edge(&timeline->window, bin)) *
               (double)mwa_timeline_at(timeline, 0, bin)[state];
    }
    return sum;
}

/* Of each ten sends 3,000 - 150 ticks, and 7,000 + 150 outside; before MPI_Init was left none. */
static void expect_sends(uint64_t count, uint64_t rest)
{
    const double tens = (double)count / 10;
    void *total;
    struct mwa_timeline timeline;

    fixture_open(&fixture, make_plain);
    total = mwa_partial_create(&mwa_timeline_analysis, fixture.results.trace);
    end_into(total, tell_sends(count), BEGIN + count * EVERY + rest);
    timeline = finish(total);
    cr_expect_float_eq(ticks_of(&timeline, MWA_STATE_P2P), 10 + 2850 * tens, 1 + tens / 50);
    cr_expect_float_eq(ticks_of(&timeline, MWA_STATE_OTHER), BEGIN - 1000, 1);
    cr_expect_float_eq(ticks_of(&timeline, MWA_STATE_USEFUL), 7150 * tens + (double)rest,
                       1 + tens / 50);
    mwa_timeline_fini(&timeline);
    fixture_close(&fixture);
}

/* So few that they are kept as they are, and so many that they are not. */
Test(timeline, knows_what_a_location_does_however_much_it_is)
{
    expect_sends(10, 777);
    expect_sends(30000, 12345);
}

/* What is told of by calls, and what is a location's own sum already, lie in the same cells. */
Test(timeline, adds_up_locations_with_many_calls_and_with_few_in_any_order)
{
    const uint64_t few = 60, many = 30000;
    struct mwa_timeline timelines[2];

    fixture_open(&fixture, make_plain);
    for (unsigned i = 0; i < 2; i++) {
        void *total = mwa_partial_create(&mwa_timeline_analysis, fixture.results.trace);
        const uint64_t first = i == 0 ? few : many, second = few + many - first;

        end_into(total, tell_sends(first), BEGIN + first * EVERY);
        end_into(total, tell_sends(second), BEGIN + second * EVERY);
        timelines[i] = finish(total);
    }
    cr_assert_eq(timelines[0].window.bins, timelines[1].window.bins);
    cr_assert_eq(memcmp(timelines[0].shares, timelines[1].shares,
                        (size_t)timelines[0].rows * timelines[0].window.bins *
                            MWA_TIMELINE_STATES * sizeof *timelines[0].shares),
                 0);
    cr_expect_float_eq(ticks_of(&timelines[0], MWA_STATE_P2P),
                       20 + 285 * (double)(few + many), 100);
    for (unsigned i = 0; i < 2; i++) {
        mwa_timeline_fini(&timelines[i]);
    }
    fixture_close(&fixture);
}

/*
 * 100 sends are 200 stretches of four bytes at most; cells of three states would be 24,576. Of
 * several locations, since a few small blocks that are free count as if they were in use.
 */
Test(timeline, keeps_a_few_bytes_of_a_location_with_few_calls)
{
    void *partials[64];
    const size_t count = sizeof partials / sizeof *partials;
    size_t before;

    fixture_open(&fixture, make_plain);
    before = mallinfo2().uordblks;
    for (size_t i = 0; i < count; i++) {
        partials[i] = tell_sends(100);
    }
    cr_expect_lt(mallinfo2().uordblks - before, 3000 * count);
    for (size_t i = 0; i < count; i++) {
        mwa_partial_destroy(&mwa_timeline_analysis, partials[i]);
    }
    fixture_close(&fixture);
}
