/* Who shares cores, and whether that is said first: ranks made by hand. */
#include "analyzer/analysis/time/core_shortage.h"

#include <criterion/criterion.h>
#include <string.h>

#include "analyzer/report/cause_text.h"
#include "analyzer/report/compare_differences.h"
#include "analyzer/report/compare_words.h"

enum { RANKS = 8 };

static struct mwa_rank ranks[RANKS];
static struct mwa_rank_row rows[RANKS];
static struct mwa_trace trace;
static struct mwa_results results;

/* So many ranks on a host of 2 cores, that run for 1000 ns and had no core for so many. */
static void make(uint32_t count, uint64_t no_core_ns)
{
    memset(ranks, 0, sizeof ranks);
    memset(rows, 0, sizeof rows);
    for (uint32_t i = 0; i < count; i++) {
        ranks[i] = (struct mwa_rank){ .host = "node", .cores = 2, .affinity = "0-1" };
        rows[i] = (struct mwa_rank_row){
            .rank = i,
            .has_events = true,
            .run_ns = 1000,
            .outside_ns = 900,
            .useful_ns = 900 - no_core_ns,
            .running = { .is_known = true,
                         .outside_ns = no_core_ns,
                         .outside_no_core_ns = no_core_ns }
        };
    }
    trace = (struct mwa_trace){ .ranks = ranks, .rank_count = count };
    results = (struct mwa_results){ .trace = &trace,
                                    .has = MWA_NEED_CORES,
                                    .profile = { .ranks = rows, .rank_count = count } };
}

static const char *sentence_of(enum mwa_cause_class class)
{
    static char text[MWA_CAUSE_BYTES];
    const struct mwa_cause *cause;

    cr_assert_eq(mwa_causes_make(&results, &results.causes), MW_OK);
    cause = mwa_cause_of_class(&results, class);
    return cause ? mwa_cause_sentence(&results, cause, text) : "";
}

static const char *doubt(void)
{
    cr_assert_eq(mwa_cores_make(&trace, &results.profile, &results.waits, &results.cores), MW_OK);
    return sentence_of(MWA_CAUSE_DOUBT);
}

static const char *not_running(void)
{
    return sentence_of(MWA_CAUSE_COST);
}

Test(core_shortage, more_ranks_than_the_host_has_cores)
{
    make(8, 750);
    cr_expect_str_eq(doubt(), "8 ranks share the 2 cores of node and have none for 75% of their "
                              "run: all else is doubtful");
}

/* 8 that have 0.125 of a core each run on 1 of 2 cores at most. */
Test(core_shortage, others_take_what_sharing_does_not_explain)
{
    char advice[MWA_CAUSE_BYTES];

    make(8, 875);
    cr_expect_str_eq(doubt(), "8 ranks share the 2 cores of node and have none for 88% of their "
                              "run, as other threads or programs have at least 50% of these "
                              "cores: all else is doubtful");
    mwa_cause_advice(&results, mwa_cause_of_class(&results, MWA_CAUSE_DOUBT), advice);
    cr_expect(strncmp(advice, "look at what else runs there, give each rank", 44) == 0, "%s",
              advice);
    make(8, 760);
    cr_expect_str_eq(doubt(), "8 ranks share the 2 cores of node and have none for 76% of their "
                              "run: all else is doubtful");
    mwa_cause_advice(&results, mwa_cause_of_class(&results, MWA_CAUSE_DOUBT), advice);
    cr_expect(strncmp(advice, "give each rank", 14) == 0, "%s", advice);
}

Test(core_shortage, ranks_that_share_cores_and_wait_for_none_are_no_reason_for_doubt)
{
    make(8, 49);
    cr_expect_str_eq(doubt(), "");
}

static void compared(struct mwa_compared_run *run)
{
    cr_assert_eq(mwa_cores_make(&trace, &results.profile, &results.waits, &run->cores), MW_OK);
}

/* They are in calls for 500 of the ns in which they computed, have no core there, and wait, for
 * so many. */
