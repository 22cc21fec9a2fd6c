/* Two ranks on one host; numbers and times are told as reading tells them. */
#include "analyzer/exchange/tails.h"

#include <criterion/criterion.h>

#include "analyzer/exchange/channels.h"

enum { ZERO, ONE, RANKS };
enum { SERIES = 5, COMM = 3, TAG = 7 };

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
                                .begins_late = true };
    channel = mwa_channel_key(COMM, TAG, ZERO, ONE);
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

/* The rank is in operations from..to: one that needs what is told, at 1000 times its number. */
static void takes_part(uint32_t rank, enum mwa_needs needs, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++) {
        cr_assert(mwa_tails_add_number(&tails, series_of(rank), needs,
                                       needs == MWA_NEEDS_ALL ? MWA_NONE : ZERO,
                                       1000 * i + 10 * rank, 1000 * i + 500 + 10 * rank));
    }
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
    takes_part(ZERO, MWA_NEEDS_ALL, 0, 100);
    takes_part(ONE, MWA_NEEDS_ALL, 40, 100);
    expect_numbers(40, 0);
}

Test(tails, the_last_one_that_a_rank_has_more_is_not_the_first)
{
    trace.ends_early = true;
    takes_part(ZERO, MWA_NEEDS_ALL, 0, 100);
    takes_part(ONE, MWA_NEEDS_ALL, 40, 101);
    expect_numbers(40, 0);
}

Test(tails, a_root_that_is_behind_or_ahead_is_compared_by_what_it_gives)
{
    trace.ends_early = true;
    takes_part(ZERO, MWA_NEEDS_ROOT, 20, 103); /* broadcasts three more */
    takes_part(ONE, MWA_NEEDS_ROOT, 40, 100);
    expect_numbers(20, 0);
}

Test(tails, who_gives_to_a_root_may_be_ahead)
{
    trace.ends_early = true;
    takes_part(ZERO, MWA_NEEDS_ALL_AT_ROOT, 20, 100);
    takes_part(ONE, MWA_NEEDS_ALL_AT_ROOT, 5, 102);
    expect_numbers(0, 15);
}

Test(tails, where_nobody_begins_late_numbers_are_as_they_are)
{
    ranks[ZERO].lost = ranks[ONE].lost = 0;
    takes_part(ZERO, MWA_NEEDS_ALL, 0, 100);
    takes_part(ONE, MWA_NEEDS_ALL, 0, 99);
    expect_numbers(0, 0);
}
