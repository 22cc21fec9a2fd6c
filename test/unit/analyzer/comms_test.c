#include "analyzer/analysis/comms/comm_history.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/chosen_window.h"
#include "analyzer/analysis/comms/comm_findings.h"
#include "analyzer/analysis/comms/comm_selection.h"
#include "analyzer/analysis/comms/comm_timeline.h"
#include "analyzer/analysis/comms/comm_tree.h"
#include "analyzer/model/ranges.h"
#include "analyzer/report/text.h"
#include "test/data/archives_comms.h"
#include "test/data/maker.h"
#include "test/unit/analyzer/archive_fixture.h"

enum { WORLD = 0, ALPHA = 2, BETA = 3 };

static struct fixture fixture;

static const struct mwa_comm_row *row_of(uint32_t comm)
{
    return &fixture.results.comms.rows[comm];
}

/* --- one archive, worked out on paper ------------------------------------------- */

Test(comms, count_what_is_charged_to_them)
{
    fixture_open(&fixture, make_comm_lives);
    cr_expect_eq(row_of(WORLD)->calls, 3);
    cr_expect_eq(row_of(WORLD)->time_ns, 140);
    cr_expect_eq(row_of(ALPHA)->calls, 8);
    cr_expect_eq(row_of(ALPHA)->time_ns, 50 + 71 + 61 + 15);
    cr_expect_eq(row_of(ALPHA)->messages, 1);
    cr_expect_eq(row_of(ALPHA)->bytes, 32);
    cr_expect_eq(row_of(BETA)->calls, 4);
    cr_expect_eq(row_of(BETA)->time_ns, 20 + 160 + 20 + 10 + 40);
    cr_expect_eq(row_of(BETA)->bytes, 64);
    fixture_close(&fixture);
}

Test(comms, have_the_calls_on_their_windows_and_files)
{
    const struct mwa_comms *comms = &fixture.results.comms;

    fixture_open(&fixture, make_comm_objects);
    cr_expect_eq(row_of(WORLD)->time_ns, 59);
    cr_expect_eq(row_of(ALPHA)->time_ns, 220);
    cr_expect_eq(row_of(BETA)->time_ns, 43);
    cr_expect_eq(comms->none_ns, 15);
    cr_expect_eq(comms->mpi_ns, 337);
    cr_expect_eq(comms->by_time[0], row_of(ALPHA));
    cr_expect_eq(comms->by_time[2], row_of(BETA));
    cr_expect_eq(mwa_comm_findings_of(&fixture.results.comm_findings, MWA_COMM_UNUSED), 0);
    fixture_close(&fixture);
}

/* MPI_Init is left at 100: times count from there. */
static void expect_life(uint32_t comm, uint64_t at, uint32_t rank, int64_t created_ns,
                        int64_t freed_ns)
{
    const struct mwa_comm_life *life = &fixture.results.comms.lives[row_of(comm)->first_life + at];

    cr_expect_eq(life->rank, rank);
    cr_expect_eq(life->created_ns, created_ns);
    cr_expect_eq(life->has_freed, freed_ns > 0);
    cr_expect_eq(life->freed_ns, freed_ns);
}

Test(comms, live_on_each_member_for_a_time_of_its_own)
{
    fixture_open(&fixture, make_comm_lives);
    cr_assert_eq(row_of(ALPHA)->life_count, 3);
    expect_life(ALPHA, 0, 0, 90, 600);
    expect_life(ALPHA, 1, 1, 100, 650);
    expect_life(ALPHA, 2, 2, 110, 0);
    cr_assert_eq(row_of(BETA)->life_count, 2);
    expect_life(BETA, 0, 0, 140, 500);
    expect_life(BETA, 1, 1, 150, 400);
    cr_expect_eq(fixture.results.comms.created, 2);
    cr_expect_eq(fixture.results.comms.alive_max, 2);
    fixture_close(&fixture);
}

