#include "analyzer/analysis/efficiency/imbalance.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "test/data/archives.h"
#include "test/data/archives_efficiency.h"
#include "test/unit/analyzer/archive_fixture.h"

static struct fixture fixture;

static const struct mwa_imbalance_row *row_of(const char *name)
{
    const struct mwa_imbalance *imbalance = &fixture.results.imbalance;

    for (uint64_t i = 0; i < imbalance->count; i++) {
        if (strcmp(imbalance->rows[i].name, name) == 0) {
            return &imbalance->rows[i];
        }
    }
    cr_assert_fail("no row %s", name);
    return NULL;
}

static bool near(double value, double expected)
{
    return fabs(value - expected) < 1e-4;
}

/* 250, 100, 200: average 183.33, deviations 66.67, -83.33, 16.67, of which √(Σ²/3) is 62.36. */
Test(imbalance, of_a_region_is_of_the_exclusive_times_of_its_ranks)
{
    const struct mwa_imbalance_row *row;

    fixture_open(&fixture, make_uneven);
    row = row_of("solve");
    cr_expect_eq(row->kind, MWA_IMBALANCE_REGION);
    cr_expect_eq(row->participants, 3);
    cr_expect_eq(row->absent, 0);
    cr_expect_eq(row->total_ns, 550);
    cr_expect_eq(row->min_ns, 100);
    cr_expect_eq(row->rank_min, 1);
    cr_expect_eq(row->average_ns, 183);
    cr_expect_eq(row->max_ns, 250);
    cr_expect_eq(row->rank_max, 0);
    cr_expect(near(row->load_balance, 0.73333));
    cr_expect(near(row->cov, 0.34015));
    cr_expect_eq(row->overload_ns, 83);
    cr_expect_eq(row->underload_ns, 83);
    cr_expect_eq(row->per_rank_ns[0], 250);
    cr_expect_eq(row->per_rank_ns[2], 200);
    fixture_close(&fixture);
}

Test(imbalance, of_the_run_is_that_of_useful_time_and_comes_first)
{
    const struct mwa_imbalance_row *row;

    fixture_open(&fixture, make_uneven);
    row = &fixture.results.imbalance.rows[0];
    cr_expect_str_eq(row->name, "useful");
    cr_expect_eq(row->total_ns, 850 + 880 + 900);
    cr_expect_eq(row->rank_max, 2);
    cr_expect(near(row->load_balance, 2630.0 / 3 / 900));
    fixture_close(&fixture);
}

Test(imbalance, counts_ranks_that_do_not_take_part_and_leaves_them_out_of_the_average)
{
    const struct mwa_imbalance_row *row;

    fixture_open(&fixture, make_uneven);
    row = row_of("MPI_Send");
    cr_expect_eq(row->kind, MWA_IMBALANCE_MPI);
    cr_expect_eq(row->participants, 1);
    cr_expect_eq(row->absent, 2);
    cr_expect_eq(row->average_ns, 50);
    cr_expect(near(row->load_balance, 1));
    cr_expect_eq(row->overload_ns, 0);
    fixture_close(&fixture);
}

Test(regions, have_the_time_inside_them_within_the_run_and_what_of_it_is_useful)
{
    const struct mwa_region_cell *cells = NULL;
    uint64_t count = 0;

    fixture_open(&fixture, make_uneven);
    for (uint32_t i = 0; !cells && i < fixture.results.trace->region_count; i++) {
        if (fixture.results.trace->regions[i].kind == MWA_REGION_USER) {
            cells = mwa_regions_of(&fixture.results.regions, i, &count);
        }
    }
    cr_assert_not_null(cells);
    cr_assert_eq(count, 3);
    cr_expect_eq(cells[0].inclusive_ns, 300);
    cr_expect_eq(cells[0].useful_ns, 250);
    cr_expect_eq(cells[1].inclusive_ns, 100);
    cr_expect_eq(cells[1].useful_ns, 100);
    cr_expect_eq(cells[2].visits, 1);
    fixture_close(&fixture);
}

Test(imbalance, of_an_archive_without_events_has_no_rows)
{
    fixture_open(&fixture, make_empty);
    cr_expect_eq(fixture.results.imbalance.count, 0);
    fixture_close(&fixture);
}
