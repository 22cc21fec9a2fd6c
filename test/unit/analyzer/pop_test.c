#include "analyzer/analysis/efficiency/pop.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "test/data/archives.h"
#include "test/data/archives_efficiency.h"
#include "test/data/archives_neighbors.h"
#include "test/data/archives_probes.h"
#include "test/unit/analyzer/archive_fixture.h"

static struct fixture fixture;

/* T, T_ideal and the clocks of the ideal network; the factors follow by their definitions. */
static const struct mwa_pop_factors *judge(void (*make)(const char *), uint64_t runtime,
                                           uint64_t ideal)
{
    const struct mwa_pop_factors *run = &fixture.results.pop.run;

    fixture_open(&fixture, make);
    cr_assert(mwa_has(&fixture.results, MWA_NEED_POP));
    cr_expect_eq(run->runtime_ns, runtime, "T is %lu", (unsigned long)run->runtime_ns);
    cr_expect_eq(run->ideal_ns, ideal, "T_ideal is %lu", (unsigned long)run->ideal_ns);
    cr_expect_null(fixture.results.pop.ideal_unknown);
    return run;
}

static void expect_clocks(const uint64_t *clocks)
{
    const struct mwa_ideal *ideal = &fixture.results.replay.ideal;

    for (uint64_t i = 0; i < ideal->rank_count; i++) {
        cr_expect_eq(ideal->per_rank_ns[i], clocks[i], "rank %lu: %lu", (unsigned long)i,
                     (unsigned long)ideal->per_rank_ns[i]);
    }
}

static void expect_near(double value, double expected)
{
    cr_expect(fabs(value - expected) < 1e-6, "%f is not %f", value, expected);
}

Test(pop, of_a_chain_of_messages_has_the_factors_that_are_worked_out_on_paper)
{
    const struct mwa_pop_factors *run = judge(make_chain, 1300, 1000);

    expect_clocks((const uint64_t[]){ 800, 700, 1000 });
    expect_near(run->parallel_efficiency, 2000.0 / 3900);
    expect_near(run->load_balance, 2000.0 / 2400);
    expect_near(run->communication_efficiency, 800.0 / 1300);
    expect_near(run->serialisation_efficiency, 800.0 / 1000);
    expect_near(run->transfer_efficiency, 1000.0 / 1300);
    cr_expect_eq(run->useful_total_ns, 2000);
    cr_expect_eq(run->useful_rank_max, 0);
    fixture_close(&fixture);
}

Test(pop, of_a_ring_sends_when_the_send_begins_and_receives_when_it_is_complete)
{
    const struct mwa_pop_factors *run = judge(make_ring, 900, 870);

    expect_clocks((const uint64_t[]){ 590, 870, 695 });
    expect_near(run->serialisation_efficiency, 1);
    expect_near(run->transfer_efficiency, 870.0 / 900);
    fixture_close(&fixture);
}

Test(pop, gives_receives_from_anybody_the_message_that_they_got)
{
    judge(make_any_source, 900, 890);
    expect_clocks((const uint64_t[]){ 800, 890, 890 });
    fixture_close(&fixture);
}

Test(pop, gives_probes_the_message_that_they_found)
{
    judge(make_probed_workers, 1100, 1080);
    expect_clocks((const uint64_t[]){ 1080, 990, 990 });
    fixture_close(&fixture);
}

Test(pop, waits_in_an_allreduce_for_the_last_one)
{
    const struct mwa_pop_factors *run = judge(make_allreduce, 900, 850);

    expect_clocks((const uint64_t[]){ 850, 650, 750 });
    expect_near(run->load_balance, 1);
    expect_near(run->serialisation_efficiency, 650.0 / 850);
    expect_near(run->transfer_efficiency, 850.0 / 900);
    fixture_close(&fixture);
}

Test(pop, waits_in_rooted_collectives_only_where_data_comes_from)
{
    const struct mwa_pop_factors *run = judge(make_rooted, 1000, 940);

    expect_clocks((const uint64_t[]){ 870, 860, 940 });
    expect_near(run->serialisation_efficiency, 870.0 / 940);
    fixture_close(&fixture);
}

Test(pop, waits_for_neighbours_and_for_those_that_give_something)
{
    judge(make_halo, 1400, 1300);
    expect_clocks((const uint64_t[]){ 1300, 1110, 960 });
    fixture_close(&fixture);
}

