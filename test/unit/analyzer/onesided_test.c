#include "analyzer/analysis/waits/waits.h"

#include <criterion/criterion.h>
#include <string.h>

#include "test/data/archives_onesided.h"
#include "test/unit/analyzer/archive_fixture.h"

static struct fixture fixture;

static void expect_total(enum mwa_wait_pattern pattern, uint64_t total, uint64_t instances)
{
    const struct mwa_wait_row *row = &fixture.results.waits.rows[pattern];

    cr_expect_eq(row->total_ns, total, "%s: %lu, not %lu", mwa_wait_name(pattern),
                 (unsigned long)row->total_ns, (unsigned long)total);
    cr_expect_eq(row->instances, instances, "%s: %lu times, not %lu", mwa_wait_name(pattern),
                 (unsigned long)row->instances, (unsigned long)instances);
}

/* What each rank waited, and caused, in a pattern. */
static void expect_ranks(enum mwa_wait_pattern pattern, const uint64_t *waited,
                         const uint64_t *caused)
{
    const struct mwa_wait_row *row = &fixture.results.waits.rows[pattern];

    for (uint64_t i = 0; i < fixture.results.waits.rank_count; i++) {
        cr_expect_eq(row->rank_ns[i], waited[i], "%s: rank %lu waits %lu", mwa_wait_name(pattern),
                     (unsigned long)i, (unsigned long)row->rank_ns[i]);
        cr_expect_eq(row->cause_ns[i], caused[i], "%s: rank %lu causes %lu",
                     mwa_wait_name(pattern), (unsigned long)i, (unsigned long)row->cause_ns[i]);
    }
}

/* The n-th longest wait of a pattern. */
static void expect_wait(enum mwa_wait_pattern pattern, uint32_t n, const struct mwa_wait *like,
                        const char *call)
{
    const struct mwa_wait_row *row = &fixture.results.waits.rows[pattern];
    const struct mwa_wait *wait = &row->worst[n];

    cr_assert_lt(n, row->worst_count);
    cr_expect_eq(wait->time, like->time, "%lu", (unsigned long)wait->time);
    cr_expect_eq(wait->wait, like->wait, "%lu", (unsigned long)wait->wait);
    cr_expect_eq(wait->rank, like->rank, "rank %u", wait->rank);
    cr_expect_eq(wait->cause, like->cause, "cause %u", wait->cause);
    cr_expect_eq(wait->comm, 0u);
    cr_expect_str_eq(wait->call->name, call);
}

#define WAIT(at, length, who, whom)                                                               \
    &(struct mwa_wait){ .time = (at), .wait = (length), .rank = (who), .cause = (whom) }

Test(onesided, waits_for_posts_are_in_the_call_that_the_post_came_in)
{
    fixture_open(&fixture, make_onesided_posts);
    expect_total(MWA_WAIT_LATE_POST, 620, 3);
    expect_ranks(MWA_WAIT_LATE_POST, (const uint64_t[]){ 620, 0, 0 },
                 (const uint64_t[]){ 0, 190, 430 });
    expect_wait(MWA_WAIT_LATE_POST, 0, WAIT(200, 250, 0, 2), "MPI_Win_start");
    expect_wait(MWA_WAIT_LATE_POST, 1, WAIT(1010, 190, 0, 1), "MPI_Put");
    expect_wait(MWA_WAIT_LATE_POST, 2, WAIT(1520, 180, 0, 2), "MPI_Win_complete");
    cr_expect_eq(fixture.results.exchange.calls_unresolved, 0u);
    cr_expect_eq(fixture.results.waits.violations, 0u);
    cr_expect_eq(mwa_waits_total_ns(&fixture.results.waits), 620u + 690u);
    fixture_close(&fixture);
}

Test(onesided, waits_for_completes_have_a_part_after_the_last_operation)
{
    fixture_open(&fixture, make_onesided_posts);
    expect_total(MWA_WAIT_EARLY_WAIT, 690, 3);
    expect_ranks(MWA_WAIT_EARLY_WAIT, (const uint64_t[]){ 0, 690, 0 },
                 (const uint64_t[]){ 690, 0, 0 });
    expect_wait(MWA_WAIT_EARLY_WAIT, 0, WAIT(320, 480, 1, 0), "MPI_Win_wait");
    expect_total(MWA_WAIT_LATE_COMPLETE, 395, 3);
    expect_wait(MWA_WAIT_LATE_COMPLETE, 0, WAIT(515, 285, 1, 0), "MPI_Win_wait");
    expect_wait(MWA_WAIT_LATE_COMPLETE, 1, WAIT(2400, 100, 1, 0), "MPI_Win_wait");
    expect_wait(MWA_WAIT_LATE_COMPLETE, 2, WAIT(1320, 10, 1, 0), "MPI_Win_wait");
    fixture_close(&fixture);
}

Test(onesided, who_waits_for_a_complete_waits_for_the_post_that_holds_it_up)
{
    fixture_open(&fixture, make_onesided_held_up);
    expect_total(MWA_WAIT_LATE_POST, 940, 2);
    expect_ranks(MWA_WAIT_LATE_POST, (const uint64_t[]){ 940, 0, 0 },
                 (const uint64_t[]){ 0, 0, 940 });
    expect_total(MWA_WAIT_EARLY_WAIT, 410, 2);
    expect_wait(MWA_WAIT_EARLY_WAIT, 0, WAIT(300, 400, 1, 2), "MPI_Win_wait");
    expect_wait(MWA_WAIT_EARLY_WAIT, 1, WAIT(1220, 10, 1, 0), "MPI_Win_wait");
    expect_total(MWA_WAIT_LATE_COMPLETE, 5, 1);
    fixture_close(&fixture);
}

