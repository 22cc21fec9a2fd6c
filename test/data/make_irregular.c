/*
 * make_irregular SHAPE LOSS DIRECTORY: writes an archive of a run in which ranks do different
 * things and get far ahead of each other, or what is left of it. Times are multiples of 10, so that
 * many things happen at the same one.
 *
 *   halo      27 ranks in a cube exchange with up to 6 neighbours, without meeting otherwise
 *   grid      24 ranks reduce along rows, broadcast along columns, non-blocking as well
 *   chapters  the same, and each sends to another, and all meet every few steps, in regions of the
 *             program that last longer than that
 *   workers   a master gives 11 workers tasks, one of which takes them a hundred times as long
 *   tree      7 ranks: each sends all to both below it before these receive the first
 *   flood     a rank sends more calls ahead than any queue holds, and gets as many back
 *   threads   3 ranks of 3 threads send to each other's, and main threads reduce
 *   windows   6 ranks fence, lock the same targets, post and start for each other
 *   phases    5 ranks of 2 threads, one of which does nothing, meet; of some messages in between
 *             the receive is posted before a meeting and completed behind it, or both behind it
 *   epochs    6 ranks do the same as in windows and meet; some locks are held, some posts and
 *             accesses are open when they do
 *   shares    the same, but that locks are shared, and that nobody unlocks one of them for long
 *   mistakes  4 ranks disagree on roots and order between some meetings, but not on how often they
 *             do what
 *
 *   none      all is there
 *   hole      rank 1 was paused from a third of the run to the middle of it
 *   tail      rank 2 died in the middle
 *   head      the first half of rank 1 was overwritten
 *   filter    rank 0 recorded no receives; where it has none, nothing is lost
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/data/maker.h"

#define RANKS_MOST 27u
#define BEGIN      100u /* MPI_Init has been left */
#define BYTES      1024u

enum loss { NONE, HOLE, TAIL, HEAD, FILTER, LOSSES };
static const char *const loss_names[LOSSES] = { "none", "hole", "tail", "head", "filter" };

struct run {
    struct maker *maker;
    uint32_t ranks;
    uint32_t threads;
    uint64_t length;  /* about: losses go by it */
    enum loss loss;
    uint64_t at[RANKS_MOST]; /* how far each rank is */
    uint64_t random;
};

/* xorshift64 (Marsaglia). Between 10 and 10 * most, in tens. */
static uint64_t some(struct run *run, uint64_t most)
{
    run->random ^= run->random << 13;
    run->random ^= run->random >> 7;
    run->random ^= run->random << 17;
    return 10 + 10 * (run->random % most);
}

/* Whether what rank did at time, a receive or not, was recorded and is left. */
static bool is_kept(const struct run *run, uint32_t rank, uint64_t time, bool is_receive)
{
    switch (run->loss) {
    case HOLE:
        return rank != 1 || time < run->length / 3 || time >= run->length / 2;
    case TAIL:
        return rank != 2 || time < run->length / 2;
    case HEAD:
        return rank != 1 || time >= run->length / 2;
    case FILTER:
        return rank != 0 || !is_receive;
    case NONE:
    case LOSSES:
        break;
    }
    return true;
}

static OTF2_EvtWriter *of(const struct run *run, uint32_t rank)
{
    return maker_writer(run->maker, rank, 0);
}

static uint64_t later(uint64_t one, uint64_t other)
{
    return one > other ? one : other;
}

/* --- calls ------------------------------------------------------------------------------------ */

static void send(const struct run *run, uint32_t rank, uint64_t enter, uint32_t to, uint32_t tag)
{
    if (is_kept(run, rank, enter, false)) {
        maker_send(of(run, rank), enter, enter + 10, MAKER_WORLD, to, tag, BYTES);
    }
}

static void receive(const struct run *run, uint32_t rank, uint64_t enter, uint64_t leave,
                    uint32_t from, uint32_t tag)
{
    if (is_kept(run, rank, enter, true)) {
        maker_recv(of(run, rank), enter, leave, MAKER_WORLD, from, tag, BYTES);
    }
}