Test(pop, waits_for_the_beginning_of_a_non_blocking_collective_when_it_is_completed)
{
    judge(make_overlap, 800, 710);
    expect_clocks((const uint64_t[]){ 700, 710 });
    fixture_close(&fixture);
}

Test(pop, counts_polls_that_find_nothing_as_useful_but_for_their_time_inside)
{
    /* rank 0: 100 until its send, 750 of 800 behind it, 150 of the polls' 200 among them. */
    judge(make_plain, 1000, 900);
    expect_clocks((const uint64_t[]){ 800, 900 });
    fixture_close(&fixture);
}

Test(pop, of_a_region_is_of_the_time_inside_it)
{
    const struct mwa_pop_factors *solve;

    judge(make_region, 900, 890);
    cr_assert_eq(fixture.results.pop.region_count, 1);
    cr_expect_str_eq(fixture.results.pop.regions[0].name, "solve");
    solve = &fixture.results.pop.regions[0].factors;
    cr_expect_eq(solve->ranks, 2);
    cr_expect_eq(solve->runtime_ns, 450);
    cr_expect_eq(solve->ideal_ns, 390);
    expect_near(solve->load_balance, 530.0 / 780);
    expect_near(solve->communication_efficiency, 390.0 / 450);
    expect_near(solve->parallel_efficiency, 530.0 / 900);
    expect_near(solve->serialisation_efficiency, 1);
    expect_near(solve->transfer_efficiency, 390.0 / 450);
    fixture_close(&fixture);
}

/* 0 posts 101 after 2 has begun to send, 1 posts 301 after 0 has; 2 posts in time. */
Test(queueing, is_from_the_beginning_of_a_send_to_the_posting_of_its_receive)
{
    const struct mwa_queueing *queueing = &fixture.results.queueing;

    fixture_open(&fixture, make_ring);
    cr_assert(mwa_has(&fixture.results, MWA_NEED_QUEUEING));
    cr_expect_eq(queueing->matched, 3);
    cr_expect_eq(queueing->without_bytes, 0);
    cr_expect_eq(queueing->late_posted, 2);
    cr_expect_eq(queueing->total_ns, 101 + 301);
    cr_expect_eq(queueing->max_ns, 301);
    cr_expect_eq(queueing->max_from, 0);
    cr_expect_eq(queueing->max_to, 1);
    expect_near(queueing->late_byte_ns, 100 * (101 + 301));
    fixture_close(&fixture);
}

static void expect_unknown(void (*make)(const char *), const char *why)
{
    const struct mwa_pop *pop = &fixture.results.pop;

    fixture_open(&fixture, make);
    cr_assert_not_null(pop->ideal_unknown);
    cr_expect_str_eq(pop->ideal_unknown, why);
    cr_expect(isnan(pop->run.serialisation_efficiency));
    cr_expect(isnan(pop->run.transfer_efficiency));
    fixture_close(&fixture);
}

Test(pop, says_why_there_is_no_ideal_run_of_what_is_not_whole)
{
    expect_unknown(make_paused, "receives have no sends");
    expect_unknown(make_open, "a rank's record ends inside a call");
    expect_unknown(make_threads, "others than main threads exchange messages");
    expect_unknown(make_empty, "no rank has a run");
}

static uint64_t on_path(const char *name)
{
    const struct mwa_critical_path *path = &fixture.results.critical_path;

    for (uint64_t i = 0; i < path->row_count; i++) {
        if (strcmp(path->rows[i].name, name) == 0) {
            return path->rows[i].path_ns;
        }
    }
    return 0;
}

static void expect_path(void (*make)(const char *), uint64_t length, uint64_t hops,
                        const uint64_t *ranks)
{
    const struct mwa_critical_path *path = &fixture.results.critical_path;

    fixture_open(&fixture, make);
    cr_assert(path->known);
    cr_expect_eq(path->length_ns, length, "length %lu", (unsigned long)path->length_ns);
    cr_expect_eq(path->hops, hops, "hops %lu", (unsigned long)path->hops);
    for (uint64_t i = 0; i < path->rank_count; i++) {
        cr_expect_eq(path->per_rank_ns[i], ranks[i], "rank %lu: %lu", (unsigned long)i,
                     (unsigned long)path->per_rank_ns[i]);
    }
}

