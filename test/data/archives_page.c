#include "test/data/archives_page.h"

#include "test/data/maker.h"

#define RANKS 4u
#define STEPS 20u

enum { COMM_FIRST = 2, COMMS = 4 };

static const char *const names[COMMS] = {
    "<script>window.hostile=1</script>", "\"'><img src=x onerror=\"window.hostile=1\">",
    "]]></script><!--<script>window.hostile=1//",
    "back\xe2\x80\xaewards \x80\xff {{verdict}} & \x01"
};

/* Each rank makes its communicators from 200 on, 100 apart; the last one it frees at 98000. */
static void make_comms_of(OTF2_EvtWriter *writer)
{
    for (uint32_t i = 0; i < COMMS; i++) {
        uint64_t time = 200 + 100 * i;

        maker_enter(writer, time, MAKER_COMM_DUP);
        OTF2_EvtWriter_CommCreate(writer, NULL, time + 50, COMM_FIRST + i);
        maker_leave(writer, time + 50, MAKER_COMM_DUP);
    }
}

/*
 * Step k begins at 1000 + 4800 k: in "solve" for 1000 + 200 rank, a message of 2^k bytes to the
 * next rank on communicator k mod 4, waits, and MPI_Allreduce that all leave at 4000.
 */
static void take_step(OTF2_EvtWriter *writer, uint32_t rank, uint32_t k)
{
    uint64_t time = 1000 + 4800 * (uint64_t)k;
    uint32_t comm = COMM_FIRST + k % COMMS;

    maker_enter(writer, time, MAKER_USER);
    maker_leave(writer, time + 1000 + 200 * rank, MAKER_USER);
    time += 1000 + 200 * rank;
    maker_irecv(writer, time + 10, 1);
    maker_isend(writer, time + 20, comm, (rank + 1) % RANKS, k, UINT64_C(1) << k, 2);
    maker_wait_recv(writer, time + 30, 1000 + 4800 * (uint64_t)k + 1800, comm,
                    (rank + RANKS - 1) % RANKS, k, UINT64_C(1) << k, 1);
    maker_wait_send(writer, 1000 + 4800 * (uint64_t)k + 1810, 1000 + 4800 * (uint64_t)k + 1820, 2);
    time = 1000 + 4800 * (uint64_t)k + 1900;
    maker_enter(writer, time, MAKER_ALLREDUCE);
    OTF2_EvtWriter_MpiCollectiveBegin(writer, NULL, time);
    OTF2_EvtWriter_MpiCollectiveEnd(writer, NULL, time + 2100, OTF2_COLLECTIVE_OP_ALLREDUCE,
                                    MAKER_WORLD, OTF2_COLLECTIVE_ROOT_NONE, 8, 8);
    maker_leave(writer, time + 2100, MAKER_ALLREDUCE);
}

/*
 * Four ranks of 20 steps; markers of ranks 2 and 3 at 48700 and 48800; 80 messages of
 * 4 (2^20 - 1) bytes; runs from 100 to 99000.
 */
void make_names(const char *directory)
{
    static const uint64_t members[RANKS] = { 0, 1, 2, 3 };
    struct maker *maker = maker_create(directory, RANKS, 1);

    for (uint32_t i = 0; i < COMMS; i++) {
        maker_comm(maker, names[i], MAKER_WORLD, RANKS, members);
    }
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        OTF2_EvtWriter *writer = maker_writer(maker, rank, 0);

        maker_init(writer);
        make_comms_of(writer);
        for (uint32_t k = 0; k < STEPS; k++) {
            take_step(writer, rank, k);
            if (rank >= 2 && k == 9) {
                maker_marker(writer, 48500 + 100 * rank);
            }
        }
        maker_enter(writer, 98000, MAKER_COMM_FREE);
        OTF2_EvtWriter_CommDestroy(writer, NULL, 98000, COMM_FIRST + COMMS - 1);
        maker_leave(writer, 98100, MAKER_COMM_FREE);
        maker_finalize(writer, 99000);
    }
    maker_finish(maker);
}

/*
 * Rank 1 leaves MPI_Init at 2000, rank 0 at 5000: the run begins at 2000, and what is told to be at
 *
 *     6000   MPI_Comm_dup, left at 6100 by rank 0, at 6200 by rank 1     is at  4000 to 4200
 *     7000   rank 0 says a marker; rank 1 enters MPI_Recv, until 8100        is at  5000
 *     8000   rank 0 enters MPI_Send: 1000 of late sender                     is at  6000
 *     9000   both enter MPI_Finalize, until 9100                             is at  7000
 */
void make_origin(const char *directory)
{
    static const uint64_t members[] = { 0, 1 };
    static const uint64_t init[][2] = { { 0, 5000 }, { 500, 2000 } };
    struct maker *maker = maker_create(directory, 2, 1);

    maker_length(maker, 10000);
    maker_comm(maker, "half", MAKER_WORLD, 2, members);
    for (uint32_t rank = 0; rank < 2; rank++) {
        OTF2_EvtWriter *writer = maker_writer(maker, rank, 0);

        maker_enter(writer, init[rank][0], MAKER_INIT);
        maker_leave(writer, init[rank][1], MAKER_INIT);
        maker_enter(writer, 6000, MAKER_COMM_DUP);
        OTF2_EvtWriter_CommCreate(writer, NULL, 6100 + 100 * rank, COMM_FIRST);
        maker_leave(writer, 6100 + 100 * rank, MAKER_COMM_DUP);
        if (rank == 0) {
            maker_marker(writer, 7000);
            maker_send(writer, 8000, 8100, MAKER_WORLD, 1, 5, 100);
        } else {
            maker_recv(writer, 7000, 8100, MAKER_WORLD, 0, 5, 100);
        }
        maker_finalize(writer, 9000);
    }
    maker_finish(maker);
}