/* A collective of the members on comm: all leave with the last one, but a root's subjects then. */
static void meet(struct run *run, const struct maker_part *part, const uint64_t *members,
                 uint32_t count, uint32_t root)
{
    uint64_t last = 0;

    for (uint32_t i = 0; i < count; i++) {
        last = later(last, run->at[members[i]]);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t rank = (uint32_t)members[i];
        uint64_t enter = run->at[rank];
        uint64_t until = root == UINT32_MAX ? last : run->at[members[root]];

        run->at[rank] = i == root ? enter + 20 : later(enter, until) + 20;
        if (is_kept(run, rank, enter, false)) {
            struct maker_part own = *part;

            own.sent = root == UINT32_MAX || i == root ? part->sent : 0;
            own.received = i == root ? 0 : part->received;
            maker_collective(of(run, rank), enter, run->at[rank], &own);
        }
    }
}

/* --- shapes ----------------------------------------------------------------------------------- */

#define SIDE 3u

/* The neighbours of rank in the cube; returns how many. */
static uint32_t neighbours(uint32_t rank, uint32_t *list)
{
    const uint32_t step[3] = { 1, SIDE, SIDE * SIDE };
    uint32_t count = 0;

    for (uint32_t i = 0; i < 3; i++) {
        uint32_t place = rank / step[i] % SIDE;

        if (place > 0) {
            list[count++] = rank - step[i];
        }
        if (place + 1 < SIDE) {
            list[count++] = rank + step[i];
        }
    }
    return count;
}

static void exchange(struct run *run, uint32_t rank, const uint64_t *sent)
{
    OTF2_EvtWriter *writer = of(run, rank);
    uint32_t list[6];
    uint32_t count = neighbours(rank, list);
    uint64_t time = sent[rank];
    uint64_t wait = time + 20 * count;
    uint64_t leave = wait;
    bool kept = is_kept(run, rank, time, false);

    for (uint32_t i = 0; i < count; i++) {
        uint32_t theirs[6];

        leave = later(leave, sent[list[i]] + 20 * neighbours(list[i], theirs));
    }
    leave += 10;
    for (uint32_t i = 0; i < count && kept; i++, time += 10) {
        maker_irecv(writer, time, 100 + i);
    }
    for (uint32_t i = 0; i < count && kept; i++, time += 10) {
        maker_isend(writer, time, MAKER_WORLD, list[i], 0, BYTES, 200 + i);
    }
    if (kept) {
        maker_enter(writer, wait, MAKER_WAITALL);
        for (uint32_t i = count; i-- > 0;) {
            OTF2_EvtWriter_MpiIsendComplete(writer, NULL, leave, 200 + i);
            OTF2_EvtWriter_MpiIrecv(writer, NULL, leave, list[i], MAKER_WORLD, 0, BYTES, 100 + i);
        }
        maker_leave(writer, leave, MAKER_WAITALL);
    }
    run->at[rank] = leave;
}

static void halo(struct run *run)
{
    uint64_t sent[RANKS_MOST];

    for (uint32_t step = 0; step < 40; step++) {
        for (uint32_t i = 0; i < run->ranks; i++) {
            sent[i] = run->at[i] + some(run, i == step % 27 ? 400 : 30);
        }
        for (uint32_t i = 0; i < run->ranks; i++) {
            exchange(run, i, sent);
        }
    }
}

#define ROWS    4u
#define COLUMNS 6u

/* A member's part in a non-blocking reduction of all, for the duration of which it computes. */
static void overlap(struct run *run)
{
    const struct maker_part part = { .operation = OTF2_COLLECTIVE_OP_ALLREDUCE,
                                     .region = MAKER_IALLREDUCE,
                                     .root = OTF2_UNDEFINED_UINT32,
                                     .sent = 8,
                                     .received = 8 };
    uint64_t last = 0;

    for (uint32_t i = 0; i < run->ranks; i++) {
        if (is_kept(run, i, run->at[i], false)) {
            maker_icollective(of(run, i), run->at[i], MAKER_IALLREDUCE, 7);
        }
        last = later(last, run->at[i]);
    }
    for (uint32_t i = 0; i < run->ranks; i++) {
        uint64_t enter = run->at[i] + 10 + some(run, 50);
        uint64_t leave = later(last, enter) + 10;

        if (is_kept(run, i, run->at[i], false)) {
            maker_wait_collective(of(run, i), enter, leave, &part, 7);
        }
        run->at[i] = leave;
    }
}