static void wait_inside(uint64_t no_core_ns, uint64_t waiting_ns)
{
    static uint64_t late_sender[RANKS];

    for (int i = 0; i < RANKS; i++) {
        rows[i].useful_ns -= 400;
        rows[i].outside_ns -= 400;
        rows[i].mpi_ns = 500;
        rows[i].running.inside_ns = rows[i].running.inside_no_core_ns = no_core_ns;
        late_sender[i] = waiting_ns;
    }
    results.waits.rank_count = RANKS;
    results.waits.rows[MWA_WAIT_LATE_SENDER].rank_ns = late_sender;
}

/* 430 of 500 ns without a core, 490 of which they wait: 10 are lost, and 40 outside of MPI. */
Test(core_shortage, what_waits_lacks_no_core)
{
    make(8, 40);
    wait_inside(430, 490);
    cr_expect_str_eq(doubt(), "8 ranks share the 2 cores of node and have none for 47% of their "
                              "run, 5% beside waiting: all else is doubtful");
    wait_inside(430, 500);
    cr_expect_str_eq(doubt(), "");
}

/* Nor is what ranks lack while they wait a reason to doubt a comparison. */
Test(core_shortage, who_compares_is_not_told_of_what_lacks_while_ranks_wait)
{
    struct mwa_compared_run runs[2] = { { .program = NULL }, { .program = NULL } };
    const struct mwa_comparison comparison = { .runs = runs };
    char text[MWA_SENTENCE_BYTES];

    make(8, 40);
    wait_inside(430, 500);
    compared(&runs[0]);
    cr_expect_null(mwa_compared_difference(&comparison, 0, 0, "A", "B", MWA_DIFFERENCES - 1, text));
    wait_inside(430, 400);
    compared(&runs[1]);
    cr_expect_str_eq(
        mwa_compared_difference(&comparison, 0, 1, "A", "B", MWA_DIFFERENCES - 1, text),
        "the ranks of B share cores and have none for 47% of their run, 14% beside waiting: all "
        "times are doubtful");
}

Test(core_shortage, without_samples_there_is_doubt)
{
    make(8, 0);
    for (int i = 0; i < 8; i++) {
        rows[i].running.is_known = false;
    }
    cr_expect_str_eq(doubt(), "8 ranks share the 2 cores of node: all else is doubtful");
}

Test(core_shortage, a_core_for_each_rank_is_enough)
{
    make(2, 300);
    cr_expect_str_eq(doubt(), "");
}

Test(core_shortage, two_ranks_bound_to_one_core)
{
    make(4, 400);
    for (int i = 0; i < 4; i++) {
        ranks[i].cores = 64;
        ranks[i].affinity = i == 0 || i == 2 ? "5" : i == 1 ? "6" : "7-8";
    }
    rows[0].running.outside_no_core_ns = 600;
    cr_expect_str_eq(doubt(), "ranks 0 and 2 are bound to core 5 and have none for 50% of their "
                              "run: all else is doubtful");
}

Test(core_shortage, the_same_core_of_two_hosts_is_two_cores)
{
    make(2, 400);
    ranks[0].affinity = ranks[1].affinity = "0";
    ranks[1].host = "other";
    cr_expect_str_eq(doubt(), "");
}

Test(core_shortage, a_control_group_allows_less_than_a_core_each)
{
    make(4, 500);
    for (int i = 0; i < 4; i++) {
        ranks[i].cores = 64;
        ranks[i].affinity = "0-63";
        ranks[i].cgroup = "/job";
        ranks[i].cgroup_millicores = 1500;
    }
    cr_expect_str_eq(doubt(), "4 ranks are limited to 1.5 cores (control group /job) and have none "
                              "for 50% of their run: all else is doubtful");
}

/* Of 2 ranks, each with a core of its own, what a rank and its threads had of it; and why. */
static const char *crowded(uint64_t no_core_ns, uint64_t asleep_ns, uint64_t threads_ns)
{
    make(2, no_core_ns);
    for (int i = 0; i < 2; i++) {
        ranks[i].affinity = i == 0 ? "0" : "1";
        rows[i].useful_ns -= asleep_ns;
        rows[i].running.outside_ns += asleep_ns;
        rows[i].running.before = MWA_NONE;
        rows[i].running.tells_threads = true;
        rows[i].running.threads_ns = threads_ns;
    }
    cr_assert_eq(mwa_cores_make(&trace, &results.profile, &results.waits, &results.cores), MW_OK);
    return not_running();
}

