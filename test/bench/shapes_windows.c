#include "test/bench/shapes.h"

#include <stdbool.h>

#include <otf2/otf2.h>

/* One-sided communication. */

static void make_window(struct process *process, uint64_t step, uint64_t i)
{
    const struct mw_definition definition = {
        .kind = MW_DEFINE_OBJECT,
        .of.object = { .kind = MW_OBJECT_WINDOW,
                       .number = (uint32_t)i,
                       .uid = { 400, i },
                       .comm = shapes_world,
                       .call = MW_CALL_MPI_Win_create,
                       .sequence = (uint32_t)(1 + i),
                       .name = "" }
    };

    define(process, &definition);
    enter(process, MW_CALL_MPI_Win_create,
          step_time(step) + jitter(process->rank, step, SHAPES_STEP / 4));
    add_plain(process, MW_MEMBER_WIN_CREATE, (uint32_t)i);
    add_rma(process, MW_MEMBER_RMA_COLLECTIVE, (uint32_t)i, MW_RMA_ALL,
            OTF2_COLLECTIVE_OP_CREATE_HANDLE, 0);
    leave(process, step_time(step) + SHAPES_STEP / 4 + jitter(process->rank, i, 100));
}

static void fence(struct process *process, uint64_t step, uint64_t window)
{
    enter(process, MW_CALL_MPI_Win_fence,
          step_time(step) + jitter(process->rank, step, SHAPES_STEP / 4));
    add_rma(process, MW_MEMBER_RMA_COLLECTIVE, (uint32_t)window, MW_RMA_ALL,
            OTF2_COLLECTIVE_OP_BARRIER, 0);
    leave(process, step_time(step) + SHAPES_STEP / 4 + jitter(process->rank, step, 100));
}

static void free_window(struct process *process, uint64_t step, uint64_t i)
{
    enter(process, MW_CALL_MPI_Win_free,
          step_time(step) + jitter(process->rank, step, SHAPES_STEP / 4));
    add_rma(process, MW_MEMBER_RMA_COLLECTIVE, (uint32_t)i, MW_RMA_ALL,
            OTF2_COLLECTIVE_OP_DESTROY_HANDLE, 0);
    add_plain(process, MW_MEMBER_WIN_DESTROY, (uint32_t)i);
    leave(process, step_time(step) + SHAPES_STEP / 4 + jitter(process->rank, i, 100));
}

static void windows_alive(struct process *process)
{
    for (uint64_t i = 0; i < process->n; i++) {
        make_window(process, i, i);
    }
    for (uint64_t i = 0; i < process->n; i++) {
        fence(process, process->n + i, i);
    }
    for (uint64_t i = 0; i < process->n; i++) {
        free_window(process, 2 * process->n + i, i);
    }
}

static void ranks_at_fences(struct process *process)
{
    make_window(process, 0, 0);
    for (uint64_t i = 1; i < 12; i++) {
        fence(process, i, 0);
    }
    free_window(process, 12, 0);
}

static void lock(struct process *process, int32_t target, OTF2_LockType type, uint64_t begin,
                 uint64_t end, uint64_t id)
{
    enter(process, MW_CALL_MPI_Win_lock, begin);
    add_rma(process, MW_MEMBER_RMA_LOCK, 0, target, type, id);
    leave(process, end);
}

static void put(struct process *process, int32_t target, uint64_t begin, uint64_t id)
{
    enter(process, MW_CALL_MPI_Put, begin);
    add_rma(process, MW_MEMBER_RMA_PUT, 0, target, 0, id);
    leave(process, begin + 100);
}

static void unlock(struct process *process, int32_t target, uint64_t begin, uint64_t id,
                   uint64_t operations)
{
    enter(process, MW_CALL_MPI_Win_unlock, begin);
    if (operations != 0) {
        add_rma(process, MW_MEMBER_RMA_DONE, 0, target, MW_RMA_DONE_REMOTE, operations);
    }
    add_rma(process, MW_MEMBER_RMA_UNLOCK, 0, target, 0, id);
    leave(process, begin + 300);
}

/* n times a rank locks the target, in step first, and on after others. */
static void lock_in_turns(struct process *process, int32_t target, uint64_t first, uint64_t every,
                          uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        uint64_t held = step_time(1 + first + i * every);

        lock(process, target, jitter(i, 1, 5) ? OTF2_LOCK_EXCLUSIVE : OTF2_LOCK_SHARED,
             held - jitter(process->rank, i, SHAPES_STEP), held + 100, 10);
        put(process, target, held + 200, 11);
        unlock(process, target, held + 400 + jitter(process->rank, i, SHAPES_STEP / 2), 10, 11);
    }
}