/* Each sends to another; then all meet, some inside of a region that they entered before. */
static void meet_all(struct run *run, uint32_t step)
{
    struct maker_part part = { .sent = 8, .received = 8, .root = OTF2_UNDEFINED_UINT32 };
    uint64_t all[ROWS * COLUMNS], sent[ROWS * COLUMNS];

    for (uint32_t i = 0; i < ROWS * COLUMNS; i++) {
        all[i] = i;
        run->at[i] += some(run, i == step % 17 ? 200 : 10);
        if ((i + step) % 5 == 0) {
            maker_enter(of(run, i), run->at[i], MAKER_USER);
        }
        sent[i] = run->at[i];
        send(run, i, sent[i], (i + 1 + step) % (ROWS * COLUMNS), step);
        run->at[i] += 10;
    }
    for (uint32_t i = 0; i < ROWS * COLUMNS; i++) {
        const uint32_t from = (i + ROWS * COLUMNS - 1 - step % (ROWS * COLUMNS)) % (ROWS * COLUMNS);
        const uint64_t leave = later(run->at[i], sent[from]) + 10;

        receive(run, i, run->at[i], leave, from, step);
        run->at[i] = leave + some(run, 8);
    }
    part.operation = step % 2 ? OTF2_COLLECTIVE_OP_ALLREDUCE : OTF2_COLLECTIVE_OP_BARRIER;
    part.region = step % 2 ? MAKER_ALLREDUCE : MAKER_BARRIER;
    meet(run, &part, all, ROWS * COLUMNS, UINT32_MAX);
    for (uint32_t i = 0; i < ROWS * COLUMNS; i++) {
        if ((i + step) % 5 == 1) { /* of some the region goes on */
            maker_leave(of(run, i), run->at[i], MAKER_USER);
        }
    }
}

static void in_grid(struct run *run, bool with_all)
{
    static uint64_t rows[ROWS][COLUMNS], columns[COLUMNS][ROWS];
    struct maker_part part = { .sent = 8, .received = 8 };

    for (uint32_t i = 0; i < ROWS * COLUMNS; i++) {
        rows[i / COLUMNS][i % COLUMNS] = columns[i % COLUMNS][i / COLUMNS] = i;
    }
    for (uint32_t i = 0; i < ROWS; i++) {
        maker_comm(run->maker, "row", MAKER_WORLD, COLUMNS, rows[i]);
    }
    for (uint32_t i = 0; i < COLUMNS; i++) {
        maker_comm(run->maker, "column", MAKER_WORLD, ROWS, columns[i]);
    }
    for (uint32_t step = 0; step < 60; step++) {
        for (uint32_t i = 0; i < run->ranks; i++) {
            run->at[i] += some(run, i == step % 24 ? 300 : 20);
        }
        part.operation = OTF2_COLLECTIVE_OP_ALLREDUCE;
        part.region = MAKER_ALLREDUCE;
        part.root = OTF2_UNDEFINED_UINT32;
        for (uint32_t i = 0; i < ROWS; i++) {
            part.comm = 2 + i;
            meet(run, &part, rows[i], COLUMNS, UINT32_MAX);
        }
        part.operation = OTF2_COLLECTIVE_OP_BCAST;
        part.region = MAKER_BCAST;
        part.root = step % ROWS;
        for (uint32_t i = 0; i < COLUMNS; i++) {
            part.comm = 2 + ROWS + i;
            meet(run, &part, columns[i], ROWS, step % ROWS);
        }
        if (step % 10 == 9) {
            overlap(run);
        }
        if (with_all && step % 3 == 2) {
            meet_all(run, step);
        }
    }
}