Test(core_shortage, threads_of_their_own_take_the_core)
{
    char advice[MWA_CAUSE_BYTES];

    cr_expect_str_eq(crowded(400, 0, 400), "ranks 0 and 1 have more threads at work than cores: "
                                           "the main threads have no core for up to 400 ns of "
                                           "1.00 us");
    mwa_cause_advice(&results, &results.causes.list[0], advice);
    cr_expect(strncmp(advice, "give each rank a core for each of its threads (", 47) == 0, "%s",
              advice);
    /* What the others did there has to be done by somebody: nobody is told that it need not be. */
    cr_expect(strstr(advice, "; fewer threads (OMP_NUM_THREADS) save only what these take beside "
                             "the work that they share"),
              "%s", advice);
    /* So that others had half of what the main thread lacked, or a little more. */
    cr_expect(strstr(crowded(400, 0, 200), " more threads at work than cores: "));
    cr_expect_str_eq(crowded(400, 0, 190), "ranks 0 and 1 have no core for up to 400 ns of "
                                           "1.00 us");
}

Test(core_shortage, threads_on_other_cores_take_none)
{
    cr_expect_str_eq(crowded(400, 0, 900), "ranks 0 and 1 have no core for up to 400 ns of "
                                           "1.00 us");
    cr_expect_str_eq(crowded(400, 0, 0), "ranks 0 and 1 have no core for up to 400 ns of 1.00 us");
    crowded(400, 0, 400);
    rows[1].running.tells_threads = false;
    cr_expect_str_eq(not_running(), "ranks 0 and 1 have no core for up to 400 ns of 1.00 us");
    crowded(400, 0, 400);
    ranks[0].affinity = NULL;
    cr_expect_str_eq(not_running(), "ranks 0 and 1 have no core for up to 400 ns of 1.00 us");
}

/* Each has 2 threads, and both ranks may run on both cores: 300 + 300 and 700 + 700. */
Test(core_shortage, threads_of_ranks_on_the_same_cores_count_together)
{
    crowded(700, 0, 300);
    ranks[0].affinity = ranks[1].affinity = "0-1";
    rows[1].running.outside_no_core_ns = rows[1].running.outside_ns = 300;
    rows[1].running.threads_ns = 700;
    cr_expect(strstr(not_running(), " more threads at work than cores: "), "%s", not_running());
}

Test(core_shortage, who_sleeps_while_others_run_may_wait_for_them)
{
    cr_expect(strstr(crowded(0, 400, 10), "wait for a file, a lock, another thread or process"));
    cr_expect_null(strstr(crowded(0, 400, 10), "their other threads"));
    cr_expect(strstr(crowded(0, 400, 300), "a lock, another thread or process, and their other "
                                           "threads run for up to 300 ns"));
    cr_expect(strstr(crowded(0, 400, 1), "sleep or wait for a file, a lock or another process"));
}

Test(core_shortage, an_archive_that_tells_nothing_leaves_no_doubt)
{
    make(8, 750);
    for (int i = 0; i < 8; i++) {
        ranks[i] = (struct mwa_rank){ .host = "" };
        rows[i].running.is_known = false;
    }
    cr_expect_str_eq(doubt(), "");
    cr_expect_str_eq(not_running(), "");
}

Test(core_shortage, who_compares_is_told_of_ranks_without_a_core_that_share_none)
{
    struct mwa_compared_run runs[2] = { { .program = NULL }, { .program = NULL } };
    const struct mwa_comparison comparison = { .runs = runs };
    char text[MWA_SENTENCE_BYTES];

    make(2, 240);
    compared(&runs[0]);
    cr_expect_null(mwa_compared_difference(&comparison, 0, 0, "A", "B", MWA_DIFFERENCES - 1, text));
    make(2, 300);
    compared(&runs[1]);
    cr_expect_str_eq(
        mwa_compared_difference(&comparison, 0, 1, "A", "B", MWA_DIFFERENCES - 1, text),
        "the ranks of B lose 30% of their run for lack of cores: all times are doubtful");
    rows[1].running.is_known = false;
    compared(&runs[1]);
    cr_expect_null(mwa_compared_difference(&comparison, 0, 1, "A", "B", MWA_DIFFERENCES - 1, text));
}