/* Rank 2 waits for a lock on rank 0 while rank 1 locks and unlocks what is elsewhere. */
static void locks_elsewhere(struct process *process)
{
    make_window(process, 0, 0);
    if (process->rank == 1) {
        lock_in_turns(process, 1, 0, 1, process->n);
    } else if (process->rank == 2) {
        lock(process, 0, OTF2_LOCK_EXCLUSIVE, step_time(1), step_time(process->n), 10);
        unlock(process, 0, step_time(process->n) + 1000, 10, 0);
    }
}

/* The same with what the others want of the same target. */
static void locks_of_the_same(struct process *process)
{
    make_window(process, 0, 0);
    if (process->rank == 2) {
        lock(process, 0, OTF2_LOCK_EXCLUSIVE, step_time(1), step_time(process->n), 10);
        unlock(process, 0, step_time(process->n) + 1000, 10, 0);
    } else {
        lock_in_turns(process, 0, process->rank, 2, process->n / 2);
    }
}

static void locks_in_turns(struct process *process)
{
    make_window(process, 0, 0);
    lock_in_turns(process, 0, process->rank, process->ranks, process->n);
}

static void ranks_at_a_lock(struct process *process)
{
    make_window(process, 0, 0);
    lock_in_turns(process, 0, process->rank, process->ranks, 12);
}

/* A lock that is never given back, and n others elsewhere. */
static void lock_kept(struct process *process)
{
    make_window(process, 0, 0);
    if (process->rank == 2) {
        lock(process, 0, OTF2_LOCK_EXCLUSIVE, step_time(1), step_time(1) + 100, 10);
    } else {
        lock_in_turns(process, 1, process->rank, 2, process->n);
    }
}

/* Rank 2 holds a shared lock on all, and puts and flushes; the others lock in turns. */
static void flushes(struct process *process)
{
    make_window(process, 0, 0);
    if (process->rank != 2) {
        lock_in_turns(process, 1, process->rank, 2, process->n / 2);
        return;
    }
    enter(process, MW_CALL_MPI_Win_lock_all, step_time(1));
    add_rma(process, MW_MEMBER_RMA_LOCK, 0, MW_RMA_ALL, OTF2_LOCK_SHARED, 10);
    leave(process, step_time(1) + 100);
    for (uint64_t i = 0; i < process->n; i++) {
        uint64_t begin = step_time(1 + i) + 1000 + jitter(2, i, 1000);

        put(process, (int32_t)(i % 3), begin, 11);
        enter(process, MW_CALL_MPI_Win_flush, begin + 200);
        add_rma(process, MW_MEMBER_RMA_DONE, 0, (int32_t)(i % 3), MW_RMA_DONE_REMOTE, 11);
        leave(process, begin + 200 + jitter(1, i, SHAPES_STEP / 2));
    }
    enter(process, MW_CALL_MPI_Win_unlock_all, 0);
    add_rma(process, MW_MEMBER_RMA_UNLOCK, 0, MW_RMA_ALL, 0, 10);
    leave(process, process->time + 100);
}

static void notify(struct process *process, unsigned call, uint64_t begin, uint64_t end,
                   int32_t other)
{
    bool is_out = call == MW_CALL_MPI_Win_post || call == MW_CALL_MPI_Win_complete;

    enter(process, call, begin);
    add_rma(process, MW_MEMBER_RMA_SYNC, 0, other,
            is_out ? OTF2_RMA_SYNC_TYPE_NOTIFY_OUT : OTF2_RMA_SYNC_TYPE_NOTIFY_IN, 0);
    leave(process, end);
}

