/*
 * make_apart SHAPE STEPS AHEAD DIRECTORY: writes an archive of ranks that are far apart: by their
 * clocks, some of which are a multiple of AHEAD ns ahead, or by how much they have to tell. All is
 * blocking; step i begins 100 i ns behind 1000.
 *
 *   ring      64 ranks. In each step a rank sends to the d-th one behind it from 0 on, for 10 ns,
 *             and receives from the d-th one before it from 20 to 60, d being 1, 2 and 3 by turns.
 *             Rank r is 7919 r mod 64 times AHEAD ahead.
 *   jumps     the same of 24 ranks, of which rank r gets AHEAD further ahead in each n-th step, n
 *             being 300 + 37 (5 r mod 24).
 *   strangers 86 ranks in pairs. The first one of a pair sends from 0 to 10 and receives from 20 to
 *             60, the second one receives from 0 to 20 and sends from 30 to 40. Ranks 0 and 1 are
 *             first of 2 and 3, which are AHEAD ahead, in all steps; all others, 4 and 5, 6 and 7
 *             and so on, for 2000 steps.
 *   master    40 ranks. Rank 0 does as a first one, of another one in each step, 1 to 39 by turns,
 *             which is so as a second one but that it receives from 60 behind the step before in
 *             which it had a turn, at first from 900, on. All but rank 0 are AHEAD ahead.
 *   deaf      8 ranks. In each step the upper 6 send to rank 0 from 0 to 1, then to the next one of
 *             the 6 from 2 to 10, and receive from the one before from 20 to 60. Rank 0 receives
 *             from them from 0, 2 …, for 1, and from rank 1 from 80 to 90; but of what that has
 *             sent to it, from 0 to 10, only the first tenth of the steps is there.
 *   reduce    4 ranks, which reduce in each step, rank r from 10 (2 r + 3 i mod 5) to 60: nothing
 *             else. The odd ones, which are on a host of their own, are AHEAD ahead.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/data/maker.h"

#define BEGIN           1000u
#define STEP            100u
#define STRANGERS_STEPS 2000u
#define BYTES           8u

struct apart {
    OTF2_EvtWriter *writer;
    uint32_t ranks;
    uint64_t steps;
    uint64_t ahead;
};

static void first_of(OTF2_EvtWriter *writer, uint64_t time, uint32_t peer)
{
    maker_send(writer, time, time + 10, MAKER_WORLD, peer, 0, BYTES);
    maker_recv(writer, time + 20, time + 60, MAKER_WORLD, peer, 0, BYTES);
}

static void second_of(OTF2_EvtWriter *writer, uint64_t since, uint64_t time, uint32_t peer)
{
    maker_recv(writer, since, time + 20, MAKER_WORLD, peer, 0, BYTES);
    maker_send(writer, time + 30, time + 40, MAKER_WORLD, peer, 0, BYTES);
}

static void pass_on(const struct apart *apart, uint32_t rank, uint64_t step, uint64_t time)
{
    const uint32_t ranks = apart->ranks, far = 1 + (uint32_t)(step % 3);

    maker_send(apart->writer, time, time + 10, MAKER_WORLD, (rank + far) % ranks, 0, BYTES);
    maker_recv(apart->writer, time + 20, time + 60, MAKER_WORLD, (rank + ranks - far) % ranks, 0,
               BYTES);
}

static void ring(const struct apart *apart, uint32_t rank, uint64_t step, uint64_t time)
{
    pass_on(apart, rank, step, time + 7919 * rank % apart->ranks * apart->ahead);
}

static void jumps(const struct apart *apart, uint32_t rank, uint64_t step, uint64_t time)
{
    pass_on(apart, rank, step, time + step / (300 + 37 * (5 * rank % 24)) * apart->ahead);
}

static void strangers(const struct apart *apart, uint32_t rank, uint64_t step, uint64_t time)
{
    const uint32_t peer = rank < 4 ? rank ^ 2u : rank ^ 1u;

    if (step >= (rank < 4 ? apart->steps : STRANGERS_STEPS)) {
        return;
    }
    if (rank < peer) {
        first_of(apart->writer, time, peer);
    } else {
        time += rank < 4 ? apart->ahead : 0;
        second_of(apart->writer, time, time, peer);
    }
}

static void master(const struct apart *apart, uint32_t rank, uint64_t step, uint64_t time)
{
    const uint32_t others = apart->ranks - 1, turn = 1 + (uint32_t)(step % others);
    const uint64_t since = step < others ? 900 : time - others * STEP + 60;

    if (rank == 0) {
        first_of(apart->writer, time, turn);
    } else if (rank == turn) {
        second_of(apart->writer, apart->ahead + since, apart->ahead + time, 0);
    }
}

static void deaf(const struct apart *apart, uint32_t rank, uint64_t step, uint64_t time)
{
    const uint32_t upper = apart->ranks - 2;

    for (uint32_t i = 0; rank == 0 && i < upper; i++) {
        maker_recv(apart->writer, time + 2 * i, time + 2 * i + 1, MAKER_WORLD, 2 + i, 0, BYTES);
    }
    if (rank == 0) {
        maker_recv(apart->writer, time + 80, time + 90, MAKER_WORLD, 1, 0, BYTES);
    } else if (rank > 1) {
        maker_send(apart->writer, time, time + 1, MAKER_WORLD, 0, 0, BYTES);
        maker_send(apart->writer, time + 2, time + 10, MAKER_WORLD, 2 + (rank - 1) % upper, 0,
                   BYTES);
        maker_recv(apart->writer, time + 20, time + 60, MAKER_WORLD,
                   2 + (rank - 3 + upper) % upper, 0, BYTES);
    } else if (step < apart->steps / 10) {
        maker_send(apart->writer, time, time + 10, MAKER_WORLD, 0, 0, BYTES);
    }
}

static void reduce(const struct apart *apart, uint32_t rank, uint64_t step, uint64_t time)
{
    const struct maker_part part = { .operation = OTF2_COLLECTIVE_OP_ALLREDUCE,
                                     .region = MAKER_ALLREDUCE,
                                     .comm = MAKER_WORLD,
                                     .root = OTF2_UNDEFINED_UINT32,
                                     .sent = BYTES,
                                     .received = BYTES };

    time += rank % 2 * apart->ahead;
    maker_collective(apart->writer, time + 10 * ((2 * rank + 3 * step) % 5), time + 60, &part);
}

static const struct shape {
    const char *name;
    uint32_t ranks;
    uint64_t least_steps; /* it has as many, whatever STEPS says */
    uint64_t most_ahead;  /* times AHEAD, beside what STEPS makes of it */
    void (*take)(const struct apart *apart, uint32_t rank, uint64_t step, uint64_t time);
} shapes[] = { { "ring", 64, 0, 63, ring },
               { "jumps", 24, 0, 0, jumps },
               { "strangers", 86, STRANGERS_STEPS, 1, strangers },
               { "master", 40, 0, 1, master },
               { "deaf", 8, 0, 0, deaf },
               { "reduce", 4, 0, 1, reduce } };

