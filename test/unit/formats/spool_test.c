#include <criterion/criterion.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test/unit/formats/maker.h"

static struct maker maker;

static void set_up(void)
{
    maker_init(&maker);
}

static void tear_down(void)
{
    maker_fini(&maker);
}

TestSuite(spool, .init = set_up, .fini = tear_down);

/* A spool written byte by byte from the words of ARCHIVE.md, not by the writer. */
struct by_hand {
    char bytes[135168 + 2 * 65536];
    size_t used;
};

static void put(struct by_hand *file, const void *data, size_t bytes)
{
    memcpy(file->bytes + file->used, data, bytes);
    file->used += bytes;
}

static void put_u16(struct by_hand *file, uint16_t value)
{
    put(file, &value, sizeof value);
}

static void put_u32(struct by_hand *file, uint32_t value)
{
    put(file, &value, sizeof value);
}

static void put_u64(struct by_hand *file, uint64_t value)
{
    put(file, &value, sizeof value);
}

static void put_header(struct by_hand *file, uint32_t version)
{
    memset(file, 0, sizeof *file);
    put(file, "MWSPOOL", 8);
    put_u32(file, version);
    put_u32(file, 0x01020304);
    put_u64(file, NONCE);
    put_u32(file, 3);
    put_u32(file, 1);
    put_u64(file, mw_calls_fingerprint());
    put_u64(file, 1000000000);
    put(file, "CLOCK_MONOTONIC", 16);
    file->used = 4096;
}

static void put_window(struct by_hand *file, uint32_t sequence)
{
    put_u32(file, 0x57444e57);
    put_u32(file, sequence);
    put_u64(file, 4096);
    put_u64(file, NONCE);
    put_u64(file, 0);
}

static void put_call(struct by_hand *file, uint8_t state, uint16_t call, uint64_t enter,
                     uint64_t leave)
{
    put(file, (uint8_t[]){state, 1}, 2);
    put_u16(file, 3);
    put_u16(file, call);
    put_u16(file, 1);
    put_u64(file, enter);
    put_u64(file, leave);
}

static const char *save(const struct by_hand *file, size_t bytes)
{
    const char *path = maker_path(&maker, "by-hand.events");
    FILE *stream = fopen(path, "w");

    cr_assert_eq(fwrite(file->bytes, 1, bytes, stream), bytes);
    cr_assert_eq(fclose(stream), 0);
    return path;
}

static enum mw_status open_file(const char *path, struct mw_spool_reader **reader,
                                struct mw_diagnostic *diagnostic)
{
    return mw_spool_reader_create(path, reader, diagnostic);
}

Test(spool, of_version_1_reads_what_the_format_text_says)
{
    struct by_hand file;
    struct mw_spool_reader *reader;
    struct mw_spool_call call;
    struct mw_diagnostic diagnostic;

    put_header(&file, 1);
    put_window(&file, 0);
    put_call(&file, 2, MW_CALL_MPI_Send, 100, 130);
    put(&file, (uint8_t[]){2, MW_MEMBER_SEND}, 2);
    put_u16(&file, 3);
    put_u32(&file, 0);  /* communicator */
    put_u32(&file, 5);  /* peer */
    put_u32(&file, 77); /* tag */
    put_u64(&file, 4096);
    put_call(&file, 2, MW_CALL_MPI_Barrier, 200, 201);
    cr_assert_eq(open_file(save(&file, 4096 + 8192), &reader, &diagnostic), MW_OK);
    cr_assert_eq(mw_spool_reader_header(reader)->rank, 3u);
    cr_assert_eq(mw_spool_reader_next(reader, &call, &diagnostic), MW_OK);
    cr_assert_eq(call.record.call, MW_CALL_MPI_Send);
    cr_assert_eq(call.record.leave, 130u);
    cr_assert_eq(call.offset, 4096u + 32u);
    cr_assert_eq(call.member_bytes, 24u);
    const struct mw_message_member *member =
        (const void *)mw_spool_call_member(&call, NULL);

    cr_assert_eq(member->peer, 5);
    cr_assert_eq(member->tag, 77);
    cr_assert_eq(member->bytes, 4096u);
    cr_assert_null(mw_spool_call_member(&call, &member->head));
    cr_assert_eq(mw_spool_reader_next(reader, &call, &diagnostic), MW_OK);
    cr_assert_eq(call.member_bytes, 0u);
    cr_assert_eq(mw_spool_reader_next(reader, &call, &diagnostic), MW_END);
    cr_assert_eq(mw_spool_reader_next(reader, &call, &diagnostic), MW_END);
    mw_spool_reader_destroy(reader);
}

