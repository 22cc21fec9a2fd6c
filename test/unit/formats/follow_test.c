#include <criterion/criterion.h>
#include <fcntl.h>
#include <unistd.h>

#include "formats/spool/spool_follow.h"
#include "test/unit/formats/maker.h"

/* Spools that are followed while they are written. */


static struct maker maker;
static struct mw_spool spool;
static struct mw_spool_follower *follower;
static struct mw_spool_moment moment;

static void begin(bool wrap, uint64_t limit)
{
    struct mw_spool_identity identity = {.nonce = NONCE, .wrap = wrap};

    cr_assert_eq(mw_spool_init(&spool, maker_path(&maker, "0.events"), &identity, limit, NULL),
                 MW_OK);
    cr_assert_eq(mw_spool_follow_begin(maker_path(&maker, "0.events"), &follower, NULL), MW_OK);
}

static void set_up(void)
{
    maker_init(&maker);
}

static void tear_down(void)
{
    mw_spool_follow_end(follower);
    maker_fini(&maker);
}

TestSuite(follow, .init = set_up, .fini = tear_down);

static void look(void)
{
    struct mw_diagnostic diagnostic;

    cr_assert_eq(mw_spool_follow_look(follower, &moment, &diagnostic), MW_OK, "%s",
                 diagnostic.what);
    cr_assert(moment.is_counted);
    cr_assert_not(moment.is_behind);
}

static void note(enum mw_record_type type, uint64_t bytes)
{
    struct mw_message_member *member = maker_member(&spool, type, sizeof *member, 0);

    member->peer = 1;
    member->tag = 0;
    member->bytes = bytes;
    mw_spool_commit(member);
}

static void write_calls(uint64_t first, uint64_t end)
{
    for (uint64_t i = first; i < end; i++) {
        struct mw_call_record *record = mw_spool_begin(&spool, MW_CALL_MPI_Sendrecv, 100 * i);

        cr_assert_not_null(record);
        note(MW_MEMBER_SEND, 8);
        note(MW_MEMBER_RECV, 5);
        mw_spool_end(&spool, record, 100 * i + 30);
    }
}

static void expect(uint64_t calls)
{
    look();
    cr_expect_eq(moment.counts.calls, calls, "%zu calls", (size_t)moment.counts.calls);
    cr_expect_eq(moment.counts.inside, 30 * calls);
    cr_expect_eq(moment.counts.sent, calls);
    cr_expect_eq(moment.counts.received, calls);
    cr_expect_eq(moment.counts.bytes_sent, 8 * calls);
    cr_expect_eq(moment.counts.bytes_received, 5 * calls);
}

Test(follow, counts_the_same_through_all_windows)
{
    begin(false, 0);
    expect(0);
    cr_expect_eq(moment.last.state, MW_STATE_EMPTY);
    for (uint64_t end = 0; end < 10000; end += 500) {
        write_calls(end, end + 500);
        expect(end + 500);
        cr_expect_not(moment.is_inside);
        cr_expect_eq(moment.counts.left, 100 * (end + 499) + 30);
    }
    mw_spool_fini(&spool);
    expect(10000);
}

Test(follow, counts_in_a_ring_what_was_written_over)
{
    begin(true, 135168 + 2 * 69632);
    write_calls(0, 60000);
    expect(60000);
    mw_spool_fini(&spool);
    expect(60000);
}

