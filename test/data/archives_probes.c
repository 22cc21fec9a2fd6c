#include "test/data/archives_probes.h"

#include "test/data/maker.h"

#define RANKS 3u

static struct maker *three_ranks(const char *directory, OTF2_EvtWriter **writers)
{
    struct maker *maker = maker_create(directory, RANKS, 1);

    maker_found(maker);
    for (uint32_t i = 0; i < RANKS; i++) {
        writers[i] = maker_writer(maker, i, 0);
        maker_init(writers[i]);
    }
    return maker;
}

/*
 *    1  rank 1 probes 200-500; 0 sends at 400, which is received       late sender  200, by 0
 *    2  rank 1 probes 700-710; 0 has sent at 600                       nothing
 *    3  rank 1 probes 800-850 and again 860-870; 0 sends at 820        late sender   20, by 0
 *    4  rank 1 has posted a receive; probes 910-1100 for another       late sender  140, by 0
 *       of the same tag; 0 sends the first at 1000, that at 1050,
 *       which is received before the first is waited for               in wrong order, same source
 *    5  rank 1 probes 1200-1400 by a matched probe; 2 sends at 1300    late sender  100, by 2
 *       and again at 1410, which is received before the first is       nothing
 *    6  rank 1 probes 1600-1700; 0 sends at 1800                       late sender  100, by 0, cut
 *    7  rank 1 probes 1900-2000; 2 sends at 1950, never received       late sender   50, by 2
 *    8  rank 1 probes 2100-2150 what 2 never sends                     nothing, not resolved
 *
 * Late sender: 610; by 0 460, by 2 150. Messages: 9 sent, 8 received. Probes take 1,010.
 */
void make_probes(const char *directory)
{
    OTF2_EvtWriter *w[RANKS];
    struct maker *maker = three_ranks(directory, w);

    maker_send(w[0], 400, 410, MAKER_WORLD, 1, 1, 10);
    maker_probe(w[1], 200, 500, MAKER_WORLD, 0, 1);
    maker_recv(w[1], 510, 520, MAKER_WORLD, 0, 1, 10);

    maker_send(w[0], 600, 610, MAKER_WORLD, 1, 2, 10);
    maker_probe(w[1], 700, 710, MAKER_WORLD, 0, 2);
    maker_recv(w[1], 720, 730, MAKER_WORLD, 0, 2, 10);

    maker_send(w[0], 820, 830, MAKER_WORLD, 1, 3, 10);
    maker_probe(w[1], 800, 850, MAKER_WORLD, 0, 3);
    maker_probe(w[1], 860, 870, MAKER_WORLD, 0, 3);
    maker_recv(w[1], 880, 890, MAKER_WORLD, 0, 3, 10);

    maker_irecv(w[1], 900, 1);
    maker_probe(w[1], 910, 1100, MAKER_WORLD, 0, 4);
    maker_send(w[0], 1000, 1010, MAKER_WORLD, 1, 4, 10);
    maker_send(w[0], 1050, 1060, MAKER_WORLD, 1, 4, 20);
    maker_recv(w[1], 1110, 1120, MAKER_WORLD, 0, 4, 20);
    maker_wait_recv(w[1], 1130, 1140, MAKER_WORLD, 0, 4, 10, 1);

    maker_send(w[2], 1300, 1310, MAKER_WORLD, 1, 5, 10);
    maker_send(w[2], 1410, 1420, MAKER_WORLD, 1, 5, 20);
    maker_enter_probe(w[1], 1200, MAKER_WORLD, 2, 5);
    OTF2_EvtWriter_MpiIrecvRequest(w[1], NULL, 1200, 2);
    maker_leave(w[1], 1400, MAKER_PROBE);
    maker_recv(w[1], 1430, 1440, MAKER_WORLD, 2, 5, 20);
    maker_wait_recv(w[1], 1450, 1460, MAKER_WORLD, 2, 5, 10, 2);

    maker_probe(w[1], 1600, 1700, MAKER_WORLD, 0, 6);
    maker_send(w[0], 1800, 1810, MAKER_WORLD, 1, 6, 10);
    maker_recv(w[1], 1820, 1830, MAKER_WORLD, 0, 6, 10);

    maker_probe(w[1], 1900, 2000, MAKER_WORLD, 2, 7);
    maker_send(w[2], 1950, 1960, MAKER_WORLD, 1, 7, 10);

    maker_probe(w[1], 2100, 2150, MAKER_WORLD, 2, 8);
    for (uint32_t i = 0; i < RANKS; i++) {
        maker_finalize(w[i], 3000);
    }
    maker_finish(maker);
}