static void expect_send(struct mw_spool_reader *reader, uint64_t enter, uint64_t leave, int peer)
{
    const struct mw_message_member *member;
    struct mw_spool_call call;

    cr_assert_eq(mw_spool_reader_next(reader, &call, NULL), MW_OK);
    cr_expect_eq(call.record.call, 5);
    cr_expect_eq(call.record.repeat, 1);
    cr_expect_eq(call.record.enter, enter);
    cr_expect_eq(call.record.leave, leave);
    cr_assert_eq(call.member_bytes, sizeof *member);
    member = (const void *)mw_spool_call_member(&call, NULL);
    cr_expect_eq(member->head.type, MW_MEMBER_SEND);
    cr_expect_eq(member->head.comm, 0);
    cr_expect_eq(member->peer, peer);
    cr_expect_eq(member->tag, -1);
    cr_expect_eq(member->bytes, 4096);
}

static void put_block_header(struct by_hand *file, uint32_t bytes)
{
    file->used = 135168;
    put_u32(file, 0x57444e57);
    put_u32(file, 0);
    put_u64(file, 0);
    put_u64(file, NONCE);
    put_u64(file, 0);
    put_u32(file, 0x4b434c42);
    put_u32(file, 0);
    put_u32(file, bytes);
    put_u32(file, bytes);
}

/* With sanitizers a byte that is read behind the windows would be seen. */
Test(spool, whose_window_is_kept_for_a_call_beyond_its_end_is_read)
{
    static struct by_hand file;
    const uint64_t records = 65536;
    struct mw_spool_reader *reader;
    struct mw_spool_call call;
    struct mw_diagnostic diagnostic;

    put_header(&file, 2);
    file.used = 88;
    put_u64(&file, 135168 + 32 + 16 + records);
    file.used = 4096 + 65536;
    put_u32(&file, 0x574f4448);
    put_u32(&file, 0);
    put_u64(&file, NONCE);
    put_u64(&file, 1);
    put_u64(&file, 32 + records - 24);
    put_block_header(&file, (uint32_t)records);
    put_call(&file, 2, MW_CALL_MPI_Barrier, 10, 20);
    file.used = 135168 + 32 + 16 + records - 24;
    put_call(&file, 1, MW_CALL_MPI_Barrier, 30, 0);
    cr_assert_eq(open_file(save(&file, file.used), &reader, &diagnostic), MW_OK);
    cr_assert_eq(mw_spool_reader_next(reader, &call, &diagnostic), MW_OK);
    cr_expect_eq(call.record.leave, 20);
    cr_assert_eq(mw_spool_reader_next(reader, &call, &diagnostic), MW_END);
    mw_spool_reader_destroy(reader);
}