/*
 * Of "left" {0} and "right" {1, 2} an intercommunicator, whose parent is left: 0 makes it in 60,
 * 1 and 2 in 50 and 40.
 */
static void make_halves(const char *directory)
{
    static const uint64_t left[] = { 0 }, right[] = { 1, 2 };
    struct maker *maker = maker_create(directory, 3, 1);

    maker_comm(maker, "left", MAKER_WORLD, 1, left);
    maker_comm(maker, "right", MAKER_WORLD, 2, right);
    maker_inter_comm(maker, "bridge", ALPHA, 1, left, 2, right);
    for (uint32_t i = 0; i < 3; i++) {
        OTF2_EvtWriter *writer = maker_writer(maker, i, 0);

        maker_init(writer);
        maker_comm_create(writer, 110, 120, i == 0 ? ALPHA : BETA);
        maker_comm_create(writer, 140 + 10 * i, 200, BETA + 1);
        maker_finalize(writer, 1000);
    }
    maker_finish(maker);
}

Test(comms, of_each_side_are_what_an_intercommunicator_is_made_of)
{
    fixture_open(&fixture, make_halves);
    cr_expect_eq(row_of(ALPHA)->time_ns, 60);
    cr_expect_eq(row_of(BETA)->time_ns, 50 + 40);
    cr_expect_eq(mwa_comm_findings_of(&fixture.results.comm_findings, MWA_COMM_UNUSED), 1);
    fixture_close(&fixture);
}

/*
 * Of its calls only those that communicate name their communicator. LIGGGHTS makes one by
 * MPI_Cart_create, asks it by MPI_Cart_get, MPI_Cart_shift and MPI_Cart_rank, and frees it: it was
 * used, and only what is known may be denied.
 */
Test(comms, that_are_only_asked_for_ranks_are_not_said_to_be_unused)
{
    char text[MWA_COMM_FINDING_BYTES];

    fixture_open(&fixture, make_halves);
    cr_assert_eq(fixture.results.comm_findings.list[0].kind, MWA_COMM_LEAKED);
    mwa_comm_finding_text(fixture.results.trace, &fixture.results.comm_findings.list[0], text);
    cr_expect_not(strstr(text, "asked for"));
    cr_assert_eq(fixture.results.comm_findings.list[1].kind, MWA_COMM_UNUSED);
    mwa_comm_finding_text(fixture.results.trace, &fixture.results.comm_findings.list[1], text);
    cr_expect_not(strstr(text, "not used"));
    cr_expect(strstr(text, "ranks or topology were asked for is not recorded): bridge"));
    fixture_close(&fixture);
}

Test(comms, freed_by_some_of_their_members_are_found)
{
    struct mwa_comm_findings findings;

    fixture_open(&fixture, make_comm_lives);
    cr_assert_eq(mwa_comm_findings_make(fixture.results.trace, &fixture.results.comms, NULL,
                                        &findings),
                 MW_OK);
    cr_assert_eq(findings.count, 1);
    cr_expect_eq(findings.list[0].kind, MWA_COMM_PARTLY_FREED);
    cr_assert_eq(findings.list[0].count, 1);
    cr_expect_eq(findings.list[0].comms[0], ALPHA);
    mwa_comm_findings_fini(&findings);
    fixture_close(&fixture);
}

Test(comms, stand_behind_their_parents)
{
    static const uint32_t order[] = { WORLD, ALPHA, BETA, 1 };
    static const uint32_t depth[] = { 0, 1, 2, 0 };
    struct mwa_comm_tree tree;

    fixture_open(&fixture, make_comm_lives);
    cr_assert_eq(mwa_comm_tree_make(fixture.results.trace, &fixture.results.comms, &tree), MW_OK);
    cr_assert_eq(tree.count, 4);
    for (unsigned i = 0; i < 4; i++) {
        cr_expect_eq(tree.nodes[i].row->comm, order[i], "place %u", i);
        cr_expect_eq(tree.nodes[i].depth, depth[i], "place %u", i);
    }
    mwa_comm_tree_fini(&tree);
    fixture_close(&fixture);
}

