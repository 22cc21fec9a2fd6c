#include "analyzer/analysis/time/call_state.h"

#include <criterion/criterion.h>
#include <math.h>

#include "analyzer/analysis/time/location_activity.h"
#include "analyzer/analysis/time/rank_states.h"
#include "formats/table/calls.h"
#include "test/data/archives_probes.h"
#include "test/data/archives_requests.h"
#include "test/unit/analyzer/archive_fixture.h"

static struct fixture fixture;

static enum mwa_state state_in(unsigned call, enum mwa_use use)
{
    const struct mwa_region region = { .call = call, .kind = MWA_REGION_MPI };

    return mwa_state_of(&region, use);
}

Test(call_state, of_calls_of_requests_is_what_these_are_of)
{
    cr_expect_eq(state_in(MW_CALL_MPI_Wait, MWA_USE_UNTOLD), MWA_STATE_P2P);
    cr_expect_eq(state_in(MW_CALL_MPI_Waitall, MWA_USE_MESSAGES), MWA_STATE_P2P);
    cr_expect_eq(state_in(MW_CALL_MPI_Test, MWA_USE_OPERATIONS), MWA_STATE_COLLECTIVE);
    cr_expect_eq(state_in(MW_CALL_MPI_Startall, MWA_USE_OPERATIONS), MWA_STATE_COLLECTIVE);
    cr_expect_eq(state_in(MW_CALL_MPI_Waitsome, MWA_USE_FILES), MWA_STATE_IO);
    cr_expect_eq(state_in(MW_CALL_MPI_Waitany, MWA_USE_OTHER), MWA_STATE_OTHER);
}

/* Whatever is told in them: MPI_Win_create is one of several calls whose ranks meet. */
Test(call_state, of_others_is_what_the_function_is_for)
{
    cr_expect_eq(state_in(MW_CALL_MPI_Ibcast, MWA_USE_OPERATIONS), MWA_STATE_COLLECTIVE);
    cr_expect_eq(state_in(MW_CALL_MPI_Bcast, MWA_USE_UNTOLD), MWA_STATE_COLLECTIVE);
    cr_expect_eq(state_in(MW_CALL_MPI_File_close, MWA_USE_OTHER), MWA_STATE_IO);
    cr_expect_eq(state_in(MW_CALL_MPI_Put, MWA_USE_OTHER), MWA_STATE_OTHER);
    cr_expect_eq(state_in(MW_CALL_MPI_Win_create, MWA_USE_FILES), MWA_STATE_OTHER);
    cr_expect_eq(state_in(MW_CALL_COUNT, MWA_USE_OPERATIONS), MWA_STATE_OTHER);
}

static void open_with_ranks(void (*make)(const char *directory))
{
    fixture_make(&fixture, make);
    cr_assert_eq(mwa_input_open(fixture.directory, &fixture.input, &fixture.diagnostic), MW_OK);
    cr_assert_eq(mwa_collect(fixture.input, fixture.directory, MWA_NEED_PAGE | MWA_NEED_RANK_STATES,
                             NULL, &fixture.results, &fixture.diagnostic),
                 MW_OK);
}

/* A rank's ticks in a state, in all parts of the run. */
static uint64_t ticks_in(uint32_t rank, unsigned state)
{
    uint64_t ticks = 0;

    for (uint32_t bin = 0; bin < fixture.results.rank_states.bins; bin++) {
        ticks += mwa_rank_states_at(&fixture.results.rank_states, rank, bin)[state];
    }
    return ticks;
}

/* The same as the page's timeline has it, which has shares of parts. */
static double shared_in(uint32_t rank, unsigned state)
{
    const struct mwa_timeline *timeline = &fixture.results.timeline;
    double ticks = 0;

    for (uint32_t bin = 0; bin < timeline->window.bins; bin++) {
        ticks += (double)(mwa_window_edge(&timeline->window, bin + 1) -
                          mwa_window_edge(&timeline->window, bin)) *
                 mwa_timeline_at(timeline, rank, bin)[state];
    }
    return ticks;
}

static void expect_ticks(uint32_t rank, unsigned state, uint64_t expected)
{
    const uint64_t found = ticks_in(rank, state);
    const double shared = shared_in(rank, state);

    cr_expect_eq(found, expected, "rank %u, %u: %ju, not %ju", rank, state, (uintmax_t)found,
                 (uintmax_t)expected);
    cr_expect(fabs(shared - (double)expected) < 0.01, "rank %u, %u: %g", rank, state, shared);
}

