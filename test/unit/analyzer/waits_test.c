#include "analyzer/analysis/waits/waits.h"

#include <criterion/criterion.h>

#include "test/data/archives_inter.h"
#include "test/data/archives_neighbors.h"
#include "test/data/archives_probes.h"
#include "test/data/archives_returns.h"
#include "test/data/archives_waits.h"
#include "test/unit/analyzer/archive_fixture.h"

static struct fixture fixture;

static const struct mwa_waits *waits_of(void (*make)(const char *))
{
    fixture_open(&fixture, make);
    return &fixture.results.waits;
}

/* What a rank waited, and what it caused, in a pattern. */
static void expect_rank(enum mwa_wait_pattern pattern, uint32_t rank, uint64_t waited,
                        uint64_t caused)
{
    const struct mwa_wait_row *row = &fixture.results.waits.rows[pattern];
    uint64_t found[2] = { row->rank_ns ? row->rank_ns[rank] : 0,
                          row->cause_ns ? row->cause_ns[rank] : 0 };

    cr_expect_eq(found[0], waited, "%s: rank %u waits %lu, not %lu", mwa_wait_name(pattern), rank,
                 (unsigned long)found[0], (unsigned long)waited);
    cr_expect_eq(found[1], caused, "%s: rank %u causes %lu, not %lu", mwa_wait_name(pattern), rank,
                 (unsigned long)found[1], (unsigned long)caused);
}

static void expect_total(enum mwa_wait_pattern pattern, uint64_t total, uint64_t instances)
{
    const struct mwa_wait_row *row = &fixture.results.waits.rows[pattern];

    cr_expect_eq(row->total_ns, total, "%s: %lu, not %lu", mwa_wait_name(pattern),
                 (unsigned long)row->total_ns, (unsigned long)total);
    cr_expect_eq(row->instances, instances, "%s: %lu times, not %lu", mwa_wait_name(pattern),
                 (unsigned long)row->instances, (unsigned long)instances);
}

Test(waits, of_messages_are_charged_to_the_call_that_completes_them)
{
    const struct mwa_waits *waits = waits_of(make_waits_messages);
    const struct mwa_wait *worst = waits->rows[MWA_WAIT_LATE_SENDER].worst;

    expect_total(MWA_WAIT_LATE_SENDER, 600, 4);
    expect_rank(MWA_WAIT_LATE_SENDER, 0, 0, 300);
    expect_rank(MWA_WAIT_LATE_SENDER, 1, 500, 0);
    expect_rank(MWA_WAIT_LATE_SENDER, 2, 100, 300);
    expect_total(MWA_WAIT_LATE_RECEIVER, 700, 2);
    expect_rank(MWA_WAIT_LATE_RECEIVER, 0, 700, 0);
    expect_rank(MWA_WAIT_LATE_RECEIVER, 2, 0, 700);
    cr_expect_eq(mwa_waits_total_ns(waits), 1300);
    cr_expect_eq(mwa_waits_dominant(waits), MWA_WAIT_LATE_RECEIVER);
    cr_expect_eq(waits->rows[MWA_WAIT_LATE_SENDER].synchronizations, 1);
    cr_expect_eq(waits->violations, 1);
    cr_expect_eq(waits->violation_max_ns, 100);
    cr_assert_eq(waits->rows[MWA_WAIT_LATE_SENDER].worst_count, 4);
    cr_expect_eq(worst[0].time, 200);
    cr_expect_eq(worst[0].wait, 200);
    cr_expect_eq(worst[0].rank, 1);
    cr_expect_eq(worst[0].cause, 0);
    cr_expect_str_eq(worst[0].call->name, "MPI_Recv");
    cr_expect_str_eq(worst[1].call->name, "MPI_Waitall");
    cr_expect_eq(worst[1].cause, 2);
    cr_expect_eq(fixture.results.exchange.calls_unresolved, 0);
    fixture_close(&fixture);
}