/* --- as text ----------------------------------------------------------------------- */

/* What the communicators' text says of registrations, a line each. */
static char *registered_text(void)
{
    char *text = NULL, *lines = calloc(1, 4096);
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    cr_assert(out && lines);
    mwa_text_comms(&fixture.results, &(struct mwa_screen){ 0 }, out);
    fclose(out);
    for (const char *at = strstr(text, "registered "); at; at = strstr(at + 1, "registered ")) {
        strncat(lines, at, strcspn(at, "\n") + 1);
    }
    free(text);
    return lines;
}

Test(comms, say_of_registrations_that_end_and_of_those_that_last_which_ranks_have_them)
{
    static const struct mwa_registration made[] = {
        { ALPHA, 0, "halo", 200, false, 0 },   { ALPHA, 0, "pair", 210, true, 300 },
        { ALPHA, 1, "halo", 190, true, 700 },  { ALPHA, 1, "pair", 220, true, 300 },
        { ALPHA, 2, "halo", 250, true, 400 },  { ALPHA, 2, "halo", 500, false, 0 },
    };
    struct mwa_comms *comms = &fixture.results.comms;
    char *text;

    fixture_open(&fixture, make_comm_lives);
    free(comms->registrations);
    comms->registrations = malloc(sizeof made);
    cr_assert_not_null(comms->registrations);
    memcpy(comms->registrations, made, sizeof made);
    comms->registration_count = 6;
    comms->rows[ALPHA].first_registration = 0;
    comms->rows[ALPHA].registration_count = 6;
    text = registered_text();
    cr_expect_str_eq(text,
                     "registered \"halo\" from 190 ns to 700 ns, the first to 400 ns, on ranks "
                     "1-2\n"
                     "registered \"halo\" from 200 ns to the end on ranks 0,2\n"
                     "registered \"pair\" from 210 ns to 300 ns on ranks 0-1\n");
    free(text);
    fixture_close(&fixture);
}

/* --- over time --------------------------------------------------------------------- */

/* The timeline of from to to (ticks) in so many bins, of the communicators selected. */
struct timed {
    struct mwa_comms comms;
    struct mwa_comm_activity activity;
    struct mwa_comm_timeline timeline;
};

static void make_timed(struct timed *timed, uint64_t from, uint64_t to, uint32_t bins)
{
    const struct mwa_analysis *analyses[] = { &mwa_comms_analysis, &mwa_comm_activity_analysis };
    const struct mwa_window window = { .from = from, .to = to, .bins = bins };
    const struct mwa_pass pass = { .input = fixture.input,
                                   .analyses = analyses,
                                   .analysis_count = 2,
                                   .only_rank = MWA_NONE,
                                   .window = &window };
    struct mwa_pass_result result;
    void *totals[2];

    memset(timed, 0, sizeof *timed);
    cr_assert_eq(mwa_pass_run(&pass, totals, &result, &fixture.diagnostic), MW_OK);
    cr_assert_eq(mwa_comms_analysis.finish(totals[0], &timed->comms), MW_OK);
    cr_assert_eq(mwa_comm_activity_analysis.finish(totals[1], &timed->activity), MW_OK);
    cr_assert_eq(mwa_comm_timeline_make(fixture.results.trace, &window, &timed->comms,
                                        &timed->activity, NULL, &timed->timeline),
                 MW_OK);
    mwa_partial_destroy(&mwa_comms_analysis, totals[0]);
    mwa_partial_destroy(&mwa_comm_activity_analysis, totals[1]);
}

static void free_timed(struct timed *timed)
{
    mwa_comm_timeline_fini(&timed->timeline);
    mwa_comm_activity_fini(&timed->activity);
    mwa_comms_fini(&timed->comms);
}

