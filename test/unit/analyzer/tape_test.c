#include "analyzer/analysis/efficiency/tape.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "analyzer/analysis/efficiency/ideal_tape.h"
#include "analyzer/analysis/efficiency/instants.h"

/* More steps than are held in memory: about 2.5 MB of them. */
#define STEPS 800000u

struct played {
    uint64_t next;
};

/* Step i is done with register i % 7 and operand i. */
static bool take_next(void *user, uint64_t at, unsigned operation, uint64_t operand)
{
    struct played *played = user;
    const bool is_next = operand == played->next && at == operand % 7 &&
                         operation == 1 + operand % 15;

    played->next++;
    return is_next;
}

Test(tape, steps_are_gone_in_their_order)
{
    struct mwa_tape *tape = mwa_tape_create(7);
    struct played played = { 0 };

    cr_assert_not_null(tape);
    for (uint64_t i = 0; i < STEPS; i++) {
        cr_assert_eq(mwa_tape_write(tape, i % 7, 1 + i % 15, i), MW_OK);
    }
    cr_expect_eq(mwa_tape_play(tape, take_next, &played), MW_OK);
    cr_expect_eq(played.next, STEPS);
    mwa_tape_destroy(tape);
}

Test(tape, a_register_that_was_given_back_is_taken_again)
{
    struct mwa_tape *tape = mwa_tape_create(3);
    const uint64_t one = mwa_tape_take(tape), other = mwa_tape_take(tape);

    cr_expect_eq(one, 3);
    cr_expect_eq(other, 4);
    mwa_tape_give(tape, one);
    cr_expect_eq(mwa_tape_take(tape), one);
    cr_expect_eq(mwa_tape_take(tape), 5);
    cr_expect_eq(mwa_tape_registers(tape), 6);
    mwa_tape_destroy(tape);
}

static bool is_small(void *user, uint64_t at, unsigned operation, uint64_t operand)
{
    return operand <= 500;
}

/* What a tape of steps with these operands is in another process, of so many given registers. */
static enum mw_status travel(uint64_t registers, uint64_t given, uint64_t at, uint64_t operand,
                             struct mwa_tape **made)
{
    struct mwa_tape *tape = mwa_tape_create(registers);
    struct mw_buffer packed = { 0 };
    struct mw_cursor from;
    uint64_t told;
    enum mw_status status;

    for (uint64_t i = 0; i < 300; i++) {
        cr_assert_eq(mwa_tape_write(tape, 1, 1, i), MW_OK);
    }
    cr_assert_eq(mwa_tape_write(tape, at, 2, operand), MW_OK);
    mwa_tape_pack(tape, &packed);
    cr_assert(!packed.failed);
    from = (struct mw_cursor){ packed.data, packed.bytes };
    status = mwa_tape_unpack(made, &from, given, &told, is_small, NULL);
    mw_buffer_fini(&packed);
    mwa_tape_destroy(tape);
    return status;
}

Test(tape, travels_and_is_looked_at_where_it_comes)
{
    struct mwa_tape *made;

    cr_expect_eq(travel(5, 5, 4, 500, &made), MW_OK);
    cr_assert_not_null(made);
    cr_expect_eq(mwa_tape_registers(made), 5);
    mwa_tape_destroy(made);
    cr_expect_eq(travel(5, 6, 4, 500, &made), MW_ERROR_FORMAT, "fewer registers than are given");
    mwa_tape_destroy(made);
    cr_expect_eq(travel(5, 5, 5, 500, &made), MW_ERROR_FORMAT, "there is no such register");
    mwa_tape_destroy(made);
    cr_expect_eq(travel(5, 5, 4, 501, &made), MW_ERROR_FORMAT, "no such operand");
    mwa_tape_destroy(made);
}

Test(tape, none_travels_as_none)
{
    struct mw_buffer packed = { 0 };
    struct mwa_tape *made;
    struct mw_cursor from;
    uint64_t told;

    mwa_tape_pack(NULL, &packed);
    from = (struct mw_cursor){ packed.data, packed.bytes };
    cr_expect_eq(mwa_tape_unpack(&made, &from, 1, &told, is_small, NULL), MW_OK);
    cr_expect_null(made);
    from = (struct mw_cursor){ packed.data, packed.bytes - 1 };
    cr_expect_eq(mwa_tape_unpack(&made, &from, 1, &told, is_small, NULL), MW_ERROR_FORMAT);
    mw_buffer_fini(&packed);
}

/*
 * Behind a lull one rank computes 10 and sends, the other one computes 5 in a region, receives, and
 * computes 7 there. Before it they had computed 100 and 40, of which the chapter knows nothing. So
 * the message is there at 110, the region is entered at 40 and left at 117, and without waiting for
 * messages the other one is at 52.
 */
