#include "analyzer/analysis/collect.h"

#include <criterion/criterion.h>

#include "analyzer/analysis/chosen_window.h"
#include "test/data/archives_comms.h"
#include "test/unit/analyzer/archive_fixture.h"

static struct fixture fixture;

/* What the pass has made when only needs were asked for. */
static uint64_t has(uint64_t needs)
{
    struct mwa_results results;
    uint64_t made;

    fixture_make(&fixture, make_comm_lives);
    cr_assert_eq(mwa_input_open(fixture.directory, &fixture.input, &fixture.diagnostic), MW_OK);
    cr_assert_eq(mwa_collect(fixture.input, fixture.directory, needs, NULL, &results,
                             &fixture.diagnostic),
                 MW_OK);
    made = results.has;
    mwa_results_fini(&results);
    fixture_close(&fixture);
    return made;
}

Test(collect, makes_each_analysis_by_itself)
{
    for (unsigned i = 0; i < MWA_ANALYSES; i++) {
        cr_expect(has(MWA_NEED_BIT(i)) & MWA_NEED_BIT(i), "row %u", i);
    }
}

Test(collect, adds_what_is_required_and_nothing_else)
{
    cr_expect_eq(has(MWA_NEED_PROFILE), MWA_NEED_PROFILE);
    cr_expect_eq(has(MWA_NEED_IMBALANCE),
                 MWA_NEED_IMBALANCE | MWA_NEED_PROFILE | MWA_NEED_REGIONS);
    cr_expect_eq(has(MWA_NEED_WATERMARKS),
                 MWA_NEED_WATERMARKS | MWA_NEED_LEVELS | MWA_NEED_EXCHANGE | MWA_NEED_MATCHING |
                     MWA_NEED_COUNTERS | MWA_NEED_TRACKS | MWA_NEED_PROFILE);
    cr_expect_eq(has(MWA_NEED_RANK_STATES),
                 MWA_NEED_RANK_STATES | MWA_NEED_RANK_WAITS | MWA_NEED_WINDOW | MWA_NEED_WAITS |
                     MWA_NEED_EXCHANGE | MWA_NEED_MATCHING);
}

/* Numbers as the tests of each have them, beside all others. */
Test(collect, makes_all_of_them_in_one_pass)
{
    struct mwa_results results;

    fixture_make(&fixture, make_comm_lives);
    cr_assert_eq(mwa_input_open(fixture.directory, &fixture.input, &fixture.diagnostic), MW_OK);
    cr_assert_eq(mwa_collect(fixture.input, fixture.directory, UINT64_MAX, NULL, &results,
                             &fixture.diagnostic),
                 MW_OK);
    cr_expect_eq(results.comm_timeline.alive_max, 2);
    cr_expect_eq(results.comm_timeline.alive_max_ns, 140);
    cr_expect_eq(results.rank_states.bins, MWA_WINDOW_BINS);
    cr_expect_eq(results.timeline.rows, 3);
    mwa_results_fini(&results);
    fixture_close(&fixture);
}