static void expect_cells(const struct mwa_comm_activity *activity,
                         const struct mwa_comm_cell *cells, uint64_t count)
{
    cr_assert_eq(activity->count, count);
    for (uint64_t i = 0; i < count; i++) {
        cr_expect_eq(activity->cells[i].comm, cells[i].comm, "cell %lu", (unsigned long)i);
        cr_expect_eq(activity->cells[i].bin, cells[i].bin, "cell %lu", (unsigned long)i);
        cr_expect_eq(activity->cells[i].calls, cells[i].calls, "cell %lu", (unsigned long)i);
        cr_expect_eq(activity->cells[i].bytes, cells[i].bytes, "cell %lu", (unsigned long)i);
        cr_expect_eq(activity->cells[i].time_ns, cells[i].time_ns, "cell %lu", (unsigned long)i);
    }
}

Test(comm_timeline, has_calls_bytes_and_time_in_their_bins)
{
    static const struct mwa_comm_cell cells[] = {
        { WORLD, 1, 3, 0, 130 }, { WORLD, 2, 0, 0, 10 },  { ALPHA, 2, 2, 0, 50 },
        { ALPHA, 3, 2, 0, 71 },  { ALPHA, 4, 2, 32, 61 }, { ALPHA, 7, 2, 0, 15 },
        { BETA, 2, 1, 0, 20 },   { BETA, 3, 1, 64, 160 }, { BETA, 4, 0, 0, 20 },
        { BETA, 5, 1, 0, 10 },   { BETA, 6, 1, 0, 40 }
    };
    struct timed timed;

    fixture_open(&fixture, make_comm_lives);
    make_timed(&timed, 0, 1000, 10);
    expect_cells(&timed.activity, cells, sizeof cells / sizeof cells[0]);
    free_timed(&timed);
    fixture_close(&fixture);
}

Test(comm_timeline, of_a_part_of_the_run_has_what_lies_in_it)
{
    /* 350 to 430: rank 0's receive to 420, rank 1's send to 360, rank 2's wait all the time. */
    static const struct mwa_comm_cell cells[] = { { ALPHA, 0, 1, 32, 80 }, { BETA, 0, 0, 0, 80 } };
    struct timed timed;

    fixture_open(&fixture, make_comm_lives);
    make_timed(&timed, 350, 430, 1);
    expect_cells(&timed.activity, cells, 2);
    cr_assert_eq(timed.timeline.alive_count, 1);
    cr_expect_eq(timed.timeline.alive[0].t_ns, 250);
    cr_expect_eq(timed.timeline.alive[0].count, 2);
    free_timed(&timed);
    fixture_close(&fixture);
}

Test(comm_timeline, counts_those_alive)
{
    static const struct mwa_alive alive[] = {
        { -100, 0 }, { 90, 1 }, { 140, 2 }, { 500, 1 }, { 650, 0 }
    };
    struct timed timed;

    fixture_open(&fixture, make_comm_lives);
    make_timed(&timed, 0, 1000, 10);
    cr_assert_eq(timed.timeline.alive_count, 5);
    for (unsigned i = 0; i < 5; i++) {
        cr_expect_eq(timed.timeline.alive[i].t_ns, alive[i].t_ns);
        cr_expect_eq(timed.timeline.alive[i].count, alive[i].count);
    }
    cr_expect_eq(timed.timeline.alive_max, 2);
    cr_expect_eq(timed.timeline.alive_max_ns, 140);
    free_timed(&timed);
    fixture_close(&fixture);
}

Test(window, has_bins_that_meet_at_their_edges)
{
    const struct mwa_window window = { .from = 100, .to = 110, .bins = 3 };

    /* Edges at 100, 103.3, 106.7, 110: the first whole ticks in each bin. */
    cr_expect_eq(mwa_window_edge(&window, 1), 104);
    cr_expect_eq(mwa_window_edge(&window, 2), 107);
    cr_expect_eq(mwa_window_edge(&window, 3), 110);
    for (uint64_t time = 100; time < 110; time++) {
        uint32_t bin = mwa_window_bin(&window, time);

        cr_expect(time >= mwa_window_edge(&window, bin) &&
                  time < mwa_window_edge(&window, bin + 1));
    }
    cr_expect_eq(mwa_window_bin(&window, 110), 2);
}

