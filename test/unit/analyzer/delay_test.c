#include "analyzer/analysis/delay/delay.h"

#include <criterion/criterion.h>

#include "test/data/archives_delay.h"
#include "test/data/archives_onesided.h"
#include "test/data/archives_probes.h"
#include "test/unit/analyzer/archive_fixture.h"

static struct fixture fixture;

static const struct mwa_delays *delays_of(void (*make)(const char *))
{
    fixture_open(&fixture, make);
    return &fixture.results.waits.delays;
}

/* What a rank's activity has cost: a region by name, "" for none. */
static void expect_cost(uint32_t rank, const char *name, uint64_t short_ns, uint64_t long_ns)
{
    const struct mwa_delays *delays = &fixture.results.waits.delays;
    const struct mwa_trace *trace = fixture.results.trace;
    uint64_t found[2] = { 0 };

    for (uint64_t i = 0; i < delays->cell_count; i++) {
        const struct mwa_delay_cell *cell = &delays->cells[i];
        const char *region =
            cell->region == trace->region_count ? "" : trace->regions[cell->region].name;

        if (cell->rank == rank && strcmp(region, name) == 0) {
            found[0] += cell->short_ns;
            found[1] += cell->long_ns;
        }
    }
    cr_expect_eq(found[0], short_ns, "rank %u, '%s': short-term %lu, not %lu", rank, name,
                 (unsigned long)found[0], (unsigned long)short_ns);
    cr_expect_eq(found[1], long_ns, "rank %u, '%s': long-term %lu, not %lu", rank, name,
                 (unsigned long)found[1], (unsigned long)long_ns);
}

static void expect_sums(uint64_t short_ns, uint64_t long_ns, uint64_t indirect_ns)
{
    const struct mwa_delays *delays = &fixture.results.waits.delays;

    cr_expect_eq(delays->short_ns, short_ns, "short-term %lu", (unsigned long)delays->short_ns);
    cr_expect_eq(delays->long_ns, long_ns, "long-term %lu", (unsigned long)delays->long_ns);
    cr_expect_eq(delays->indirect_ns, indirect_ns, "indirect %lu",
                 (unsigned long)delays->indirect_ns);
    cr_expect_eq(delays->unexplained_ns, 0);
}

Test(delay, of_a_chain_is_charged_to_what_the_first_rank_did_instead)
{
    const struct mwa_delays *delays = delays_of(make_delay_chain);

    cr_expect_eq(mwa_waits_total_ns(&fixture.results.waits), 1465);
    expect_cost(0, "", 775, 300);
    expect_cost(0, "solve", 130, 0);
    expect_cost(0, "MPI_Send", 30, 0);
    expect_cost(1, "", 220, 0);
    expect_cost(1, "MPI_Recv", 10, 0);
    cr_expect_eq(delays->cell_count, 5);
    cr_expect_eq(delays->cells[0].rank, 0, "the greatest comes first");
    cr_expect_eq(delays->rank_short_ns[0], 935);
    cr_expect_eq(delays->rank_long_ns[0], 300);
    cr_expect_eq(delays->rank_short_ns[1], 230);
    cr_expect_eq(delays->rank_short_ns[2], 0);
    expect_sums(1165, 300, 300);
    fixture_close(&fixture);
}

Test(delay, of_a_rank_that_starts_late_is_its_initialization)
{
    delays_of(make_delay_late_start);
    expect_cost(0, "MPI_Init", 300, 0);
    expect_sums(300, 0, 0);
    fixture_close(&fixture);
}

Test(delay, of_those_that_are_probed_for_is_what_they_did_instead)
{
    delays_of(make_probed_workers);
    cr_expect_eq(mwa_waits_total_ns(&fixture.results.waits), 800);
    expect_cost(2, "", 500, 0);
    expect_cost(1, "", 300, 0);
    expect_sums(800, 0, 0);
    fixture_close(&fixture);
}

Test(delay, is_passed_on_in_shares_over_any_number_of_ranks)
{
    delays_of(make_delay_shared);
    cr_expect_eq(mwa_waits_total_ns(&fixture.results.waits), 2000);
    expect_cost(0, "", 400, 800);
    expect_cost(1, "", 400, 400);
    expect_cost(2, "", 0, 0);
    expect_sums(800, 1200, 1200);
    fixture_close(&fixture);
}

Test(delay, is_what_was_done_since_all_have_met_even_if_nobody_waited)
{
    delays_of(make_delay_at_once);
    cr_expect_eq(mwa_waits_total_ns(&fixture.results.waits), 50);
    expect_cost(0, "", 50, 0);
    expect_sums(50, 0, 0);
    fixture_close(&fixture);
}

Test(delay, of_a_lock_is_what_its_holder_did_until_the_unlock_was_left)
{
    delays_of(make_onesided_turns);
    cr_expect_eq(mwa_waits_total_ns(&fixture.results.waits), 320 + 160);
    expect_cost(0, "", 290, 0);
    expect_cost(0, "MPI_Win_lock", 10, 0);
    expect_cost(0, "MPI_Win_unlock", 20, 0);
    expect_cost(1, "", 40, 0);
    expect_cost(1, "MPI_Win_lock", 60, 0);
    expect_cost(1, "MPI_Win_unlock", 60, 0);
    expect_sums(480, 0, 0);
    fixture_close(&fixture);
}

Test(delay, of_who_waited_since_inside_of_a_call_begins_where_that_was_left)
{
    delays_of(make_delay_inside);
    cr_expect_eq(mwa_waits_total_ns(&fixture.results.waits), 100 + 200 + 200 + 80);
    expect_cost(1, "", 100, 0);
    expect_cost(2, "", 400, 0);
    expect_cost(2, "MPI_Reduce", 80, 0);
    expect_sums(580, 0, 0);
    fixture_close(&fixture);
}

Test(delay, is_known_although_one_rank_has_more_events_and_is_held_back)
{
    delays_of(make_delay_uneven);
    cr_expect_eq(mwa_waits_total_ns(&fixture.results.waits), 40 * 2000);
    expect_sums(40 * 2000, 0, 0);
    fixture_close(&fixture);
}