/* Of 400 ns that A did 600 were lost more, so that for 700 of B it would be 1,050: 250 less than
 * 1,300, of the 1,000 that B takes longer. */
Test(core_shortage, who_does_more_on_cores_as_crowded_takes_longer_for_that)
{
    struct mwa_compared_run runs[] = {
        { .knows_lost = true, .lost_ns = 600, .pop = { .ranks = 2, .runtime_ns = 1000 } },
        { .knows_lost = true, .lost_ns = 1300, .pop = { .ranks = 2, .runtime_ns = 2000 } }
    };
    const struct mwa_comparison comparison = { .runs = runs };
    char text[MWA_SENTENCE_BYTES];

    runs[0].pop.useful_total_ns = 800;
    runs[1].pop.useful_total_ns = 1400;
    cr_expect_str_eq(mwa_compared_sentence(&comparison, 0, 1, "A", "B", text),
                     "B takes 2.0 times as long as A (2.00 us, 1.00 us): the ranks compute 300 ns "
                     "longer on average");
    cr_expect_str_eq(mwa_compared_sentence(&comparison, 1, 0, "B", "A", text),
                     "A takes 50% less time than B (1.00 us, 2.00 us): the ranks compute 300 ns "
                     "less on average");
}

/* Both do 800 ns: of 4,000, 2,900 are lost and 300 waited for who lacks a core; of 2,800, 1,900 and
 * 100. So 1,000 ns are lost more, of 1,200. Were it done what is waited, of the 2,900 would come of
 * that 1,900 / 900 * 1,100 = 2,322, and 578 be too few. */
Test(core_shortage, who_waits_for_who_lacks_a_core_does_no_more)
{
    struct mwa_compared_run runs[] = {
        { .knows_lost = true, .lost_ns = 1900, .waited_ns = 100,
          .pop = { .ranks = 2, .runtime_ns = 2800, .useful_total_ns = 1600 } },
        { .knows_lost = true, .lost_ns = 2900, .waited_ns = 300,
          .pop = { .ranks = 2, .runtime_ns = 4000, .useful_total_ns = 1600 } }
    };
    const struct mwa_comparison comparison = { .runs = runs };
    char text[MWA_SENTENCE_BYTES];

    cr_expect_str_eq(mwa_compared_sentence(&comparison, 0, 1, "A", "B", text),
                     "B takes 43% longer than A (4.00 us, 2.80 us): for lack of cores ranks lose "
                     "1.00 us more on average");
    runs[1].waited_ns = 0; /* who does more loses more for that */
    runs[1].pop.useful_total_ns = 2200;
    cr_expect_str_eq(mwa_compared_sentence(&comparison, 0, 1, "A", "B", text),
                     "B takes 43% longer than A (4.00 us, 2.80 us): the ranks compute 300 ns "
                     "longer on average");
}

/* The ranks of both lose 30% of their run, which is no change; both causes of one are doubtful, and
 * so they are if one run lacks cores. */