/*
 * A master probes for what its workers have, and receives it.
 *
 *    rank 0  probes 100-610, receives until 620; probes 700-1010, receives until 1020; ends at 1200
 *    rank 1  works until 1000 and sends; ends at 1100
 *    rank 2  works until 600 and sends; ends at 1100
 *
 * Late sender: 500, by what rank 2 did outside of MPI, and 300 by rank 1. The longest path: rank 1
 * until 1000, then rank 0. Where messages take no time rank 0 has 1,080 behind it, the others 990.
 */
void make_probed_workers(const char *directory)
{
    OTF2_EvtWriter *w[RANKS];
    struct maker *maker = three_ranks(directory, w);

    maker_probe(w[0], 100, 610, MAKER_WORLD, 2, 1);
    maker_recv(w[0], 610, 620, MAKER_WORLD, 2, 1, 10);
    maker_probe(w[0], 700, 1010, MAKER_WORLD, 1, 1);
    maker_recv(w[0], 1010, 1020, MAKER_WORLD, 1, 1, 10);
    maker_send(w[1], 1000, 1010, MAKER_WORLD, 0, 1, 10);
    maker_send(w[2], 600, 610, MAKER_WORLD, 0, 1, 10);
    maker_finalize(w[0], 1200);
    maker_finalize(w[1], 1100);
    maker_finalize(w[2], 1100);
    maker_finish(maker);
}

/* MPI_Mprobe from enter to leave, and at once the receive of what it found. */
static void matched_probe(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint32_t tag,
                          uint64_t bytes, uint64_t request)
{
    maker_enter_probe(writer, enter, MAKER_WORLD, 0, tag);
    OTF2_EvtWriter_MpiIrecvRequest(writer, NULL, enter, request);
    maker_leave(writer, leave, MAKER_PROBE);
    maker_wait_recv(writer, leave + 1, leave + 2, MAKER_WORLD, 0, tag, bytes, request);
}

/*
 * Three threads of rank 1, numbered, look for what rank 0 sends by matched probes if nothing else
 * is said. Messages of a tag have 10, 20 and 30 bytes, and so show who got which.
 *
 *  tag 1  sent at 300, 400, 480: 1 gets the first 210-310, 2 receives the       late sender 90, 180
 *         second 220-410, 0 gets the third 200-500                              and 280
 *  tag 2  sent at 700, 800: 0 gets the first 600-710, 1 receives the second     100, 190
 *         610-810: as they were entered
 *  tag 3  sent at 1100, 1250: 0 gets the first 1000-1300, 1 the second by a     100
 *         receive that it posts at 1205, but is not complete before 1320
 *  tag 4  sent at 1150: 1 gets it 1010-1200, which says nothing of tag 3        140
 *  tag 5  sent at 1600, 1680: 1 probes 1510-1610, 2 receives the first          90, 180
 *         1620-1640, 0 gets the second 1500-1700
 *  tag 6  sent at 2090, 2240, 2390: 1 gets the first 2010-2100, 0 the second    80, 240, 240
 *         2000-2250, 2 the third 2150-2400
 *
 * Late sender: 1,910 in 12 calls. Messages: 13.
 */
