/* Who has read what a thread's counts are more by, in stretches with calls of MPI and without. */
#include <criterion/criterion.h>

#include "formats/spool/record.h"
#include "recorder/state/thread_reads.h"

#define MS 1000000u
#define KB 1000u

static struct mwr_thread_reads reads;
static uint64_t now;
static struct mwr_kernel_reads seen;

/* A stretch of so many ms, inside of them in calls, in which so much was read, so at a time. */
static void pass(uint64_t ms, uint64_t inside, uint64_t bytes, uint64_t piece)
{
    now += ms * MS;
    seen.bytes += bytes;
    seen.calls += piece > 0 ? bytes / piece : 0;
    reads.inside += inside * MS;
    mwr_thread_reads_take(&reads, now, &seen);
}

Test(thread_reads, takes_small_pieces_for_text_and_large_ones_for_copied)
{
    pass(100, 0, 1000 * KB, 4 * KB);
    cr_expect_eq(reads.bytes, 1000 * KB);
    cr_expect_eq(reads.ns, 1000 * KB * MW_READING_NS);
    pass(100, 0, 1000 * KB, 100 * KB);
    cr_expect_eq(reads.bytes, 2000 * KB);
    cr_expect_eq(reads.ns, 1000 * KB * MW_READING_NS + 250 * KB);
}

Test(thread_reads, take_no_longer_than_the_time_outside)
{
    pass(10, 0, 1000 * KB, 4 * KB);
    cr_expect_eq(reads.ns, 10 * MS);
}

/* As long as nothing is known of the MPI it may have read 16 bytes a ns. */
Test(thread_reads, leave_the_mpi_what_it_may_have_read)
{
    pass(100, 1, 20000 * KB, 100 * KB);
    cr_expect_eq(reads.bytes, 4000 * KB);
    cr_expect(reads.asked == 1);
    pass(100, 2, 20000 * KB, 100 * KB);
    cr_expect_eq(reads.bytes, 4000 * KB);
}

/* Until the call behind shows that it has not; only that one does. */
Test(thread_reads, are_told_of_when_the_next_call_is_quiet)
{
    pass(100, 1, 20000 * KB, 100 * KB);
    pass(1, 1, 0, 0);
    cr_expect_eq(reads.bytes, 20000 * KB);
    cr_expect_eq(reads.ns, 5000 * KB);
    reads.quiet = 0;
    pass(100, 20, 20000 * KB, 100 * KB);
    pass(1, 1, 0, 0);
    cr_expect_eq(reads.bytes, 20000 * KB);
    pass(100, 100, 0, 0);
    cr_expect_eq(reads.bytes, 20000 * KB);
}

/* The calls behind are looked at by themselves: there was nothing read in them. */
Test(thread_reads, are_all_the_threads_where_calls_are_quiet)
{
    pass(10, 0, 100 * KB, 4 * KB);
    cr_expect(reads.asked == 1);
    pass(1, 1, 0, 0);
    cr_expect(reads.asked == 0);
    pass(10, 1, 100 * KB, 4 * KB);
    cr_expect_eq(reads.bytes, 200 * KB);
}

/* That a send reads nothing says nothing: the next one is looked at that is none. */
Test(thread_reads, look_at_what_comes_behind_sends)
{
    reads.is_send = true;
    pass(10, 1, 100 * KB, 4 * KB);
    cr_expect(reads.asked == 0 && reads.sends > 2);
    cr_expect_eq(mwr_thread_reads_look(&reads, now, 0), now);
    pass(1, 1, 0, 0);
    cr_expect_eq(reads.quiet, 0);
    cr_expect_eq(reads.bytes, 0);
    reads.is_send = false;
    cr_expect_eq(mwr_thread_reads_look(&reads, ++now, 0), now);
    cr_expect(reads.asked == 1 && reads.sends == 0);
}

