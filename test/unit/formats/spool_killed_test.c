#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/unit/formats/maker.h"

/*
 * What a process leaves that is killed at any moment. A child records as fast as it can, so that
 * more of its time goes into changes of windows than into records, and tells in shared memory what
 * it has done; it is killed, and all that it told must be in its spool. Call number i lasts from
 * 10 i to 10 i + 5, member number k of a call has k for its request.
 */
#define KILLS 300u
#define MICROSECONDS 4000u /* after which the latest of them comes; it fills 30 windows in these */
#define MEMBERS 20000u     /* of each call that has some: five windows of them */

/* What the child has done, stored when it is done. */
struct done {
    uint64_t calls;
    uint64_t members; /* of the call after these */
};

static struct done *done;
static struct maker maker;

static void set_up(void)
{
    maker_init(&maker);
}

static void tear_down(void)
{
    maker_fini(&maker);
}

TestSuite(spool_killed, .init = set_up, .fini = tear_down);

static void add_members(struct mw_spool *spool)
{
    for (uint64_t i = 0; i < MEMBERS; i++) {
        struct mw_request_member *member =
            mw_spool_member(spool, MW_MEMBER_SEND_COMPLETE, sizeof *member, 0);

        member->request = i;
        mw_spool_commit(member);
        __atomic_store_n(&done->members, i + 1, __ATOMIC_RELEASE);
    }
}

/* Records for ever; one of so many calls has members. */
static void record(uint64_t limit, uint64_t with_members)
{
    struct mw_spool_identity identity = {.nonce = NONCE, .wrap = limit > 0};
    struct mw_spool spool;

    if (mw_spool_init(&spool, maker_path(&maker, "spool"), &identity, limit, NULL) != MW_OK) {
        _exit(1);
    }
    for (uint64_t i = 0;; i++) {
        struct mw_call_record *call = mw_spool_begin(&spool, MW_CALL_MPI_Waitall, 10 * i);

        if (i % with_members == with_members - 1) {
            add_members(&spool);
        }
        mw_spool_end(&spool, call, 10 * i + 5);
        __atomic_store_n(&done->calls, i + 1, __ATOMIC_RELEASE);
        __atomic_store_n(&done->members, 0, __ATOMIC_RELEASE);
    }
}

/* Reads the calls, all of them right, up to the last; *members: of that one, if it is open. */
static uint64_t read_calls(uint64_t *members)
{
    struct mw_spool_reader *reader;
    struct mw_spool_call call;
    uint64_t calls;
    enum mw_status status;

    *members = 0;
    cr_assert_eq(mw_spool_reader_create(maker_path(&maker, "spool"), &reader, NULL), MW_OK);
    calls = mw_spool_reader_overwritten(reader);
    while ((status = mw_spool_reader_next(reader, &call, NULL)) == MW_OK) {
        const struct mw_member *member = NULL;
        uint64_t number = 0;

        cr_assert_eq(call.record.enter, 10 * calls);
        while ((member = mw_spool_call_member(&call, member))) {
            cr_assert_eq(((const struct mw_request_member *)(const void *)member)->request,
                         number++);
        }
        if (call.record.state == MW_STATE_OPEN) {
            *members = number;
            status = mw_spool_reader_next(reader, &call, NULL);
            break;
        }
        cr_assert_eq(call.record.leave, 10 * calls + 5);
        calls++;
    }
    cr_assert_eq(status, MW_END);
    mw_spool_reader_destroy(reader);
    return calls;
}

static void kill_after(unsigned microseconds, uint64_t limit, uint64_t with_members)
{
    pid_t child;
    uint64_t calls;
    uint64_t members;

    memset(done, 0, sizeof *done);
    unlink(maker_path(&maker, "spool"));
    child = fork();
    if (child == 0) {
        record(limit, with_members);
    }
    usleep(microseconds);
    kill(child, SIGKILL);
    cr_assert_eq(waitpid(child, NULL, 0), child);
    if (done->calls == 0) {
        return; /* there need not be a spool yet */
    }
    calls = read_calls(&members);
    cr_assert(calls > done->calls || (calls == done->calls && members >= done->members),
              "%zu calls and %zu members of %zu and %zu", (size_t)calls, (size_t)members,
              (size_t)done->calls, (size_t)done->members);
    cr_assert_leq(calls, done->calls + 1);
}

static void expect_no_loss(uint64_t limit, uint64_t with_members)
{
    done = mmap(NULL, sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(done, MAP_FAILED);
    srand(42);
    for (unsigned i = 0; i < KILLS; i++) {
        kill_after((unsigned)rand() % MICROSECONDS, limit, with_members);
    }
    munmap(done, sizeof *done);
}

Test(spool_killed, has_all_calls)
{
    expect_no_loss(0, UINT64_MAX);
}

/* The window with the call is kept while others come and go, and written to when the call ends. */
Test(spool_killed, has_all_members_of_calls_over_several_windows)
{
    expect_no_loss(0, 3000);
}

Test(spool_killed, in_a_ring_has_the_last_calls)
{
    expect_no_loss(274432, UINT64_MAX); /* two segments (ring_test.c) */
}

Test(spool_killed, in_a_ring_has_all_members_of_the_last_calls)
{
    expect_no_loss(1000000, 3000);
}