Test(critical_path, goes_to_late_senders)
{
    expect_path(make_chain, 1300, 2, (const uint64_t[]){ 200, 350, 750 });
    cr_expect_eq(fixture.results.critical_path.end_rank, 2);
    cr_expect_eq(on_path("useful"), 1000);
    cr_expect_eq(on_path("MPI_Recv"), 300);
    cr_expect_eq(on_path("MPI_Send"), 0);
    fixture_close(&fixture);
}

Test(critical_path, goes_to_those_that_are_probed_for)
{
    expect_path(make_probed_workers, 1100, 1, (const uint64_t[]){ 200, 900, 0 });
    cr_expect_eq(fixture.results.critical_path.end_rank, 0);
    cr_expect_eq(on_path("useful"), 1080);
    cr_expect_eq(on_path("MPI_Probe"), 10);
    cr_expect_eq(on_path("MPI_Recv"), 10);
    fixture_close(&fixture);
}

Test(critical_path, stays_on_a_rank_that_does_not_wait)
{
    expect_path(make_ring, 900, 0, (const uint64_t[]){ 900, 0, 0 });
    cr_expect_eq(on_path("useful"), 590);
    cr_expect_eq(on_path("MPI_Recv"), 299);
    cr_expect_eq(on_path("MPI_Wait"), 10);
    fixture_close(&fixture);
}

Test(critical_path, goes_to_the_last_one_in_an_allreduce)
{
    expect_path(make_allreduce, 900, 1, (const uint64_t[]){ 600, 300, 0 });
    cr_expect_eq(on_path("MPI_Allreduce"), 50);
    fixture_close(&fixture);
}

Test(critical_path, goes_to_roots_and_to_those_that_a_root_waits_for)
{
    expect_path(make_rooted, 1000, 2, (const uint64_t[]){ 300, 430, 270 });
    cr_expect_eq(on_path("MPI_Bcast"), 30);
    cr_expect_eq(on_path("MPI_Reduce"), 30);
    fixture_close(&fixture);
}

Test(critical_path, goes_to_the_last_neighbour_and_the_last_that_gives_something)
{
    expect_path(make_halo, 1400, 2, (const uint64_t[]){ 500, 300, 600 });
    cr_expect_eq(on_path("MPI_Neighbor_alltoall"), 50);
    cr_expect_eq(on_path("MPI_Alltoallv"), 50);
    fixture_close(&fixture);
}

Test(critical_path, goes_to_the_one_that_began_a_non_blocking_collective_late)
{
    expect_path(make_overlap, 800, 1, (const uint64_t[]){ 300, 500 });
    cr_expect_eq(on_path("MPI_Wait"), 100);
    fixture_close(&fixture);
}

Test(critical_path, goes_to_the_last_that_is_there_of_a_non_blocking_collective)
{
    expect_path(make_overlap_lost, 800, 1, (const uint64_t[]){ 300, 500, 0 });
    cr_expect_eq(on_path("MPI_Wait"), 100);
    fixture_close(&fixture);
}

Test(critical_path, goes_to_the_last_of_late_receivers)
{
    expect_path(make_late_post, 1100, 1, (const uint64_t[]){ 300, 0, 800 });
    cr_expect_eq(fixture.results.critical_path.end_rank, 0);
    cr_expect_eq(on_path("MPI_Waitall"), 100);
    cr_expect_eq(on_path("MPI_Send"), 0);
    cr_expect_eq(on_path("useful"), 1000);
    cr_expect_eq(fixture.results.pop.run.ideal_ns, 890);
    expect_clocks((const uint64_t[]){ 398, 820, 890 });
    fixture_close(&fixture);
}

/* The average of solve is (390 + 140) / 2; both ranks end at 1000, and the path is rank 0. */
Test(critical_path, knows_regions_and_what_they_have_above_the_average)
{
    expect_path(make_region, 900, 0, (const uint64_t[]){ 900, 0 });
    cr_expect_eq(on_path("solve"), 390);
    for (uint64_t i = 0; i < fixture.results.critical_path.row_count; i++) {
        const struct mwa_path_row *row = &fixture.results.critical_path.rows[i];

        if (strcmp(row->name, "solve") == 0) {
            cr_expect_eq(row->average_ns, 265);
            cr_expect_eq(row->imbalance_ns, 125);
        }
    }
    fixture_close(&fixture);
}