/* A quarter of what is unclear has to be quiet, and what was so long ago does not count. */
Test(thread_reads, need_quiet_calls_again_and_again)
{
    pass(1, 1, 0, 0);
    for (unsigned i = 0; i < 4; i++) {
        pass(10, 1, 100 * KB, 4 * KB);
    }
    cr_expect_eq(reads.bytes, 400 * KB);
    for (unsigned i = 0; i < 8; i++) {
        pass(10, 1, 100 * KB, 4 * KB);
    }
    cr_expect_eq(reads.bytes, 400 * KB);
}

/* What is read while a thread is in calls, or mostly so, is the MPI's: from then on it reads. */
Test(thread_reads, are_the_mpis_in_its_calls)
{
    pass(100, 100, 0, 0);
    pass(10, 10, 5 * KB, 1 * KB);
    cr_expect(reads.does_read);
    pass(10, 6, 50000 * KB, 4 * KB);
    pass(10, 1, 100 * KB, 4 * KB);
    cr_expect(reads.asked == 0);
    cr_expect_eq(reads.bytes, 0);
}

/* A byte or two wake it up. */
Test(thread_reads, of_little_in_calls_say_nothing)
{
    pass(100, 100, 0, 0);
    pass(10, 10, 8, 8);
    pass(10, 1, 100 * KB, 4 * KB);
    cr_expect_eq(reads.bytes, 100 * KB);
}

/* Small messages by sockets are some bytes in each of many calls; one such may be a file. */
Test(thread_reads, are_the_mpis_in_more_calls_with_little)
{
    pass(100, 100, 0, 0);
    pass(1, 1, 1 * KB, 1 * KB);
    cr_expect_not(reads.does_read);
    pass(1, 1, 1 * KB, 1 * KB);
    cr_expect(reads.does_read);
    pass(10, 1, 100 * KB, 4 * KB);
    cr_expect_eq(reads.bytes, 0);
}

/* Where the call behind is quiet, and always is, what has read is another one: soon, or later. */
Test(thread_reads, look_at_later_calls_too)
{
    unsigned soon[4] = {0}, late[4] = {0};

    for (unsigned i = 0; i < 1600; i++) {
        uint64_t later;

        pass(10, 1, 100 * KB, 4 * KB);
        cr_assert(reads.later > now && reads.later <= now + 40 * MS);
        later = reads.later - now - 1;
        soon[later < 2 * MS ? later / (MS / 2) : 0]++;
        late[later / (10 * MS)]++;
        reads.later = 0;
    }
    for (unsigned i = 0; i < 4; i++) {
        cr_expect(soon[i] > 200, "%u: %u", i, soon[i]);
        cr_expect(late[i] > 15, "%u: %u", i, late[i]);
    }
}

Test(thread_reads, ask_where_a_later_call_is_entered_and_ends)
{
    mwr_thread_reads_begin(&reads, now = 1);
    reads.later = 3;
    reads.wait = 10;
    reads.left = 2;
    cr_expect_eq(mwr_thread_reads_look(&reads, 2, 1), 3);
    cr_expect_eq(reads.asked, 0);
    cr_expect_eq(mwr_thread_reads_look(&reads, 4, 1), 4);
    cr_expect_eq(mwr_thread_reads_look(&reads, 5, 0), 5);
    cr_expect_eq(reads.asked, 1);
    cr_expect_eq(mwr_thread_reads_look(&reads, 6, 1), 14);
    cr_expect_eq(mwr_thread_reads_look(&reads, 14, 1), 14);
    cr_expect_eq(reads.asked, 2);
    cr_expect_eq(reads.later, 0);
}

Test(thread_reads, leave_mpi_io_what_it_may_have_read)
{
    pass(100, 100, 0, 0);
    reads.has_files = true;
    pass(10, 1, 100 * KB, 4 * KB);
    cr_expect_eq(reads.bytes, 0);
    cr_expect_not(reads.has_files);
    reads.has_files = true;
    pass(10, 10, 1000 * KB, 100 * KB);
    pass(10, 1, 100 * KB, 4 * KB);
    cr_expect_eq(reads.bytes, 100 * KB);
}