Test(core_shortage, why_a_run_takes_longer_is_doubtful_without_cores)
{
    struct mwa_compared_run runs[] = {
        { .knows_lost = true, .lost_ns = 300, .pop = { .ranks = 2, .runtime_ns = 1000 } },
        { .knows_lost = true, .lost_ns = 300, .pop = { .ranks = 2, .runtime_ns = 1400 } }
    };
    uint64_t counts[] = { 5, 5 }, no_waits[] = { 0, 0 };
    uint64_t per_rank[] = { 100, 300 };
    struct mwa_compared_time call = { .name = "MPI_Send", .is_in_run = true, .counts = counts,
                                      .per_rank_ns = per_rank, .waiting_ns = no_waits };
    const struct mwa_comparison comparison = { .runs = runs,
                                               .calls = { .list = &call, .count = 1 } };
    char text[MWA_SENTENCE_BYTES];

    runs[0].pop.useful_total_ns = 800;
    runs[1].pop.useful_total_ns = 1200;
    cr_expect_str_eq(mwa_compared_sentence(&comparison, 0, 1, "A", "B", text),
                     "B takes 40% longer than A (1.40 us, 1.00 us): MPI_Send takes 200 ns longer "
                     "per rank; the ranks compute 200 ns longer on average");
    make(2, 300);
    compared(&runs[0]);
    compared(&runs[1]);
    cr_expect_str_eq(mwa_compared_sentence(&comparison, 0, 1, "A", "B", text),
                     "B takes 40% longer than A (1.40 us, 1.00 us): perhaps MPI_Send takes 200 ns "
                     "longer per rank; perhaps the ranks compute 200 ns longer on average");
    make(2, 240);
    compared(&runs[1]);
    cr_expect(strstr(mwa_compared_sentence(&comparison, 0, 1, "A", "B", text), ": perhaps "));
    compared(&runs[0]);
    cr_expect_null(strstr(mwa_compared_sentence(&comparison, 0, 1, "A", "B", text), "perhaps"));
    runs[1].lost_ns = 600; /* measured, and never in doubt */
    make(2, 300);
    compared(&runs[1]);
    cr_expect_str_eq(mwa_compared_sentence(&comparison, 0, 1, "A", "B", text),
                     "B takes 40% longer than A (1.40 us, 1.00 us): for lack of cores ranks lose "
                     "300 ns more on average");
}

Test(core_shortage, who_takes_longer_for_lack_of_cores_is_told_of_that_alone)
{
    struct mwa_compared_run runs[] = {
        { .knows_lost = true, .lost_ns = 100, .pop = { .ranks = 2, .runtime_ns = 1000 } },
        { .knows_lost = true, .lost_ns = 700, .pop = { .ranks = 2, .runtime_ns = 2000 } }
    };
    const struct mwa_comparison comparison = { .runs = runs };
    char text[MWA_SENTENCE_BYTES];

    runs[1].pop.useful_total_ns = 1000;
    cr_expect_str_eq(mwa_compared_sentence(&comparison, 0, 1, "A", "B", text),
                     "B takes 2.0 times as long as A (2.00 us, 1.00 us): for lack of cores ranks "
                     "lose 600 ns more on average");
    runs[1].lost_ns = 500;
    cr_expect_str_eq(mwa_compared_sentence(&comparison, 0, 1, "A", "B", text),
                     "B takes 2.0 times as long as A (2.00 us, 1.00 us): the ranks compute 500 ns "
                     "longer on average");
}

Test(off_core, a_rank_that_sleeps_does_not_run)
{
    struct mwa_region barrier = { .name = "MPI_Barrier" };
    struct mwa_site site = { .region = 0, .line = 31, .file = "/src/solve.c", .function = "" };
    char advice[MWA_CAUSE_BYTES];

    make(2, 0);
    trace.regions = &barrier;
    trace.sites = &site;
    rows[1].running.outside_ns = 400;
    rows[1].running.outside_no_core_ns = 100;
    rows[1].running.asleep_before = 0;
    rows[1].running.asleep_before_ns = 200;
    cr_expect_str_eq(not_running(),
                     "the main thread of rank 1 does not run for 300 ns of 1.00 us, mostly before "
                     "MPI_Barrier, solve.c:31: it sleeps or waits for a file, a lock, another "
                     "thread or process");
    site.file = "";
    cr_expect_str_eq(not_running(),
                     "the main thread of rank 1 does not run for 300 ns of 1.00 us, mostly before "
                     "MPI_Barrier: it sleeps or waits for a file, a lock, another thread or "
                     "process");
    rows[1].running.asleep_before_ns = 149; /* of 300: it sleeps before other calls as well */
    cr_expect_str_eq(not_running(),
                     "the main thread of rank 1 does not run for 300 ns of 1.00 us: it sleeps or "
                     "waits for a file, a lock, another thread or process");
    rows[1].running.asleep_before_ns = 150;
    rows[0].running.outside_ns = 200;
    cr_expect_str_eq(not_running(),
                     "the main threads of ranks 1 and 0 do not run for up to 300 ns of 1.00 us, "
                     "mostly before MPI_Barrier: they sleep or wait for a file, a lock, another "
                     "thread or process");
    cr_expect_str_eq(mwa_cause_advice(&results, &results.causes.list[0], advice),
                     "look at what ranks 1 and 0 do before MPI_Barrier: sleep, locks, other "
                     "threads or processes, or reading and writing files");
}