/* Rank 0 posts for rank 1, which starts. */
static void post_and_start(struct process *process, uint64_t steps, uint64_t puts)
{
    for (uint64_t i = 0; i < steps; i++) {
        uint64_t begin = step_time(1 + i) + jitter(process->rank, i, SHAPES_STEP / 4);
        uint64_t end = step_time(1 + i) + SHAPES_STEP / 4 + 200 * puts;

        if (process->rank == 0) {
            notify(process, MW_CALL_MPI_Win_post, begin, begin + 100, 1);
            notify(process, MW_CALL_MPI_Win_wait, begin + 200, end + 1500, 1);
            continue;
        }
        notify(process, MW_CALL_MPI_Win_start, begin, begin + 100, 0);
        for (uint64_t k = 0; k < puts; k++) {
            put(process, 0, begin + 200 + 200 * k, 20);
        }
        enter(process, MW_CALL_MPI_Win_complete, begin + 300 + 200 * puts);
        add_rma(process, MW_MEMBER_RMA_DONE, 0, 0, MW_RMA_DONE_REMOTE, 20);
        add_rma(process, MW_MEMBER_RMA_SYNC, 0, 0, OTF2_RMA_SYNC_TYPE_NOTIFY_OUT, 0);
        leave(process, end + 1000);
    }
}

static void posts(struct process *process)
{
    make_window(process, 0, 0);
    post_and_start(process, process->n, 2);
}

/* Rank 0 posts for all others at once, and waits for them. */
static void ranks_at_posts(struct process *process)
{
    const unsigned calls[2][2] = { { MW_CALL_MPI_Win_post, MW_CALL_MPI_Win_wait },
                                   { MW_CALL_MPI_Win_start, MW_CALL_MPI_Win_complete } };
    const bool is_origin = process->rank > 0;

    make_window(process, 0, 0);
    for (uint64_t i = 0; i < 20; i++) {
        bool is_end = i % 2 == 1;
        bool is_out = is_end == is_origin;

        enter(process, calls[is_origin][is_end],
              step_time(1 + i) + jitter(process->rank, i, SHAPES_STEP / 2));
        for (uint32_t k = is_origin ? 0 : 1; k < (is_origin ? 1 : process->ranks); k++) {
            add_rma(process, MW_MEMBER_RMA_SYNC, 0, (int32_t)k,
                    is_out ? OTF2_RMA_SYNC_TYPE_NOTIFY_OUT : OTF2_RMA_SYNC_TYPE_NOTIFY_IN, 0);
        }
        leave(process, step_time(1 + i) + SHAPES_STEP / 2 + jitter(process->rank, i, 1000));
    }
}

/* One epoch with n puts, before the post. */
static void puts_before_post(struct process *process)
{
    make_window(process, 0, 0);
    post_and_start(process, 1, process->n);
}

/* Threads of which one does one-sided communication. */
static void posts_with_threads(struct process *process)
{
    if (process->thread == 0) {
        make_window(process, 0, 0);
        post_and_start(process, 100 * process->n, 2);
        return;
    }
    for (uint64_t i = 0; i < 100; i++) {
        whole_call(process, MW_CALL_MPI_Iprobe,
                   step_time(1 + i * process->n) + jitter(process->thread, i, SHAPES_STEP), 100);
    }
}

const struct shape shapes_windows[] = {
    { "windows-alive", "windows of 4 ranks at once", 1000, 64000, 4, 1, windows_alive, 0 },
    { "ranks-at-fences", "ranks at fences", 200, 1600, 0, 1, ranks_at_fences, 0 },
    { "ranks-at-a-lock", "ranks that lock one in turns", 200, 1600, 0, 1, ranks_at_a_lock, 0 },
    { "locks-elsewhere", "epochs while a rank waits for another target", 4000, 256000, 3, 1,
      locks_elsewhere, 0 },
    { "locks-of-the-same", "epochs that one rank waits for", 4000, 256000, 3, 1,
      locks_of_the_same, 0 },
    { "locks-in-turns", "epochs of 4 ranks on one target", 2000, 128000, 4, 1, locks_in_turns, 0 },
    { "lock-kept", "epochs while a rank holds a lock for ever", 2000, 128000, 3, 1, lock_kept, 0 },
    { "flushes", "flushes of a lock on all", 4000, 256000, 3, 1, flushes, 0 },
    { "posts", "posts and starts", 4000, 256000, 2, 1, posts, 0 },
    { "ranks-at-posts", "ranks that one posts for", 200, 1600, 0, 1, ranks_at_posts, 0 },
    { "puts-before-post", "puts of an epoch", 10000, 640000, 2, 1, puts_before_post, 0 },
    { "posts-with-threads", "threads, and posts", 25, 400, 2, 0, posts_with_threads, 0 },
    { NULL, NULL, 0, 0, 0, 0, NULL, 0 }
};