/* The longest is rank 0's from 1700 to 2100 for rank 2: with a third of 400 on either side, and a
 * tick, from 1566 to 2234. In that are two Isends, the Waitall and the Recvs of ranks 1 and 2. */
Test(waits, that_are_longest_are_seen_with_what_is_around_them)
{
    const struct mwa_closeups *closeups = &fixture.results.closeups;
    static const uint64_t froms[] = { 1700, 1100, 200, 700 }, lengths[] = { 400, 300, 200, 200 };
    const struct mwa_closeup *closeup = &closeups->list[0];
    const struct mwa_seen_call *found = NULL;

    fixture_open(&fixture, make_waits_messages);
    cr_assert_eq(closeups->count, 4);
    for (unsigned i = 0; i < 4; i++) {
        cr_expect_eq(closeups->list[i].wait.from, froms[i]);
        cr_expect_eq(closeups->list[i].wait.to, froms[i] + lengths[i]);
    }
    cr_expect_eq(closeup->from, 1566);
    cr_expect_eq(closeup->to, 2234);
    cr_expect_eq(closeup->wait.rank, 0);
    cr_expect_eq(closeup->wait_count, 1);
    cr_expect_eq(closeup->left_out, 0);
    cr_assert_eq(closeup->call_count, 5, "%lu calls", (unsigned long)closeup->call_count);
    for (uint64_t i = 0; i < closeup->call_count; i++) {
        found = closeup->calls[i].rank == 1 ? &closeup->calls[i] : found;
    }
    cr_assert_not_null(found);
    cr_expect_str_eq(found->region->name, "MPI_Recv");
    cr_expect_eq(found->enter, 1800);
    cr_expect_eq(found->leave, 2000);
    cr_expect_eq(found->peer, 0);
    cr_expect_eq(found->bytes, 10);
    cr_assert_eq(closeup->message_count, 2);
    for (uint64_t i = 0; i < 2; i++) {
        const struct mwa_seen_message *message = &closeup->messages[i];

        cr_expect_eq(message->sent, message->to == 1 ? 1600 : 1610);
        cr_expect_eq(message->received, message->to == 1 ? 2000 : 2300);
    }
    fixture_close(&fixture);
}

Test(waits, behind_a_late_sender_count_from_there_on)
{
    waits_of(make_waits_behind);
    expect_total(MWA_WAIT_LATE_SENDER, 2000, 4);
    expect_rank(MWA_WAIT_LATE_SENDER, 1, 2000, 0);
    expect_total(MWA_WAIT_LATE_RECEIVER, 2000, 2);
    expect_rank(MWA_WAIT_LATE_RECEIVER, 1, 2000, 0);
    expect_rank(MWA_WAIT_LATE_RECEIVER, 2, 0, 2000);
    expect_total(MWA_WAIT_NXN, 500, 1);
    expect_rank(MWA_WAIT_NXN, 1, 500, 0);
    expect_total(MWA_WAIT_LATE_PROGRESS, 0, 0);
    cr_expect_eq(fixture.results.waits.violations, 0);
    cr_expect_eq(mwa_waits_total_ns(&fixture.results.waits), 4500);
    fixture_close(&fixture);
}