Test(off_core, a_rank_without_a_core_does_not_sleep)
{
    make(2, 0);
    rows[0].running.outside_ns = 400;
    rows[0].running.outside_no_core_ns = 200;
    rows[0].running.before = 0;
    rows[0].running.before_ns = 400;
    trace.regions = &(struct mwa_region){ .name = "MPI_Barrier" };
    trace.sites = &(struct mwa_site){ .file = "/src/solve.c", .line = 31, .function = "" };
    rows[0].running.outside_no_core_ns = 201;
    cr_expect_str_eq(not_running(), "rank 0 has no core for 201 ns of 1.00 us, mostly before "
                                    "MPI_Barrier, solve.c:31");
    rows[0].running.outside_no_core_ns = 400;
    rows[1].running.outside_ns = rows[1].running.outside_no_core_ns = 500;
    cr_expect_str_eq(not_running(), "ranks 1 and 0 have no core for up to 500 ns of 1.00 us");
}

/* As much as it waits in MPI, it may be without a core and lose nothing. */
Test(off_core, a_rank_without_a_core_in_mpi_loses_what_it_does_not_wait)
{
    uint64_t waited[2] = { 0, 0 };

    make(2, 0);
    rows[0].mpi_ns = 500;
    rows[0].running.inside_ns = 400;
    rows[0].running.inside_no_core_ns = 300;
    results.waits.rank_count = 2;
    results.waits.rows[MWA_WAIT_LATE_SENDER].rank_ns = waited;
    cr_expect_str_eq(not_running(), "rank 0 has no core for 300 ns of 1.00 us");
    rows[0].running.outside_ns = rows[0].running.outside_no_core_ns = 100;
    cr_expect_str_eq(not_running(), "rank 0 has no core for 400 ns of 1.00 us");
    waited[0] = 200;
    cr_expect_str_eq(not_running(), "rank 0 has no core for 400 ns of 1.00 us");
    waited[0] = 450;
    cr_expect_str_eq(not_running(), "rank 0 has no core for 150 ns of 1.00 us");
    rows[0].running.outside_ns = rows[0].running.outside_no_core_ns = 0;
    waited[0] = 400;
    cr_expect_str_eq(not_running(), "rank 0 has no core for 100 ns of 1.00 us");
    rows[0].probing_ns = 30;
    cr_expect_str_eq(not_running(), "rank 0 has no core for 70 ns of 1.00 us");
    waited[0] = 450;
    cr_expect_str_eq(not_running(), "");
}

Test(off_core, what_a_rank_sleeps_is_no_lack_of_cores_nor_the_other_way_round)
{
    make(2, 0);
    rows[0].running.outside_ns = 400;
    rows[0].running.outside_no_core_ns = 100;
    cr_assert(strcmp(not_running(), "") != 0);
    cr_expect_eq(results.causes.count, 2);
    cr_expect_eq(results.causes.list[0].rule, MWA_RULE_NOT_RUNNING);
    cr_expect_eq(results.causes.list[0].time_ns, 300);
    cr_expect_eq(results.causes.list[1].rule, MWA_RULE_NO_CORE);
    cr_expect_eq(results.causes.list[1].time_ns, 100);
}

Test(off_core, a_rank_that_hardly_sleeps_runs)
{
    make(2, 0);
    rows[0].running.outside_ns = 49;
    cr_expect_str_eq(not_running(), "");
}
