#include "test/data/archives_waits.h"

#include "test/data/maker.h"

#define RANKS 3u

static struct maker *three_ranks(const char *directory, OTF2_EvtWriter **writers)
{
    struct maker *maker = maker_create(directory, RANKS, 1);

    for (uint32_t i = 0; i < RANKS; i++) {
        writers[i] = maker_writer(maker, i, 0);
        maker_init(writers[i]);
    }
    return maker;
}

static void finish_three(struct maker *maker, OTF2_EvtWriter **writers, uint64_t time)
{
    for (uint32_t i = 0; i < RANKS; i++) {
        maker_finalize(writers[i], time);
    }
    maker_finish(maker);
}

/* The end of a receive or a send in a call that the caller enters and leaves. */
static void received(OTF2_EvtWriter *writer, uint64_t time, uint32_t peer, uint32_t tag,
                     uint64_t request)
{
    OTF2_EvtWriter_MpiIrecv(writer, NULL, time, peer, MAKER_WORLD, tag, 10, request);
}

/*
 * Late senders, late receivers, both in one Waitall, and what is neither.
 *
 *    1  rank 1 receives 200-500; 0 sends at 400                    late sender    200, by 0
 *    2  rank 1 waits 700-1000 for 0, at 800, and 2, at 900         late sender    200, by 2
 *    3  rank 0 sends 1100-1500; 2 receives from 1400 on            late receiver  300, by 2
 *    4  rank 0 waits 1700-2500 for receives at 1800, 2100          late receiver  400, by 2
 *    5  rank 1 waits 2700-3200 for a send of 2 at 2800,            late sender    100, by 2
 *       and for a receive of 0 at 3000                             (not: it had a late sender)
 *    6  rank 0 tests 3300-3410 what 1 sends at 3405                nothing
 *    7  rank 2 sends to itself                                     nothing
 *    8  rank 2 receives 3600-3700; 0 sends at 3800                 late sender    100, by 0, cut
 *
 * Late sender: 600; rank 1 500, rank 2 100; by 0 300, by 2 300. Late receiver: 700.
 */
void make_waits_messages(const char *directory)
{
    OTF2_EvtWriter *w[RANKS];
    struct maker *maker = three_ranks(directory, w);

    maker_send(w[0], 400, 450, MAKER_WORLD, 1, 1, 0);
    maker_recv(w[1], 200, 500, MAKER_WORLD, 0, 1, 0);

    maker_send(w[0], 800, 810, MAKER_WORLD, 1, 2, 10);
    maker_send(w[2], 900, 910, MAKER_WORLD, 1, 2, 10);
    maker_irecv(w[1], 600, 1);
    maker_irecv(w[1], 610, 2);
    maker_enter(w[1], 700, MAKER_WAITALL);
    received(w[1], 1000, 0, 2, 1);
    received(w[1], 1000, 2, 2, 2);
    maker_leave(w[1], 1000, MAKER_WAITALL);

    maker_send(w[0], 1100, 1500, MAKER_WORLD, 2, 3, 10);
    maker_recv(w[2], 1400, 1500, MAKER_WORLD, 0, 3, 10);

    maker_isend(w[0], 1600, MAKER_WORLD, 1, 4, 10, 1);
    maker_isend(w[0], 1610, MAKER_WORLD, 2, 4, 10, 2);
    maker_enter(w[0], 1700, MAKER_WAITALL);
    OTF2_EvtWriter_MpiIsendComplete(w[0], NULL, 2500, 1);
    OTF2_EvtWriter_MpiIsendComplete(w[0], NULL, 2500, 2);
    maker_leave(w[0], 2500, MAKER_WAITALL);
    maker_recv(w[1], 1800, 2000, MAKER_WORLD, 0, 4, 10);
    maker_recv(w[2], 2100, 2300, MAKER_WORLD, 0, 4, 10);

    maker_isend(w[1], 2600, MAKER_WORLD, 0, 5, 10, 1);
    maker_irecv(w[1], 2610, 2);
    maker_enter(w[1], 2700, MAKER_WAITALL);
    OTF2_EvtWriter_MpiIsendComplete(w[1], NULL, 3200, 1);
    received(w[1], 3200, 2, 5, 2);
    maker_leave(w[1], 3200, MAKER_WAITALL);
    maker_send(w[2], 2800, 2850, MAKER_WORLD, 1, 5, 10);
    maker_recv(w[0], 3000, 3100, MAKER_WORLD, 1, 5, 10);

    maker_irecv(w[0], 3250, 1);
    maker_enter(w[0], 3300, MAKER_TEST);
    received(w[0], 3410, 1, 6, 1);
    maker_leave(w[0], 3410, MAKER_TEST);
    maker_send(w[1], 3405, 3406, MAKER_WORLD, 0, 6, 10);

    maker_irecv(w[2], 3450, 1);
    maker_send(w[2], 3500, 3550, MAKER_WORLD, 2, 7, 10);
    maker_wait_recv(w[2], 3560, 3570, MAKER_WORLD, 2, 7, 10, 1);

    maker_recv(w[2], 3600, 3700, MAKER_WORLD, 0, 8, 10);
    maker_send(w[0], 3800, 3810, MAKER_WORLD, 2, 8, 10);
    finish_three(maker, w, 5000);
}

