/* Two ranks on one host; numbers and times are told as reading tells them. */
#include "analyzer/exchange/tails.h"

#include <criterion/criterion.h>

#include "analyzer/exchange/channels.h"

enum { ZERO, ONE, RANKS };
enum { SERIES = 5, OTHER_SERIES = 6, COURSE = 1, COMM = 3, TAG = 7 };

static struct mwa_rank ranks[RANKS];
static struct mwa_trace trace;
static struct mwa_tails tails;
static struct mwa_beginnings beginnings;
static struct mwa_key channel;

static void begin(void)
{
    for (unsigned i = 0; i < RANKS; i++) {
        ranks[i] = (struct mwa_rank){ .host = "one", .lost = 1 };
    }
    ranks[ONE].host = ranks[ZERO].host;
    trace = (struct mwa_trace){ .ranks = ranks,
                                .rank_count = RANKS,
                                .clock_resolution = 1000000000,
                                .is_ring = true,
                                .begins_late = true };
    channel = mwa_channel_key(&(struct mwa_message_data){ .comm = COMM, .tag = TAG }, ZERO, ONE);
}

static void end(void)
{
    mwa_tails_fini(&tails);
    mwa_beginnings_fini(&beginnings);
}

TestSuite(tails, .init = begin, .fini = end);

static struct mwa_key series_of(uint32_t rank)
{
    return mwa_series_key(SERIES, rank, COMM);
}

/* Rank takes part in one at 1000 times number, of a series of COURSE. */
static void takes_part_in(uint32_t rank, uint32_t series, uint64_t number, bool gives, bool takes)
{
    const struct mwa_tail_part part = { .begin = 1000 * number + 10 * rank,
                                        .end = 1000 * number + 500 + 10 * rank,
                                        .series = series,
                                        .gives = gives,
                                        .takes = takes,
                                        .is_root = gives != takes && rank == ZERO };

    cr_assert(mwa_tails_add_part(&tails, mwa_series_key(COURSE, rank, COMM), &part));
}

/* The rank is in operations from..to: in which all meet, or one gives and one takes. */
static void takes_part(uint32_t rank, bool gives, bool takes, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++) {
        takes_part_in(rank, SERIES, i, gives, takes);
    }
}

static void meets(uint32_t rank, uint64_t from, uint64_t to)
{
    takes_part(rank, true, true, from, to);
}

static void sends(uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++) {
        cr_assert(mwa_tails_add_send(&tails, channel, 1000 * i));
    }
}

static void receives(uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++) {
        cr_assert(mwa_tails_add_receive(&tails, channel, 1000 * i + 900));
    }
}

static void expect_early(uint64_t sent, uint64_t received)
{
    cr_assert_eq(mwa_tails_compare(&tails, &trace, &beginnings), MW_OK);
    cr_expect_eq(mwa_beginning(&beginnings.sends, channel), sent);
    cr_expect_eq(mwa_beginning(&beginnings.receives, channel), received);
}

static void expect_numbers(uint64_t of_zero, uint64_t of_one)
{
    cr_assert_eq(mwa_tails_compare(&tails, &trace, &beginnings), MW_OK);
    cr_expect_eq(mwa_beginning(&beginnings.numbers, series_of(ZERO)), of_zero);
    cr_expect_eq(mwa_beginning(&beginnings.numbers, series_of(ONE)), of_one);
}

Test(tails, sends_that_were_received_before_the_record_have_no_receive)
{
    sends(0, 100);
    receives(30, 100);
    expect_early(30, 0);
}

Test(tails, receives_of_what_was_sent_before_the_record_have_no_send)
{
    sends(58, 100);
    receives(30, 100);
    expect_early(0, 28);
}

Test(tails, what_is_only_there_once_has_no_other)
{
    sends(97, 100);
    expect_early(3, 0);
}

Test(tails, who_has_lost_nothing_has_not_received)
{
    ranks[ONE].lost = 0;
    sends(0, 100);
    receives(0, 98);
    expect_early(0, 0);
}

Test(tails, what_was_sent_last_may_not_be_received_any_more)
{
    trace.ends_early = true;
    sends(10, 100);
    receives(30, 97);
    expect_early(20, 0);
}

Test(tails, as_many_at_both_ends_are_not_taken_for_each_other)
{
    trace.ends_early = true;
    sends(12, 102);
    receives(10, 100);
    expect_early(0, 2);
}