/* --- selection --------------------------------------------------------------------- */

static void expect_selected(const struct mwa_comm_query *query, const char *flags)
{
    bool *selected;

    cr_assert_eq(mwa_comm_select(fixture.results.trace, query, &selected, &fixture.diagnostic),
                 MW_OK);
    for (unsigned i = 0; flags[i]; i++) {
        cr_expect_eq(selected[i], flags[i] == '1', "communicator %u", i);
    }
    free(selected);
}

Test(comm_selection, is_by_name_pattern_uid_and_member)
{
    static const char *const patterns[] = { "al*", "otf2:3" };
    struct mwa_comm_query query = { .rank = MWA_NONE };
    bool *selected;

    fixture_open(&fixture, make_comm_lives);
    query.patterns = patterns;
    query.pattern_count = 2;
    expect_selected(&query, "0011");
    query.rank = 2; /* a member of alpha, not of beta */
    expect_selected(&query, "0010");
    query = (struct mwa_comm_query){ .name = "*a", .rank = MWA_NONE };
    expect_selected(&query, "0011");
    query.uid = "otf2:2";
    expect_selected(&query, "0010");
    query.name = "gamma";
    cr_expect_eq(mwa_comm_select(fixture.results.trace, &query, &selected, &fixture.diagnostic),
                 MW_ERROR_USAGE);
    fixture_close(&fixture);
}

Test(comm_selection, leaves_calls_and_messages_of_others_out)
{
    static const bool beta[] = { false, false, false, true };
    const struct mwa_scope scope = { MWA_ALL_OF_IT, .comms = beta };
    struct mwa_results results;
    const struct mwa_rank_row *rank;

    fixture_open(&fixture, make_comm_lives);
    cr_assert_eq(mwa_collect(fixture.input, fixture.directory, MWA_NEED_PROFILE | MWA_NEED_TRAFFIC,
                             &scope, &results, &fixture.diagnostic),
                 MW_OK);
    mwa_results_fini(&fixture.results);
    fixture.results = results;
    cr_expect_eq(results.traffic.messages, 1);
    cr_expect_eq(results.traffic.bytes, 64);
    cr_expect_eq(fixture_call(&fixture, "MPI_Recv").time_ns, 140);
    cr_expect_eq(fixture_call(&fixture, "MPI_Comm_free").count, 2);
    cr_expect_eq(fixture_call(&fixture, "MPI_Isend").count, 0);
    cr_expect_eq(fixture_call(&fixture, "MPI_Comm_dup").count, 0); /* on alpha */
    rank = &results.profile.ranks[0];
    cr_expect_eq(rank->run_ns, 900);
    cr_expect_eq(rank->mpi_ns, 140 + 40);
    cr_expect_eq(rank->useful_ns, 900 - (40 + 20 + 140 + 1 + 10 + 40 + 5));
    fixture_close(&fixture);
}

/* --- members as text --------------------------------------------------------------- */

static void expect_ranges(const uint32_t *ranks, uint64_t count, uint64_t most, const char *text)
{
    char *made = mwa_ranges(ranks, count, most);

    cr_assert_not_null(made);
    cr_expect_str_eq(made, text);
    free(made);
}

Test(ranges, keep_the_order_and_end_when_there_is_no_more_room)
{
    static const uint32_t ranks[] = { 0, 1, 2, 3, 8, 9, 10, 11, 7, MWA_NONE, MWA_NONE, 5 };

    expect_ranges(ranks, 8, 0, "0-3,8-11");
    expect_ranges(ranks, 10, 0, "0-3,8-11,7,?");
    expect_ranges(ranks, 12, 0, "0-3,8-11,7,?x2,5");
    expect_ranges(ranks, 0, 0, "");
    expect_ranges(ranks, 12, 6, "0-3\xe2\x80\xa6");
}