Test(waits, of_probes_are_for_the_sender_of_what_they_found)
{
    const struct mwa_waits *waits = waits_of(make_probes);
    const struct mwa_wait *worst = waits->rows[MWA_WAIT_LATE_SENDER].worst;

    expect_total(MWA_WAIT_LATE_SENDER, 610, 6);
    expect_rank(MWA_WAIT_LATE_SENDER, 0, 0, 460);
    expect_rank(MWA_WAIT_LATE_SENDER, 1, 610, 0);
    expect_rank(MWA_WAIT_LATE_SENDER, 2, 0, 150);
    expect_total(MWA_WAIT_WRONG_ORDER_SAME, 140, 1);
    expect_total(MWA_WAIT_WRONG_ORDER_DIFFERENT, 0, 0);
    cr_expect_eq(mwa_waits_total_ns(waits), 610);
    cr_expect_eq(waits->violations, 1);
    cr_expect_eq(worst[0].time, 200);
    cr_expect_eq(worst[0].cause, 0);
    cr_expect_str_eq(worst[0].call->name, "MPI_Probe");
    cr_expect_eq(fixture.results.matching.sends, 9);
    cr_expect_eq(fixture.results.matching.receives, 8, "probes receive nothing");
    cr_expect_eq(fixture.results.matching.matched, 8);
    cr_expect_eq(fixture.results.matching.unmatched_sends, 1);
    cr_expect_eq(fixture.results.matching.unmatched_receives, 0);
    cr_expect_eq(fixture.results.matching.size_mismatches, 0);
    cr_expect_eq(fixture.results.exchange.calls_unresolved, 1);
    cr_expect_eq(fixture.results.profile.ranks[1].probing_ns, 0, "it is known for whom");
    cr_expect_eq(fixture.results.comms.none_ns, 0, "and on which communicator");
    fixture_close(&fixture);
}

Test(waits, of_threads_that_probe_at_once_are_for_what_each_has_found)
{
    waits_of(make_probes_at_once);
    expect_total(MWA_WAIT_LATE_SENDER, 1910, 12);
    expect_rank(MWA_WAIT_LATE_SENDER, 1, 1910, 0);
    cr_expect_eq(fixture.results.waits.violations, 0);
    cr_expect_eq(fixture.results.matching.matched, 13);
    cr_expect_eq(fixture.results.matching.receives, 13);
    cr_expect_eq(fixture.results.matching.size_mismatches, 0, "each got its own");
    cr_expect_eq(fixture.results.matching.clock_violations, 0);
    cr_expect_eq(fixture.results.exchange.calls_unresolved, 0);
    fixture_close(&fixture);
}

Test(waits, of_polls_that_follow_each_other_are_as_of_one_call)
{
    const struct mwa_waits *waits = waits_of(make_polls);
    const struct mwa_wait *worst = waits->rows[MWA_WAIT_LATE_SENDER].worst;

    expect_total(MWA_WAIT_LATE_SENDER, 3600 + 760, 2);
    expect_rank(MWA_WAIT_LATE_SENDER, 1, 3600 + 760, 0);
    expect_total(MWA_WAIT_NXN, 2900, 1);
    expect_rank(MWA_WAIT_NXN, 1, 2900, 0);
    expect_rank(MWA_WAIT_NXN, 0, 0, 2900);
    cr_expect_eq(mwa_waits_total_ns(waits), 7260, "who works in between does not wait");
    cr_expect_eq(worst[0].time, 1000 + 400, "what is outside is taken to be before");
    cr_expect_str_eq(worst[0].call->name, "MPI_Test");
    cr_expect_str_eq(worst[1].call->name, "MPI_Iprobe");
    cr_expect_eq(mwa_waits_between_ns(waits), 400 + 40, "of 4000 and 800, what is no wait");
    cr_expect_eq(waits->between_ns[1], 400 + 40);
    cr_expect_eq(waits->violations, 0);
    cr_expect_eq(fixture.results.exchange.calls_unresolved, 0);
    fixture_close(&fixture);
}

Test(waits, of_messages_in_the_wrong_order_count_once_by_the_later_received_one)
{
    waits_of(make_waits_order);
    expect_total(MWA_WAIT_LATE_SENDER, 680, 3);
    expect_total(MWA_WAIT_WRONG_ORDER_SAME, 300, 1);
    expect_total(MWA_WAIT_WRONG_ORDER_DIFFERENT, 280, 1);
    expect_rank(MWA_WAIT_WRONG_ORDER_SAME, 1, 300, 0);
    cr_expect_eq(mwa_waits_total_ns(&fixture.results.waits), 680, "parts are not counted twice");
    fixture_close(&fixture);
}