/* Rank 1 waits from enter to leave for what 0 sends it at sent, and to have sent so many bytes to
 * 2, which begins to receive them at posted. */
static void both(OTF2_EvtWriter **w, uint64_t enter, uint64_t leave, uint64_t sent,
                 uint64_t posted, uint64_t bytes)
{
    maker_isend(w[1], enter - 50, MAKER_WORLD, 2, 1, bytes, 1);
    maker_irecv(w[1], enter - 40, 2);
    maker_enter(w[1], enter, MAKER_WAITALL);
    OTF2_EvtWriter_MpiIsendComplete(w[1], NULL, leave, 1);
    received(w[1], leave, 0, 1, 2);
    maker_leave(w[1], leave, MAKER_WAITALL);
    maker_send(w[0], sent, sent + 1, MAKER_WORLD, 1, 1, 10);
    maker_recv(w[2], posted, leave, MAKER_WORLD, 1, 1, bytes);
}

/*
 * Behind a late sender, rank 1 waits for
 *
 *    1  2 to receive 100,000 bytes, which moves 2000-3000: waits 1000-3000   late sender    500
 *       for what 0 sends at 1500                                             late receiver  500
 *    2  2 to receive 10 bytes, maybe, 5000-6000: waits 4000-6000 for what    late sender    500
 *       0 sends at 4500
 *    3  the same 9000-9150, soon left: waits 7000-9150 for what 0 sends at   late sender    500
 *       7500                                                                 late receiver 1500
 *    4  MPI_Iallreduce, which 2 begins at 11000: waits 10000-11100 for       late sender    500
 *       what 0 sends at 10500                                                NxN            500
 *
 * Late sender: 2000, by 0; late receiver: 2000, by 2.
 */
void make_waits_behind(const char *directory)
{
    static const struct maker_part part = { .operation = OTF2_COLLECTIVE_OP_ALLREDUCE,
                                            .comm = MAKER_WORLD,
                                            .root = UINT32_MAX,
                                            .sent = 8,
                                            .received = 8 };
    OTF2_EvtWriter *w[RANKS];
    struct maker *maker = three_ranks(directory, w);

    both(w, 1000, 3000, 1500, 2000, 100000);
    both(w, 4000, 6000, 4500, 5000, 10);
    both(w, 7000, 9150, 7500, 9000, 10);
    maker_icollective(w[0], 9300, MAKER_IALLREDUCE, 3);
    maker_send(w[0], 10500, 10501, MAKER_WORLD, 1, 1, 10);
    maker_wait_collective(w[0], 11050, 11100, &part, 3);
    maker_icollective(w[2], 11000, MAKER_IALLREDUCE, 3);
    maker_wait_collective(w[2], 11050, 11100, &part, 3);
    maker_icollective(w[1], 9300, MAKER_IALLREDUCE, 3);
    maker_irecv(w[1], 9400, 2);
    maker_enter(w[1], 10000, MAKER_WAITALL);
    received(w[1], 11100, 0, 1, 2);
    OTF2_EvtWriter_NonBlockingCollectiveComplete(w[1], NULL, 11100, part.operation, part.comm,
                                                 part.root, part.sent, part.received, 3);
    maker_leave(w[1], 11100, MAKER_WAITALL);
    finish_three(maker, w, 12000);
}

