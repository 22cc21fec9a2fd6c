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
