/*
 * generate DIRECTORY RANKS EVENTS: writes an OTF2 archive of RANKS ranks (2 to 4096) with
 * about EVENTS events, and prints how much of which waiting is in it, as JSON. The archive is
 * written rank by rank, so that memory does not grow with its size.
 *
 * All ranks go in a ring through steps. Step i begins at B on every rank; one of them, the
 * straggler s = i mod RANKS, computes D = 1000 (1 + i mod 7) ns longer than the 10 us of the
 * others and is ready at e = B + 10,000 + D, they at B + 10,000. Ready at t, a rank
 *
 *     t        enters MPI_Irecv from its left, left at t + 100
 *     t + 100  enters MPI_Isend to its right, left at t + 200
 *     t + 200  enters MPI_Waitall for both, left 500 after it has been entered; at the right
 *              of the straggler 500 after the straggler's MPI_Isend has been
 *     then     enters MPI_Allreduce, which all leave 1000 after the last has entered it,
 *              at e + 700 + 1000. That is the next step's B.
 *
 * So in a step, worked out on paper:
 *
 *     late sender  at the right of the straggler: e + 100 - (B + 10,200) = D - 100
 *     wait at NxN  at the right of the straggler: e + 700 - (e + 600)    = 100
 *                  at the RANKS - 2 others: e + 700 - (B + 10,700)       = D each
 *     late receiver, NxN completion: none; the left neighbour has left its MPI_Waitall at
 *                  B + 10,700, before the straggler posts its receive (D >= 1000)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "test/data/maker.h"

#define EVENTS_PER_STEP 14u
#define FIRST_STEP      100u /* MPI_Init has been left */
#define COMPUTE         10000u
#define BYTES           4096u

static uint64_t delay_of(uint64_t step)
{
    return 1000 * (1 + step % 7);
}

static uint64_t length_of(uint64_t step)
{
    return COMPUTE + delay_of(step) + 1700;
}

static void need(OTF2_ErrorCode code)
{
    if (code != OTF2_SUCCESS) {
        fprintf(stderr, "generate: %s\n", OTF2_Error_GetDescription(code));
        exit(1);
    }
}

/* The message from the left, and that to the right. Returns when MPI_Waitall is left. */
static uint64_t exchange(OTF2_EvtWriter *writer, uint64_t ready, uint64_t left_ready,
                         uint32_t left, uint32_t right)
{
    uint64_t wait = ready + 200;
    uint64_t sent = left_ready + 100;
    uint64_t leave = (sent > wait ? sent : wait) + 500;

    maker_enter(writer, ready, MAKER_IRECV);
    need(OTF2_EvtWriter_MpiIrecvRequest(writer, NULL, ready, 1));
    maker_leave(writer, ready + 100, MAKER_IRECV);
    maker_enter(writer, ready + 100, MAKER_ISEND);
    need(OTF2_EvtWriter_MpiIsend(writer, NULL, ready + 100, right, MAKER_WORLD, 0, BYTES, 2));
    maker_leave(writer, ready + 200, MAKER_ISEND);
    maker_enter(writer, wait, MAKER_WAITALL);
    need(OTF2_EvtWriter_MpiIsendComplete(writer, NULL, leave, 2));
    need(OTF2_EvtWriter_MpiIrecv(writer, NULL, leave, left, MAKER_WORLD, 0, BYTES, 1));
    maker_leave(writer, leave, MAKER_WAITALL);
    return leave;
}

static void allreduce(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave)
{
    maker_enter(writer, enter, MAKER_ALLREDUCE);
    need(OTF2_EvtWriter_MpiCollectiveBegin(writer, NULL, enter));
    need(OTF2_EvtWriter_MpiCollectiveEnd(writer, NULL, leave, OTF2_COLLECTIVE_OP_ALLREDUCE,
                                         MAKER_WORLD, OTF2_COLLECTIVE_ROOT_NONE, 8, 8));
    maker_leave(writer, leave, MAKER_ALLREDUCE);
}

static void generate_rank(OTF2_EvtWriter *writer, uint32_t rank, uint32_t ranks, uint64_t steps)
{
    uint32_t left = (rank + ranks - 1) % ranks;
    uint32_t right = (rank + 1) % ranks;
    uint64_t begin = FIRST_STEP;

    maker_init(writer);
    for (uint64_t i = 0; i < steps; i++) {
        uint64_t straggler = i % ranks;
        uint64_t ready = begin + COMPUTE + (rank == straggler ? delay_of(i) : 0);
        uint64_t left_ready = begin + COMPUTE + (left == straggler ? delay_of(i) : 0);
        uint64_t done = exchange(writer, ready, left_ready, left, right);

        begin += length_of(i);
        allreduce(writer, done, begin);
    }
    maker_finalize(writer, begin);
}

static void print_truth(uint32_t ranks, uint64_t steps, uint64_t length)
{
    uint64_t late_sender = 0, wait_nxn = 0;

    for (uint64_t i = 0; i < steps; i++) {
        late_sender += delay_of(i) - 100;
        wait_nxn += (ranks - 2) * delay_of(i) + 100;
    }
    printf("{\"ranks\": %" PRIu32 ", \"steps\": %" PRIu64 ", \"events\": %" PRIu64
           ", \"messages\": %" PRIu64 ", \"waits\": {\"late_sender\": %" PRIu64
           ", \"wait_at_nxn\": %" PRIu64 "}, \"useful_ns\": %" PRIu64 ", \"run_ns\": %" PRIu64
           "}\n",
           ranks, steps, ranks * (steps * EVENTS_PER_STEP + 4), ranks * steps, late_sender,
           wait_nxn, ranks * steps * COMPUTE + (late_sender + 100 * steps), length);
}

int main(int argc, char **argv)
{
    uint64_t ranks = argc == 4 ? strtoull(argv[2], NULL, 10) : 0;
    uint64_t events = argc == 4 ? strtoull(argv[3], NULL, 10) : 0;
    uint64_t steps, length = 0;
    struct maker *maker;

    if (ranks < 2 || ranks > 4096 || events < ranks * EVENTS_PER_STEP) {
        fprintf(stderr, "usage: generate DIRECTORY RANKS EVENTS, RANKS 2 to 4096, EVENTS at least "
                        "%u a rank\n", EVENTS_PER_STEP);
        return 2;
    }
    steps = events / ranks / EVENTS_PER_STEP;
    for (uint64_t i = 0; i < steps; i++) {
        length += length_of(i);
    }
    maker = maker_create(argv[1], (uint32_t)ranks, 1);
    maker_length(maker, length + 300);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        generate_rank(maker_writer(maker, rank, 0), rank, (uint32_t)ranks, steps);
        maker_through(maker, rank, 0);
    }
    maker_finish(maker);
    print_truth((uint32_t)ranks, steps, length);
    return 0;
}
