#include "test/data/archives_comms.h"

#include <stddef.h>

#include "test/data/maker.h"

/* MPI_Comm_dup from enter to leave, when comm is there. */
static void create(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint32_t comm)
{
    maker_enter(writer, enter, MAKER_COMM_DUP);
    OTF2_EvtWriter_CommCreate(writer, NULL, leave, comm);
    maker_leave(writer, leave, MAKER_COMM_DUP);
}

static void release(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint32_t comm)
{
    maker_enter(writer, enter, MAKER_COMM_FREE);
    OTF2_EvtWriter_CommDestroy(writer, NULL, enter, comm);
    maker_leave(writer, leave, MAKER_COMM_FREE);
}

/*
 * "alpha" of {0, 1, 2} is made of MPI_COMM_WORLD and freed by 0 and 1 only; "beta" of {1, 0}
 * is made of alpha and freed by both. Calls, in tens of ns:
 *
 *     rank 0   dup alpha 15-19, dup beta 22-24, MPI_Recv on beta 28-42, MPI_Isend on alpha 43
 *              (1 ns, 32 bytes), its MPI_Wait 44-45, free beta 60-64, free alpha 70 (5 ns)
 *     rank 1   dup alpha 15-20, dup beta 22-25, MPI_Send on beta 30-36 (64 bytes), free beta
 *              50-51, free alpha 75-76
 *     rank 2   dup alpha 16-21, MPI_Irecv 31 (1 ns), its MPI_Wait 33-45 (32 bytes on alpha)
 *
 * In bins of 100 ns from 0 on (calls by their beginning, time where it is, bytes sent):
 *
 *     MPI_COMM_WORLD   1: 3 calls, 40 + 50 + 40 = 130 ns       2: 10 ns
 *     alpha            2: 2 calls, 20 + 30 = 50 ns             3: 2 calls, 1 + 70 = 71 ns
 *                      4: 2 calls, 50 + 1 + 10 = 61 ns, 32 B   7: 2 calls, 5 + 10 = 15 ns
 *     beta             2: 1 call, 20 ns    3: 1 call, 100 + 60 = 160 ns, 64 B    4: 20 ns
 *                      5: 1 call, 10 ns    6: 1 call, 40 ns
 *
 * Alive: alpha from 190 (rank 0; 200, 210) to 750 (700 on rank 0), beta from 240 (250 on
 * rank 1) to 600 (500 on rank 1): 1 from 190, 2 from 240, 1 from 600, none from 750.
 */
void make_comm_lives(const char *directory)
{
    static const uint64_t alpha[] = { 0, 1, 2 };
    static const uint64_t beta[] = { 1, 0 };
    struct maker *maker = maker_create(directory, 3, 1);
    OTF2_EvtWriter *zero, *one, *two;

    maker_comm(maker, "alpha", MAKER_WORLD, 3, alpha);
    maker_comm(maker, "beta", 2, 2, beta);
    zero = maker_writer(maker, 0, 0);
    one = maker_writer(maker, 1, 0);
    two = maker_writer(maker, 2, 0);
    maker_init(zero);
    maker_init(one);
    maker_init(two);
    create(zero, 150, 190, 2);
    create(zero, 220, 240, 3);
    maker_recv(zero, 280, 420, 3, 0, 4, 64);
    maker_isend(zero, 430, 2, 2, 9, 32, 1);
    maker_wait_send(zero, 440, 450, 1);
    release(zero, 600, 640, 3);
    release(zero, 700, 705, 2);
    create(one, 150, 200, 2);
    create(one, 220, 250, 3);
    maker_send(one, 300, 360, 3, 1, 4, 64);
    release(one, 500, 510, 3);
    release(one, 750, 760, 2);
    create(two, 160, 210, 2);
    maker_irecv(two, 310, 1);
    maker_wait_recv(two, 330, 450, 2, 0, 9, 32, 1);
    maker_finalize(zero, 1000);
    maker_finalize(one, 1000);
    maker_finalize(two, 1000);
    maker_finish(maker);
}

/*
 * What can't be: rank 0 creates "twice" of {0, 1} at 200 and at 300, and sends on it after it
 * was freed, at 600; rank 1 frees it at 500 without having created it.
 */
void make_comm_mistakes(const char *directory)
{
    static const uint64_t members[] = { 0, 1 };
    struct maker *maker = maker_create(directory, 2, 1);
    OTF2_EvtWriter *zero, *one;

    maker_comm(maker, "twice", MAKER_WORLD, 2, members);
    zero = maker_writer(maker, 0, 0);
    one = maker_writer(maker, 1, 0);
    maker_init(zero);
    maker_init(one);
    create(zero, 190, 200, 2);
    create(zero, 290, 300, 2);
    release(zero, 400, 410, 2);
    maker_send(zero, 600, 610, 2, 1, 4, 8);
    maker_recv(one, 450, 490, 2, 0, 4, 8);
    release(one, 500, 510, 2);
    maker_finalize(zero, 1000);
    maker_finalize(one, 1000);
    maker_finish(maker);
}

/*
 * On "pair" of {0, 1} rank 2 calls MPI_Bcast first, with root 1, then rank 0 with root 0, and then
 * rank 1: its only one, but behind the first that two have called.
 */
