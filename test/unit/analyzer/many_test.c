#include "analyzer/analysis/waits/waits.h"

#include <criterion/criterion.h>

#include "test/data/maker.h"
#include "test/unit/analyzer/archive_fixture.h"

/*
 * So many of one thing that work in proportion to its square would take minutes or more, and none
 * in proportion to it does. The results are known for any number.
 */

#define MANY    150000u
#define DEPTH   90000u /* more than 100,000 is refused */
#define RANKS   16u
#define PERIOD  10u
#define BEGIN   200u
#define MINUTES 100 /* of seconds: what is in proportion takes a few, on a machine that is busy */

static struct fixture fixture;

static void lock(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint32_t target)
{
    maker_enter(writer, enter, MAKER_WIN_LOCK);
    OTF2_EvtWriter_RmaRequestLock(writer, NULL, enter, 0, target, 7, OTF2_LOCK_EXCLUSIVE);
    OTF2_EvtWriter_RmaAcquireLock(writer, NULL, leave, 0, target, 7, OTF2_LOCK_EXCLUSIVE);
    maker_leave(writer, leave, MAKER_WIN_LOCK);
}

static void unlock(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint32_t target)
{
    maker_enter(writer, enter, MAKER_WIN_UNLOCK);
    OTF2_EvtWriter_RmaReleaseLock(writer, NULL, leave, 0, target, 7);
    maker_leave(writer, leave, MAKER_WIN_UNLOCK);
}

/*
 * Rank 1 has the lock on target count times: epoch i begins at b = 200 + 10 i, its lock takes
 * from b to b + 1, its unlock from b + 3 to b + 4. Rank 2 asks for that on 0 at 201 and has it
 * at the leave of the last unlock and 1, to unlock it at once.
 */
static void make_locks(const char *directory, uint32_t count, uint32_t target)
{
    struct maker *maker = maker_create(directory, 3, 1);
    const uint64_t end = BEGIN + (uint64_t)PERIOD * count;
    OTF2_EvtWriter *writer;

    maker_window(maker, MAKER_WORLD);
    maker_length(maker, end + 200);
    for (uint32_t rank = 0; rank < 3; rank++) {
        writer = maker_writer(maker, rank, 0);
        maker_init(writer);
        for (uint64_t i = 0; rank == 1 && i < count; i++) {
            lock(writer, BEGIN + PERIOD * i, BEGIN + PERIOD * i + 1, target);
            unlock(writer, BEGIN + PERIOD * i + 3, BEGIN + PERIOD * i + 4, target);
        }
        if (rank == 2) {
            lock(writer, BEGIN + 1, end - PERIOD + 5, 0);
            unlock(writer, end - PERIOD + 6, end - PERIOD + 7, 0);
        }
        maker_finalize(writer, end);
    }
    maker_finish(maker);
}

static void make_many_locks(const char *directory)
{
    make_locks(directory, MANY, 0);
}

static void make_some_locks(const char *directory)
{
    make_locks(directory, 100, 0);
}

static void make_locks_elsewhere(const char *directory)
{
    make_locks(directory, MANY, 1);
}

/*
 * The wait for count epochs is divided among the last 64: of 63 it is the 4 of each, of the 64th
 * from the end all from 201 to its unlock's leave, 200 + 10 (count - 64) + 4.
 */
static void expect_divided(uint64_t count)
{
    const struct mwa_wait_row *row = &fixture.results.waits.rows[MWA_WAIT_LOCK_CONTENTION];
    const uint64_t rest = PERIOD * (count - 64) + 3;

    cr_expect_eq(row->instances, 64u, "%lu", (unsigned long)row->instances);
    cr_expect_eq(row->total_ns, 63 * 4 + rest, "%lu", (unsigned long)row->total_ns);
    cr_expect_eq(row->rank_ns[2], 63 * 4 + rest);
    cr_expect_eq(row->cause_ns[1], 63 * 4 + rest);
    cr_assert_gt(row->worst_count, 1u);
    cr_expect_eq(row->worst[0].time, BEGIN + 1);
    cr_expect_eq(row->worst[0].wait, rest);
    cr_expect_eq(row->worst[1].wait, 4u);
    cr_expect_eq(fixture.results.exchange.calls_unresolved, 0u);
}

Test(many, epochs_are_told_up_to_sixty_four)
{
    fixture_open(&fixture, make_some_locks);
    expect_divided(100);
    fixture_close(&fixture);
}

Test(many, epochs_that_a_rank_waits_for, .timeout = MINUTES)
{
    fixture_open(&fixture, make_many_locks);
    expect_divided(MANY);
    fixture_close(&fixture);
}

Test(many, epochs_elsewhere_while_a_rank_waits, .timeout = MINUTES)
{
    fixture_open(&fixture, make_locks_elsewhere);
    cr_expect_eq(fixture.results.waits.rows[MWA_WAIT_LOCK_CONTENTION].instances, 0u);
    cr_expect_eq(fixture.results.exchange.calls_unresolved, 0u);
    fixture_close(&fixture);
}

/* Regions of one name, each begun within the one before, and ended from the last on. */
static void make_nested_regions(const char *directory)
{
    struct maker *maker = maker_create(directory, RANKS, 1);

    maker_length(maker, 2 * DEPTH + 500);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        OTF2_EvtWriter *writer = maker_writer(maker, rank, 0);

        maker_init(writer);
        for (uint64_t i = 0; i < DEPTH; i++) {
            maker_enter(writer, BEGIN + i, MAKER_USER);
        }
        for (uint64_t i = 0; i < DEPTH; i++) {
            maker_leave(writer, BEGIN + DEPTH + i, MAKER_USER);
        }
        maker_finalize(writer, BEGIN + 2 * DEPTH);
        maker_through(maker, rank, 0);
    }
    maker_finish(maker);
}

/* They count once: from the first begin to the last end, 200 + 90,000 + 89,999. */
Test(many, regions_within_each_other, .timeout = MINUTES)
{
    const struct mwa_pop *pop = &fixture.results.pop;

    fixture_open(&fixture, make_nested_regions);
    cr_expect_eq(pop->run.runtime_ns, 2u * DEPTH + 100);
    cr_assert_eq(pop->region_count, 1u);
    cr_expect_eq(pop->regions[0].factors.ranks, RANKS);
    cr_expect_eq(pop->regions[0].factors.runtime_ns, 2u * DEPTH - 1);
    cr_expect_eq(pop->regions[0].factors.ideal_ns, 2u * DEPTH - 1);
    cr_expect_eq(pop->regions[0].factors.useful_total_ns, RANKS * (2u * DEPTH - 1));
    fixture_close(&fixture);
}
