#include "analyzer/analysis/time/region_lanes.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "test/data/archives.h"
#include "test/data/maker.h"
#include "test/unit/analyzer/archive_fixture.h"

static struct fixture fixture;

/* Rank 0 is in "solve" from 20 to 90 thousand, in it once more from 30 to 40, rank 1 from 50 on;
 * the archive ends there at 100. */
static void make_solving(const char *directory)
{
    struct maker *maker = maker_create(directory, 2, 1);
    OTF2_EvtWriter *zero = maker_writer(maker, 0, 0), *one = maker_writer(maker, 1, 0);

    maker_length(maker, 100000);
    maker_init(zero);
    maker_init(one);
    maker_enter(zero, 20000, MAKER_USER);
    maker_enter(zero, 30000, MAKER_USER);
    maker_leave(zero, 40000, MAKER_USER);
    maker_leave(zero, 90000, MAKER_USER);
    maker_enter(one, 50000, MAKER_USER);
    maker_leave(one, 100000, MAKER_USER);
    maker_finalize(zero, 99900);
    maker_finish(maker);
}

/* The share of two ranks in the part of the window that a time lies in. */
static double share_at(uint64_t time)
{
    const struct mwa_region_lanes *lanes = &fixture.results.region_lanes;

    return mwa_region_lanes_share(lanes, &lanes->list[0], mwa_window_bin(&lanes->window, time), 2);
}

Test(region_lanes, tell_how_many_ranks_are_in_a_region_and_once_in_itself)
{
    const struct mwa_region_lane *lane;

    fixture_open(&fixture, make_solving);
    cr_assert_eq(fixture.results.region_lanes.count, 1);
    lane = &fixture.results.region_lanes.list[0];
    cr_expect_str_eq(fixture.results.trace->regions[lane->region].name, "solve");
    cr_expect_eq(lane->first, 20000);
    cr_expect_eq(lane->all, 70000 + 50000);
    cr_expect_float_eq(share_at(15000), 0, 1e-9);
    cr_expect_float_eq(share_at(25000), .5, 1e-9);
    cr_expect_float_eq(share_at(35000), .5, 1e-9, "in itself it counts once");
    cr_expect_float_eq(share_at(70000), 1, 1e-9);
    cr_expect_float_eq(share_at(95000), .5, 1e-9);
    fixture_close(&fixture);
}

/* What ranks spend in a region is what the table of regions says of them. */
Test(region_lanes, add_up_to_the_times_of_the_regions)
{
    uint64_t cells;
    const struct mwa_region_lane *lane;
    const struct mwa_region_cell *cell;

    fixture_open(&fixture, make_nested);
    cr_assert_eq(fixture.results.region_lanes.count, 1);
    lane = &fixture.results.region_lanes.list[0];
    cell = mwa_regions_of(&fixture.results.regions, lane->region, &cells);
    cr_assert_eq(cells, 1);
    cr_expect_eq(lane->all, 700);
    cr_expect_eq(cell->inclusive_ns, 700);
    fixture_close(&fixture);
}

Test(region_lanes, of_a_program_without_regions_are_none)
{
    fixture_open(&fixture, make_plain);
    cr_expect_eq(fixture.results.region_lanes.count, 0);
    fixture_close(&fixture);
}