/*
 *    rank 1 receives tag 1 of 0 200-520, sent at 500               late sender  300
 *    then tag 2 of 0, sent at 300                                  it was in wrong order, same
 *    receives of 0 600-900, sent at 880                            late sender  280
 *    then of 2, sent at 700                                        it was in wrong order, other
 *    receives of 0 1000-1200, sent at 1100                         late sender  100
 *    then of 2, sent at 1150                                       in order
 */
void make_waits_order(const char *directory)
{
    OTF2_EvtWriter *w[RANKS];
    struct maker *maker = three_ranks(directory, w);

    maker_send(w[0], 300, 310, MAKER_WORLD, 1, 2, 10);
    maker_send(w[0], 500, 510, MAKER_WORLD, 1, 1, 10);
    maker_recv(w[1], 200, 520, MAKER_WORLD, 0, 1, 10);
    maker_recv(w[1], 530, 540, MAKER_WORLD, 0, 2, 10);
    maker_send(w[2], 700, 710, MAKER_WORLD, 1, 3, 10);
    maker_send(w[0], 880, 890, MAKER_WORLD, 1, 3, 10);
    maker_recv(w[1], 600, 900, MAKER_WORLD, 0, 3, 10);
    maker_recv(w[1], 910, 920, MAKER_WORLD, 2, 3, 10);
    maker_send(w[0], 1100, 1110, MAKER_WORLD, 1, 4, 10);
    maker_send(w[2], 1150, 1160, MAKER_WORLD, 1, 4, 10);
    maker_recv(w[1], 1000, 1200, MAKER_WORLD, 0, 4, 10);
    maker_recv(w[1], 1210, 1250, MAKER_WORLD, 2, 4, 10);
    finish_three(maker, w, 2000);
}

static const uint64_t half[] = { 2, 0 };

/* All three ranks in one operation; rows are enter, leave, sent, received. */
static void all_three(OTF2_EvtWriter **w, struct maker_part part,
                      const uint64_t rows[RANKS][4])
{
    for (uint32_t i = 0; i < RANKS; i++) {
        part.sent = rows[i][2];
        part.received = rows[i][3];
        maker_collective(w[i], rows[i][0], rows[i][1], &part);
    }
}

static const struct maker_part reduce = { .operation = OTF2_COLLECTIVE_OP_REDUCE,
                                          .region = MAKER_REDUCE };
static const struct maker_part bcast = { .operation = OTF2_COLLECTIVE_OP_BCAST,
                                         .region = MAKER_BCAST,
                                         .root = 1 };
static const struct maker_part allreduce = { .operation = OTF2_COLLECTIVE_OP_ALLREDUCE,
                                             .region = MAKER_ALLREDUCE,
                                             .root = OTF2_UNDEFINED_UINT32 };
static const struct maker_part scan = { .operation = OTF2_COLLECTIVE_OP_SCAN,
                                        .region = MAKER_SCAN,
                                        .root = OTF2_UNDEFINED_UINT32 };
static const struct maker_part barrier = { .operation = OTF2_COLLECTIVE_OP_BARRIER,
                                           .region = MAKER_BARRIER,
                                           .root = OTF2_UNDEFINED_UINT32 };

/* A non-blocking reduction to all: begun at 2100, 2110, 2400, waited for as the rows say. */
static void write_nonblocking(OTF2_EvtWriter **w)
{
    static const uint64_t begun[RANKS] = { 2100, 2110, 2400 };
    static const uint64_t waits[RANKS][2] = { { 2200, 2500 }, { 2450, 2460 }, { 2410, 2420 } };
    struct maker_part part = allreduce;

    part.region = MAKER_IALLREDUCE;
    part.sent = part.received = 24;
    for (uint32_t i = 0; i < RANKS; i++) {
        maker_icollective(w[i], begun[i], part.region, 1);
        maker_wait_collective(w[i], waits[i][0], waits[i][1], &part, 1);
    }
}

