/*
 * Rank 1 is followed in a part of a run only, and receives of rank 0. A receive is posted at 50
 * before the part, which ends it at 400; or at 150 in the part, which does not end it.
 */
#include <criterion/criterion.h>

#include "analyzer/exchange/matching.h"
#include "analyzer/load/quiet_requests.h"

static struct mwa_rank ranks[2] = { { .locations = 1 }, { .locations = 1 } };
static uint32_t members[2] = { 0, 1 };
static struct mwa_group world = { .count = 2, .ranks = members };
static struct mwa_comm comms[1] = { { .remote_group = MWA_NONE, .parent = MWA_NONE } };
static struct mwa_trace trace = { .groups = &world,
                                  .group_count = 1,
                                  .comms = comms,
                                  .comm_count = 1,
                                  .ranks = ranks,
                                  .rank_count = 2,
                                  .clock_resolution = 1000000000 };

static struct mwa_matching *matching;
static uint64_t posted_at[8]; /* by the receive's number of bytes */
static uint64_t matches;

struct end {
    uint64_t time; /* of posting a receive */
};

static enum mw_status posted(void *user, void *call, uint32_t rank, uint64_t time, void **receive)
{
    static struct end ends[4];
    static unsigned count;

    cr_assert_lt(count, 4);
    ends[count].time = time;
    *receive = &ends[count++];
    return MW_OK;
}

static enum mw_status received(void *user, void *call, void *receive,
                               const struct mwa_event *event)
{
    posted_at[event->of.message.bytes] = ((struct end *)receive)->time;
    return MW_OK;
}

static enum mw_status matched(void *user, void *send, void *receive)
{
    matches++;
    return MW_OK;
}

static void begin(void)
{
    const struct mwa_matching_listener listener = { .posted = posted,
                                                    .received = received,
                                                    .matched = matched };

    cr_assert_eq(mwa_matching_create(&trace, NULL, &listener, &matching, NULL), MW_OK);
}

static void end(void)
{
    mwa_matching_destroy(matching);
}

TestSuite(matching_carried, .init = begin, .fini = end);

static const struct mwa_carried_request before = { .request = 9,
                                                   .begin = 5,
                                                   .end = 40,
                                                   .time = 50,
                                                   .end_time = 400,
                                                   .bytes = 1,
                                                   .comm = 0,
                                                   .peer = 0,
                                                   .tag = 3,
                                                   .kind = MWA_IRECV_POST,
                                                   .ended_by = MWA_IRECV };
static const struct mwa_carried_request behind = { .request = 9,
                                                   .begin = 15,
                                                   .end = 90,
                                                   .time = 150,
                                                   .end_time = 900,
                                                   .bytes = 1,
                                                   .comm = 0,
                                                   .peer = 0,
                                                   .tag = 3,
                                                   .kind = MWA_IRECV_POST,
                                                   .ended_by = MWA_IRECV };

static void take(uint32_t rank, enum mwa_event_kind kind, uint64_t time, uint64_t request,
                 uint32_t tag, uint64_t bytes)
{
    const struct mwa_event event = {
        .kind = kind,
        .time = time,
        .request = request,
        .of.message = { .comm = 0, .peer = 1 - rank, .tag = tag, .bytes = bytes }
    };

    cr_assert_eq(mwa_matching_take(matching, rank, &event, time, NULL), MW_OK);
}

static struct mwa_matching_result finish(void)
{
    struct mwa_matching_result result;

    cr_assert_eq(mwa_matching_finish(matching, &result), MW_OK);
    return result;
}

Test(matching_carried, a_receive_that_was_posted_before_is_the_first_of_its_channel)
{
    struct mwa_matching_result result;

    cr_assert_eq(mwa_matching_begin_with(matching, 1, &before, NULL), MW_OK);
    take(1, MWA_IRECV_POST, 200, 10, 0, 0);
    take(0, MWA_SEND, 300, 0, 3, 1);
    take(0, MWA_SEND, 310, 0, 3, 2);
    take(1, MWA_IRECV, 390, 10, 3, 2);
    cr_expect(mwa_matching_is_apart(matching), "its end is to come");
    take(1, MWA_IRECV, 400, 9, 3, 1);
    cr_expect_not(mwa_matching_is_apart(matching));
    cr_expect_eq(posted_at[1], 50);
    cr_expect_eq(posted_at[2], 200);
    result = finish();
    cr_expect_eq(result.receives, 2);
    cr_expect_eq(result.matched, 2);
    cr_expect_eq(matches, 2);
}

