#include "analyzer/exchange/matching.h"

#include <criterion/criterion.h>

#include "test/data/archives.h"
#include "test/unit/analyzer/archive_fixture.h"

static struct fixture fixture;

static const struct mwa_matching_result *match(void (*make)(const char *))
{
    fixture_open(&fixture, make);
    return &fixture.results.matching;
}

static void expect_all_matched(const struct mwa_matching_result *result, uint64_t messages)
{
    cr_expect_eq(result->sends, messages);
    cr_expect_eq(result->receives, messages);
    cr_expect_eq(result->matched, messages);
    cr_expect_eq(result->unmatched_sends, 0);
    cr_expect_eq(result->unmatched_receives, 0);
    cr_expect_eq(result->size_mismatches, 0);
}

Test(matching, pairs_receives_as_they_were_posted_and_not_as_they_completed)
{
    const struct mwa_matching_result *result = match(make_reordered);

    expect_all_matched(result, 3);
    cr_expect_eq(result->clock_violations, 0);
    fixture_close(&fixture);
}

Test(matching, reads_ahead_when_a_receive_stays_pending_for_twenty_thousand_others)
{
    const struct mwa_matching_result *result = match(make_long_pending);

    expect_all_matched(result, 20001);
    cr_expect_eq(result->pending_receives, 0);
    fixture_close(&fixture);
}

Test(matching, reads_ahead_when_twenty_thousand_receives_that_block_wait_for_a_pending_one)
{
    const struct mwa_matching_result *result = match(make_long_pending_blocking);

    expect_all_matched(result, 20001);
    cr_expect_eq(fixture.results.exchange.calls_unresolved, 0);
    fixture_close(&fixture);
}

Test(matching, goes_on_behind_a_receive_that_is_never_completed)
{
    const struct mwa_matching_result *result = match(make_never_completed);

    expect_all_matched(result, 20000);
    cr_expect_eq(result->pending_receives, 1);
    fixture_close(&fixture);
}

Test(matching, leaves_out_what_was_cancelled)
{
    const struct mwa_matching_result *result = match(make_cancelled);

    cr_expect_eq(result->sends, 2);
    cr_expect_eq(result->receives, 2);
    cr_expect_eq(result->matched, 2);
    cr_expect_eq(result->cancelled, 3);
    cr_expect_eq(result->unmatched_sends, 0);
    cr_expect_eq(result->unmatched_receives, 0);
    cr_expect_eq(fixture.results.traffic.messages, 2);
    cr_expect_eq(fixture.results.traffic.bytes, 222 + 444);
    cr_expect_eq(fixture.results.comms.rows[0].messages, 2);
    fixture_close(&fixture);
}

Test(matching, takes_peers_of_intercommunicators_from_the_remote_group)
{
    const struct mwa_matching_result *result = match(make_inter_comm);
    const struct mwa_traffic *traffic = &fixture.results.traffic;

    expect_all_matched(result, 2);
    cr_assert_eq(traffic->pair_count, 2);
    cr_expect_eq(traffic->pairs[0].from, 0);
    cr_expect_eq(traffic->pairs[0].to, 3);
    cr_expect_eq(traffic->pairs[0].bytes, 10);
    cr_expect_eq(traffic->pairs[1].from, 2);
    cr_expect_eq(traffic->pairs[1].to, 1);
    cr_expect_eq(traffic->pairs[1].bytes, 20);
    fixture_close(&fixture);
}

Test(matching, orders_receives_of_several_threads_by_when_they_were_entered)
{
    expect_all_matched(match(make_threads), 3);
    fixture_close(&fixture);
}

Test(matching, compares_corrected_times)
{
    const struct mwa_matching_result *result = match(make_clocks);

    expect_all_matched(result, 1);
    cr_expect_eq(result->clock_violations, 0);
    fixture_close(&fixture);
}

Test(matching, counts_receives_that_end_before_their_send_begins)
{
    const struct mwa_matching_result *result = match(make_violated);

    expect_all_matched(result, 3);
    cr_expect_eq(result->clock_violations, 2);
    cr_expect_eq(result->clock_violation_max_ns, 50);
    fixture_close(&fixture);
}

Test(matching, says_that_a_pause_is_why_ends_have_no_partner)
{
    const struct mwa_matching_result *result = match(make_paused);

    cr_expect_eq(result->matched, 1);
    cr_expect_eq(result->unmatched_sends, 1);
    cr_expect_eq(result->sends_without[MWA_UNMATCHED_PAUSED], 1);
    cr_expect_eq(result->unmatched_receives, 1);
    cr_expect_eq(result->receives_without[MWA_UNMATCHED_PAUSED], 1);
    fixture_close(&fixture);
}

Test(matching, has_no_reason_for_what_it_does_not_know)
{
    const struct mwa_matching_result *result = match(make_open);

    cr_expect_eq(result->unmatched_sends, 1);
    cr_expect_eq(result->sends_without[MWA_UNMATCHED_UNKNOWN], 1);
    fixture_close(&fixture);
}