/*
 *   reduce to 0     0: 200-600   1: 300-320   2: 500-520    early reduce    0: 100, by 1
 *   broadcast of 1  0: 700-900   1: 850-860   2: 880-890    late broadcast  0: 150, by 1
 *   allreduce       0: 1000-1400 1: 1200-1400 2: 1300-1410  wait at NxN     0: 300, 1: 100, by 2
 *                                                           NxN completion  2: 10
 *   scan            0: 1600-1610 1: 1500-1700 2: 1550-1720  early scan      1: 100, 2: 50, by 0
 *   barrier         0: 1800-2000 1: 1900-2010 2: 1990-2005  barrier         0: 190, 1: 90, by 2
 *                                                           its completion  1: 10, 2: 5
 *   iallreduce      see above                               wait at NxN     0: 200, by 2
 *   an allreduce of no bytes, a barrier of rank 0 alone, a neighbourhood: nothing
 *   "half" is made  0: 2800-3000 2: 2950-3000               comm creation   0: 150, by 2
 *   on it, 2 is rank 0: a broadcast of 2, at 3140, to 0, 3100-3150: late broadcast 0: 40, by 2
 *   finalize        0: 5000      1: 5040      2: 5010       finalize        0: 40, 2: 30, by 1
 */
void make_waits_collective(const char *directory)
{
    static const uint64_t reduces[RANKS][4] = { { 200, 600, 8, 24 },
                                                { 300, 320, 8, 0 },
                                                { 500, 520, 8, 0 } };
    static const uint64_t bcasts[RANKS][4] = { { 700, 900, 0, 8 },
                                               { 850, 860, 24, 8 },
                                               { 880, 890, 0, 8 } };
    static const uint64_t allreduces[RANKS][4] = { { 1000, 1400, 24, 24 },
                                                   { 1200, 1400, 24, 24 },
                                                   { 1300, 1410, 24, 24 } };
    static const uint64_t scans[RANKS][4] = { { 1600, 1610, 24, 8 },
                                              { 1500, 1700, 16, 16 },
                                              { 1550, 1720, 8, 24 } };
    static const uint64_t barriers[RANKS][4] = { { 1800, 2000, 0, 0 },
                                                 { 1900, 2010, 0, 0 },
                                                 { 1990, 2005, 0, 0 } };
    static const uint64_t empty[RANKS][4] = { { 2600, 2700, 0, 0 },
                                              { 2610, 2700, 0, 0 },
                                              { 2690, 2700, 0, 0 } };
    struct maker_part part = { .operation = OTF2_COLLECTIVE_OP_ALLTOALL,
                               .region = MAKER_NEIGHBOR };
    OTF2_EvtWriter *w[RANKS];
    struct maker *maker = maker_create(directory, RANKS, 1);

    maker_comm(maker, "half", MAKER_WORLD, 2, half);
    for (uint32_t i = 0; i < RANKS; i++) {
        w[i] = maker_writer(maker, i, 0);
        maker_init(w[i]);
    }
    all_three(w, reduce, reduces);
    all_three(w, bcast, bcasts);
    all_three(w, allreduce, allreduces);
    all_three(w, scan, scans);
    all_three(w, barrier, barriers);
    write_nonblocking(w);
    all_three(w, allreduce, empty);
    part.sent = part.received = 8;
    maker_collective(w[0], 2710, 2720, &part);
    maker_collective(w[1], 2710, 2720, &part);
    maker_collective(w[2], 2715, 2720, &part);
    part = barrier;
    part.comm = MAKER_SELF;
    maker_collective(w[0], 2750, 2760, &part);
    maker_comm_create(w[0], 2800, 3000, 2);
    maker_comm_create(w[2], 2950, 3000, 2);
    part = bcast;
    part.comm = 2;
    part.root = 0;
    part.sent = 8;
    maker_collective(w[2], 3140, 3145, &part);
    part.sent = 0;
    part.received = 8;
    maker_collective(w[0], 3100, 3150, &part);
    maker_finalize(w[0], 5000);
    maker_finalize(w[1], 5040);
    maker_finalize(w[2], 5010);
    maker_finish(maker);
}