Test(waits, in_collective_operations_follow_what_each_operation_needs)
{
    const struct mwa_waits *waits = waits_of(make_waits_collective);

    expect_total(MWA_WAIT_EARLY_REDUCE, 100, 1);
    expect_rank(MWA_WAIT_EARLY_REDUCE, 0, 100, 0);
    expect_rank(MWA_WAIT_EARLY_REDUCE, 1, 0, 100);
    expect_total(MWA_WAIT_LATE_BROADCAST, 190, 2);
    expect_rank(MWA_WAIT_LATE_BROADCAST, 1, 0, 150);
    expect_rank(MWA_WAIT_LATE_BROADCAST, 2, 0, 40);
    expect_total(MWA_WAIT_FOR_LAST, 200, 1); /* the root of the reduction, for 2 */
    expect_rank(MWA_WAIT_FOR_LAST, 0, 200, 0);
    expect_rank(MWA_WAIT_FOR_LAST, 2, 0, 200);
    expect_total(MWA_WAIT_NXN, 600, 3);
    expect_rank(MWA_WAIT_NXN, 0, 500, 0);
    expect_rank(MWA_WAIT_NXN, 1, 100, 0);
    expect_rank(MWA_WAIT_NXN, 2, 0, 600);
    expect_total(MWA_WAIT_NXN_COMPLETION, 10, 1);
    expect_total(MWA_WAIT_EARLY_SCAN, 150, 2);
    expect_rank(MWA_WAIT_EARLY_SCAN, 0, 0, 150);
    expect_total(MWA_WAIT_BARRIER, 280, 2);
    expect_total(MWA_WAIT_BARRIER_COMPLETION, 15, 2);
    expect_total(MWA_WAIT_COMM_CREATE, 150, 1);
    expect_total(MWA_WAIT_FINALIZE, 70, 2);
    expect_total(MWA_WAIT_INIT_COMPLETION, 0, 0);
    expect_total(MWA_WAIT_NEIGHBORS, 0, 0);
    cr_expect_eq(waits->neighbors_unknown, 1);
    cr_expect_eq(waits->violations, 0);
    cr_expect_eq(fixture.results.exchange.collectives_incomplete, 0);
    cr_expect_eq(fixture.results.exchange.calls_unresolved, 0);
    cr_assert_not_null(waits->rows[MWA_WAIT_LATE_BROADCAST].comm_ns);
    cr_expect_eq(waits->rows[MWA_WAIT_LATE_BROADCAST].comm_ns[2], 40);
    fixture_close(&fixture);
}

Test(waits, are_for_the_last_where_nobody_leaves_before_it_has_come)
{
    const struct mwa_waits *waits = waits_of(make_waits_for_last);
    const struct mwa_wait *worst = waits->rows[MWA_WAIT_FOR_LAST].worst;

    expect_total(MWA_WAIT_LATE_BROADCAST, 150, 1);
    expect_total(MWA_WAIT_EARLY_REDUCE, 100, 1);
    expect_total(MWA_WAIT_EARLY_SCAN, 0, 0);
    expect_total(MWA_WAIT_FOR_LAST, 820, 7);
    expect_rank(MWA_WAIT_FOR_LAST, 0, 40 + 150 + 250 + 40, 0);
    expect_rank(MWA_WAIT_FOR_LAST, 1, 40 + 150 + 150, 0);
    expect_rank(MWA_WAIT_FOR_LAST, 2, 0, 820);
    cr_expect_eq(worst[0].wait, 250);
    cr_expect_eq(worst[0].time, 1400);
    cr_expect_eq(worst[1].time, 1100, "behind early reduce");
    cr_expect_eq(waits->violations, 0);
    cr_expect_eq(mwa_waits_total_ns(waits), 150 + 100 + 820);
    fixture_close(&fixture);
}

