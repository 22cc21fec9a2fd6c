#include "test/data/archives_efficiency.h"

#include <stddef.h>

#include "test/data/maker.h"

#define RANKS_MAX 4u

/* An archive of so many ranks, whose runs begin at 100. */
static struct maker *begin(const char *directory, uint32_t ranks, OTF2_EvtWriter **writers)
{
    struct maker *maker = maker_create(directory, ranks, 1);

    for (uint32_t i = 0; i < ranks; i++) {
        writers[i] = maker_writer(maker, i, 0);
        maker_init(writers[i]);
    }
    return maker;
}

/*
 * Three ranks, runs from 100 to 1000. Each is in "solve" from 200 on: rank 0 for 300, of which
 * an MPI_Send takes 50; rank 1 for 100, rank 2 for 200. Rank 1 receives from 480 to 500.
 *
 *            useful   solve exclusive   inclusive   useful in it
 *   rank 0      850               250         300            250
 *   rank 1      880               100         100            100
 *   rank 2      900               200         200            200
 */
void make_uneven(const char *directory)
{
    OTF2_EvtWriter *writers[RANKS_MAX];
    struct maker *maker = begin(directory, 3, writers);

    for (uint32_t i = 0; i < 3; i++) {
        maker_enter(writers[i], 200, MAKER_USER);
    }
    maker_send(writers[0], 300, 350, MAKER_WORLD, 1, 5, 100);
    maker_leave(writers[0], 500, MAKER_USER);
    maker_leave(writers[1], 300, MAKER_USER);
    maker_recv(writers[1], 480, 500, MAKER_WORLD, 0, 5, 100);
    maker_leave(writers[2], 400, MAKER_USER);
    for (uint32_t i = 0; i < 3; i++) {
        maker_finalize(writers[i], 1000);
    }
    maker_finish(maker);
}

/*
 * Two ranks compute longer than the average of 475, runs from 100 to 1100: 0 and 3 wait for 1 (from
 * 200 until its sends at 800 and 810; 600 + 610), which is 47 % above it: 225, three times that
 * is 56 % of the wait. 2 computes all the time, and nobody waits for it.
 *
 *            useful   MPI
 *   rank 0      100   MPI_Recv 200-815, MPI_Probe until 1100
 *   rank 1      700   MPI_Send 800-810, 810-820, MPI_Probe until 1100
 *   rank 2     1000
 *   rank 3      100   MPI_Recv 200-825, MPI_Probe until 1100
 */
void make_longer(const char *directory)
{
    static const uint64_t probes[] = { 815, 820, 0, 825 };
    OTF2_EvtWriter *writers[RANKS_MAX];
    struct maker *maker = begin(directory, 4, writers);

    maker_recv(writers[0], 200, 815, MAKER_WORLD, 1, 5, 100);
    maker_send(writers[1], 800, 810, MAKER_WORLD, 0, 5, 100);
    maker_send(writers[1], 810, 820, MAKER_WORLD, 3, 5, 100);
    maker_recv(writers[3], 200, 825, MAKER_WORLD, 1, 5, 100);
    for (uint32_t i = 0; i < 4; i++) {
        if (probes[i] > 0) {
            maker_enter(writers[i], probes[i], MAKER_PROBE);
            maker_leave(writers[i], 1100, MAKER_PROBE);
        }
        maker_finalize(writers[i], 1100);
    }
    maker_finish(maker);
}

/*
 * 0 sends to 1, which sends to 2; each waits.
 *
 *            useful                     clock on an ideal network
 *   rank 0   200, 600          = 800    send at 200, end 800
 *   rank 1   100, 200, 300     = 600    100, receives: 200, send at 400, end 700
 *   rank 2   600               = 600    0, receives: 400, end 1000
 *
 * T = 1300, T_ideal = 1000. The critical path: 0 until 300; 1 from there, its receive until
 * 450 and 200 of its own until 650; 2 from there, its receive until 800 and 600 of its own.
 */