static void grid(struct run *run)
{
    in_grid(run, false);
}

static void chapters(struct run *run)
{
    in_grid(run, true);
}

#define DISAGREEING 4u

/* All are in a collective on comm, but that one rank is in other. */
static void disagree(struct run *run, uint32_t comm, const struct maker_part *part, uint32_t one,
                     const struct maker_part *other)
{
    uint64_t last = 0;

    for (uint32_t i = 0; i < DISAGREEING; i++) {
        last = later(last, run->at[i]);
    }
    for (uint32_t i = 0; i < DISAGREEING; i++) {
        struct maker_part own = i == one ? *other : *part;
        const uint64_t enter = run->at[i];

        own.comm = comm;
        own.sent = own.root == i ? own.sent : 0;
        own.received = own.root == i ? 0 : own.received;
        run->at[i] = last + 20;
        if (is_kept(run, i, enter, false)) {
            maker_collective(of(run, i), enter, run->at[i], &own);
        }
    }
}

static void mistakes(struct run *run)
{
    static const uint64_t all[DISAGREEING] = { 0, 1, 2, 3 };
    const struct maker_part from_0 = { .operation = OTF2_COLLECTIVE_OP_BCAST,
                                       .region = MAKER_BCAST,
                                       .sent = 24,
                                       .received = 8 };
    const struct maker_part none = { .operation = OTF2_COLLECTIVE_OP_BARRIER,
                                     .region = MAKER_BARRIER,
                                     .root = OTF2_UNDEFINED_UINT32 };
    struct maker_part from_1 = from_0;

    from_1.root = 1;
    for (uint32_t i = 0; i < 2; i++) {
        maker_comm(run->maker, "some", MAKER_WORLD, DISAGREEING, all);
    }
    for (uint32_t step = 0; step < 90; step++) {
        const bool is_wrong = step / 10 % 2 == 1;
        const uint32_t one = step % DISAGREEING, nobody = UINT32_MAX;

        for (uint32_t i = 0; i < run->ranks; i++) {
            run->at[i] += some(run, i == one ? 60 : 10);
        }
        disagree(run, 2 + step % 2, &from_0, is_wrong ? one : nobody, &from_1);
        disagree(run, 2 + step % 2, &from_1, is_wrong ? one : nobody, &from_0);
        if (step % 40 == 35) { /* from here on nobody looks at the communicator */
            disagree(run, 3, &from_0, one, &none);
            disagree(run, 3, &none, one, &from_0);
        }
        meet(run, &none, all, DISAGREEING, UINT32_MAX);
    }
}

static void workers(struct run *run)
{
    uint64_t done[RANKS_MOST] = { 0 };

    for (uint32_t i = 1; i < run->ranks; i++) {
        send(run, 0, run->at[0], i, 1);
        run->at[0] += 20;
        receive(run, i, run->at[i], later(run->at[i], run->at[0]) + 10, 0, 1);
        run->at[i] = later(run->at[i], run->at[0]) + 10;
        done[i] = run->at[i] + some(run, 100);
    }
    for (uint32_t task = 0; task < 800; task++) {
        uint32_t first = 1;
        uint64_t leave;

        for (uint32_t i = 2; i < run->ranks; i++) {
            first = done[i] < done[first] ? i : first;
        }
        send(run, first, done[first], 0, 2);
        leave = later(run->at[0], done[first]) + 10;
        receive(run, 0, run->at[0], leave, first, 2);
        run->at[0] = leave + some(run, 3);
        send(run, 0, run->at[0], first, 1);
        receive(run, first, done[first] + 10, later(done[first] + 10, run->at[0]) + 10, 0, 1);
        run->at[first] = later(done[first] + 10, run->at[0]) + 10;
        run->at[0] += 10;
        done[first] = run->at[first] + some(run, first == 3 ? 10000 : 100);
    }
}

#define TREE_MESSAGES 2000u