/*
 * What the patterns leave open, since nobody leaves before 2 has come:
 *   broadcast of 1  0: 700-910   1: 850-920   2: 890-900    late broadcast  0: 150, by 1
 *                                                           for the last    0: 40, 1: 40, by 2
 *   reduce to 0     0: 1000-1300 1: 1100-1310 2: 1250-1260  early reduce    0: 100, by 1
 *                                                           for the last    0: 150, 1: 150, by 2
 *   scan            0: 1400-1700 1: 1500-1710 2: 1650-1690  for the last    0: 250, 1: 150, by 2
 * and nothing where 0 leaves as soon as it has sent:
 *   broadcast of 0  0: 1800-1820 1: 1850-1860 2: 1900-1910
 * A root that does not block needs all as well, from when it waits for them:
 *   Ireduce to 0    0: 1920, 1930-1990  1: 1950, 1955-1960  2: 1970, 1975-1980
 *                                                           for the last    0: 40, by 2
 */
void make_waits_for_last(const char *directory)
{
    static const uint64_t bcasts[RANKS][4] = { { 700, 910, 0, 8 },
                                               { 850, 920, 24, 8 },
                                               { 890, 900, 0, 8 } };
    static const uint64_t reduces[RANKS][4] = { { 1000, 1300, 8, 24 },
                                                { 1100, 1310, 8, 0 },
                                                { 1250, 1260, 8, 0 } };
    static const uint64_t scans[RANKS][4] = { { 1400, 1700, 24, 8 },
                                              { 1500, 1710, 16, 16 },
                                              { 1650, 1690, 8, 24 } };
    static const uint64_t eager[RANKS][4] = { { 1800, 1820, 24, 8 },
                                              { 1850, 1860, 0, 8 },
                                              { 1900, 1910, 0, 8 } };
    static const uint64_t ireduces[RANKS][3] = { { 1920, 1930, 1990 },
                                                 { 1950, 1955, 1960 },
                                                 { 1970, 1975, 1980 } };
    struct maker_part of_first = bcast;
    OTF2_EvtWriter *w[RANKS];
    struct maker *maker = maker_create(directory, RANKS, 1);

    of_first.root = 0;
    for (uint32_t i = 0; i < RANKS; i++) {
        w[i] = maker_writer(maker, i, 0);
        maker_init(w[i]);
    }
    all_three(w, bcast, bcasts);
    all_three(w, reduce, reduces);
    all_three(w, scan, scans);
    all_three(w, of_first, eager);
    for (uint32_t i = 0; i < RANKS; i++) {
        struct maker_part part = reduce;

        part.sent = 8;
        part.received = i == 0 ? 8 : 0;
        maker_icollective(w[i], ireduces[i][0], MAKER_REDUCE, 1);
        maker_wait_collective(w[i], ireduces[i][1], ireduces[i][2], &part, 1);
    }
    finish_three(maker, w, 2000);
}

/*
 * MPI_Ireduce, to rank 0, which rank 1 begins 300 behind the others; these wait from 10 on:
 *   1000   all are complete 10 behind that          for the last 0, 2: 290 each, for 1
 *   2000   60 behind that                                        0: 290, and of 2 nobody can tell
 *   3000   rank 2 is complete before                             0: 290
 */
void make_held_operations(const char *directory)
{
    static const uint64_t times[][RANKS][3] = {
        { { 1000, 1010, 1310 }, { 1300, 1305, 1312 }, { 1000, 1010, 1308 } },
        { { 2000, 2010, 2360 }, { 2300, 2305, 2362 }, { 2000, 2010, 2360 } },
        { { 3000, 3010, 3310 }, { 3300, 3305, 3312 }, { 3000, 3010, 3020 } }
    };
    OTF2_EvtWriter *w[RANKS];
    struct maker *maker = maker_create(directory, RANKS, 1);

    for (uint32_t i = 0; i < RANKS; i++) {
        struct maker_part part = reduce;

        part.sent = 8;
        part.received = i == 0 ? 8 : 0;
        w[i] = maker_writer(maker, i, 0);
        maker_init(w[i]);
        for (uint32_t each = 0; each < sizeof times / sizeof times[0]; each++) {
            maker_icollective(w[i], times[each][i][0], MAKER_REDUCE, each);
            maker_wait_collective(w[i], times[each][i][1], times[each][i][2], &part, each);
        }
    }
    finish_three(maker, w, 4000);
}

