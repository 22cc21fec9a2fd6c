#include "test/data/irregular_collectives.h"

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
        if (run_keeps(run, i, run->at[i], false)) {
            maker_icollective(run_writer(run, i), run->at[i], MAKER_IALLREDUCE, 7);
        }
        last = later(last, run->at[i]);
    }
    for (uint32_t i = 0; i < run->ranks; i++) {
        uint64_t enter = run->at[i] + 10 + run_some(run, 50);
        uint64_t leave = later(last, enter) + 10;

        if (run_keeps(run, i, run->at[i], false)) {
            maker_wait_collective(run_writer(run, i), enter, leave, &part, 7);
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
        run->at[i] += run_some(run, i == step % 17 ? 200 : 10);
        if ((i + step) % 5 == 0) {
            maker_enter(run_writer(run, i), run->at[i], MAKER_USER);
        }
        sent[i] = run->at[i];
        run_send(run, i, sent[i], (i + 1 + step) % (ROWS * COLUMNS), step);
        run->at[i] += 10;
    }
    for (uint32_t i = 0; i < ROWS * COLUMNS; i++) {
        const uint32_t from = (i + ROWS * COLUMNS - 1 - step % (ROWS * COLUMNS)) % (ROWS * COLUMNS);
        const uint64_t leave = later(run->at[i], sent[from]) + 10;

        run_receive(run, i, run->at[i], leave, from, step);
        run->at[i] = leave + run_some(run, 8);
    }
    part.operation = step % 2 ? OTF2_COLLECTIVE_OP_ALLREDUCE : OTF2_COLLECTIVE_OP_BARRIER;
    part.region = step % 2 ? MAKER_ALLREDUCE : MAKER_BARRIER;
    run_meet(run, &part, all, ROWS * COLUMNS, UINT32_MAX);
    for (uint32_t i = 0; i < ROWS * COLUMNS; i++) {
        if ((i + step) % 5 == 1) { /* of some the region goes on */
            maker_leave(run_writer(run, i), run->at[i], MAKER_USER);
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
            run->at[i] += run_some(run, i == step % 24 ? 300 : 20);
        }
        part.operation = OTF2_COLLECTIVE_OP_ALLREDUCE;
        part.region = MAKER_ALLREDUCE;
        part.root = OTF2_UNDEFINED_UINT32;
        for (uint32_t i = 0; i < ROWS; i++) {
            part.comm = 2 + i;
            run_meet(run, &part, rows[i], COLUMNS, UINT32_MAX);
        }
        part.operation = OTF2_COLLECTIVE_OP_BCAST;
        part.region = MAKER_BCAST;
        part.root = step % ROWS;
        for (uint32_t i = 0; i < COLUMNS; i++) {
            part.comm = 2 + ROWS + i;
            run_meet(run, &part, columns[i], ROWS, step % ROWS);
        }
        if (step % 10 == 9) {
            overlap(run);
        }
        if (with_all && step % 3 == 2) {
            meet_all(run, step);
        }
    }
}

void irregular_grid(struct run *run)
{
    in_grid(run, false);
}

void irregular_chapters(struct run *run)
{
    in_grid(run, true);
}

#define CREWS 4u

/* The second threads of all meet on a communicator of their own, which they come to one after the
 * other, each so much later than the one before. Returns when the last one leaves. */
static uint64_t meet_beside(const struct run *run, uint64_t first, uint64_t later_each)
{
    const struct maker_part part = { .operation = OTF2_COLLECTIVE_OP_ALLREDUCE,
                                     .region = MAKER_ALLREDUCE,
                                     .comm = 2,
                                     .root = OTF2_UNDEFINED_UINT32,
                                     .sent = 8,
                                     .received = 8 };
    const uint64_t leave = first + (CREWS - 1) * later_each + 20;

    for (uint32_t i = 0; i < CREWS; i++) {
        if (run_keeps(run, i, first, false)) {
            maker_collective(maker_writer(run->maker, i, 1), first + i * later_each, leave, &part);
        }
    }
    return leave;
}

/* Before main threads come, while they wait for the last of them, or until behind that. */
void irregular_crews(struct run *run)
{
    static const uint64_t all[CREWS] = { 0, 1, 2, 3 };
    const struct maker_part none = { .operation = OTF2_COLLECTIVE_OP_BARRIER,
                                     .region = MAKER_BARRIER,
                                     .root = OTF2_UNDEFINED_UINT32 };

    maker_comm(run->maker, "crews", MAKER_WORLD, CREWS, all);
    for (uint32_t step = 0; step < 60; step++) {
        const uint64_t begin = run->at[0];
        uint64_t end = begin;

        if (step % 3 == 0) {
            end = meet_beside(run, begin + 10, 40);
        }
        for (uint32_t i = 0; i < CREWS; i++) {
            run->at[i] = end + run_some(run, 20) + (i == step % CREWS ? 600 : 0);
        }
        if (step % 3 == 1) { /* the first come at end + 200 at the latest, the last at end + 610 */
            end = meet_beside(run, end + 210, 110);
        } else if (step % 3 == 2) {
            end = meet_beside(run, end + 210, 300);
        }
        run_meet(run, &none, all, CREWS, UINT32_MAX);
        for (uint32_t i = 0; i < CREWS; i++) {
            run->at[i] = later(run->at[i], end);
        }
    }
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
        if (run_keeps(run, i, enter, false)) {
            maker_collective(run_writer(run, i), enter, run->at[i], &own);
        }
    }
}