static void tree(struct run *run)
{
    static uint64_t sent[7][TREE_MESSAGES];

    for (uint32_t i = 0; i < run->ranks; i++) {
        for (uint32_t k = 0; i > 0 && k < TREE_MESSAGES; k++) {
            uint64_t leave = later(run->at[i], sent[i][k]) + 10;

            receive(run, i, run->at[i], leave, (i - 1) / 2, 0);
            run->at[i] = leave + (k % 100 == 0 ? some(run, 20) : 0);
        }
        for (uint32_t k = 0; 2 * i + 2 < run->ranks && k < TREE_MESSAGES; k++) {
            for (uint32_t child = 2 * i + 1; child <= 2 * i + 2; child++) {
                send(run, i, run->at[i], child, 0);
                sent[child][k] = run->at[i];
                run->at[i] += 20;
            }
        }
        if (2 * i + 2 < run->ranks) { /* the left child is there before, the right one after */
            run->at[2 * i + 1] = later(run->at[2 * i + 1], run->at[i] / 2 / 10 * 10);
            run->at[2 * i + 2] = later(run->at[2 * i + 2], run->at[i]);
        }
    }
}

#define FLOOD 70000u /* MWA_EXCHANGE_AHEAD_IN_ALL is 65,536 */

static void flood(struct run *run)
{
    uint64_t back = BEGIN + 30 * (FLOOD + 1);

    for (uint32_t k = 0; k < FLOOD; k++) {
        send(run, 0, BEGIN + 10 + 20 * k, 1, 0);
        receive(run, 1, BEGIN + 10 + 30 * k, BEGIN + 30 + 30 * k, 0, 0);
    }
    for (uint32_t k = 0; k < FLOOD; k++) { /* each is waited for, for 10 at least */
        send(run, 1, back + 20 + 50 * k, 0, 1);
        receive(run, 0, back + 10 + 50 * k - 10 * (k % 2), back + 40 + 50 * k, 1, 1);
    }
    run->at[0] = run->at[1] = back + 60 * FLOOD;
}

static void threads(struct run *run)
{
    uint64_t at[3][3];
    struct maker_part part = { .operation = OTF2_COLLECTIVE_OP_ALLREDUCE,
                               .region = MAKER_ALLREDUCE,
                               .root = OTF2_UNDEFINED_UINT32,
                               .sent = 8,
                               .received = 8 };
    const uint64_t all[3] = { 0, 1, 2 };

    for (uint32_t i = 0; i < 9; i++) {
        at[i / 3][i % 3] = BEGIN + 10;
    }
    for (uint32_t step = 0; step < 300; step++) {
        uint32_t from = step % 3, to = (step + 1 + step / 7 % 2) % 3;
        uint32_t one = (uint32_t)some(run, 3) / 10 - 1, other = (uint32_t)some(run, 3) / 10 - 1;
        uint64_t time = at[from][one] + some(run, 30);
        uint64_t enter = at[to][other] + some(run, 30);
        uint64_t leave = later(time, enter) + 10;

        if (is_kept(run, from, time, false)) {
            maker_send(maker_writer(run->maker, from, one), time, time + 10, MAKER_WORLD, to,
                       step % 2, BYTES);
        }
        if (is_kept(run, to, enter, true)) {
            maker_recv(maker_writer(run->maker, to, other), enter, leave, MAKER_WORLD, from,
                       step % 2, BYTES);
        }
        at[from][one] = time + 10;
        at[to][other] = leave;
        if (step % 20 == 19) {
            for (uint32_t i = 0; i < 3; i++) {
                run->at[i] = at[i][0];
            }
            meet(run, &part, all, 3, UINT32_MAX);
            for (uint32_t i = 0; i < 3; i++) {
                at[i][0] = run->at[i];
            }
        }
    }
    for (uint32_t i = 0; i < 9; i++) {
        run->at[i / 3] = later(run->at[i / 3], at[i / 3][i % 3]);
    }
}