/*
 * Two ranks of two threads, numbered rank.thread:
 *   1.0 receives 200-400 what 0.1 sends at 300                    late sender 1: 100, by 0
 *   0.0 is in a barrier 200-500 with 1.1, 450-500                 barrier     0: 250, by 1
 *   0.1 begins a send at 600 that 0.0 waits for 700-900;
 *   1.1 receives it from 800 on                                   late receiver 0: 100, by 1
 *   0.0 sends at 1200, 1250 and 1600; 1.0 receives the second     late sender 1: 250, by 0
 *   1000-1300, and 1.1 the first at 1400: no wrong order, since
 *   another thread waited; 1.1 receives the third 1500-1700       late sender 1: 100, by 0
 */
void make_waits_threads(const char *directory)
{
    struct maker *maker = maker_create(directory, 2, 2);
    OTF2_EvtWriter *w[2][2];

    for (uint32_t i = 0; i < 4; i++) {
        w[i / 2][i % 2] = maker_writer(maker, i / 2, i % 2);
    }
    maker_init(w[0][0]);
    maker_init(w[1][0]);
    maker_recv(w[1][0], 200, 400, MAKER_WORLD, 0, 1, 10);
    maker_send(w[0][1], 300, 310, MAKER_WORLD, 1, 1, 10);
    maker_collective(w[0][0], 200, 500, &barrier);
    maker_collective(w[1][1], 450, 500, &barrier);
    maker_isend(w[0][1], 600, MAKER_WORLD, 1, 2, 10, 9);
    maker_wait_send(w[0][0], 700, 900, 9);
    maker_recv(w[1][1], 800, 900, MAKER_WORLD, 0, 2, 10);
    maker_send(w[0][0], 1200, 1210, MAKER_WORLD, 1, 4, 10);
    maker_send(w[0][0], 1250, 1260, MAKER_WORLD, 1, 3, 10);
    maker_send(w[0][0], 1600, 1610, MAKER_WORLD, 1, 5, 10);
    maker_recv(w[1][0], 1000, 1300, MAKER_WORLD, 0, 3, 10);
    maker_recv(w[1][1], 1400, 1410, MAKER_WORLD, 0, 4, 10);
    maker_recv(w[1][1], 1500, 1700, MAKER_WORLD, 0, 5, 10);
    maker_finalize(w[0][0], 2000);
    maker_finalize(w[1][0], 2000);
    maker_finish(maker);
}

/*
 * Rank 2 recorded nothing but its life: a barrier lacks it, a receive its send, a send its
 * receive, a broadcast of rank 0 one member. No wait of these is known, but that of rank 1 for
 * 0, 100, in a message between the receive and the barrier.
 */
void make_waits_losses(const char *directory)
{
    OTF2_EvtWriter *w[RANKS];
    struct maker *maker = three_ranks(directory, w);
    struct maker_part part = bcast;

    part.root = 0;
    maker_recv(w[1], 200, 300, MAKER_WORLD, 2, 1, 10);
    maker_send(w[1], 310, 320, MAKER_WORLD, 2, 1, 10);
    maker_recv(w[1], 400, 600, MAKER_WORLD, 0, 1, 10);
    maker_send(w[0], 500, 550, MAKER_WORLD, 1, 1, 10);
    maker_collective(w[0], 700, 900, &barrier);
    maker_collective(w[1], 800, 900, &barrier);
    part.sent = 24;
    maker_collective(w[0], 1000, 1010, &part);
    part.sent = 0;
    part.received = 8;
    maker_collective(w[1], 950, 1010, &part);
    finish_three(maker, w, 2000);
}

/*
 * Rank 1 begins a send at 200 and cancels it at 300, then sends at 500 what rank 0, which is
 * read before it, receives 250-600: late sender 250, by 1. The cancelled one would say that the
 * send was in time.
 */
void make_waits_cancelled(const char *directory)
{
    OTF2_EvtWriter *w[RANKS];
    struct maker *maker = three_ranks(directory, w);

    maker_isend(w[1], 200, MAKER_WORLD, 0, 1, 10, 1);
    maker_cancel(w[1], 300, 350, 1);
    maker_send(w[1], 500, 550, MAKER_WORLD, 0, 1, 10);
    maker_recv(w[0], 250, 600, MAKER_WORLD, 1, 1, 10);
    finish_three(maker, w, 2000);
}

/*
 * Two reductions to all, begun by rank 0 at 200 and 210 and by rank 1 at 500 and 700, which rank
 * 0 completes in one Waitall, 300-800: it waits 400 for rank 1, once, and not 200 as well.
 */