void make_chain(const char *directory)
{
    OTF2_EvtWriter *writers[RANKS_MAX];
    struct maker *maker = begin(directory, 3, writers);

    maker_send(writers[0], 300, 400, MAKER_WORLD, 1, 5, 100);
    maker_recv(writers[1], 200, 450, MAKER_WORLD, 0, 5, 100);
    maker_send(writers[1], 650, 700, MAKER_WORLD, 2, 5, 100);
    maker_recv(writers[2], 100, 800, MAKER_WORLD, 1, 5, 100);
    maker_finalize(writers[0], 1000);
    maker_finalize(writers[1], 1000);
    maker_finalize(writers[2], 1400);
    maker_finish(maker);
}

/*
 * Each begins a send to the right, computes meanwhile, receives from the left, and completes
 * its send.
 *
 *            useful                     clock on an ideal network
 *   rank 0   100, 200, 290     = 590    send at 100, receives at 300 what was sent at 200: 590
 *   rank 1   300, 100, 470     = 870    send at 300, receives at 400 what was sent at 100: 870
 *   rank 2   200, 50, 395      = 645    send at 200, receives at 250 what was sent at 300: 695
 *
 * T = 900, T_ideal = 870. Nobody waits for a late sender on the way to rank 0's end.
 */
void make_ring(const char *directory)
{
    static const struct {
        uint64_t send, receive, received, completed;
    } times[] = { { 200, 401, 700, 710 }, { 400, 501, 520, 530 }, { 300, 351, 600, 605 } };
    OTF2_EvtWriter *writers[RANKS_MAX];
    struct maker *maker = begin(directory, 3, writers);

    for (uint32_t i = 0; i < 3; i++) {
        maker_isend(writers[i], times[i].send, MAKER_WORLD, (i + 1) % 3, 5, 100, 1);
        maker_recv(writers[i], times[i].receive, times[i].received, MAKER_WORLD, (i + 2) % 3, 5,
                   100);
        maker_wait_send(writers[i], times[i].received, times[i].completed, 1);
        maker_finalize(writers[i], 1000);
    }
    maker_finish(maker);
}

/*
 * Rank 0 posts two receives from anybody; the first gets the message of rank 2, the second
 * that of rank 1.
 *
 *            useful                     clock on an ideal network
 *   rank 0   100, 100, 100     = 300    100, receives: 350; 450, receives: 700; end 800
 *   rank 1   700, 190          = 890    send at 700
 *   rank 2   350, 540          = 890    send at 350
 *
 * In the order of ranks rank 0 would end at 900.
 */
void make_any_source(const char *directory)
{
    OTF2_EvtWriter *writers[RANKS_MAX];
    struct maker *maker = begin(directory, 3, writers);

    maker_irecv(writers[0], 100, 1);
    maker_irecv(writers[0], 101, 2);
    maker_wait_recv(writers[0], 202, 500, MAKER_WORLD, 2, 5, 100, 1);
    maker_wait_recv(writers[0], 600, 900, MAKER_WORLD, 1, 5, 100, 2);
    maker_send(writers[1], 800, 810, MAKER_WORLD, 0, 5, 100);
    maker_send(writers[2], 450, 460, MAKER_WORLD, 0, 5, 100);
    for (uint32_t i = 0; i < 3; i++) {
        maker_finalize(writers[i], 1000);
    }
    maker_finish(maker);
}

/*
 * An Allreduce, which 0 enters at 200, 1 at 400 and 2 at 300.
 *
 *            useful                     clock on an ideal network
 *   rank 0   100, 550          = 650    100, 300 behind the Allreduce, end 850
 *   rank 1   300, 350          = 650    300, 300, end 650
 *   rank 2   200, 450          = 650    200, 300, end 750
 *
 * T = 900, T_ideal = 850. The critical path: 1 until 400, then 0's Allreduce until 450, and 550.
 */
