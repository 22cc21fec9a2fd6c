#include "test/data/irregular_windows.h"

static void fence(struct run *run)
{
    uint64_t last = 0;

    for (uint32_t i = 0; i < run->ranks; i++) {
        last = later(last, run->at[i]);
    }
    for (uint32_t i = 0; i < run->ranks; i++) {
        OTF2_EvtWriter *writer = run_writer(run, i);
        uint64_t enter = run->at[i];

        run->at[i] = last + 10;
        if (run_keeps(run, i, enter, false)) {
            maker_enter(writer, enter, MAKER_WIN_FENCE);
            OTF2_EvtWriter_RmaCollectiveBegin(writer, NULL, enter);
            OTF2_EvtWriter_RmaCollectiveEnd(writer, NULL, last + 10, OTF2_COLLECTIVE_OP_BARRIER,
                                            OTF2_RMA_SYNC_LEVEL_PROCESS, 0,
                                            OTF2_UNDEFINED_UINT32, 0, 0);
            maker_leave(writer, last + 10, MAKER_WIN_FENCE);
        }
    }
}

static void ask_lock(const struct run *run, uint32_t rank, uint64_t enter, uint64_t has,
                     uint32_t target, OTF2_LockType type)
{
    OTF2_EvtWriter *writer = run_writer(run, rank);

    if (run_keeps(run, rank, enter, false)) {
        maker_enter(writer, enter, MAKER_WIN_LOCK);
        OTF2_EvtWriter_RmaRequestLock(writer, NULL, enter, 0, target, 7, type);
        OTF2_EvtWriter_RmaAcquireLock(writer, NULL, has, 0, target, 7, type);
        maker_leave(writer, has, MAKER_WIN_LOCK);
    }
}

/* An operation on target, and what it takes: it is complete when it is unlocked. */
static void put_and_unlock(const struct run *run, uint32_t rank, uint64_t put, uint64_t unlock,
                           uint32_t target)
{
    OTF2_EvtWriter *writer = run_writer(run, rank);

    if (run_keeps(run, rank, put, false)) {
        maker_enter(writer, put, MAKER_PUT);
        OTF2_EvtWriter_RmaPut(writer, NULL, put, 0, target, 8, target + 1);
        maker_leave(writer, put + 10, MAKER_PUT);
        maker_enter(writer, unlock, MAKER_WIN_UNLOCK);
        OTF2_EvtWriter_RmaOpCompleteRemote(writer, NULL, unlock, 0, target + 1);
        OTF2_EvtWriter_RmaReleaseLock(writer, NULL, unlock + 10, 0, target, 7);
        maker_leave(writer, unlock + 10, MAKER_WIN_UNLOCK);
    }
}

/* Locks target, free from *free on, puts and unlocks. */
static void lock(struct run *run, uint32_t rank, uint32_t target, uint64_t *free)
{
    uint64_t enter = run->at[rank];
    uint64_t has = later(enter, *free) + 10;
    uint64_t unlock = has + 20 + run_some(run, 20);

    ask_lock(run, rank, enter, has, target, OTF2_LOCK_EXCLUSIVE);
    put_and_unlock(run, rank, has + 10, unlock, target);
    *free = unlock;
    run->at[rank] = unlock + 10;
}

static void sync_call(struct run *run, uint32_t rank, uint64_t leave, uint32_t region,
                      uint32_t peer)
{
    OTF2_RmaSyncType type = region == MAKER_WIN_POST || region == MAKER_WIN_COMPLETE
                                ? OTF2_RMA_SYNC_TYPE_NOTIFY_OUT
                                : OTF2_RMA_SYNC_TYPE_NOTIFY_IN;

    if (run_keeps(run, rank, run->at[rank], false)) {
        maker_enter(run_writer(run, rank), run->at[rank], region);
        OTF2_EvtWriter_RmaSync(run_writer(run, rank), NULL, leave, 0, peer, type);
        maker_leave(run_writer(run, rank), leave, region);
    }
    run->at[rank] = leave;
}

/* Target posts for origin, which starts and completes; target waits for that. */
static void post(struct run *run, uint32_t origin, uint32_t target)
{
    uint64_t posted, completed;

    run->at[target] += run_some(run, 40);
    run->at[origin] += run_some(run, 40);
    posted = run->at[target];
    sync_call(run, target, posted + 10, MAKER_WIN_POST, origin);
    sync_call(run, origin, later(run->at[origin], posted) + 10, MAKER_WIN_START, target);
    run->at[origin] += run_some(run, 20);
    completed = run->at[origin];
    sync_call(run, origin, completed + 10, MAKER_WIN_COMPLETE, target);
    sync_call(run, target, later(run->at[target], completed) + 10, MAKER_WIN_WAIT, origin);
}

