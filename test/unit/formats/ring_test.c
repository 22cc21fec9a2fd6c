#include <criterion/criterion.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test/unit/formats/maker.h"

/*
 * Spools that are rings. In a window a call without members takes 24 bytes, the window's header
 * 32, and a call needs 88 bytes of room to begin: a window takes (65536 - 32 - 88) / 24 + 1 = 2726.
 * In a block such a call takes 5 bytes (its type, two of lengths, one each for enter and leave,
 * which are 5 ns from what was before), the first a few more, the header 16: between 13646 and
 * 13664. A segment of 69632 bytes, of which its header has 32, has 5 of them. Behind 135168 bytes
 * of header and windows two segments make 274432 bytes.
 */
#define SEGMENT 69632u
#define LIMIT (135168u + 2 * SEGMENT)
#define CALLS_OF_WINDOW 2726u
#define CALLS_OF_SEGMENT (5 * CALLS_OF_WINDOW)

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
    write_calls(&spool, 0, 2 * CALLS_OF_SEGMENT);
    mw_spool_fini(&spool);
    expect_calls(0, 2 * CALLS_OF_SEGMENT);
}

Test(ring, keeps_the_last_calls_and_counts_the_others)
{
    struct mw_spool spool;

    begin_ring(&spool, LIMIT);
    write_calls(&spool, 0, 10 * CALLS_OF_SEGMENT + 1); /* the last has room in segment 9, too */
    mw_spool_fini(&spool);
    expect_calls(8 * CALLS_OF_SEGMENT, 10 * CALLS_OF_SEGMENT + 1);
}

Test(ring, of_a_process_that_was_killed_has_what_was_not_yet_in_a_block)
{
    struct mw_spool spool;

    begin_ring(&spool, LIMIT);
    write_calls(&spool, 0, 3 * CALLS_OF_SEGMENT - 7); /* of these 2719 are in a window */
    expect_calls(CALLS_OF_SEGMENT, 3 * CALLS_OF_SEGMENT - 7);
    mw_spool_fini(&spool);
}

Test(ring, stays_within_its_limit)
{
    struct mw_spool spool;
    struct stat about;

    begin_ring(&spool, 1000000);
    write_calls(&spool, 0, 400000);
    mw_spool_fini(&spool);
    cr_assert_eq(stat(maker_path(&maker, "ring"), &about), 0);
    cr_expect_leq(about.st_size, 1000000);
    cr_expect_geq(about.st_size, 900000);
}

Test(ring, killed_when_a_segment_has_its_header_and_no_more_has_the_others)
{
    const struct mw_segment_header header = {
        .magic = MW_SEGMENT_MAGIC,
        .sequence = 2,
        .bytes = SEGMENT,
        .nonce = NONCE,
        .calls = 2 * CALLS_OF_SEGMENT,
    };
    struct mw_spool spool;
    int file;

    begin_ring(&spool, LIMIT);
    write_calls(&spool, 0, 2 * CALLS_OF_SEGMENT);
    mw_spool_fini(&spool);
    file = open(maker_path(&maker, "ring"), O_WRONLY);
    cr_assert_eq(pwrite(file, &header, sizeof header, MW_SEGMENTS_AT), (ssize_t)sizeof header);
    close(file);
    expect_calls(CALLS_OF_SEGMENT, 2 * CALLS_OF_SEGMENT);
}

Test(ring, begins_with_a_whole_call_when_members_of_a_lost_one_come_first)
{
    struct mw_spool spool;
    struct mw_call_record *record;

    begin_ring(&spool, LIMIT);
    write_calls(&spool, 0, CALLS_OF_SEGMENT - 1); /* room for one call more in its last window */
    record = mw_spool_begin(&spool, MW_CALL_MPI_Waitall, 10 * (CALLS_OF_SEGMENT - 1));
    for (int i = 0; i < 100; i++) { /* most of them in segment 1 */
        struct mw_request_member *member =
            mw_spool_member(&spool, MW_MEMBER_SEND_COMPLETE, sizeof *member, 0);

        mw_spool_commit(member);
    }
    mw_spool_end(&spool, record, 10 * (CALLS_OF_SEGMENT - 1) + 5);
    /* On to segment 2, where segment 0 was. */
    for (uint64_t i = CALLS_OF_SEGMENT; spool.segment < 2; i++) {
        write_calls(&spool, i, i + 1);
        if (spool.segment == 2) {
            mw_spool_fini(&spool);
            expect_calls(CALLS_OF_SEGMENT, i + 1);
            break;
        }
    }
}

/*
 * In a block a member takes 2 bytes, its type and lengths of 0, and the open call 25: of blocks
 * with (65536 - 32 - 24) / 16 = 4092 members and the call, or with 4094, a segment has 8.
 */
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
    cr_expect_eq(members, 4092 + 15 * 4094 + 4094); /* in 16 blocks and the window */
    mw_spool_end(&spool, record, 5);
    write_calls(&spool, 1, 2);
    cr_expect_eq(spool.lost, 0);
    mw_spool_fini(&spool);
}

Test(ring, of_less_than_two_segments_is_refused)
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