/* Two calls of number 5, each with a message, and a call that was open, and has ended since. */
Test(spool, reads_blocks_as_the_format_text_says)
{
    static const uint8_t packed[] = {
        1,  0x11, 0x11, 10, 2, 200, 60, /* call 5, repeat 1, enter 100, leave 30 later */
        64, 0x10, 0x21, 10, 1, 0, 32,   /* communicator 0, peer 5, tag -1, 4096 bytes */
        1,  0x00, 0x11, 140, 2,         /* the same, enter 70 after the leave, leave 1 later */
        64, 0x10, 0x00, 3,              /* the same, peer 2 less */
        129,                            /* a call as it is */
    };
    const uint32_t bytes = sizeof packed + 24;
    struct by_hand file;
    struct mw_spool_reader *reader;
    struct mw_spool_call call;
    struct mw_diagnostic diagnostic;

    put_header(&file, 2);
    file.used = 88;
    put_u64(&file, 135168 + 32 + 16 + bytes);
    file.used = 4096; /* window number 0, which was kept for the open call */
    put_u32(&file, 0x574f4448);
    put_u32(&file, 0);
    put_u64(&file, NONCE);
    put_u64(&file, 135168 + 32 + 16 + sizeof packed);
    put_u64(&file, 32 + 96);
    file.used = 4096 + 32 + 96;
    put_call(&file, 2, MW_CALL_MPI_Barrier, 210, 230);
    file.used = 4096 + 65536; /* window number 1, whose block does not count yet */
    put_u32(&file, 0x574f4448);
    put_u32(&file, 1);
    put_u64(&file, NONCE);
    put_u64(&file, 0);
    put_u64(&file, 0);
    put_call(&file, 2, MW_CALL_MPI_Barrier, 300, 310);
    file.used = 135168;
    put_u32(&file, 0x57444e57);
    put_u32(&file, 0);
    put_u64(&file, 0);
    put_u64(&file, NONCE);
    put_u64(&file, 0);
    for (uint32_t sequence = 0; sequence < 2; sequence++) {
        put_u32(&file, 0x4b434c42);
        put_u32(&file, sequence);
        put_u32(&file, bytes);
        put_u32(&file, 24 + 24 + 24 + 24 + 24);
        put(&file, packed, sizeof packed);
        put_call(&file, 1, MW_CALL_MPI_Barrier, 210, 0);
    }
    cr_assert_eq(open_file(save(&file, file.used), &reader, &diagnostic), MW_OK);
    expect_send(reader, 100, 130, 5);
    expect_send(reader, 200, 201, 3);
    cr_assert_eq(mw_spool_reader_next(reader, &call, &diagnostic), MW_OK);
    cr_expect_eq(call.record.state, MW_STATE_DONE);
    cr_expect_eq(call.record.leave, 230);
    cr_expect_eq(call.offset, 135168 + 32);
    cr_assert_eq(mw_spool_reader_next(reader, &call, &diagnostic), MW_OK);
    cr_expect_eq(call.record.enter, 300);
    cr_expect_eq(call.offset, 4096 + 65536 + 32);
    cr_assert_eq(mw_spool_reader_next(reader, &call, &diagnostic), MW_END);
    mw_spool_reader_destroy(reader);
}

Test(spool, survives_a_kill_in_the_middle_of_a_record)
{
    struct mw_spool spool;
    struct mw_spool_reader *reader;
    struct mw_spool_call call;
    struct mw_diagnostic diagnostic;

    maker_spool(&maker, 0, 0, &spool);
    maker_call(&spool, MW_CALL_MPI_Barrier, 10, 20);
    mw_spool_begin(&spool, MW_CALL_MPI_Waitall, 30);
    struct mw_request_member *whole =
        maker_member(&spool, MW_MEMBER_SEND_COMPLETE, sizeof *whole, 0);

    whole->request = 9;
    mw_spool_commit(whole);
    /* Killed here: the second member has its type, but is not committed. */
    maker_member(&spool, MW_MEMBER_SEND_COMPLETE, sizeof *whole, 0);
    mw_spool_fini(&spool);

    cr_assert_eq(open_file(maker_path(&maker, "r0/0.events"), &reader, &diagnostic), MW_OK);
    cr_assert_eq(mw_spool_reader_next(reader, &call, &diagnostic), MW_OK);
    cr_assert_eq(call.record.state, MW_STATE_DONE);
    cr_assert_eq(mw_spool_reader_next(reader, &call, &diagnostic), MW_OK);
    cr_assert_eq(call.record.state, MW_STATE_OPEN);
    cr_assert_eq(call.record.enter, 30u);
    cr_assert_eq(call.member_bytes, sizeof *whole);
    cr_assert_eq(mw_spool_reader_next(reader, &call, &diagnostic), MW_END);
    mw_spool_reader_destroy(reader);
}

