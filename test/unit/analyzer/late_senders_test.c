#include "analyzer/analysis/waits/late_senders.h"

#include <criterion/criterion.h>

#include "analyzer/analysis/region_paths.h"

/*
 * In the chapter before a lull rank 0 waited 10 ticks, from 90 on, for what rank 1 sent at 100, and
 * left that call at 120. Behind the lull, to which it came at 200, it receives from rank 2 in a
 * call from 230 to 240.
 */

#define WAITED 10u

static struct mwa_region regions[] = { { .name = "MPI_Recv", .kind = MWA_REGION_MPI } };
static struct mwa_site sites[] = { { .region = 0 } };
static struct mwa_location locations[3];
static struct mwa_rank ranks[3];
static struct mwa_comm comms[1];
static const struct mwa_trace trace = { .sites = sites,
                                        .site_count = 1,
                                        .regions = regions,
                                        .region_count = 1,
                                        .mpi_region_count = 1,
                                        .comms = comms,
                                        .comm_count = 1,
                                        .locations = locations,
                                        .location_count = 3,
                                        .ranks = ranks,
                                        .rank_count = 3,
                                        .clock_resolution = 1000000000 };

/* What is found of the ledger: ticks in wrong order, and by how many what was received was late. */
struct found {
    uint64_t wrong;
    uint64_t reordered;
};

static struct mwa_exchange_call send_of(uint32_t rank, uint64_t enter)
{
    return (struct mwa_exchange_call){ .rank = rank, .location = rank, .enter = enter };
}

/* late as another process takes it in; of less than was told nothing is made. */
static struct mwa_late_senders *travel(struct mwa_late_senders *late,
                                       struct mwa_region_paths *paths)
{
    struct mwa_late_senders *taken = NULL;
    struct mw_buffer packed = { 0 };

    mwa_late_senders_pack(&trace, late, &packed);
    mwa_late_senders_destroy(late);
    for (size_t bytes = 0; bytes <= packed.bytes; bytes++) {
        struct mw_cursor from = { packed.data, bytes };
        const enum mw_status status = mwa_late_senders_unpack(&trace, paths, &from, &taken);

        cr_expect_eq(status, bytes == packed.bytes ? MW_OK : MW_ERROR_FORMAT, "%zu", bytes);
        cr_expect_eq(taken != NULL, bytes == packed.bytes);
    }
    mw_buffer_fini(&packed);
    return taken;
}

/* Behind the lull there are so many late senders before the receive of what was sent at sent. */
static struct found receive(uint64_t sent, uint32_t others, bool is_from_others)
{
    const struct mwa_scope scope = { MWA_ALL_OF_IT };
    const uint64_t messages[3] = { 0 };
    struct mwa_region_paths paths = { 0 };
    const struct mwa_seam seam = { .sent = messages, .paths = &paths, .is_lull = true };
    const struct mwa_wait wait = { .time = 90, .wait = WAITED, .rank = 0, .cause = 1,
                                   .call = regions, .message = UINT64_MAX };
    struct mwa_exchange_call send = send_of(2, sent);
    struct mwa_message message = { .send = &send };
    const struct mwa_exchange_call call = { .enter = 230, .leave = 240, .received = &message };
    struct mwa_late_senders *earlier = mwa_late_senders_create(0);
    struct mwa_late_senders *later = mwa_late_senders_create(200);
    struct mwa_wait_ledger ledger, behind;
    struct found found;

    mwa_wait_ledger_init(&ledger, &trace, 0, &scope);
    mwa_wait_ledger_init(&behind, &trace, 0, &scope);
    cr_assert_eq(mwa_late_senders_keep(earlier, &wait, 100), MW_OK);
    mwa_late_senders_left(earlier, 120);
    cr_expect(mwa_late_senders_are_before(earlier, 200));
    cr_expect(!mwa_late_senders_are_before(earlier, 99));
    for (uint32_t i = 0; i < others; i++) {
        cr_assert_eq(mwa_late_senders_keep(later, &wait, 10), MW_OK);
    }
    cr_assert_eq(mwa_late_senders_take(&behind, later, &call), MW_OK);
    cr_expect_eq(behind.result.rows[MWA_WAIT_WRONG_ORDER_DIFFERENT].total_ns, 0);
    if (is_from_others) {
        later = travel(later, &paths);
    }
    cr_assert_eq(mwa_late_senders_append(&ledger, &earlier, &later, &seam), MW_OK);
    cr_expect_null(later);
    found.wrong = ledger.result.rows[MWA_WAIT_WRONG_ORDER_DIFFERENT].total_ns;
    found.reordered = ledger.result.reordered_ns ? ledger.result.reordered_ns[0] : 0;
    mwa_late_senders_destroy(earlier);
    mwa_wait_ledger_fini(&ledger);
    mwa_wait_ledger_fini(&behind);
    mwa_region_paths_fini(&paths);
    return found;
}

Test(late_senders, are_in_wrong_order_with_what_is_received_behind_a_lull)
{
    const struct found found = receive(50, 0, false);

    cr_expect_eq(found.wrong, WAITED);
    cr_expect_eq(found.reordered, 230 - 120);
}

Test(late_senders, are_not_with_what_was_sent_later)
{
    const struct found found = receive(100, 0, false);

    cr_expect_eq(found.wrong, 0);
    cr_expect_eq(found.reordered, 0);
}

/* Of a location the last 100 are kept. */
Test(late_senders, are_forgotten_behind_a_hundred)
{
    cr_expect_eq(receive(50, 99, false).wrong, WAITED);
    cr_expect_eq(receive(50, 100, true).wrong, 0);
}

Test(late_senders, are_told_by_other_processes)
{
    const struct found found = receive(50, 3, true);

    cr_expect_eq(found.wrong, WAITED);
    cr_expect_eq(found.reordered, 230 - 120);
}