void irregular_windows(struct run *run)
{
    maker_window(run->maker, MAKER_WORLD);
    for (uint32_t step = 0; step < 40; step++) {
        uint64_t free[2] = { 0, 0 };

        for (uint32_t i = 0; i < run->ranks; i++) {
            run->at[i] += run_some(run, i == step % 6 ? 100 : 10);
        }
        fence(run);
        for (uint32_t i = 0; i < run->ranks; i++) {
            run->at[i] += run_some(run, 5);
            lock(run, i, i % 2, &free[i % 2]);
        }
        fence(run);
        for (uint32_t i = 0; i + 1 < run->ranks; i += 2) {
            post(run, i, i + 1);
        }
    }
}

/* From lock to unlock, or to what the next meeting is before. */
static void share(struct run *run, uint32_t rank, uint32_t target, OTF2_LockType type,
                  uint64_t *free, bool is_held)
{
    const uint64_t enter = run->at[rank];
    const uint64_t has = (type == OTF2_LOCK_EXCLUSIVE ? later(enter, *free) : enter) + 10;

    ask_lock(run, rank, enter, has, target, type);
    run->at[rank] = has + 10;
    if (!is_held) {
        const uint64_t unlock = has + 20 + run_some(run, 20);

        put_and_unlock(run, rank, has + 10, unlock, target);
        *free = unlock;
        run->at[rank] = unlock + 10;
    }
}

/* What the members of a pair do before they meet all others, and behind that. */
static void pair_up(struct run *run, uint32_t origin, uint32_t target, uint32_t calls[4],
                    uint32_t count, uint32_t from)
{
    for (uint32_t i = from; i < count; i++) {
        const uint32_t rank = i % 2 == 0 ? (i == 0 ? target : origin) : (i == 1 ? origin : target);
        const uint32_t other = rank == origin ? target : origin;

        run->at[rank] = later(run->at[rank], run->at[other]);
        sync_call(run, rank, run->at[rank] + 10, calls[i], other);
    }
}

static void on_window(struct run *run, OTF2_LockType type)
{
    static const uint64_t all[6] = { 0, 1, 2, 3, 4, 5 };
    static uint32_t calls[4] = { MAKER_WIN_POST, MAKER_WIN_START, MAKER_WIN_COMPLETE,
                                 MAKER_WIN_WAIT };
    struct maker_part part = { .sent = 8, .received = 8 };

    maker_window(run->maker, MAKER_WORLD);
    fence(run);
    if (type == OTF2_LOCK_SHARED) { /* on itself, to the end */
        ask_lock(run, 2, run->at[2], run->at[2] + 10, 2, type);
        run->at[2] += 20;
    }
    for (uint32_t step = 0; step < 60; step++) {
        const uint32_t before = step % 3 == 2 ? (uint32_t)run_some(run, 4) / 10 - 1 : 4;
        const bool is_held = run_some(run, 4) == 10;
        uint64_t free[2] = { 0, 0 };

        for (uint32_t i = 0; i < run->ranks; i++) {
            run->at[i] += run_some(run, i == step % 7 ? 100 : 10);
        }
        if (step % 5 == 0) {
            fence(run);
        }
        for (uint32_t i = 0; i < run->ranks && step % 3 == 1; i++) {
            share(run, i, i % 2, type, &free[i % 2], is_held && i == 4);
        }
        pair_up(run, step % 2, 3, calls, before, 0);
        part.root = step % 4 == 1 ? step % 6 : OTF2_UNDEFINED_UINT32;
        part.operation = step % 4 == 1 ? OTF2_COLLECTIVE_OP_BCAST : OTF2_COLLECTIVE_OP_ALLREDUCE;
        part.region = step % 4 == 1 ? MAKER_BCAST : MAKER_ALLREDUCE;
        run_meet(run, &part, all, 6, part.root);
        pair_up(run, step % 2, 3, calls, 4, before);
        if (step % 3 == 1 && is_held) {
            free[0] = later(run->at[4], run->at[2]) + 100; /* another wants it meanwhile */
            put_and_unlock(run, 4, run->at[4], free[0], 0);
            run->at[4] = free[0] + 20;
            share(run, 2, 0, type, &free[0], false);
        }
    }
}

void irregular_epochs(struct run *run)
{
    on_window(run, OTF2_LOCK_EXCLUSIVE);
}

void irregular_shares(struct run *run)
{
    on_window(run, OTF2_LOCK_SHARED);
}
