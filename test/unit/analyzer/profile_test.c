#include "analyzer/analysis/time/profile.h"

#include <criterion/criterion.h>
#include <string.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/report/verdict.h"
#include "test/data/archives.h"
#include "test/data/archives_efficiency.h"
#include "test/unit/analyzer/archive_fixture.h"

static struct fixture fixture;

Test(profile, takes_a_run_from_the_leave_of_init_to_the_enter_of_finalize)
{
    const struct mwa_rank_row *ranks;

    fixture_open(&fixture, make_plain);
    ranks = fixture.results.profile.ranks;
    cr_assert_eq(fixture.results.profile.rank_count, 2);
    cr_expect_eq(ranks[0].run_ns, 900);
    cr_expect_eq(ranks[0].mpi_ns, 100);
    cr_expect_eq(ranks[0].useful_ns, 800);
    cr_expect_eq(ranks[0].calls, 13);
    cr_expect_eq(ranks[0].bytes_sent, 1000);
    cr_expect_eq(ranks[1].run_ns, 1000);
    cr_expect_eq(ranks[1].mpi_ns, 150);
    cr_expect_eq(ranks[1].bytes_received, 1000);
    cr_expect_eq(mwa_duration_ns(&fixture.results), 1200);
    cr_expect_eq(fixture.results.pass.events, 16);
    cr_expect(mwa_is_complete(&fixture.results));
    fixture_close(&fixture);
}

Test(profile, counts_coalesced_polls_one_by_one_with_the_time_inside_them)
{
    struct mwa_call_row row;

    fixture_open(&fixture, make_plain);
    row = fixture_call(&fixture, "MPI_Test");
    cr_expect_eq(row.count, 10);
    cr_expect_eq(row.time_ns, 50);
    cr_expect_eq(row.min_ns, 5);
    cr_expect_eq(row.max_ns, 5);
    fixture_close(&fixture);
}

Test(profile, knows_the_group_of_a_call_and_its_spread_over_ranks)
{
    struct mwa_call_row row;

    fixture_open(&fixture, make_plain);
    row = fixture_call(&fixture, "MPI_Recv");
    cr_expect_str_eq(row.region->group, "p2p");
    cr_expect_eq(row.rank_min_ns, 0);
    cr_expect_eq(row.rank_max_ns, 150);
    cr_expect_eq(row.rank_max, 1);
    cr_expect_eq(row.bytes_received, 1000);
    fixture_close(&fixture);
}

Test(profile, takes_nested_calls_from_the_outer_one_but_counts_the_outer_one_only_in_mpi_time)
{
    fixture_open(&fixture, make_nested);
    cr_expect_eq(fixture_call(&fixture, "MPI_Allreduce").time_ns, 400 - 50 + 390 - 100);
    cr_expect_eq(fixture_call(&fixture, "MPI_Allreduce").bytes_sent, 16);
    cr_expect_eq(fixture_call(&fixture, "MPI_Send").time_ns, 50);
    cr_expect_eq(fixture_call(&fixture, "solve").count, 0);
    cr_expect_eq(fixture.results.profile.ranks[0].mpi_ns, 400);
    cr_expect_eq(fixture.results.profile.ranks[0].useful_ns, 500);
    cr_expect_eq(fixture.results.profile.ranks[1].mpi_ns, 390);
    cr_expect_eq(fixture.results.comms.rows[0].collectives, 1);
    cr_expect_eq(fixture.results.comms.rows[0].time_ns, 790);
    fixture_close(&fixture);
}

Test(profile, takes_the_programs_functions_that_mpi_calls_for_time_in_mpi)
{
    struct mwa_run_summary run;

    fixture_open(&fixture, make_callback);
    mwa_summarize_run(&fixture.results.profile, &run);
    cr_expect_eq(fixture_call(&fixture, "MPI_Allreduce").time_ns, 400 - 20 + 390 - 20);
    cr_expect_eq(fixture_call(&fixture, "MPI_Send").time_ns, 20);
    cr_expect_eq(fixture_call(&fixture, "MPI_Recv").time_ns, 20);
    cr_expect_eq(fixture.results.profile.ranks[0].mpi_ns, 400);
    cr_expect_eq(fixture.results.profile.ranks[1].mpi_ns, 390);
    cr_expect_eq(mwa_calls_time_ns(&fixture.results.profile), run.mpi_ns);
    cr_expect_eq(fixture.results.comms.mpi_ns, run.mpi_ns);
    fixture_close(&fixture);
}

/* The second one of two runs ends where no number of ns is left. */
Test(profile, tells_how_long_runs_take_that_end_as_late_as_can_be_told)
{
    struct mwa_rank_row rows[] = {
        { .has_events = true, .begin_ns = -10, .run_ns = 30 },
        { .rank = 1, .has_events = true, .begin_ns = INT64_MAX - 5, .run_ns = 30 }
    };
    const struct mwa_profile profile = { .ranks = rows, .rank_count = 2 };
    struct mwa_run_summary run;

    mwa_summarize_run(&profile, &run);
    cr_expect_eq(mwa_run_end_ns(&rows[0]), 20);
    cr_expect_eq(mwa_run_end_ns(&rows[1]), INT64_MAX);
    cr_expect_eq(run.length_ns, (uint64_t)INT64_MAX + 10);
}