Test(waits, of_who_gives_are_for_who_comes_to_mpi_to_get_it)
{
    const struct mwa_waits *waits = waits_of(make_waits_for_return);
    const struct mwa_wait *worst = waits->rows[MWA_WAIT_FOR_LAST].worst;

    expect_total(MWA_WAIT_FOR_LAST, 960 + 980, 2);
    expect_rank(MWA_WAIT_FOR_LAST, 0, 960, 980);
    expect_rank(MWA_WAIT_FOR_LAST, 1, 980, 960);
    expect_rank(MWA_WAIT_FOR_LAST, 2, 0, 0);
    cr_expect_eq(worst[0].time, 7020);
    cr_expect_eq(worst[1].time, 1040);
    cr_expect_eq(mwa_waits_total_ns(waits), 960 + 980);
    fixture_close(&fixture);
}

Test(waits, of_who_gets_are_for_who_hands_it_on)
{
    const struct mwa_waits *waits = waits_of(make_waits_for_handing_on);
    const struct mwa_wait *worst = waits->rows[MWA_WAIT_FOR_LAST].worst;

    expect_total(MWA_WAIT_LATE_BROADCAST, 500, 1);
    expect_total(MWA_WAIT_EARLY_REDUCE, 5, 1);
    expect_total(MWA_WAIT_FOR_LAST, 995 + 500 + 995 + 980 + 5, 5);
    expect_rank(MWA_WAIT_FOR_LAST, 0, 995 + 5, 0);
    expect_rank(MWA_WAIT_FOR_LAST, 1, 980, 995 + 500);
    expect_rank(MWA_WAIT_FOR_LAST, 2, 995 + 500, 995 + 980 + 5);
    cr_expect_eq(worst[0].time, 1005);
    cr_expect_eq(worst[3].time, 5500, "behind the root");
    cr_expect_eq(waits->violations, 0);
    fixture_close(&fixture);
}

Test(waits, in_scans_are_for_who_takes_what_one_gives)
{
    const struct mwa_waits *waits = waits_of(make_waits_for_taking);
    const struct mwa_wait *worst = waits->rows[MWA_WAIT_FOR_LAST].worst;

    expect_total(MWA_WAIT_EARLY_SCAN, 500 + 995, 2);
    expect_rank(MWA_WAIT_EARLY_SCAN, 1, 500, 995);
    expect_total(MWA_WAIT_FOR_LAST, 995 + 500, 2);
    expect_rank(MWA_WAIT_FOR_LAST, 1, 995 + 500, 0);
    expect_rank(MWA_WAIT_FOR_LAST, 2, 0, 995 + 500);
    cr_expect_eq(worst[0].time, 1005);
    cr_expect_eq(worst[1].time, 5500, "behind the one that it needs");
    cr_expect_eq(waits->violations, 0);
    fixture_close(&fixture);
}

Test(waits, of_who_gives_without_blocking_are_for_who_completes_it)
{
    const struct mwa_waits *waits = waits_of(make_waits_for_completion);

    expect_total(MWA_WAIT_LATE_COMPLETION, 2 * 390, 2);
    expect_rank(MWA_WAIT_LATE_COMPLETION, 0, 390, 390);
    expect_rank(MWA_WAIT_LATE_COMPLETION, 1, 390, 390);
    expect_rank(MWA_WAIT_LATE_COMPLETION, 2, 0, 0);
    expect_total(MWA_WAIT_FOR_LAST, 380, 1);
    expect_rank(MWA_WAIT_FOR_LAST, 0, 380, 0);
    expect_rank(MWA_WAIT_FOR_LAST, 1, 0, 380);
    cr_expect_eq(mwa_waits_total_ns(waits), 2 * 390 + 380);
    fixture_close(&fixture);
}

Test(waits, without_blocking_are_for_who_begins_behind_them)
{
    const struct mwa_waits *waits = waits_of(make_waits_for_beginning);

    expect_total(MWA_WAIT_FOR_LAST, 990 + 992 + 990 + 690, 4);
    expect_rank(MWA_WAIT_FOR_LAST, 0, 990, 990);
    expect_rank(MWA_WAIT_FOR_LAST, 1, 990 + 690, 990 + 992);
    expect_rank(MWA_WAIT_FOR_LAST, 2, 992, 690);
    cr_expect_eq(mwa_waits_total_ns(waits), 990 + 992 + 990 + 690);
    fixture_close(&fixture);
}