/* That it comes before the other is known, and which message it got is not. */
Test(matching_carried, one_that_was_posted_before_a_ring_begins_is_left_out)
{
    struct mwa_matching_result result;

    trace.is_ring = trace.begins_late = true;
    ranks[1].lost = 1;
    take(0, MWA_SEND, 300, 0, 3, 2);
    take(1, MWA_IRECV_POST, 310, 10, 0, 0);
    take(1, MWA_IRECV, 320, 9, 3, 1);
    take(1, MWA_IRECV, 330, 10, 3, 2);
    result = finish();
    cr_expect_eq(result.receives, 2);
    cr_expect_eq(result.matched, 1);
    cr_expect_eq(result.unmatched_receives, 1);
    cr_expect_eq(result.size_mismatches, 0);
}

Test(matching_carried, a_receive_that_ends_as_another_one_is_no_part_of_the_run)
{
    cr_assert_eq(mwa_matching_begin_with(matching, 1, &before, NULL), MW_OK);
    take(0, MWA_SEND, 300, 0, 4, 1);
    take(1, MWA_IRECV, 400, 9, 4, 1);
    cr_expect(mwa_matching_is_apart(matching));
}

Test(matching_carried, one_that_is_cancelled_is_counted_where_it_is)
{
    struct mwa_carried_request cancelled = before;
    struct mwa_matching_result result;

    cancelled.ended_by = MWA_CANCELLED;
    cr_assert_eq(mwa_matching_begin_with(matching, 1, &cancelled, NULL), MW_OK);
    take(1, MWA_CANCELLED, 400, 9, 0, 0);
    cr_expect_not(mwa_matching_is_apart(matching));
    result = finish();
    cr_expect_eq(result.cancelled, 1);
    cr_expect_eq(result.receives, 0);
    cr_expect_eq(result.pending_receives, 0);
}

Test(matching_carried, a_receive_that_ends_behind_the_part_is_not_pending)
{
    struct mwa_matching_result result;

    cr_assert_eq(mwa_matching_end_with(matching, 1, &behind, false), MW_OK);
    take(1, MWA_IRECV_POST, 100, 8, 0, 0);
    cr_expect(mwa_matching_is_apart(matching), "it is to be posted");
    take(1, MWA_IRECV_POST, 150, 9, 0, 0);
    take(0, MWA_SEND, 300, 0, 3, 2);
    take(1, MWA_IRECV, 390, 8, 3, 2);
    cr_expect_not(mwa_matching_is_apart(matching), "who was posted before it overtakes nobody");
    result = finish();
    cr_expect_eq(result.receives, 1);
    cr_expect_eq(result.matched, 1);
    cr_expect_eq(result.pending_receives, 0);
}

Test(matching_carried, of_two_posted_at_a_time_under_one_number_the_first_is_not_put_off)
{
    cr_assert_eq(mwa_matching_end_with(matching, 1, &behind, false), MW_OK);
    take(1, MWA_IRECV_POST, 150, 9, 0, 0);
    cr_expect_not(mwa_matching_is_apart(matching));
    take(1, MWA_CANCELLED, 150, 9, 0, 0);
    take(1, MWA_IRECV_POST, 150, 9, 0, 0);
    cr_expect(mwa_matching_is_apart(matching));
}

Test(matching_carried, one_that_is_overtaken_is_no_part_of_the_run)
{
    cr_assert_eq(mwa_matching_end_with(matching, 1, &behind, false), MW_OK);
    take(1, MWA_IRECV_POST, 150, 9, 0, 0);
    take(0, MWA_SEND, 300, 0, 3, 2);
    take(1, MWA_RECV, 390, 0, 3, 2);
    cr_expect(mwa_matching_is_apart(matching));
}

Test(matching_carried, one_that_goes_through_the_part_is_overtaken_by_all_on_its_channel)
{
    cr_assert_eq(mwa_matching_end_with(matching, 1, &behind, true), MW_OK);
    take(0, MWA_SEND, 300, 0, 4, 2);
    take(1, MWA_RECV, 310, 0, 4, 2);
    cr_expect_not(mwa_matching_is_apart(matching), "this is another channel");
    take(0, MWA_SEND, 400, 0, 3, 2);
    take(1, MWA_RECV, 410, 0, 3, 2);
    cr_expect(mwa_matching_is_apart(matching));
}