void make_probes_at_once(const char *directory)
{
    static const uint64_t sent[][3] = { { 300, 1, 10 },  { 400, 1, 20 },  { 480, 1, 30 },
                                        { 700, 2, 10 },  { 800, 2, 20 },  { 1100, 3, 10 },
                                        { 1150, 4, 10 }, { 1250, 3, 20 }, { 1600, 5, 10 },
                                        { 1680, 5, 20 }, { 2090, 6, 10 }, { 2240, 6, 20 },
                                        { 2390, 6, 30 } };
    struct maker *maker = maker_create(directory, 2, 3);
    OTF2_EvtWriter *zero = maker_writer(maker, 0, 0);
    OTF2_EvtWriter *w[3];

    maker_found(maker);
    for (uint32_t i = 0; i < 3; i++) {
        w[i] = maker_writer(maker, 1, i);
    }
    maker_init(zero);
    maker_init(w[0]);
    for (unsigned i = 0; i < sizeof sent / sizeof sent[0]; i++) {
        maker_send(zero, sent[i][0], sent[i][0] + 5, MAKER_WORLD, 1, (uint32_t)sent[i][1],
                   sent[i][2]);
    }
    matched_probe(w[0], 200, 500, 1, 30, 1);
    matched_probe(w[1], 210, 310, 1, 10, 2);
    maker_recv(w[2], 220, 410, MAKER_WORLD, 0, 1, 20);
    matched_probe(w[0], 600, 710, 2, 10, 3);
    maker_recv(w[1], 610, 810, MAKER_WORLD, 0, 2, 20);
    matched_probe(w[0], 1000, 1300, 3, 10, 4);
    matched_probe(w[1], 1010, 1200, 4, 10, 5);
    maker_irecv(w[1], 1205, 6);
    maker_wait_recv(w[1], 1310, 1320, MAKER_WORLD, 0, 3, 20, 6);
    matched_probe(w[0], 1500, 1700, 5, 20, 7);
    maker_probe(w[1], 1510, 1610, MAKER_WORLD, 0, 5);
    maker_recv(w[2], 1620, 1640, MAKER_WORLD, 0, 5, 10);
    matched_probe(w[0], 2000, 2250, 6, 20, 8);
    matched_probe(w[1], 2010, 2100, 6, 10, 9);
    matched_probe(w[2], 2150, 2400, 6, 30, 10);
    maker_finalize(zero, 3000);
    maker_finalize(w[0], 3000);
    maker_finish(maker);
}

/* A call of region from enter to leave that says nothing. */
static void call(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint32_t region)
{
    maker_enter(writer, enter, region);
    maker_leave(writer, leave, region);
}

/* repeat calls of region from enter to leave, so long inside. */
static void calls(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint32_t region,
                  uint64_t repeat, uint64_t inside)
{
    maker_enter_polls(writer, enter, region, repeat, inside);
    maker_leave(writer, leave, region);
}

/* A function of the program that MPI calls, which has another one, and a call of MPI. */
static void call_back(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave)
{
    maker_enter(writer, enter, MAKER_USER);
    call(writer, enter + 1, enter + 2, MAKER_USER);
    call(writer, leave - 2, leave - 1, MAKER_IPROBE);
    maker_leave(writer, leave, MAKER_USER);
}

/* MPI_Test from enter to leave, by which what 0 has sent is received. */
static void test_receives(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint32_t tag)
{
    maker_enter(writer, enter, MAKER_TEST);
    OTF2_EvtWriter_MpiIrecv(writer, NULL, leave, 0, MAKER_WORLD, tag, 10, tag);
    maker_leave(writer, leave, MAKER_TEST);
}

/*
 * Rank 1 polls. In a row it does, of what it is outside of MPI in between, no more than 200 a poll:
 *
 *    1  tests 1000-2000, four times 2100-5800, 100 apart, and         late sender 3600, by 0:
 *       5900-6000, in which MPI calls back, receives; 0 sends at      4000 less a tenth, outside
 *       5000
 *    2  tests 11000-11100, works, and tests 12000-12100, receives;    nothing
 *       0 sends at 11500
 *    3  tests three times 14000-16000, 300 in all, works in between,  nothing
 *       and at once 16000-16100, receives; 0 sends at 15000
 *    4  MPI_Iprobe ten times 20000-21000, 100 outside, and, after 0,  late sender 760, by 0:
 *       21000-22000, finds; 0 sends at 20800                          800 less a 20th
 *    5  the same 24000-25000, and does not say that it finds what     nothing
 *       it receives then, which 0 sends at 24500
 *    6  begins MPI_Iallreduce at 30000, then MPI_Iprobe, MPI_Test,    NxN 2900, by 0
 *       30100-31100, 31100-32100 and again, which completes it; 2
 *       begins it at 31000, 0 at 33000
 *    7  tests 36000-37000 and 37000-37100; is in a region; tests      nothing
 *       37200-37300, receives; 0 sends at 37150
 *
 * Late sender: 4360. Waiting in all: 7260.
 */