Test(waits, are_for_the_last_of_an_operation_that_does_not_block_if_seen_to_be)
{
    const struct mwa_waits *waits = waits_of(make_held_operations);

    expect_total(MWA_WAIT_EARLY_REDUCE, 0, 0);
    expect_total(MWA_WAIT_FOR_LAST, 4 * 290, 4);
    expect_rank(MWA_WAIT_FOR_LAST, 0, 3 * 290, 0);
    expect_rank(MWA_WAIT_FOR_LAST, 2, 290, 0);
    expect_rank(MWA_WAIT_FOR_LAST, 1, 0, 4 * 290);
    cr_expect_eq(mwa_waits_total_ns(waits), 4 * 290);
    fixture_close(&fixture);
}

Test(waits, at_neighbours_are_for_the_last_of_those_that_something_comes_from)
{
    const struct mwa_waits *waits = waits_of(make_waits_neighbors);
    const struct mwa_wait *worst = waits->rows[MWA_WAIT_NEIGHBORS].worst;

    expect_total(MWA_WAIT_NEIGHBORS, 1210, 7);
    expect_rank(MWA_WAIT_NEIGHBORS, 0, 260, 200);
    expect_rank(MWA_WAIT_NEIGHBORS, 1, 950, 260);
    expect_rank(MWA_WAIT_NEIGHBORS, 2, 0, 750);
    cr_expect_eq(worst[0].wait, 450);
    cr_expect_eq(worst[0].time, 400);
    cr_expect_eq(worst[0].rank, 1);
    cr_expect_eq(worst[0].cause, 2);
    cr_expect_eq(mwa_waits_total_ns(waits), 1210);
    cr_expect_eq(waits->neighbors_unknown, 1);
    cr_expect_eq(waits->uncertain, 0);
    cr_expect_eq(waits->violations, 0);
    cr_expect_eq(fixture.results.exchange.collectives_incomplete, 0);
    cr_expect_eq(fixture.results.exchange.calls_unresolved, 0);
    fixture_close(&fixture);
}

Test(waits, in_alltoallv_are_for_those_that_give_something_where_that_is_told)
{
    waits_of(make_waits_alltoallv);
    expect_total(MWA_WAIT_NXN, 1070, 6);
    expect_rank(MWA_WAIT_NXN, 0, 540, 0);
    expect_rank(MWA_WAIT_NXN, 1, 530, 350);
    expect_rank(MWA_WAIT_NXN, 2, 0, 720);
    expect_total(MWA_WAIT_NXN_COMPLETION, 20, 2);
    cr_expect_eq(mwa_waits_total_ns(&fixture.results.waits), 1070);
    cr_expect_eq(fixture.results.exchange.calls_unresolved, 0);
    fixture_close(&fixture);
}

Test(waits, are_for_nobody_who_is_not_in_the_communicator)
{
    waits_of(make_outside);
    cr_expect_eq(mwa_waits_total_ns(&fixture.results.waits), 0);
    cr_expect_eq(fixture.results.exchange.collectives_incomplete, 0);
    cr_expect_eq(fixture.results.exchange.calls_unresolved, 0);
    fixture_close(&fixture);
}

Test(waits, for_several_operations_in_one_call_count_once)
{
    waits_of(make_waits_together);
    expect_total(MWA_WAIT_NXN, 400, 1);
    expect_rank(MWA_WAIT_NXN, 0, 400, 0);
    fixture_close(&fixture);
}