static void fence(struct run *run)
{
    uint64_t last = 0;

    for (uint32_t i = 0; i < run->ranks; i++) {
        last = later(last, run->at[i]);
    }
    for (uint32_t i = 0; i < run->ranks; i++) {
        OTF2_EvtWriter *writer = of(run, i);
        uint64_t enter = run->at[i];

        run->at[i] = last + 10;
        if (is_kept(run, i, enter, false)) {
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
    OTF2_EvtWriter *writer = of(run, rank);

    if (is_kept(run, rank, enter, false)) {
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
    OTF2_EvtWriter *writer = of(run, rank);

    if (is_kept(run, rank, put, false)) {
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
    uint64_t unlock = has + 20 + some(run, 20);

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

    if (is_kept(run, rank, run->at[rank], false)) {
        maker_enter(of(run, rank), run->at[rank], region);
        OTF2_EvtWriter_RmaSync(of(run, rank), NULL, leave, 0, peer, type);
        maker_leave(of(run, rank), leave, region);
    }
    run->at[rank] = leave;
}

/* Target posts for origin, which starts and completes; target waits for that. */
static void post(struct run *run, uint32_t origin, uint32_t target)
{
    uint64_t posted, completed;

    run->at[target] += some(run, 40);
    run->at[origin] += some(run, 40);
    posted = run->at[target];
    sync_call(run, target, posted + 10, MAKER_WIN_POST, origin);
    sync_call(run, origin, later(run->at[origin], posted) + 10, MAKER_WIN_START, target);
    run->at[origin] += some(run, 20);
    completed = run->at[origin];
    sync_call(run, origin, completed + 10, MAKER_WIN_COMPLETE, target);
    sync_call(run, target, later(run->at[target], completed) + 10, MAKER_WIN_WAIT, origin);
}

static void windows(struct run *run)
{
    maker_window(run->maker, MAKER_WORLD);
    for (uint32_t step = 0; step < 40; step++) {
        uint64_t free[2] = { 0, 0 };

        for (uint32_t i = 0; i < run->ranks; i++) {
            run->at[i] += some(run, i == step % 6 ? 100 : 10);
        }
        fence(run);
        for (uint32_t i = 0; i < run->ranks; i++) {
            run->at[i] += some(run, 5);
            lock(run, i, i % 2, &free[i % 2]);
        }
        fence(run);
        for (uint32_t i = 0; i + 1 < run->ranks; i += 2) {
            post(run, i, i + 1);
        }
    }
}

/* A message of a phase: one that is received at once, or is on its way when the phase ends. */
static void begin_message(struct run *run, uint32_t from, uint32_t to, uint64_t request,
                          bool is_late)
{
    if (!is_late) {
        send(run, from, run->at[from], to, 3);
        receive(run, to, run->at[to], later(run->at[to], run->at[from]) + 20, from, 3);
        run->at[to] = later(run->at[to], run->at[from]) + 20;
    } else {
        if (request % 2 == 1 && is_kept(run, to, run->at[to], false)) {
            maker_irecv(of(run, to), run->at[to], request);
        }
        send(run, from, run->at[from], to, 4);
        run->at[to] += 10;
    }
    run->at[from] += 10;
}

static void end_message(struct run *run, uint32_t from, uint32_t to, uint64_t request)
{
    if (request % 2 == 0) {
        receive(run, to, run->at[to], run->at[to] + 30, from, 4);
    } else if (is_kept(run, to, run->at[to], false)) {
        maker_wait_recv(of(run, to), run->at[to], run->at[to] + 30, MAKER_WORLD, from, 4, BYTES,
                        request);
    }
    run->at[to] += 30;
}

static void phases(struct run *run)
{
    static const uint64_t all[5] = { 0, 1, 2, 3, 4 };
    struct maker_part part = { .sent = 8, .received = 8 };

    for (uint32_t step = 0; step < 150; step++) {
        const uint32_t from = step % 5, to = (step + 1 + step / 5 % 3) % 5;
        const bool is_late = some(run, 3) == 10;

        for (uint32_t i = 0; i < run->ranks; i++) {
            if (step % 9 == i) { /* a region of the program is left behind the next meeting */
                maker_enter(of(run, i), run->at[i], MAKER_USER);
            }
            run->at[i] += some(run, i == step % 7 ? 300 : 20);
        }
        begin_message(run, from, to, 100 + step, is_late);
        part.root = step % 4 == 1 ? from : OTF2_UNDEFINED_UINT32;
        part.operation = step % 4 == 1 ? OTF2_COLLECTIVE_OP_BCAST : OTF2_COLLECTIVE_OP_ALLREDUCE;
        part.region = step % 4 == 1 ? MAKER_BCAST : MAKER_ALLREDUCE;
        meet(run, &part, all, 5, part.root);
        if (step % 9 < run->ranks) {
            maker_leave(of(run, step % 9), run->at[step % 9], MAKER_USER);
        }
        if (is_late) {
            end_message(run, from, to, 100 + step);
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
        const uint64_t unlock = has + 20 + some(run, 20);

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
        const uint32_t before = step % 3 == 2 ? (uint32_t)some(run, 4) / 10 - 1 : 4;
        const bool is_held = some(run, 4) == 10;
        uint64_t free[2] = { 0, 0 };

        for (uint32_t i = 0; i < run->ranks; i++) {
            run->at[i] += some(run, i == step % 7 ? 100 : 10);
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
        meet(run, &part, all, 6, part.root);
        pair_up(run, step % 2, 3, calls, 4, before);
        if (step % 3 == 1 && is_held) {
            free[0] = later(run->at[4], run->at[2]) + 100; /* another wants it meanwhile */
            put_and_unlock(run, 4, run->at[4], free[0], 0);
            run->at[4] = free[0] + 20;
            share(run, 2, 0, type, &free[0], false);
        }
    }
}

static void epochs(struct run *run)
{
    on_window(run, OTF2_LOCK_EXCLUSIVE);
}

static void shares(struct run *run)
{
    on_window(run, OTF2_LOCK_SHARED);
}

/* --- the program ------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    uint32_t ranks;
    uint32_t threads;
    uint64_t length;
    void (*run)(struct run *run);
} shapes[] = {
    { "halo", 27, 1, 60000, halo },       { "grid", 24, 1, 86000, grid },
    { "workers", 12, 1, 90000, workers }, { "tree", 7, 1, 200000, tree },
    { "flood", 2, 1, 6000000, flood },    { "threads", 3, 3, 22000, threads },
    { "windows", 6, 1, 60000, windows },  { "phases", 5, 2, 160000, phases },
    { "chapters", 24, 1, 120000, chapters },
    { "mistakes", 4, 1, 30000, mistakes },
    { "epochs", 6, 1, 60000, epochs },    { "shares", 6, 1, 60000, shares },
};

static void make(unsigned shape, enum loss loss, const char *directory)
{
    struct run run = { .ranks = shapes[shape].ranks,
                       .threads = shapes[shape].threads,
                       .length = shapes[shape].length,
                       .loss = loss,
                       .random = 88172645463325252u };
    uint64_t last = 0;

    run.maker = maker_create(directory, run.ranks, run.threads);
    for (uint32_t i = 0; i < run.ranks; i++) {
        maker_init(of(&run, i));
        run.at[i] = BEGIN + 10;
    }
    shapes[shape].run(&run);
    for (uint32_t i = 0; i < run.ranks; i++) {
        last = later(last, run.at[i]);
    }
    for (uint32_t i = 0; i < run.ranks; i++) {
        if (is_kept(&run, i, last, false)) {
            maker_finalize(of(&run, i), last);
        }
    }
    maker_length(run.maker, last + 1000);
    maker_finish(run.maker);
}

int main(int argc, char **argv)
{
    for (unsigned i = 0; argc == 4 && i < sizeof shapes / sizeof *shapes; i++) {
        for (unsigned k = 0; k < LOSSES; k++) {
            if (strcmp(argv[1], shapes[i].name) == 0 && strcmp(argv[2], loss_names[k]) == 0) {
                make(i, (enum loss)k, argv[3]);
                return 0;
            }
        }
    }
    fprintf(stderr, "usage: make_irregular SHAPE none|hole|tail|head|filter DIRECTORY, "
                    "SHAPE one of\n");
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        fprintf(stderr, "  %s\n", shapes[i].name);
    }
    return 2;
}