/* The call is entered in a window that is full before it is left. */
Test(follow, tells_the_open_call_whose_window_was_written)
{
    struct mw_call_record *record;
    struct mw_now *now;

    begin(false, 0);
    write_calls(0, 10);
    record = mw_spool_begin(&spool, MW_CALL_MPI_Waitall, 1000);
    now = mw_spool_now(&spool);
    now->what = MW_NOW_COMPLETES;
    now->count = 3;
    mw_spool_now_tell(now, record);
    look();
    cr_expect(moment.is_inside);
    cr_expect_eq(moment.last.enter, 1000);
    for (unsigned i = 0; i < 6000; i++) {
        note(MW_MEMBER_RECV, 1);
    }
    look();
    cr_expect(moment.is_inside);
    cr_expect(moment.has_now);
    cr_expect_eq(moment.now.count, 3);
    cr_expect_eq(moment.last.enter, 1000);
    cr_expect_eq(moment.counts.calls, 11);
    cr_expect_eq(moment.counts.inside, 300);
    cr_expect_eq(moment.counts.received, 6010);
    mw_spool_end(&spool, record, 9000);
    look();
    cr_expect_not(moment.is_inside);
    cr_expect_eq(moment.counts.inside, 300 + 8000);
    for (unsigned i = 0; i < 9000; i++) {
        maker_call(&spool, MW_CALL_MPI_Barrier, 10000 + i, 10000 + i);
        if (i % 1000 == 0) {
            look();
            cr_expect_eq(moment.counts.calls, 12 + i);
            cr_expect_eq(moment.counts.inside, 8300);
        }
    }
    mw_spool_fini(&spool);
}

Test(follow, takes_the_time_inside_of_polls_from_what_they_say)
{
    struct mw_call_record *record;
    struct mw_value_member *inside;

    begin(false, 0);
    record = mw_spool_begin(&spool, MW_CALL_MPI_Test, 100);
    inside = maker_member(&spool, MW_MEMBER_INSIDE, sizeof *inside, MW_COMM_NONE);
    inside->value = 40;
    mw_spool_commit(inside);
    record->repeat = 7;
    mw_spool_end(&spool, record, 900);
    look();
    cr_expect_eq(moment.counts.calls, 7);
    cr_expect_eq(moment.counts.inside, 40);
    mw_spool_end(&spool, mw_spool_begin_mark(&spool, MW_RECORD_PAUSE, 0, 950), 950);
    look();
    cr_expect_eq(moment.counts.mark, MW_RECORD_PAUSE);
    cr_expect_eq(moment.counts.calls, 7);
    mw_spool_fini(&spool);
}

/* Killed while the counts were being written, or written by an older recorder. */
Test(follow, says_what_it_can_not_tell)
{
    const uint64_t odd = 3;
    const uint64_t none = 0;
    int file;

    begin(false, 0);
    write_calls(0, 5);
    expect(5);
    write_calls(5, 9);
    file = open(maker_path(&maker, "0.events"), O_WRONLY);
    cr_assert_eq(pwrite(file, &odd, sizeof odd, 512), (ssize_t)sizeof odd);
    cr_assert_eq(mw_spool_follow_look(follower, &moment, NULL), MW_OK);
    cr_expect(moment.is_behind);
    cr_expect_eq(moment.counts.calls, 5);
    cr_assert_eq(pwrite(file, &none, sizeof none, 512), (ssize_t)sizeof none);
    cr_assert_eq(mw_spool_follow_look(follower, &moment, NULL), MW_OK);
    cr_expect_not(moment.is_counted);
    cr_expect_eq(moment.last.enter, 800);
    cr_assert_eq(ftruncate(file, 70000), 0);
    cr_expect_eq(mw_spool_follow_look(follower, &moment, NULL), MW_ERROR_FORMAT);
    close(file);
}

/* --- events ---------------------------------------------------------------------------- */

static struct mw_spool_reader *reader;
static uint64_t next_call;

/* Reads what has been written since: whole calls in their order, but for the last one. */
static void read_on(uint64_t end, bool is_final)
{
    struct mw_spool_call call;
    uint64_t lost;

    cr_assert_eq(mw_spool_reader_again(reader, &lost, NULL), MW_OK);
    next_call += lost;
    while (mw_spool_reader_next(reader, &call, NULL) == MW_OK &&
           (is_final || mw_spool_reader_has_more(reader))) {
        cr_assert_eq(call.record.enter, 100 * next_call, "call %zu", (size_t)next_call);
        cr_assert_eq(call.member_bytes, 2 * sizeof(struct mw_message_member));
        next_call++;
    }
    cr_expect_eq(next_call, is_final || end == 0 ? end : end - 1);
}