void make_allreduce(const char *directory)
{
    static const uint64_t enter[] = { 200, 400, 300 };
    static const uint64_t end[] = { 1000, 800, 900 };
    const struct maker_part part = { .operation = OTF2_COLLECTIVE_OP_ALLREDUCE,
                                     .region = MAKER_ALLREDUCE,
                                     .comm = MAKER_WORLD,
                                     .root = OTF2_UNDEFINED_UINT32,
                                     .sent = 24,
                                     .received = 24 };
    OTF2_EvtWriter *writers[RANKS_MAX];
    struct maker *maker = begin(directory, 3, writers);

    for (uint32_t i = 0; i < 3; i++) {
        maker_collective(writers[i], enter[i], 450, &part);
        maker_finalize(writers[i], end[i]);
    }
    maker_finish(maker);
}

/*
 * A Bcast from 0, and a Reduce to 2: only non-roots of the one and the root of the other wait.
 *
 *            useful                     clock on an ideal network
 *   rank 0   300, 100, 470     = 870    Bcast 300, Reduce 400, end 870
 *   rank 1   50, 400, 160      = 610    Bcast 50: 300; Reduce 700, end 860
 *   rank 2   400, 100, 240     = 740    Bcast 400: 400; Reduce 500: 700, end 940
 *
 * T = 1000, T_ideal = 940; 1040 if all waited for all in the Bcast. The critical path: 0 until
 * 400, 1's Bcast until 430 and 400 until 830, 2's Reduce until 860 and 240.
 */
void make_rooted(const char *directory)
{
    static const uint64_t times[3][4] = { { 400, 420, 520, 530 },
                                          { 150, 430, 830, 840 },
                                          { 500, 510, 610, 860 } };
    OTF2_EvtWriter *writers[RANKS_MAX];
    struct maker *maker = begin(directory, 3, writers);

    for (uint32_t i = 0; i < 3; i++) {
        const struct maker_part bcast = { .operation = OTF2_COLLECTIVE_OP_BCAST,
                                          .region = MAKER_BCAST,
                                          .comm = MAKER_WORLD,
                                          .root = 0,
                                          .sent = i == 0 ? 24 : 0,
                                          .received = 8 };
        const struct maker_part reduce = { .operation = OTF2_COLLECTIVE_OP_REDUCE,
                                           .region = MAKER_REDUCE,
                                           .comm = MAKER_WORLD,
                                           .root = 2,
                                           .sent = 8,
                                           .received = i == 2 ? 24 : 0 };

        maker_collective(writers[i], times[i][0], times[i][1], &bcast);
        maker_collective(writers[i], times[i][2], times[i][3], &reduce);
        maker_finalize(writers[i], i == 2 ? 1100 : 1000);
    }
    maker_finish(maker);
}

static void overlap(OTF2_EvtWriter *const *writers, OTF2_CollectiveOp operation, uint64_t bytes)
{
    const struct maker_part part = { .operation = operation,
                                     .region = MAKER_IALLREDUCE,
                                     .comm = MAKER_WORLD,
                                     .root = OTF2_UNDEFINED_UINT32,
                                     .sent = bytes,
                                     .received = bytes };

    maker_icollective(writers[0], 200, MAKER_IALLREDUCE, 1);
    maker_wait_collective(writers[0], 501, 700, &part, 1);
    maker_icollective(writers[1], 600, MAKER_IALLREDUCE, 1);
    maker_wait_collective(writers[1], 601, 690, &part, 1);
}

/*
 * An Iallreduce, under which rank 0 computes.
 *
 *            useful                     clock on an ideal network
 *   rank 0   100, 300, 200     = 600    begins at 100, completes at 400: 500, end 700
 *   rank 1   500, 210          = 710    begins at 500, completes at 500, end 710
 *
 * T = 800, T_ideal = 710. The critical path: 1 until 600, then 0's Wait until 700, and 200.
 */
