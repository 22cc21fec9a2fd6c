#include <criterion/criterion.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test/unit/formats/maker.h"

/*
 * Spools that are rings. A call without members takes 24 bytes, the header of a window
 * 32 and that of the file 4096. Within 135168 = 4096 + 2 * 65536 bytes there are two
 * windows of 65536 bytes. A call needs 88 bytes of room to begin, so a window takes
 * (65536 - 32 - 88) / 24 + 1 = 2726 of them.
 */
#define LIMIT 135168u
#define CALLS_OF_WINDOW 2726u

static struct maker maker;

static void set_up(void)
{
    maker_init(&maker);
}

static void tear_down(void)
{
    maker_fini(&maker);
}

TestSuite(ring, .init = set_up, .fini = tear_down);

static void begin_ring(struct mw_spool *spool, uint64_t limit)
{
    struct mw_spool_identity identity = {.nonce = NONCE, .wrap = true};

    cr_assert_eq(mw_spool_init(spool, maker_path(&maker, "ring"), &identity, limit, NULL), MW_OK);
}

/* Writes calls number first up to, not with, end: call i lasts from 10 i to 10 i + 5. */
static void write_calls(struct mw_spool *spool, uint64_t first, uint64_t end)
{
    for (uint64_t i = first; i < end; i++) {
        maker_call(spool, MW_CALL_MPI_Barrier, 10 * i, 10 * i + 5);
    }
}

/* Reads the ring: calls first up to, not with, end, and as many lost as are before first. */
static void expect_calls(uint64_t first, uint64_t end)
{
    struct mw_spool_reader *reader;
    struct mw_spool_call call;

    cr_assert_eq(mw_spool_reader_create(maker_path(&maker, "ring"), &reader, NULL), MW_OK);
    cr_expect_eq(mw_spool_reader_overwritten(reader), first);
    for (uint64_t i = first; i < end; i++) {
        cr_assert_eq(mw_spool_reader_next(reader, &call, NULL), MW_OK, "call %zu", (size_t)i);
        cr_assert_eq(call.record.enter, 10 * i);
        cr_assert_eq(call.record.leave, 10 * i + 5);
    }
    cr_expect_eq(mw_spool_reader_next(reader, &call, NULL), MW_END);
    mw_spool_reader_destroy(reader);
}

Test(ring, that_is_not_full_has_all)
{
    struct mw_spool spool;

    begin_ring(&spool, LIMIT);
    write_calls(&spool, 0, 2 * CALLS_OF_WINDOW);
    mw_spool_fini(&spool);
    expect_calls(0, 2 * CALLS_OF_WINDOW);
}

Test(ring, keeps_the_last_calls_and_counts_the_others)
{
    struct mw_spool spool;

    begin_ring(&spool, LIMIT);
    write_calls(&spool, 0, 10 * CALLS_OF_WINDOW + 1); /* the last is alone in window 10 */
    mw_spool_fini(&spool);
    expect_calls(9 * CALLS_OF_WINDOW, 10 * CALLS_OF_WINDOW + 1);
}

Test(ring, stays_within_its_limit)
{
    struct mw_spool spool;
    struct stat about;

    begin_ring(&spool, 1000000);
    write_calls(&spool, 0, 200000);
    mw_spool_fini(&spool);
    cr_assert_eq(stat(maker_path(&maker, "ring"), &about), 0);
    cr_expect_leq(about.st_size, 1000000);
    cr_expect_geq(about.st_size, 900000);
}

Test(ring, killed_while_a_window_is_cleared_has_the_others)
{
    struct mw_spool spool;
    uint32_t cleared = 0;
    int file;

    begin_ring(&spool, LIMIT);
    write_calls(&spool, 0, 2 * CALLS_OF_WINDOW);
    mw_spool_fini(&spool);
    file = open(maker_path(&maker, "ring"), O_WRONLY);
    cr_assert_eq(pwrite(file, &cleared, sizeof cleared, 4096), (ssize_t)sizeof cleared);
    close(file);
    expect_calls(CALLS_OF_WINDOW, 2 * CALLS_OF_WINDOW);
}

Test(ring, begins_with_a_whole_call_when_members_of_a_lost_one_come_first)
{
    struct mw_spool spool;
    struct mw_call_record *record;

    begin_ring(&spool, LIMIT);
    write_calls(&spool, 0, CALLS_OF_WINDOW - 1); /* room for one call more in window 0 */
    record = mw_spool_begin(&spool, MW_CALL_MPI_Waitall, 10 * (CALLS_OF_WINDOW - 1));
    for (int i = 0; i < 100; i++) { /* most of them in window 1 */
        struct mw_request_member *member =
            mw_spool_member(&spool, MW_MEMBER_SEND_COMPLETE, sizeof *member, 0);

        mw_spool_commit(member);
    }
    mw_spool_end(&spool, record, 10 * (CALLS_OF_WINDOW - 1) + 5);
    /* On to window 2, where window 0 was: window 1 has room for fewer calls by then. */
    for (uint64_t i = CALLS_OF_WINDOW; spool.sequence < 3; i++) {
        write_calls(&spool, i, i + 1);
        if (spool.sequence == 3) {
            mw_spool_fini(&spool);
            expect_calls(CALLS_OF_WINDOW, i + 1);
            break;
        }
    }
}

Test(ring, refuses_members_rather_than_write_over_their_own_call)
{
    struct mw_spool spool;
    struct mw_call_record *record;
    unsigned members = 0;

    begin_ring(&spool, LIMIT);
    record = mw_spool_begin(&spool, MW_CALL_MPI_Waitall, 0);
    for (int i = 0; i < 100000; i++) {
        struct mw_request_member *member =
            mw_spool_member(&spool, MW_MEMBER_SEND_COMPLETE, sizeof *member, 0);

        if (member) {
            mw_spool_commit(member);
            members++;
        }
    }
    /* Window 0 has 32 bytes of header, 24 of the call, window 1 its header. */
    cr_expect_eq(members, (65536 - 32 - 24) / 16 + (65536 - 32) / 16);
    mw_spool_end(&spool, record, 5);
    write_calls(&spool, 1, 2);
    cr_expect_eq(spool.lost, 0);
    mw_spool_fini(&spool);
}

Test(ring, of_less_than_two_windows_is_refused)
{
    struct mw_spool_identity identity = {.nonce = NONCE, .wrap = true};
    struct mw_spool spool;

    cr_expect_eq(mw_spool_init(&spool, maker_path(&maker, "ring"), &identity, LIMIT - 1, NULL),
                 MW_ERROR_SPACE);
    cr_expect_eq(access(maker_path(&maker, "ring"), F_OK), -1);
}

Test(ring, stops_when_its_file_is_taken_away)
{
    struct mw_spool spool;

    begin_ring(&spool, LIMIT);
    write_calls(&spool, 0, 10000);
    cr_expect_eq(spool.lost, 0u);
    cr_assert_eq(unlink(maker_path(&maker, "ring")), 0);
    for (unsigned i = 0; i < 10000; i++) {
        struct mw_call_record *record = mw_spool_begin(&spool, MW_CALL_MPI_Barrier, 10 * i);

        if (record) {
            mw_spool_end(&spool, record, 10 * i + 5);
        }
    }
    cr_expect(spool.stopped);
    cr_expect_gt(spool.lost, 5000u);
    cr_expect_eq(spool.calls + spool.lost, 20000u);
    mw_spool_fini(&spool);
}
