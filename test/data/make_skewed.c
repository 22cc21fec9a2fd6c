/*
 * make_skewed NS DIRECTORY: writes an archive of four ranks on two hosts, in which all that happens
 * is known: in 3000 steps each computes for a while, gives its right neighbour, who is on the other
 * host, a message, receives one of its left neighbour, and all reduce after each tenth. A message
 * takes 20 us, a reduction 30. The clock of the second host (ranks 1 and 3) is right at the
 * beginning, in the middle and at the end, and off by NS ahead after a quarter and behind after
 * three: as clocks are that were compared well at three times. With 0 the archive tells the truth.
 */
#include <stdio.h>
#include <stdlib.h>

#include "test/data/maker.h"

#define RANKS   4u
#define STEPS   3000u
#define BEGIN   10000000u   /* MPI_Init is left */
#define QUARTER 820000000u  /* ns, of the run, which takes some 3.3 s */
#define LATENCY 20000u
#define REDUCE  30000u
#define BYTES   1024u

struct run {
    OTF2_EvtWriter *writers[RANKS];
    uint64_t at[RANKS]; /* how far each rank is, by a clock that is right */
    uint64_t random;
    int64_t skew;
};

/* xorshift64 (Marsaglia): less than most. */
static uint64_t some(struct run *run, uint64_t most)
{
    run->random ^= run->random << 13;
    run->random ^= run->random >> 7;
    run->random ^= run->random << 17;
    return run->random % most;
}

/* What the clock of rank says at time. */
static uint64_t told(const struct run *run, uint32_t rank, uint64_t time)
{
    const int64_t in = (int64_t)(time > BEGIN ? time - BEGIN : 0), quarter = QUARTER;
    const int64_t off = in < quarter       ? in
                        : in < 3 * quarter ? 2 * quarter - in
                        : in < 4 * quarter ? in - 4 * quarter
                                           : 0;

    return rank % 2 == 0 ? time : (uint64_t)((int64_t)time + run->skew * off / quarter);
}

static void compute(struct run *run)
{
    static const uint64_t work[RANKS] = { 1000000, 900000, 950000, 850000 };

    for (uint32_t rank = 0; rank < RANKS; rank++) {
        run->at[rank] += work[rank] + some(run, 200000);
    }
}

static void exchange(struct run *run)
{
    uint64_t sent[RANKS];

    for (uint32_t rank = 0; rank < RANKS; rank++) {
        sent[rank] = run->at[rank];
        run->at[rank] += 2000;
        maker_send(run->writers[rank], told(run, rank, sent[rank]), told(run, rank, run->at[rank]),
                   MAKER_WORLD, (rank + 1) % RANKS, 5, BYTES);
        run->at[rank] += 500;
    }
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        const uint32_t left = (rank + RANKS - 1) % RANKS;
        const uint64_t enter = run->at[rank], comes = sent[left] + LATENCY;

        run->at[rank] = comes > enter + 1000 ? comes : enter + 1000;
        maker_recv(run->writers[rank], told(run, rank, enter), told(run, rank, run->at[rank]),
                   MAKER_WORLD, left, 5, BYTES);
    }
}

static void reduce(struct run *run)
{
    const struct maker_part part = { .operation = OTF2_COLLECTIVE_OP_ALLREDUCE,
                                     .region = MAKER_ALLREDUCE,
                                     .comm = MAKER_WORLD,
                                     .root = OTF2_UNDEFINED_UINT32,
                                     .sent = 8,
                                     .received = 8 };
    uint64_t last = 0;

    for (uint32_t rank = 0; rank < RANKS; rank++) {
        run->at[rank] += 500;
        last = run->at[rank] > last ? run->at[rank] : last;
    }
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        const uint64_t enter = run->at[rank];

        run->at[rank] = last + REDUCE + some(run, 2000);
        maker_collective(run->writers[rank], told(run, rank, enter),
                         told(run, rank, run->at[rank]), &part);
    }
}

int main(int argc, char **argv)
{
    struct run run = { .random = 88172645463325252u };
    struct maker *maker;

    if (argc != 3) {
        fprintf(stderr, "usage: make_skewed NS DIRECTORY\n");
        return 2;
    }
    run.skew = strtoll(argv[1], NULL, 10);
    maker = maker_create(argv[2], RANKS, 1);
    maker_length(maker, 5 * (uint64_t)QUARTER);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        run.writers[rank] = maker_writer(maker, rank, 0);
        run.at[rank] = BEGIN;
        maker_enter(run.writers[rank], 0, MAKER_INIT);
        maker_leave(run.writers[rank], BEGIN, MAKER_INIT);
    }
    for (unsigned step = 1; step <= STEPS; step++) {
        compute(&run);
        exchange(&run);
        if (step % 10 == 0) {
            reduce(&run);
        }
    }
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        maker_finalize(run.writers[rank], told(&run, rank, run.at[rank] + 1000));
    }
    maker_finish(maker);
    return 0;
}