Test(waits, of_threads_belong_to_the_call_of_the_thread)
{
    waits_of(make_waits_threads);
    expect_total(MWA_WAIT_LATE_SENDER, 450, 3);
    expect_rank(MWA_WAIT_LATE_SENDER, 1, 450, 0);
    expect_total(MWA_WAIT_WRONG_ORDER_SAME, 0, 0);
    cr_expect_eq(mwa_waits_other_threads_ns(&fixture.results.waits), 100);
    expect_total(MWA_WAIT_BARRIER, 250, 1);
    expect_rank(MWA_WAIT_BARRIER, 0, 250, 0);
    expect_total(MWA_WAIT_LATE_RECEIVER, 100, 1);
    expect_rank(MWA_WAIT_LATE_RECEIVER, 0, 100, 0);
    cr_expect_eq(fixture.results.exchange.calls_unresolved, 0);
    fixture_close(&fixture);
}

Test(waits, are_not_made_up_where_records_are_missing)
{
    const struct mwa_waits *waits = waits_of(make_waits_losses);

    expect_total(MWA_WAIT_LATE_SENDER, 100, 1);
    cr_expect_eq(mwa_waits_total_ns(waits), 100);
    cr_expect_eq(fixture.results.exchange.collectives_incomplete, 2);
    cr_expect_eq(fixture.results.matching.unmatched_sends, 1);
    cr_expect_eq(fixture.results.matching.unmatched_receives, 1);
    fixture_close(&fixture);
}

Test(waits, of_a_receive_are_not_for_a_send_that_was_cancelled)
{
    waits_of(make_waits_cancelled);
    expect_total(MWA_WAIT_LATE_SENDER, 250, 1);
    expect_rank(MWA_WAIT_LATE_SENDER, 0, 250, 0);
    fixture_close(&fixture);
}

Test(waits, for_an_operation_are_found_behind_one_that_is_never_complete)
{
    const struct mwa_waits *waits = waits_of(make_waits_forgotten);

    expect_total(MWA_WAIT_NXN, 480, 2);
    expect_rank(MWA_WAIT_NXN, 0, 250, 0);
    expect_rank(MWA_WAIT_NXN, 1, 230, 0);
    expect_rank(MWA_WAIT_NXN, 2, 0, 480);
    cr_expect_eq(waits->rows[MWA_WAIT_NXN].total_ns, mwa_waits_total_ns(waits));
    cr_expect_eq(fixture.results.exchange.calls_unresolved, 0);
    fixture_close(&fixture);
}

Test(waits, are_those_of_requests_whose_number_is_used_again_since_an_end_was_lost)
{
    waits_of(make_waits_lost_ends);

    expect_total(MWA_WAIT_LATE_SENDER, 10 * LOST_STEPS, LOST_STEPS);
    expect_rank(MWA_WAIT_LATE_SENDER, 1, 10 * LOST_STEPS, 0);
    expect_total(MWA_WAIT_NXN, 40 * LOST_STEPS, 2 * LOST_STEPS);
    expect_rank(MWA_WAIT_NXN, 0, 0, 40 * LOST_STEPS);
    cr_expect_eq(fixture.results.exchange.calls_unresolved, 0);
    fixture_close(&fixture);
}

Test(waits, are_cut_to_the_window_and_the_rank_that_is_selected)
{
    const struct mwa_scope scope = { .rank = 1, .from = 150, .to = 650 };
    struct mwa_results results;

    fixture_open(&fixture, make_waits_messages);
    mwa_results_fini(&fixture.results);
    cr_assert_eq(mwa_collect(fixture.input, fixture.directory, MWA_NEED_WAITS, &scope, &results,
                             &fixture.diagnostic),
                 MW_OK);
    fixture.results = results;
    expect_total(MWA_WAIT_LATE_SENDER, 200, 2); /* 250 to 400, 700 to 750, less 100 */
    expect_total(MWA_WAIT_LATE_RECEIVER, 0, 0);
    fixture_close(&fixture);
}