void make_comm_stranger(const char *directory)
{
    static const uint64_t members[] = { 0, 1 };
    struct maker *maker = maker_create(directory, 3, 1);
    OTF2_EvtWriter *writers[3];

    maker_comm(maker, "pair", MAKER_WORLD, 2, members);
    for (uint32_t i = 0; i < 3; i++) {
        const uint64_t enter = i == 2 ? 150 : 200 + 100 * i;

        writers[i] = maker_writer(maker, i, 0);
        maker_init(writers[i]);
        maker_collective(writers[i], enter, enter + 10,
                         &(struct maker_part){ .operation = OTF2_COLLECTIVE_OP_BCAST,
                                               .region = MAKER_BCAST,
                                               .comm = 2,
                                               .root = i / 2,
                                               .sent = 8,
                                               .received = 8 });
        maker_finalize(writers[i], 1000);
    }
    maker_finish(maker);
}

static void on_window(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave)
{
    maker_enter(writer, enter, MAKER_WIN_FENCE);
    OTF2_EvtWriter_RmaCollectiveBegin(writer, NULL, enter);
    OTF2_EvtWriter_RmaCollectiveEnd(writer, NULL, leave, OTF2_COLLECTIVE_OP_BARRIER,
                                    OTF2_RMA_SYNC_LEVEL_PROCESS, 0, OTF2_UNDEFINED_UINT32, 0, 0);
    maker_leave(writer, leave, MAKER_WIN_FENCE);
}

static void probe(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave)
{
    maker_enter(writer, enter, MAKER_PROBE);
    maker_leave(writer, leave, MAKER_PROBE);
}

/*
 * A window on "alpha", a file on "beta", both of {0, 1}; beta is made and used for nothing else.
 * MPI_Finalize is a collective on MPI_COMM_WORLD, as other tools write it, and rank 1 has posted
 * its receive in MPI_Init. Times in calls:
 *
 *     MPI_COMM_WORLD   rank 0: dup beta 10, send 20            rank 1: dup 9, wait 20          59
 *     alpha            put 10, flush 30, fence 60              lock asked for 70, fence 50    220
 *     beta             write 40, close 3                                                       43
 *     none             probe 5                                 probe 10                        15
 *                      178                                     159                            337
 */
void make_comm_objects(const char *directory)
{
    static const uint64_t members[] = { 0, 1 };
    const struct maker_part finalize = { .operation = OTF2_COLLECTIVE_OP_BARRIER,
                                         .region = MAKER_FINALIZE,
                                         .comm = MAKER_WORLD,
                                         .root = OTF2_UNDEFINED_UINT32 };
    struct maker *maker = maker_create(directory, 2, 1);
    OTF2_EvtWriter *zero, *one;

    maker_comm(maker, "alpha", MAKER_WORLD, 2, members);
    maker_comm(maker, "beta", MAKER_WORLD, 2, members);
    maker_window(maker, 2);
    maker_file(maker, 3);
    zero = maker_writer(maker, 0, 0);
    one = maker_writer(maker, 1, 0);
    maker_init(zero);
    create(zero, 110, 120, 3);
    maker_enter(zero, 200, MAKER_PUT);
    OTF2_EvtWriter_RmaPut(zero, NULL, 200, 0, 1, 8, 1);
    maker_leave(zero, 210, MAKER_PUT);
    maker_enter(zero, 220, MAKER_WIN_FLUSH);
    OTF2_EvtWriter_RmaOpCompleteRemote(zero, NULL, 250, 0, 1);
    maker_leave(zero, 250, MAKER_WIN_FLUSH);
    probe(zero, 260, 265);
    maker_enter(zero, 300, MAKER_FILE_WRITE);
    OTF2_EvtWriter_IoOperationBegin(zero, NULL, 300, 0, OTF2_IO_OPERATION_MODE_WRITE,
                                    OTF2_IO_OPERATION_FLAG_NONE, 512, 1);
    OTF2_EvtWriter_IoOperationComplete(zero, NULL, 340, 0, 512, 1);
    maker_leave(zero, 340, MAKER_FILE_WRITE);
    maker_enter(zero, 350, MAKER_FILE_CLOSE);
    OTF2_EvtWriter_IoDestroyHandle(zero, NULL, 353, 0);
    maker_leave(zero, 353, MAKER_FILE_CLOSE);
    maker_send(zero, 360, 380, MAKER_WORLD, 1, 4, 8);
    on_window(zero, 390, 450);
    maker_collective(zero, 1000, 1100, &finalize);
    maker_enter(one, 0, MAKER_INIT);
    OTF2_EvtWriter_MpiIrecvRequest(one, NULL, 50, 9);
    maker_leave(one, 100, MAKER_INIT);
    create(one, 111, 120, 3);
    maker_enter(one, 200, MAKER_WIN_LOCK);
    OTF2_EvtWriter_RmaRequestLock(one, NULL, 200, 0, 0, 7, OTF2_LOCK_SHARED);
    maker_leave(one, 270, MAKER_WIN_LOCK);
    probe(one, 300, 310);
    maker_wait_recv(one, 370, 390, MAKER_WORLD, 0, 4, 8, 9);
    on_window(one, 400, 450);
    maker_collective(one, 1000, 1100, &finalize);
    maker_finish(maker);
}