/* Tells of the open call, by enter, that it sends to rank. */
static void tell_sends(struct mw_spool *spool, const struct mw_call_record *open, int rank)
{
    struct mw_now *now = mw_spool_now(spool);

    now->what = MW_NOW_ON_COMM | MW_NOW_SENDS;
    now->peer = rank;
    mw_spool_now_tell(now, open);
}

Test(spool, says_what_the_call_waits_for_that_was_never_left)
{
    struct mw_spool spool;
    struct mw_spool_reader *reader;
    struct mw_spool_call call;
    struct mw_diagnostic diagnostic;

    maker_spool(&maker, 0, 0, &spool);
    tell_sends(&spool, mw_spool_begin(&spool, MW_CALL_MPI_Send, 10), 3); /* left by longjmp */
    struct mw_call_record *open = mw_spool_begin(&spool, MW_CALL_MPI_Send, 20);

    tell_sends(&spool, open, 4);
    mw_spool_fini(&spool);
    cr_assert_eq(open_file(maker_path(&maker, "r0/0.events"), &reader, &diagnostic), MW_OK);
    cr_assert_eq(mw_spool_reader_next(reader, &call, &diagnostic), MW_OK);
    cr_assert_null(call.now);
    cr_assert_eq(mw_spool_reader_next(reader, &call, &diagnostic), MW_OK);
    cr_assert_not_null(call.now);
    cr_assert_eq(call.now->peer, 4);
    mw_spool_reader_destroy(reader);
}

Test(spool, says_nothing_of_an_open_call_by_what_the_one_before_waited_for)
{
    struct mw_spool spool;
    struct mw_spool_reader *reader;
    struct mw_spool_call call;
    struct mw_diagnostic diagnostic;

    maker_spool(&maker, 0, 0, &spool);
    struct mw_call_record *send = mw_spool_begin(&spool, MW_CALL_MPI_Send, 10);

    tell_sends(&spool, send, 3);
    mw_spool_end(&spool, send, 20);
    mw_spool_begin(&spool, MW_CALL_MPI_Wait, 10); /* at the same time, but another call */
    mw_spool_fini(&spool);
    cr_assert_eq(open_file(maker_path(&maker, "r0/0.events"), &reader, &diagnostic), MW_OK);
    cr_assert_eq(mw_spool_reader_next(reader, &call, &diagnostic), MW_OK);
    cr_assert_null(call.now, "it was left");
    cr_assert_eq(mw_spool_reader_next(reader, &call, &diagnostic), MW_OK);
    cr_assert_null(call.now);
    mw_spool_reader_destroy(reader);
}

Test(spool, carries_an_open_call_over_several_windows)
{
    const unsigned members = 20000; /* of 32 bytes: more than the first three windows */
    struct mw_spool spool;
    struct mw_spool_reader *reader;
    struct mw_spool_call call;
    struct mw_diagnostic diagnostic;
    const struct mw_member *member = NULL;
    uint64_t expected = 0;

    maker_spool(&maker, 0, 0, &spool);
    maker_call(&spool, MW_CALL_MPI_Init, 1, 2);
    struct mw_call_record *record = mw_spool_begin(&spool, MW_CALL_MPI_Waitall, 10);

    for (unsigned i = 0; i < members; i++) {
        struct mw_request_message_member *receive =
            maker_member(&spool, MW_MEMBER_RECV_COMPLETE, sizeof *receive, 0);

        receive->request = i;
        mw_spool_commit(receive);
    }
    mw_spool_end(&spool, record, 99);
    maker_call(&spool, MW_CALL_MPI_Barrier, 100, 101);
    mw_spool_fini(&spool);

    cr_assert_eq(open_file(maker_path(&maker, "r0/0.events"), &reader, &diagnostic), MW_OK);
    cr_assert_eq(mw_spool_reader_next(reader, &call, &diagnostic), MW_OK);
    cr_assert_eq(mw_spool_reader_next(reader, &call, &diagnostic), MW_OK);
    cr_assert_eq(call.record.leave, 99u);
    cr_assert_eq(call.member_bytes, members * 32u);
    while ((member = mw_spool_call_member(&call, member))) {
        cr_assert_eq(((const struct mw_request_message_member *)(const void *)member)->request,
                     expected++);
    }
    cr_assert_eq(expected, members);
    cr_assert_eq(mw_spool_reader_next(reader, &call, &diagnostic), MW_OK);
    cr_assert_eq(call.record.call, MW_CALL_MPI_Barrier);
    cr_assert_eq(mw_spool_reader_next(reader, &call, &diagnostic), MW_END);
    mw_spool_reader_destroy(reader);
}