void irregular_mistakes(struct run *run)
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
            run->at[i] += run_some(run, i == one ? 60 : 10);
        }
        disagree(run, 2 + step % 2, &from_0, is_wrong ? one : nobody, &from_1);
        disagree(run, 2 + step % 2, &from_1, is_wrong ? one : nobody, &from_0);
        if (step % 40 == 35) { /* from here on nobody looks at the communicator */
            disagree(run, 3, &from_0, one, &none);
            disagree(run, 3, &none, one, &from_0);
        }
        run_meet(run, &none, all, DISAGREEING, UINT32_MAX);
    }
}

#define AHEAD 2u /* ranks */

/* One takes part in an operation with a root from its time on until leave, if that is kept. */
static void take_part(struct run *run, uint32_t rank, uint32_t root, bool is_bcast, uint64_t leave)
{
    const bool gives = is_bcast == (rank == root);
    const struct maker_part part = { .operation = is_bcast ? OTF2_COLLECTIVE_OP_BCAST
                                                           : OTF2_COLLECTIVE_OP_REDUCE,
                                     .region = is_bcast ? MAKER_BCAST : MAKER_REDUCE,
                                     .root = root,
                                     .sent = gives ? 8 : 0,
                                     .received = gives ? 0 : 8 };

    if (run_keeps(run, rank, run->at[rank], false)) {
        maker_collective(run_writer(run, rank), run->at[rank], leave, &part);
    }
    run->at[rank] = leave + 10; /* else no lull could be there */
}

/* The root is in the last of three broadcasts until one of the others comes to the first, or a
 * little longer; or goes on. */
static void broadcast_row(struct run *run, uint32_t root)
{
    const uint32_t awaited = (root + 1 + (uint32_t)run_some(run, AHEAD - 1) / 10 - 1) % AHEAD;
    const uint64_t comes = run->at[awaited] + 10 * (run_some(run, 4) / 10 - 1);
    const bool is_held = run_some(run, 3) > 10;
    uint64_t sent[3];

    for (uint32_t i = 0; i < 3; i++) {
        sent[i] = run->at[root];
        take_part(run, root, root, true,
                  i == 2 && is_held ? later(sent[i], comes) + run_some(run, 10)
                                    : sent[i] + 10);
    }
    for (uint32_t rank = 0; rank < AHEAD; rank++) {
        for (uint32_t i = 0; i < 3 && rank != root; i++) {
            run->at[rank] += i == 2 ? run_some(run, 10) : 0;
            take_part(run, rank, root, true, later(run->at[rank], sent[i]) + 10);
        }
    }
}

/* Who gives may be in its second reduction until the root comes to the first. */
static void reduce_row(struct run *run, uint32_t root)
{
    const uint64_t comes = run->at[root];
    uint64_t given = 0;

    for (uint32_t rank = 0; rank < AHEAD; rank++) {
        for (uint32_t i = 0; i < 2 && rank != root; i++) {
            const bool is_held = i == 1 && run_some(run, 2) > 10;

            given = later(given, run->at[rank]);
            take_part(run, rank, root, false,
                      is_held ? later(run->at[rank], comes) + run_some(run, 10)
                              : run->at[rank] + 10);
        }
    }
    for (uint32_t i = 0; i < 2; i++) {
        take_part(run, root, root, false, later(run->at[root], given) + 10);
    }
}

void irregular_ahead(struct run *run)
{
    for (uint32_t step = 0; step < 1200; step++) {
        uint64_t sent[AHEAD];

        for (uint32_t i = 0; i < AHEAD; i++) {
            run->at[i] += run_some(run, (i + step / 8) % AHEAD == 0 ? 300 : 10);
        }
        if (step % 4 == 3) {
            reduce_row(run, step / 5 % AHEAD);
        } else {
            broadcast_row(run, step / 5 % AHEAD);
        }
        for (uint32_t i = 0; i < AHEAD && step % 3 == 0; i++) {
            run->at[i] += run_some(run, 5);
            sent[i] = run->at[i];
            run_send(run, i, sent[i], (i + 1) % AHEAD, step);
            run->at[i] += 10;
        }
        for (uint32_t i = 0; i < AHEAD && step % 3 == 0; i++) {
            const uint64_t leave = later(run->at[i], sent[(i + AHEAD - 1) % AHEAD]) + 10;

            run_receive(run, i, run->at[i], leave, (i + AHEAD - 1) % AHEAD, step);
            run->at[i] = leave;
        }
    }
}