/* As archives_requests.c has it; MPI_Finalize takes 100. */
Test(call_state, is_the_same_by_ranks_on_the_page_and_in_the_profile)
{
    static const uint64_t of_rank_0[MWA_STATES] = {
        [MWA_STATE_P2P] = 232, [MWA_STATE_COLLECTIVE] = 413, [MWA_STATE_IO] = 51,
        [MWA_STATE_OTHER] = 100
    };

    open_with_ranks(make_requests);
    expect_ticks(0, MWA_STATE_P2P, 232);
    expect_ticks(0, MWA_STATE_COLLECTIVE, 313);
    expect_ticks(0, MWA_STATE_IO, 51);
    expect_ticks(0, MWA_STATE_OTHER, 100 + 100);
    expect_ticks(0, MWA_STATE_WAITING, 100);
    expect_ticks(0, MWA_STATE_USEFUL, 2900 - 232 - 413 - 51 - 100);
    expect_ticks(1, MWA_STATE_P2P, 15);
    expect_ticks(1, MWA_STATE_COLLECTIVE, 57);
    expect_ticks(1, MWA_STATE_WAITING, 0);
    for (unsigned state = MWA_STATE_P2P; state < MWA_STATES; state++) {
        cr_expect_eq(fixture.results.profile.ranks[0].state_ns[state], of_rank_0[state]);
    }
    cr_expect_eq(fixture.results.profile.ranks[0].io_ns, 51);
    fixture_close(&fixture);
}

/*
 * Row 6 of make_polls: what MPI_Test completes at last is waited for in polls that tell nothing,
 * all of 2900. Of late senders 4196 are told, since where their rows are outside of MPI is not.
 */
Test(call_state, does_not_hide_that_polls_wait)
{
    open_with_ranks(make_polls);
    cr_expect_eq(ticks_in(1, MWA_STATE_WAITING), 7096);
    cr_expect_eq(ticks_in(1, MWA_STATE_P2P) + ticks_in(1, MWA_STATE_COLLECTIVE), 6309);
    fixture_close(&fixture);
}

/* --- a thread that is told by hand ------------------------------------------------------------ */

static uint64_t told[MWA_LOCATION_STATES];

static void visit(void *user, unsigned state, uint64_t from, uint64_t to, uint64_t ticks)
{
    told[state] += ticks;
}

/* A thread is in MPI_Wait for 70 ticks, which is for use. */
static void wait_in_thread(struct mwa_activity *activity, uint64_t time, enum mwa_use use)
{
    static struct mwa_region region = { .call = MW_CALL_MPI_Wait, .kind = MWA_REGION_MPI };
    static const struct mwa_trace trace = { .regions = &region, .region_count = 1 };
    static const struct mwa_location location = { .rank = 0 };
    const struct mwa_event enters = { .kind = MWA_ENTER, .time = time };
    const struct mwa_event leaves = { .kind = MWA_LEAVE, .time = time + 70 };
    const struct mwa_call call = { .region = &region,
                                   .enter = time,
                                   .leave = time + 70,
                                   .inclusive = 70,
                                   .use = use,
                                   .outermost = true };
    struct mwa_moment moment = { .trace = &trace,
                                 .location = &location,
                                 .event = &enters,
                                 .mpi = &region,
                                 .mpi_depth = 1 };

    cr_assert_eq(mwa_activity_take(activity, &moment, visit, NULL), MW_OK);
    moment.event = &leaves;
    moment.call = &call;
    cr_assert_eq(mwa_activity_take(activity, &moment, visit, NULL), MW_OK);
}

Test(call_state, is_the_same_of_threads)
{
    struct mwa_activity activity = { .stack = NULL };

    wait_in_thread(&activity, 100, MWA_USE_OPERATIONS);
    wait_in_thread(&activity, 200, MWA_USE_UNTOLD);
    wait_in_thread(&activity, 300, MWA_USE_OPERATIONS);
    cr_expect_eq(told[MWA_STATE_COLLECTIVE], 140);
    cr_expect_eq(told[MWA_STATE_P2P], 70);
    mwa_activity_fini(&activity);
}