static void begin_reading(bool wrap, uint64_t limit)
{
    begin(wrap, limit);
    cr_assert_eq(mw_spool_reader_create(maker_path(&maker, "0.events"), &reader, NULL), MW_OK);
    next_call = 0;
}

Test(follow, reads_each_call_once_through_all_windows)
{
    begin_reading(false, 0);
    read_on(0, false);
    for (uint64_t end = 0; end < 10000; end += 170) {
        write_calls(end, end + 170);
        read_on(end + 170, false);
        read_on(end + 170, false);
    }
    cr_assert_eq(unlink(maker_path(&maker, "0.events")), 0);
    mw_spool_fini(&spool);
    read_on(10030, true);
    mw_spool_reader_destroy(reader);
}

/* Now and then the ring has gone round since it was looked at. */
Test(follow, reads_a_ring_and_tells_what_was_written_over)
{
    uint64_t end = 0;

    begin_reading(true, 135168 + 2 * 69632);
    for (unsigned i = 0; i < 200; i++) {
        uint64_t more = i % 20 == 19 ? 60000 : 400;

        write_calls(end, end + more);
        end += more;
        read_on(end, false);
    }
    mw_spool_fini(&spool);
    read_on(end, true);
    mw_spool_reader_destroy(reader);
}

/* A poll that found nothing; one under way that finds nothing either becomes a part of it. */
Test(follow, reads_a_poll_again_while_another_one_is_under_way)
{
    struct mw_call_record *first, *second;
    struct mw_value_member *inside;
    struct mw_spool_call call;
    uint64_t lost;

    begin_reading(false, 0);
    write_calls(0, 1);
    first = mw_spool_begin(&spool, MW_CALL_MPI_Iprobe, 100);
    mw_spool_end(&spool, first, 110);
    second = mw_spool_begin(&spool, MW_CALL_MPI_Iprobe, 120);
    cr_assert_eq(mw_spool_reader_again(reader, &lost, NULL), MW_OK);
    cr_assert_eq(mw_spool_reader_next(reader, &call, NULL), MW_OK);
    cr_expect_not(mw_spool_reader_may_grow(reader));
    cr_assert_eq(mw_spool_reader_next(reader, &call, NULL), MW_OK);
    cr_expect_eq(call.record.enter, 100);
    cr_expect(mw_spool_reader_may_grow(reader));
    cr_assert_eq(mw_spool_reader_next(reader, &call, NULL), MW_OK);
    cr_expect_eq(call.record.enter, 120);
    cr_expect_eq(call.record.state, MW_STATE_OPEN);
    cr_expect_not(mw_spool_reader_has_more(reader));
    /* It found nothing, and the next call, which is open, is another one. */
    mw_spool_take_back(&spool, second);
    inside = maker_member(&spool, MW_MEMBER_INSIDE, sizeof *inside, MW_COMM_NONE);
    inside->value = 15;
    mw_spool_commit(inside);
    first->leave = 125;
    first->repeat = 2;
    mw_spool_begin(&spool, MW_CALL_MPI_Recv, 130);
    cr_assert_eq(mw_spool_reader_again(reader, &lost, NULL), MW_OK);
    cr_assert_eq(mw_spool_reader_next(reader, &call, NULL), MW_OK);
    cr_expect_eq(call.record.enter, 100);
    cr_expect_eq(call.record.repeat, 2);
    cr_expect(mw_spool_reader_has_more(reader));
    cr_expect_not(mw_spool_reader_may_grow(reader));
    cr_assert_eq(mw_spool_reader_next(reader, &call, NULL), MW_OK);
    cr_expect_eq(call.record.call, MW_CALL_MPI_Recv);
    cr_assert_eq(mw_spool_reader_again(reader, &lost, NULL), MW_OK);
    cr_assert_eq(mw_spool_reader_next(reader, &call, NULL), MW_OK);
    cr_expect_eq(call.record.call, MW_CALL_MPI_Recv);
    mw_spool_reader_destroy(reader);
}