Test(ideal_tape, clocks_are_what_they_had_been_and_what_was_done_since)
{
    struct mwa_tape *tape = mwa_tape_create(3);
    struct mwa_ideal_track chapter[2] = { { .number = 1, .running = true, .tape = tape },
                                          { .number = 2, .running = true, .tape = tape } };
    struct mwa_ideal_track run[2] = { { .clocks = { 100, 100 } }, { .clocks = { 40, 40 } } };
    struct mwa_words sent, nothing = { 0 };

    mwa_ideal_compute(&chapter[0], 10);
    cr_assert_eq(mwa_ideal_keep(&chapter[0], &sent), MW_OK);
    cr_assert_eq(mwa_ideal_enter(&chapter[1], 8), MW_OK);
    mwa_ideal_compute(&chapter[1], 5);
    cr_assert_eq(mwa_ideal_receive(&chapter[1], sent), MW_OK);
    cr_assert_eq(mwa_ideal_receive(&chapter[1], nothing), MW_OK);
    mwa_ideal_forget(tape, sent);
    mwa_ideal_compute(&chapter[1], 7);
    cr_assert_eq(mwa_ideal_leave(&chapter[1]), MW_OK);
    mwa_ideal_compute(&chapter[0], 1);
    cr_assert_eq(mwa_ideal_write_up(&chapter[0]), MW_OK);

    cr_assert_eq(mwa_ideal_tape_play(tape, run, 2), MW_OK);
    cr_expect_eq(run[0].clocks.first, 111);
    cr_expect_eq(run[0].clocks.second, 111);
    cr_expect_eq(run[1].clocks.first, 117);
    cr_expect_eq(run[1].clocks.second, 52);
    cr_expect_eq(run[1].regions.index.count, 1);
    cr_expect_eq(run[1].regions.regions[0].ticks, 77);
    for (uint32_t i = 0; i < 2; i++) {
        mwa_region_clocks_fini(&chapter[i].regions);
        mwa_region_clocks_fini(&run[i].regions);
    }
    mwa_tape_destroy(tape);
}

/* Three that wait for each other's latest: 100 + 10, 40 + 80 and 90, of which 120 is the latest. */
Test(ideal_tape, who_waits_for_all_waits_for_the_latest)
{
    struct mwa_tape *tape = mwa_tape_create(4);
    struct mwa_ideal_track chapter[3] = { { .number = 1, .tape = tape },
                                          { .number = 2, .tape = tape },
                                          { .number = 3, .tape = tape } };
    struct mwa_ideal_track run[3] = { { .clocks = { 100, 30 } },
                                      { .clocks = { 40, 20 } },
                                      { .clocks = { 90, 10 } } };
    struct mwa_words begun[3], all = { 0 };

    mwa_ideal_compute(&chapter[0], 10);
    mwa_ideal_compute(&chapter[1], 80);
    for (uint32_t i = 0; i < 3; i++) {
        cr_assert_eq(mwa_ideal_keep(&chapter[i], &begun[i]), MW_OK);
        cr_assert_eq(mwa_ideal_gather(tape, begun[i], &all), MW_OK);
    }
    for (uint32_t i = 0; i < 3; i++) {
        cr_assert_eq(mwa_ideal_wait(&chapter[i], all), MW_OK);
    }
    cr_assert_eq(mwa_ideal_tape_play(tape, run, 3), MW_OK);
    for (uint32_t i = 0; i < 3; i++) {
        cr_expect_eq(run[i].clocks.first, 120);
        cr_expect_eq(run[i].clocks.second, 100);
    }
    mwa_tape_destroy(tape);
}

/*
 * A send at place 4 begins 20 behind the rank's last call, 10 in the case in which that is halved;
 * its receiver's call comes no earlier, but in the third case, in which nobody waits for what is
 * received at place 6, and ends 5 later. The ranks' last calls had ended at 1000 and 1001.
 */
Test(instants_tape, times_are_those_before_and_what_each_case_adds)
{
    const struct mwa_what_if_factor half = { .rank = 0, .place = 4, .factor = 0.5 };
    const struct mwa_what_if_cases cases = {
        .list = { { .sends.rank = MWA_NONE },
                  { .factors = &half, .factor_count = 1, .sends.rank = MWA_NONE },
                  { .places = { 6 }, .place_count = 1, .sends.rank = MWA_NONE } },
        .count = 3
    };
    struct mwa_instant_times given[3] = { { { 0 } },
                                          { { 1000, 1000, 1000 } },
                                          { { 1001, 1001, 1001 } } };
    uint64_t ends[MWA_WHAT_IF_CASES] = { 0 };
    struct mwa_instants instants;
    struct mwa_instant *last[2], *begin, *end;

    mwa_instants_init(&instants, &cases);
    instants.tape = mwa_tape_create(3);
    last[0] = mwa_instant_given(&instants, 1);
    last[1] = mwa_instant_given(&instants, 2);
    begin = mwa_instant_make(&instants);
    begin->rank = 0;
    begin->call_at = 4;
    begin->ticks = 20;
    cr_assert_eq(mwa_instant_follow(&instants, last[0], begin, false, MWA_NONE), MW_OK);
    end = mwa_instant_make(&instants);
    cr_assert_eq(mwa_instant_follow(&instants, begin, end, true, 6), MW_OK);
    cr_assert_eq(mwa_instant_follow(&instants, last[1], end, false, MWA_NONE), MW_OK);
    end->ticks = 5;
    end->ends = ends;
    mwa_instant_close(&instants, end);
    mwa_instant_close(&instants, begin);
    mwa_instant_write_last(&instants, end, 2);
    mwa_instant_write_last(&instants, begin, 1);
    cr_assert_eq(instants.status, MW_OK);

    ends[0] = ends[1] = ends[2] = 1012;
    cr_assert_eq(mwa_instants_play(instants.tape, given, 3, ends), MW_OK);
    cr_expect_eq(given[1].at[0], 1020);
    cr_expect_eq(given[1].at[1], 1010);
    cr_expect_eq(given[1].at[2], 1020);
    cr_expect_eq(given[2].at[0], 1025);
    cr_expect_eq(given[2].at[1], 1015);
    cr_expect_eq(given[2].at[2], 1006);
    cr_expect_eq(ends[0], 1025);
    cr_expect_eq(ends[1], 1015);
    cr_expect_eq(ends[2], 1012);
    mwa_tape_destroy(instants.tape);
    mwa_instants_fini(&instants);
}