Test(profile, measures_the_main_thread_and_counts_all_threads)
{
    fixture_open(&fixture, make_threads);
    cr_expect_eq(fixture.results.trace->ranks[1].locations, 2);
    cr_expect_eq(fixture.results.profile.ranks[1].calls, 6);
    cr_expect_eq(fixture.results.profile.ranks[1].mpi_ns, 140 + 1);
    cr_expect_eq(fixture.results.profile.ranks[1].bytes_received, 600);
    fixture_close(&fixture);
}

Test(profile, doubts_the_order_of_messages_where_several_threads_of_a_rank_call_mpi)
{
    fixture_open(&fixture, make_threads);
    cr_expect_eq(fixture.results.profile.ranks[0].callers, 1);
    cr_expect_eq(fixture.results.profile.ranks[1].callers, 2);
    cr_expect(mwa_may_be_mismatched(&fixture.results));
    fixture_close(&fixture);

    fixture_open(&fixture, make_working_threads);
    cr_expect_eq(fixture.results.trace->ranks[1].locations, 2);
    cr_expect_eq(fixture.results.profile.ranks[1].callers, 1, "the other one only computes");
    cr_expect_eq(fixture.results.matching.clock_violations, 1);
    cr_expect_not(mwa_may_be_mismatched(&fixture.results), "so clocks disagree");
    fixture_close(&fixture);
}

Test(profile, closes_a_call_in_which_the_record_ends_and_calls_the_archive_incomplete)
{
    fixture_open(&fixture, make_open);
    cr_expect_eq(fixture.results.profile.open_calls, 1);
    cr_expect_eq(fixture_call(&fixture, "MPI_Recv").count, 1);
    cr_expect_not(mwa_is_complete(&fixture.results));
    fixture_close(&fixture);
}

Test(profile, has_nothing_to_judge_in_an_archive_without_events)
{
    char text[MWA_VERDICT_BYTES];

    fixture_open(&fixture, make_empty);
    cr_expect_eq(fixture.results.profile.call_count, 0);
    cr_expect_eq(mwa_duration_ns(&fixture.results), 0);
    cr_expect_str_eq(mwa_verdict(&fixture.results, text),
                     "nothing to judge: the archive has no events");
    cr_expect_not(mwa_is_complete(&fixture.results));
    fixture_close(&fixture);
}

Test(verdict, does_not_begin_with_what_costs_the_run_nothing)
{
    char text[MWA_VERDICT_BYTES];

    /* Of the others ranks 0 and 3 wait for rank 1, 600 and 610 of 4 x 1000 ns; but rank 2 computes
     * all the time, so that the run would be as long if they did not. */
    fixture_open(&fixture, make_longer);
    cr_expect_eq(fixture.results.profile.ranks[0].probing_ns, 285);
    cr_expect_eq(fixture.results.profile.ranks[2].probing_ns, 0);
    cr_expect_str_eq(mwa_verdict(&fixture.results, text),
                     "MPI-bound: waiting takes 30.2% of the ranks' run, 100% of it late sender in "
                     "MPI_Recv, 100% for rank 1");
    cr_expect_null(mwa_second_verdict(&fixture.results, text));
    cr_expect_str_eq(mwa_advice(&fixture.results, text),
                     "send earlier, or compute something else before MPI_Wait: post MPI_Irecv "
                     "early. -> waits");
    fixture_close(&fixture);
}

Test(profile, is_not_made_of_times_that_go_backwards)
{
    struct mwa_results results;

    fixture_make(&fixture, make_backwards);
    cr_assert_eq(mwa_input_open(fixture.directory, &fixture.input, NULL), MW_OK);
    cr_expect_eq(mwa_collect(fixture.input, fixture.directory, MWA_NEED_REPORT, NULL, &results,
                             &fixture.diagnostic),
                 MW_ERROR_FORMAT);
    cr_expect_not_null(strstr(fixture.diagnostic.where, "traces/0.evt"));
    mwa_results_fini(&results);
    fixture_close(&fixture);
}

Test(comms, have_lives_members_and_traffic)
{
    const struct mwa_comm_row *half, *kept;

    fixture_open(&fixture, make_comms);
    cr_assert_eq(fixture.results.comms.count, 4);
    half = &fixture.results.comms.rows[2];
    kept = &fixture.results.comms.rows[3];
    cr_expect_eq(half->messages, 1);
    cr_expect_eq(half->bytes, 64);
    cr_expect_eq(half->collectives, 1);
    cr_expect_eq(half->collective_bytes, 32);
    cr_expect_eq(half->time_ns, 10 + 110 + 100 + 90);
    cr_expect_eq(half->created_ns, 100);
    cr_expect(half->has_freed);
    cr_expect_eq(half->freed_ns, 700);
    cr_expect(kept->has_created);
    cr_expect_not(kept->has_freed);
    cr_expect_eq(fixture.results.comms.alive_max, 2);
    cr_expect_eq(fixture.results.traffic.pairs[0].from, 2);
    cr_expect_eq(fixture.results.traffic.pairs[0].to, 0);
    fixture_close(&fixture);
}