Test(onesided, waits_for_locks_are_divided_among_those_that_had_them)
{
    fixture_open(&fixture, make_onesided_locks);
    expect_total(MWA_WAIT_LOCK_CONTENTION, 1540, 8);
    expect_ranks(MWA_WAIT_LOCK_CONTENTION, (const uint64_t[]){ 0, 0, 920, 620 },
                 (const uint64_t[]){ 0, 1340, 200, 0 });
    expect_wait(MWA_WAIT_LOCK_CONTENTION, 0, WAIT(250, 260, 3, 1), "MPI_Win_lock");
    expect_wait(MWA_WAIT_LOCK_CONTENTION, 1, WAIT(300, 210, 2, 1), "MPI_Win_lock");
    expect_wait(MWA_WAIT_LOCK_CONTENTION, 2, WAIT(2100, 210, 2, 1), "MPI_Win_lock");
    expect_wait(MWA_WAIT_LOCK_CONTENTION, 3, WAIT(510, 200, 3, 2), "MPI_Win_lock");
    expect_wait(MWA_WAIT_LOCK_CONTENTION, 4, WAIT(3510, 200, 2, 1), "MPI_Get");
    expect_wait(MWA_WAIT_LOCK_CONTENTION, 5, WAIT(1620, 190, 2, 1), "MPI_Win_unlock");
    expect_wait(MWA_WAIT_LOCK_CONTENTION, 6, WAIT(1050, 160, 3, 1), "MPI_Win_lock");
    expect_wait(MWA_WAIT_LOCK_CONTENTION, 7, WAIT(3100, 110, 2, 1), "MPI_Win_lock");
    cr_expect_eq(fixture.results.exchange.calls_unresolved, 0u);
    fixture_close(&fixture);
}

Test(onesided, of_two_unlocks_that_may_have_got_the_lock_the_first_did_so_first)
{
    fixture_open(&fixture, make_onesided_late_locks);
    expect_total(MWA_WAIT_LOCK_CONTENTION, 190, 2);
    expect_wait(MWA_WAIT_LOCK_CONTENTION, 0, WAIT(1300, 100, 2, 1), "MPI_Win_unlock");
    expect_wait(MWA_WAIT_LOCK_CONTENTION, 1, WAIT(310, 90, 2, 1), "MPI_Win_unlock");
    fixture_close(&fixture);
}

Test(onesided, waits_at_fences_and_at_windows_are_told_apart)
{
    fixture_open(&fixture, make_onesided_fences);
    expect_total(MWA_WAIT_FENCE, 150, 2);
    expect_ranks(MWA_WAIT_FENCE, (const uint64_t[]){ 100, 50, 0 }, (const uint64_t[]){ 0, 0, 150 });
    expect_total(MWA_WAIT_WINDOW, 30, 2);
    expect_ranks(MWA_WAIT_WINDOW, (const uint64_t[]){ 20, 10, 0 }, (const uint64_t[]){ 0, 0, 30 });
    cr_expect_eq(mwa_waits_total_ns(&fixture.results.waits), 180u);
    fixture_close(&fixture);
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

Test(onesided, posts_completes_and_unlocks_are_waited_for_on_the_ideal_network)
{
    fixture_open(&fixture, make_onesided_path);
    cr_assert(mwa_has(&fixture.results, MWA_NEED_POP));
    cr_expect_null(fixture.results.pop.ideal_unknown);
    cr_expect_eq(fixture.results.pop.run.runtime_ns, 1900u);
    cr_expect_eq(fixture.results.pop.run.ideal_ns, 1818u, "T_ideal is %lu",
                 (unsigned long)fixture.results.pop.run.ideal_ns);
    cr_expect_eq(fixture.results.replay.ideal.per_rank_ns[1], 1430u);
    fixture_close(&fixture);
}

Test(onesided, posts_completes_and_unlocks_lead_the_critical_path)
{
    const struct mwa_critical_path *path = &fixture.results.critical_path;

    fixture_open(&fixture, make_onesided_path);
    cr_assert(path->known);
    cr_expect_eq(path->length_ns, 1900u);
    cr_expect_eq(path->hops, 3u);
    cr_expect_eq(path->end_rank, 0u);
    cr_expect_eq(path->per_rank_ns[0], 550u, "%lu", (unsigned long)path->per_rank_ns[0]);
    cr_expect_eq(path->per_rank_ns[1], 1350u, "%lu", (unsigned long)path->per_rank_ns[1]);
    cr_expect_eq(on_path("MPI_Win_start"), 20u);
    cr_expect_eq(on_path("MPI_Win_wait"), 20u);
    cr_expect_eq(on_path("MPI_Win_lock"), 22u);
    fixture_close(&fixture);
}

Test(onesided, fences_are_waited_for_unless_they_are_local)
{
    const struct mwa_critical_path *path = &fixture.results.critical_path;
    const uint64_t ideal[] = { 980, 979, 1878 };
    const uint64_t ranks[] = { 0, 900, 1000 };

    fixture_open(&fixture, make_onesided_fence_path);
    cr_expect_null(fixture.results.pop.ideal_unknown);
    cr_expect_eq(fixture.results.pop.run.ideal_ns, 1878u);
    cr_expect_eq(path->length_ns, 1900u);
    cr_expect_eq(path->hops, 1u);
    cr_expect_eq(on_path("MPI_Win_fence"), 22u);
    for (uint64_t i = 0; i < 3; i++) {
        cr_expect_eq(fixture.results.replay.ideal.per_rank_ns[i], ideal[i]);
        cr_expect_eq(path->per_rank_ns[i], ranks[i]);
    }
    fixture_close(&fixture);
}