void make_overlap(const char *directory)
{
    OTF2_EvtWriter *writers[RANKS_MAX];
    struct maker *maker = begin(directory, 2, writers);

    overlap(writers, OTF2_COLLECTIVE_OP_ALLREDUCE, 16);
    maker_finalize(writers[0], 900);
    maker_finalize(writers[1], 900);
    maker_finish(maker);
}

/* The same without data, and beside a rank 2 whose part is not in the archive. */
void make_overlap_lost(const char *directory)
{
    OTF2_EvtWriter *writers[RANKS_MAX];
    struct maker *maker = begin(directory, 3, writers);

    overlap(writers, OTF2_COLLECTIVE_OP_BARRIER, 0);
    for (uint32_t i = 0; i < 3; i++) {
        maker_finalize(writers[i], 900);
    }
    maker_finish(maker);
}

/*
 * A message inside of "solve": rank 0 is in it from 200 to 600 and sends from 500 to 510, rank
 * 1 from 150 to 600 and receives from 250 to 560.
 *
 *            in it   useful in it        clock on an ideal network inside of it
 *   rank 0     400   300, 90    = 390    100 to 490, send at 400
 *   rank 1     450   100, 40    = 140    50 to 150, receives: 400, 440
 *
 * T of solve = 450, T_ideal = 390.
 */
void make_region(const char *directory)
{
    OTF2_EvtWriter *writers[RANKS_MAX];
    struct maker *maker = begin(directory, 2, writers);

    maker_enter(writers[0], 200, MAKER_USER);
    maker_send(writers[0], 500, 510, MAKER_WORLD, 1, 5, 100);
    maker_leave(writers[0], 600, MAKER_USER);
    maker_enter(writers[1], 150, MAKER_USER);
    maker_recv(writers[1], 250, 560, MAKER_WORLD, 0, 5, 100);
    maker_leave(writers[1], 600, MAKER_USER);
    maker_finalize(writers[0], 1000);
    maker_finalize(writers[1], 1000);
    maker_finish(maker);
}

/*
 * Rank 0 sends from 200 to 700, and twice without blocking, completed from 800 to 1000; the
 * receives are posted at 600 by rank 1, at 850 by rank 1 and at 900 by rank 2.
 *
 *            useful                          clock on an ideal network
 *   rank 0   100, 98, 200           = 398    sends at 100, 198 all told: end 398
 *   rank 1   500, 130, 190          = 820    nobody keeps it waiting
 *   rank 2   800, 90                = 890
 *
 * The critical path to rank 0's end at 1200: 2 until 900, MPI_Waitall until 1000, 200.
 * To its middle, which is no end: 1 until 600, MPI_Send until 700.
 */
void make_late_post(const char *directory)
{
    OTF2_EvtWriter *writers[RANKS_MAX];
    struct maker *maker = begin(directory, 3, writers);

    maker_send(writers[0], 200, 700, MAKER_WORLD, 1, 5, 100);
    maker_isend(writers[0], 700, MAKER_WORLD, 1, 6, 100, 1);
    maker_isend(writers[0], 701, MAKER_WORLD, 2, 6, 100, 2);
    maker_enter(writers[0], 800, MAKER_WAITALL);
    OTF2_EvtWriter_MpiIsendComplete(writers[0], NULL, 1000, 1);
    OTF2_EvtWriter_MpiIsendComplete(writers[0], NULL, 1000, 2);
    maker_leave(writers[0], 1000, MAKER_WAITALL);
    maker_recv(writers[1], 600, 720, MAKER_WORLD, 0, 5, 100);
    maker_recv(writers[1], 850, 860, MAKER_WORLD, 0, 6, 100);
    maker_recv(writers[2], 900, 960, MAKER_WORLD, 0, 6, 100);
    maker_finalize(writers[0], 1200);
    maker_finalize(writers[1], 1050);
    maker_finalize(writers[2], 1050);
    maker_finish(maker);
}