void make_polls(const char *directory)
{
    static const uint64_t begins[RANKS] = { 33000, 30000, 31000 };
    static const struct maker_part part = { .operation = OTF2_COLLECTIVE_OP_ALLREDUCE,
                                            .comm = MAKER_WORLD,
                                            .root = UINT32_MAX,
                                            .sent = 8,
                                            .received = 8 };
    static const uint64_t sends[] = { 5000, 11500, 15000, 20800, 24500, 37150 };
    OTF2_EvtWriter *w[RANKS];
    struct maker *maker = three_ranks(directory, w);

    for (uint32_t i = 0; i < 5; i++) {
        maker_send(w[0], sends[i], sends[i] + 10, MAKER_WORLD, 1, i + 1, 10);
    }
    for (uint32_t i = 0; i < 3; i++) {
        maker_irecv(w[1], 500 + 2 * i, i + 1);
    }
    maker_irecv(w[1], 510, 6);
    call(w[1], 1000, 2000, MAKER_TEST);
    calls(w[1], 2100, 5800, MAKER_TEST, 4, 3400);
    maker_enter(w[1], 5900, MAKER_TEST);
    call_back(w[1], 5910, 5920);
    OTF2_EvtWriter_MpiIrecv(w[1], NULL, 6000, 0, MAKER_WORLD, 1, 10, 1);
    maker_leave(w[1], 6000, MAKER_TEST);
    call(w[1], 11000, 11100, MAKER_TEST);
    test_receives(w[1], 12000, 12100, 2);
    calls(w[1], 14000, 16000, MAKER_TEST, 3, 300);
    test_receives(w[1], 16000, 16100, 3);

    calls(w[1], 20000, 21000, MAKER_IPROBE, 10, 900);
    maker_enter_found(w[1], 21000, MAKER_IPROBE, MAKER_WORLD, 0, 4);
    maker_leave(w[1], 22000, MAKER_IPROBE);
    maker_recv(w[1], 22100, 22200, MAKER_WORLD, 0, 4, 10);
    calls(w[1], 24000, 25000, MAKER_IPROBE, 10, 900);
    call(w[1], 25000, 25100, MAKER_IPROBE);
    maker_recv(w[1], 25200, 25300, MAKER_WORLD, 0, 5, 10);

    for (uint32_t i = 0; i < RANKS; i++) {
        maker_icollective(w[i], begins[i], MAKER_IALLREDUCE, 9);
    }
    call(w[1], 30100, 31100, MAKER_IPROBE);
    call(w[1], 31100, 32100, MAKER_TEST);
    call(w[1], 32100, 33100, MAKER_IPROBE);
    maker_enter(w[1], 33100, MAKER_TEST);
    OTF2_EvtWriter_NonBlockingCollectiveComplete(w[1], NULL, 34100, part.operation, part.comm,
                                                 part.root, part.sent, part.received, 9);
    maker_leave(w[1], 34100, MAKER_TEST);
    maker_wait_collective(w[0], 34000, 34100, &part, 9);
    maker_wait_collective(w[2], 34000, 34100, &part, 9);

    maker_send(w[0], sends[5], sends[5] + 10, MAKER_WORLD, 1, 6, 10);
    call(w[1], 36000, 37000, MAKER_TEST);
    call(w[1], 37000, 37100, MAKER_TEST);
    call(w[1], 37100, 37200, MAKER_USER);
    test_receives(w[1], 37200, 37300, 6);
    for (uint32_t i = 0; i < RANKS; i++) {
        maker_finalize(w[i], 40000);
    }
    maker_finish(maker);
}