void make_waits_together(const char *directory)
{
    static const uint64_t begun[2][2] = { { 200, 210 }, { 500, 700 } };
    static const uint64_t waits[2][2] = { { 300, 800 }, { 710, 800 } };
    struct maker *maker = maker_create(directory, 2, 1);

    for (uint32_t rank = 0; rank < 2; rank++) {
        OTF2_EvtWriter *writer = maker_writer(maker, rank, 0);

        maker_init(writer);
        maker_icollective(writer, begun[rank][0], MAKER_IALLREDUCE, 1);
        maker_icollective(writer, begun[rank][1], MAKER_IALLREDUCE, 2);
        maker_enter(writer, waits[rank][0], MAKER_WAITALL);
        for (uint64_t request = 1; request <= 2; request++) {
            OTF2_EvtWriter_NonBlockingCollectiveComplete(
                writer, NULL, waits[rank][1], OTF2_COLLECTIVE_OP_ALLREDUCE, MAKER_WORLD,
                OTF2_UNDEFINED_UINT32, 16, 16, request);
        }
        maker_leave(writer, waits[rank][1], MAKER_WAITALL);
        maker_finalize(writer, 1000);
    }
    maker_finish(maker);
}

/*
 * Each rank begins an MPI_Iallreduce at 110 that never is complete, and another one:
 *
 *    rank    begins   waits       wait at NxN
 *       0       200   300-600     250, by 2
 *       1       210   320-600     230, by 2
 *       2       550   560-600     0
 */
void make_waits_forgotten(const char *directory)
{
    static const uint64_t begun[RANKS] = { 200, 210, 550 }, waits[RANKS] = { 300, 320, 560 };
    const struct maker_part part = { .operation = OTF2_COLLECTIVE_OP_ALLREDUCE,
                                     .region = MAKER_IALLREDUCE,
                                     .comm = MAKER_WORLD,
                                     .root = OTF2_UNDEFINED_UINT32,
                                     .sent = 8,
                                     .received = 8 };
    OTF2_EvtWriter *w[RANKS];
    struct maker *maker = three_ranks(directory, w);

    for (uint32_t i = 0; i < RANKS; i++) {
        maker_icollective(w[i], 110, MAKER_IALLREDUCE, 1);
        maker_icollective(w[i], begun[i], MAKER_IALLREDUCE, 2);
        maker_wait_collective(w[i], waits[i], 600, &part, 2);
    }
    finish_three(maker, w, 1000);
}

/*
 * Rank 1 begins a receive and an MPI_Iallreduce at 110 whose ends are lost, and has their requests
 * again in each of 40,000 steps, which begin at t:
 *
 *     t + 2   it waits for a message that rank 0 sends at t + 12: 10, late sender
 *     t + 40  it and rank 2 wait for an MPI_Iallreduce that rank 0 begins at t + 60: 20 each
 */
void make_waits_lost_ends(const char *directory)
{
    const struct maker_part part = { .operation = OTF2_COLLECTIVE_OP_ALLREDUCE,
                                     .region = MAKER_IALLREDUCE,
                                     .comm = MAKER_WORLD,
                                     .root = OTF2_UNDEFINED_UINT32,
                                     .sent = 8,
                                     .received = 8 };
    OTF2_EvtWriter *w[RANKS];
    struct maker *maker = three_ranks(directory, w);
    uint64_t t = 1000;

    maker_irecv(w[1], 110, 1);
    maker_icollective(w[1], 110 + 2, MAKER_IALLREDUCE, 2);
    for (uint64_t step = 0; step < LOST_STEPS; step++, t += 100) {
        maker_irecv(w[1], t, 1);
        maker_wait_recv(w[1], t + 2, t + 20, MAKER_WORLD, 0, 5, 8, 1);
        maker_send(w[0], t + 12, t + 13, MAKER_WORLD, 1, 5, 8);
        for (uint32_t i = 0; i < RANKS; i++) {
            maker_icollective(w[i], t + (i == 0 ? 60 : 30), MAKER_IALLREDUCE, 2);
            maker_wait_collective(w[i], t + (i == 0 ? 62 : 40), t + 65, &part, 2);
        }
    }
    maker_length(maker, t + 1000);
    finish_three(maker, w, t);
}
