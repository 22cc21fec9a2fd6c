#include "analyzer/load/quiet_windows.h"

#include <criterion/criterion.h>

#define RANKS 3u

static struct mwa_rank ranks[RANKS];
static uint32_t members[RANKS] = { 0, 1, 2 };
static struct mwa_group world = { .count = RANKS, .ranks = members };
static struct mwa_comm comms[1] = { { .remote_group = MWA_NONE, .parent = MWA_NONE } };
static struct mwa_metric_object window = { .comm = 0 };
static const struct mwa_trace trace = { .groups = &world,
                                        .group_count = 1,
                                        .comms = comms,
                                        .comm_count = 1,
                                        .ranks = ranks,
                                        .rank_count = RANKS,
                                        .metrics = { .objects = &window, .object_count = 1 } };

static struct mwa_quiet_windows windows[RANKS];
static struct mwa_positions positions;
static uint64_t balance;

static void begin(void)
{
    cr_assert(mwa_positions_init(&positions, &trace));
}

static void end(void)
{
    for (uint32_t i = 0; i < RANKS; i++) {
        mwa_quiet_windows_fini(&windows[i]);
    }
    mwa_positions_fini(&positions);
}

TestSuite(quiet_windows, .init = begin, .fini = end);

static void take(uint32_t rank, enum mw_call_kind kind, const struct mwa_onesided_data *step)
{
    cr_assert(mwa_quiet_windows_take(&windows[rank], &trace, &positions, rank, kind, step,
                                     &balance));
}

static void give(uint32_t rank, enum mw_call_kind kind, uint32_t target)
{
    take(rank, kind, &(struct mwa_onesided_data){ .step = MWA_STEP_NOTICE, .target = target });
}

static void await(uint32_t rank, enum mw_call_kind kind, uint32_t target)
{
    take(rank, kind, &(struct mwa_onesided_data){ .step = MWA_STEP_AWAIT, .target = target });
}

static void access_target(uint32_t rank, uint32_t target, uint64_t id)
{
    take(rank, MW_KIND_PLAIN,
         &(struct mwa_onesided_data){ .step = MWA_STEP_ACCESS, .target = target, .id = id });
}

static void lock(uint32_t rank, enum mwa_onesided_step step, uint32_t target)
{
    take(rank, MW_KIND_PLAIN, &(struct mwa_onesided_data){ .step = step, .target = target });
}

static void done(uint32_t rank, uint64_t id)
{
    take(rank, MW_KIND_PLAIN, &(struct mwa_onesided_data){ .step = MWA_STEP_DONE, .id = id });
}

Test(quiet_windows, an_access_is_over_when_its_complete_is_waited_for)
{
    give(1, MW_KIND_WIN_POST, 0);
    cr_expect_neq(balance, 0);
    await(0, MW_KIND_WIN_START, 1);
    cr_expect_eq(balance, 0);
    cr_expect(mwa_quiet_windows_has_access(&windows[0]));
    access_target(0, 1, 5);
    give(0, MW_KIND_WIN_COMPLETE, 1);
    cr_expect(!mwa_quiet_windows_has_access(&windows[0]));
    cr_expect_neq(balance, 0);
    await(1, MW_KIND_WIN_WAIT, 0);
    cr_expect_eq(balance, 0);
}

Test(quiet_windows, a_post_is_for_no_start_of_another_rank)
{
    give(1, MW_KIND_WIN_POST, 0);
    await(2, MW_KIND_WIN_START, 1);
    cr_expect_neq(balance, 0);
}

Test(quiet_windows, a_post_for_a_group_is_one_for_each_of_it)
{
    struct mwa_group others = { .count = 2, .ranks = (uint32_t[]){ 0, 2 } };

    take(1, MW_KIND_WIN_POST,
         &(struct mwa_onesided_data){ .step = MWA_STEP_GROUP, .group = &others });
    await(0, MW_KIND_WIN_START, 1);
    cr_expect_neq(balance, 0);
    await(2, MW_KIND_WIN_START, 1);
    cr_expect_eq(balance, 0);
}

Test(quiet_windows, a_lock_is_held_until_its_target_is_unlocked)
{
    lock(0, MWA_STEP_REQUEST, 1);
    lock(0, MWA_STEP_LOCK, 1);
    lock(0, MWA_STEP_UNLOCK, 2);
    cr_expect(mwa_quiet_windows_has_locks(&windows[0]));
    lock(0, MWA_STEP_UNLOCK, 1);
    cr_expect(!mwa_quiet_windows_has_locks(&windows[0]));
}

Test(quiet_windows, an_operation_under_a_lock_outlives_it_until_it_is_done)
{
    lock(0, MWA_STEP_LOCK, MWA_NONE);
    access_target(0, 2, 7);
    lock(0, MWA_STEP_UNLOCK, MWA_NONE);
    cr_expect(mwa_quiet_windows_has_locks(&windows[0]));
    done(0, 7);
    cr_expect(!mwa_quiet_windows_has_locks(&windows[0]));
}

Test(quiet_windows, operations_between_fences_leave_nothing)
{
    access_target(0, 2, 7);
    cr_expect(!mwa_quiet_windows_has_locks(&windows[0]));
    cr_expect(!mwa_quiet_windows_has_access(&windows[0]));
    cr_expect_eq(balance, 0);
}