Test(spool, that_is_cut_in_a_record_is_an_error_with_its_offset)
{
    struct by_hand file;
    struct mw_spool_reader *reader;
    struct mw_spool_call call;
    struct mw_diagnostic diagnostic;

    put_header(&file, 1);
    put_window(&file, 0);
    put_call(&file, 2, MW_CALL_MPI_Send, 100, 130);
    put_call(&file, 2, MW_CALL_MPI_Send, 140, 150);
    cr_assert_eq(open_file(save(&file, file.used - 8), &reader, &diagnostic), MW_OK);
    cr_assert_eq(mw_spool_reader_next(reader, &call, &diagnostic), MW_ERROR_FORMAT);
    cr_assert_eq(diagnostic.offset, 4096u + 32u + 24u);
    mw_spool_reader_destroy(reader);
}

/* Changes a byte of a sound spool of one call and tells how reading it ends. */
static enum mw_status read_with(size_t offset, uint8_t value, struct mw_diagnostic *diagnostic)
{
    struct by_hand file;
    struct mw_spool_reader *reader;
    struct mw_spool_call call;
    enum mw_status status;

    put_header(&file, 1);
    put_window(&file, 0);
    put_call(&file, 2, MW_CALL_MPI_Send, 100, 130);
    file.bytes[offset] = (char)value;
    status = open_file(save(&file, 4096 + 8192), &reader, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    do {
        status = mw_spool_reader_next(reader, &call, diagnostic);
    } while (status == MW_OK);
    mw_spool_reader_destroy(reader);
    return status;
}

Test(spool, of_another_version_or_byte_order_is_refused)
{
    struct mw_diagnostic diagnostic;

    cr_assert_eq(read_with(0, 'M', &diagnostic), MW_END);
    cr_assert_eq(read_with(0, 'X', &diagnostic), MW_ERROR_FORMAT);
    cr_assert_eq(read_with(8, 4, &diagnostic), MW_ERROR_VERSION);
    cr_assert_eq(read_with(12, 1, &diagnostic), MW_ERROR_VERSION);
    cr_assert_eq(read_with(offsetof(struct mw_spool_header, calls_fingerprint), 0x5a,
                           &diagnostic),
                 MW_ERROR_VERSION);
}

Test(spool, with_impossible_windows_and_records_is_refused)
{
    const size_t window = 4096;
    const size_t record = window + 32;
    struct mw_diagnostic diagnostic;

    cr_assert_eq(read_with(window, 0x58, &diagnostic), MW_ERROR_FORMAT);
    cr_assert_eq(diagnostic.offset, window);
    cr_assert_eq(read_with(window + 4, 1, &diagnostic), MW_ERROR_FORMAT);
    cr_assert_eq(read_with(window + 8, 1, &diagnostic), MW_ERROR_FORMAT);
    cr_assert_eq(read_with(window + 16, 1, &diagnostic), MW_ERROR_FORMAT);
    cr_assert_eq(read_with(record, 3, &diagnostic), MW_ERROR_FORMAT);
    cr_assert_eq(diagnostic.offset, record);
    cr_assert_eq(read_with(record + 1, 63, &diagnostic), MW_ERROR_FORMAT);
    cr_assert_eq(read_with(record + 1, MW_MEMBER_COMM_CREATE, &diagnostic), MW_ERROR_FORMAT);
    cr_assert_eq(read_with(record + 2, 4, &diagnostic), MW_ERROR_FORMAT);
}

Test(spool, forgets_a_call_that_was_taken_back)
{
    struct mw_spool spool;
    struct mw_spool_reader *reader;
    struct mw_spool_call call;
    struct mw_diagnostic diagnostic;

    maker_spool(&maker, 0, 0, &spool);
    mw_spool_take_back(&spool, mw_spool_begin(&spool, MW_CALL_MPI_Test, 5));
    maker_call(&spool, MW_CALL_MPI_Barrier, 10, 20);
    mw_spool_take_back(&spool, mw_spool_begin(&spool, MW_CALL_MPI_Test, 25));
    mw_spool_fini(&spool);

    cr_assert_eq(open_file(maker_path(&maker, "r0/0.events"), &reader, &diagnostic), MW_OK);
    cr_assert_eq(mw_spool_reader_next(reader, &call, &diagnostic), MW_OK);
    cr_assert_eq(call.record.call, MW_CALL_MPI_Barrier);
    cr_assert_eq(mw_spool_reader_next(reader, &call, &diagnostic), MW_END);
    mw_spool_reader_destroy(reader);
}

Test(spool, holds_no_descriptor_and_stops_when_its_file_is_taken_away)
{
    struct mw_spool spool;
    struct mw_spool_reader *reader;
    struct mw_spool_call call;
    const char *path = maker_path(&maker, "r0/0.events");
    int lowest = dup(0);
    uint64_t calls = 0;

    close(lowest);
    maker_spool(&maker, 0, 0, &spool);
    for (unsigned i = 0; i < 10000; i++) { /* of 24 bytes: four windows */
        maker_call(&spool, MW_CALL_MPI_Barrier, 10 * i, 10 * i + 5);
    }
    cr_expect_eq(dup(0), lowest);
    cr_assert_eq(rename(path, maker_path(&maker, "r0/aside")), 0);
    fclose(fopen(path, "w"));
    for (unsigned i = 10000; i < 20000; i++) {
        struct mw_call_record *record = mw_spool_begin(&spool, MW_CALL_MPI_Barrier, 10 * i);

        if (record) {
            mw_spool_end(&spool, record, 10 * i + 5);
        }
    }
    struct stat other;

    cr_assert_eq(stat(path, &other), 0);
    cr_expect_eq(other.st_size, 0);
    cr_expect_gt(spool.lost, 5000u);
    cr_expect_eq(spool.calls + spool.lost, 20000u);
    cr_assert_eq(mw_spool_reader_create(maker_path(&maker, "r0/aside"), &reader, NULL), MW_OK);
    while (mw_spool_reader_next(reader, &call, NULL) == MW_OK) {
        calls++;
    }
    cr_expect_eq(calls, spool.calls);
    mw_spool_reader_destroy(reader);
    mw_spool_fini(&spool);
}

Test(spool, takes_no_more_room_than_its_limit)
{
    struct mw_spool_identity identity = {.nonce = NONCE};
    struct mw_spool spool;
    struct stat about;

    cr_assert_eq(mw_spool_init(&spool, maker_path(&maker, "limited"), &identity, 300000, NULL),
                 MW_OK);
    for (unsigned i = 0; i < 10000; i++) {
        maker_call(&spool, MW_CALL_MPI_Barrier, 10 * i, 10 * i + 5);
    }
    cr_assert_eq(stat(maker_path(&maker, "limited"), &about), 0);
    cr_expect_leq(about.st_blocks * 512, 300000 + 4096);
    mw_spool_fini(&spool);
}