Test(waits, between_two_groups_are_for_ranks_of_the_other_one)
{
    const struct mwa_waits *waits = waits_of(make_waits_inter);

    expect_total(MWA_WAIT_LATE_BROADCAST, 130, 2);
    expect_rank(MWA_WAIT_LATE_BROADCAST, 0, 80, 0);
    expect_rank(MWA_WAIT_LATE_BROADCAST, 1, 50, 80);
    expect_rank(MWA_WAIT_LATE_BROADCAST, 2, 0, 50);
    expect_total(MWA_WAIT_EARLY_REDUCE, 50, 1);
    expect_rank(MWA_WAIT_EARLY_REDUCE, 0, 0, 50);
    expect_rank(MWA_WAIT_EARLY_REDUCE, 3, 50, 0);
    expect_total(MWA_WAIT_FOR_LAST, 100, 1);
    expect_rank(MWA_WAIT_FOR_LAST, 2, 0, 100);
    expect_rank(MWA_WAIT_FOR_LAST, 3, 100, 0);
    expect_total(MWA_WAIT_NXN, 350, 3);
    expect_rank(MWA_WAIT_NXN, 0, 100, 0);
    expect_rank(MWA_WAIT_NXN, 1, 100, 100);
    expect_rank(MWA_WAIT_NXN, 2, 0, 250);
    expect_rank(MWA_WAIT_NXN, 3, 150, 0);
    expect_total(MWA_WAIT_BARRIER, 180, 3);
    expect_rank(MWA_WAIT_BARRIER, 0, 50, 0);
    expect_rank(MWA_WAIT_BARRIER, 1, 50, 50);
    expect_rank(MWA_WAIT_BARRIER, 2, 0, 130);
    expect_total(MWA_WAIT_NXN_COMPLETION, 0, 0);
    expect_total(MWA_WAIT_BARRIER_COMPLETION, 0, 0);
    expect_total(MWA_WAIT_LATE_SENDER, 40, 1);
    cr_expect_eq(mwa_waits_total_ns(waits), 850);
    cr_expect_eq(waits->violations, 0);
    cr_expect_eq(fixture.results.exchange.collectives_incomplete, 0);
    cr_expect_eq(fixture.results.exchange.calls_unresolved, 0);
    fixture_close(&fixture);
}

Test(waits, between_two_groups_are_for_ranks_of_the_own_one_where_that_is_seen)
{
    const struct mwa_waits *waits = waits_of(make_waits_own_group);

    expect_total(MWA_WAIT_BARRIER, 10 + 995 + 990, 3);
    expect_rank(MWA_WAIT_BARRIER, 0, 10, 0);
    expect_total(MWA_WAIT_NXN, 2 * (10 + 995 + 990), 6);
    expect_rank(MWA_WAIT_NXN, 0, 2 * 10, 0);
    expect_total(MWA_WAIT_FOR_LAST, 990, 1);
    expect_rank(MWA_WAIT_FOR_LAST, 0, 990, 0);
    expect_rank(MWA_WAIT_FOR_LAST, 2, 0, 990);
    cr_expect_eq(waits->rows[MWA_WAIT_FOR_LAST].worst[0].time, 1010, "behind the other group");
    fixture_close(&fixture);
}

Test(waits, with_a_root_between_two_groups_are_for_all_that_have_a_part)
{
    waits_of(make_waits_rooted_groups);

    expect_total(MWA_WAIT_LATE_BROADCAST, 0, 0);
    expect_total(MWA_WAIT_EARLY_REDUCE, 5, 1);
    expect_total(MWA_WAIT_NXN, 990 + 980, 2);
    expect_total(MWA_WAIT_LATE_COMPLETION, 0, 0);
    expect_total(MWA_WAIT_FOR_LAST, 995 + 1000 + 1000 + 2 * 995 + 995 + 495, 7);
    expect_rank(MWA_WAIT_FOR_LAST, 0, 1000 + 995 + 995 + 495, 1000);
    expect_rank(MWA_WAIT_FOR_LAST, 1, 995 + 1000 + 995, 0);
    expect_rank(MWA_WAIT_FOR_LAST, 2, 0, 995);
    expect_rank(MWA_WAIT_FOR_LAST, 3, 0, 995 + 1000 + 2 * 995 + 495);
    fixture_close(&fixture);
}