static void make(const struct shape *shape, struct apart *apart, const char *directory)
{
    const uint64_t steps = apart->steps > shape->least_steps ? apart->steps : shape->least_steps;
    const uint64_t end = BEGIN + steps * STEP + (shape->most_ahead + steps / 300) * apart->ahead;
    struct maker *maker = maker_create(directory, shape->ranks, 1);

    apart->ranks = shape->ranks;
    maker_length(maker, end + 1000);
    for (uint32_t rank = 0; rank < apart->ranks; rank++) {
        apart->writer = maker_writer(maker, rank, 0);
        maker_init(apart->writer);
        for (uint64_t step = 0; step < steps; step++) {
            shape->take(apart, rank, step, BEGIN + step * STEP);
        }
        maker_finalize(apart->writer, end);
        maker_through(maker, rank, 0);
    }
    maker_finish(maker);
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 5 && i < sizeof shapes / sizeof *shapes; i++) {
        if (strcmp(argv[1], shapes[i].name) == 0) {
            struct apart apart = { .steps = strtoull(argv[2], NULL, 10),
                                   .ahead = strtoull(argv[3], NULL, 10) };

            make(&shapes[i], &apart, argv[4]);
            return 0;
        }
    }
    fprintf(stderr, "usage: make_apart ring|jumps|strangers|master|deaf|reduce STEPS AHEAD "
                    "DIRECTORY\n");
    return 2;
}