Test(tails, what_is_never_received_is_not_taken_for_what_was)
{
    sends(10, 102);
    receives(10, 100);
    expect_early(0, 0);
}

Test(tails, what_was_received_before_all_that_is_sent_is_of_something_else)
{
    sends(50, 53);
    receives(40, 41);
    expect_early(0, 1);
}

Test(tails, messages_of_a_part_are_all_there_from_its_beginning_on)
{
    trace.ends_early = true;
    for (unsigned i = 0; i < RANKS; i++) { /* read together with a ring */
        ranks[i].lost = 0;
        ranks[i].paused = true;
    }
    for (uint64_t i = 0; i < 30; i++) {
        cr_assert(mwa_tails_add_send(&tails, channel, 0)); /* on their way at the beginning */
    }
    receives(0, 10);
    expect_early(0, 0);
}

Test(tails, times_that_clocks_explain_do_not_count)
{
    trace.ends_early = true;
    trace.clock_error_ns = 200;
    for (uint64_t i = 0; i < 50; i++) {
        cr_assert(mwa_tails_add_send(&tails, channel, 1000 * i + 300));
        cr_assert(mwa_tails_add_receive(&tails, channel, 1000 * i));
    }
    expect_early(0, 0);
}

Test(tails, clocks_that_are_wrong_throughout_say_nothing)
{
    trace.ends_early = true;
    for (uint64_t i = 0; i < 50; i++) {
        cr_assert(mwa_tails_add_send(&tails, channel, 1000000 + 1000 * i));
        cr_assert(mwa_tails_add_receive(&tails, channel, 1000 * i));
    }
    expect_early(0, 0);
}

Test(tails, numbers_count_from_where_all_have_begun)
{
    meets(ZERO, 0, 100);
    meets(ONE, 40, 100);
    expect_numbers(40, 0);
}

Test(tails, the_last_one_that_a_rank_has_more_is_not_the_first)
{
    trace.ends_early = true;
    meets(ZERO, 0, 100);
    meets(ONE, 40, 101);
    expect_numbers(40, 0);
}

Test(tails, a_root_that_is_behind_or_ahead_is_compared_by_what_it_gives)
{
    trace.ends_early = true;
    takes_part(ZERO, true, false, 20, 103); /* broadcasts three more */
    takes_part(ONE, false, true, 40, 100);
    expect_numbers(20, 0);
}

Test(tails, who_gives_to_a_root_may_be_ahead)
{
    trace.ends_early = true;
    takes_part(ZERO, false, true, 20, 100);
    takes_part(ONE, true, false, 5, 102);
    expect_numbers(0, 15);
}

Test(tails, where_nobody_begins_late_numbers_are_as_they_are)
{
    ranks[ZERO].lost = ranks[ONE].lost = 0;
    meets(ZERO, 0, 100);
    meets(ONE, 0, 99);
    expect_numbers(0, 0);
}

/* Of two broadcasts by turns the root has made one more, which by its time could be any. */
Test(tails, operations_of_a_communicator_are_made_in_one_order)
{
    trace.ends_early = true;
    for (uint64_t i = 0; i < 15; i++) {
        takes_part_in(ONE, i % 2 == 0 ? SERIES : OTHER_SERIES, 100 + i, false, true);
    }
    for (uint64_t i = 3; i < 16; i++) {
        takes_part_in(ZERO, i % 2 == 0 ? SERIES : OTHER_SERIES, i, true, false);
    }
    expect_numbers(0, 2); /* of 0, 2, 4, … 14 and 4, 6, … 14 */
    cr_expect_eq(mwa_beginning(&beginnings.numbers, mwa_series_key(OTHER_SERIES, ONE, COMM)), 1);
    cr_expect_eq(mwa_beginning(&beginnings.numbers, mwa_series_key(OTHER_SERIES, ZERO, COMM)), 0);
}

Test(tails, who_is_in_one_group_does_not_wait_for_who_is_in_it_too)
{
    trace.ends_early = true;
    for (uint64_t i = 0; i < 40; i++) {
        for (uint32_t rank = ZERO; rank < RANKS; rank++) {
            const struct mwa_tail_part part = { .begin = 1000 * (i + rank),
                                                .end = 1000 * (i + rank) + 1,
                                                        .series = SERIES,
                                                .gives = true,
                                                .takes = true,
                                                .side = 1 };

            cr_assert(mwa_tails_add_part(&tails, mwa_series_key(COURSE, rank, COMM), &part));
        }
    }
    expect_numbers(0, 0);
}
