#include "test/data/archives_delay.h"

#include "test/data/maker.h"

static struct maker *begin(const char *directory, OTF2_EvtWriter **writers, uint32_t ranks)
{
    struct maker *maker = maker_create(directory, ranks, 1);

    for (uint32_t i = 0; i < ranks; i++) {
        writers[i] = maker_writer(maker, i, 0);
        maker_init(writers[i]);
    }
    return maker;
}

static void end(struct maker *maker, OTF2_EvtWriter **writers, uint32_t ranks, uint64_t time)
{
    for (uint32_t i = 0; i < ranks; i++) {
        maker_finalize(writers[i], time);
    }
    maker_finish(maker);
}

static void barrier(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave)
{
    static const struct maker_part part = { .operation = OTF2_COLLECTIVE_OP_BARRIER,
                                            .region = MAKER_BARRIER,
                                            .root = OTF2_UNDEFINED_UINT32 };

    maker_collective(writer, enter, leave, &part);
}

/*
 * Rank 0 delays 1, whose wait delays 2; then from meeting to meeting. The run begins at 100.
 *
 *    1 waits for 0, 200-500: since the beginning 0 computes 400, 1 100: D = 300.
 *      Short-term: computation of 0 300.
 *    2 waits for 1, 150-530: since the beginning 1 computes 120, receives 310 - 300 = 10, and
 *      has waited 300; 2 computes 50: D = 70 + 10, W = 300, S = 380. Short-term: computation
 *      of 1 70, MPI_Recv of 1 10; 300 are passed on: long-term: computation of 0 300.
 *    1 waits for 0, 580-700: since 510, where both left, 0 computes 90 and solves 100; 1
 *      computes 40 and sends 30: D = 50 + 100, of which 120 are the wait's. Short-term:
 *      computation of 0 40, solve of 0 80.
 *    Barrier, 0 enters last, at 1300. 1 waits 100: since 750 0 computes 550, 1 450: short-term:
 *      computation of 0 100. 2 waits 415: since the beginning (it has not met 0) 0 computes
 *      1040, solves 100, sends 60; 2 computes 370, receives 35: D = 670 + 100 + 60 = 830, of
 *      which 415 are the wait's. Short-term: 335, 50, 30.
 *    2 waits for 1 to receive, 1400-1550: since 1310, where all left the barrier, 1 computes
 *      240, 2 90. Short-term: computation of 1 150; waits in the barrier are not passed on.
 *
 * Waits: 1465. Short-term: 0 computes 775, solves 130, sends 30; 1 computes 220, receives 10.
 * Long-term: 0 computes 300.
 */
void make_delay_chain(const char *directory)
{
    OTF2_EvtWriter *w[3];
    struct maker *maker = begin(directory, w, 3);

    maker_send(w[0], 500, 510, MAKER_WORLD, 1, 1, 10);
    maker_recv(w[1], 200, 510, MAKER_WORLD, 0, 1, 10);
    maker_send(w[1], 530, 560, MAKER_WORLD, 2, 1, 10);
    maker_recv(w[2], 150, 565, MAKER_WORLD, 1, 1, 10);

    maker_enter(w[0], 600, MAKER_USER);
    maker_leave(w[0], 700, MAKER_USER);
    maker_send(w[0], 700, 750, MAKER_WORLD, 1, 2, 10);
    maker_recv(w[1], 580, 750, MAKER_WORLD, 0, 2, 10);

    barrier(w[0], 1300, 1310);
    barrier(w[1], 1200, 1310);
    barrier(w[2], 885, 1310);

    maker_send(w[2], 1400, 1600, MAKER_WORLD, 1, 3, 10);
    maker_recv(w[1], 1550, 1600, MAKER_WORLD, 2, 3, 10);
    end(maker, w, 3, 2000);
}

/*
 * Rank 0 is in MPI_Init until 400, rank 1 until 100, and receives 150-460 what 0 sends at
 * 450: of 300 the computation of both, 50, explains nothing; MPI_Init of 0 300.
 */
void make_delay_late_start(const char *directory)
{
    struct maker *maker = maker_create(directory, 2, 1);
    OTF2_EvtWriter *w[2] = { maker_writer(maker, 0, 0), maker_writer(maker, 1, 0) };

    maker_enter(w[0], 0, MAKER_INIT);
    maker_leave(w[0], 400, MAKER_INIT);
    maker_init(w[1]);
    maker_send(w[0], 450, 460, MAKER_WORLD, 1, 1, 10);
    maker_recv(w[1], 150, 460, MAKER_WORLD, 0, 1, 10);
    end(maker, w, 2, 1000);
}

/*
 * Costs that are passed on over two ranks and shared on the way. The run begins at 100.
 *
 *    1 waits for 0, 100-500: 0 computes 400. Short-term: computation of 0 400.
 *    2 waits for 1, 100-900: since the beginning 1 waited 400 and computed 400 (500-900).
 *      S = 800. Short-term: computation of 1 400; 400 are passed on to 0.
 *    3 waits for 2, 500-1300: since the beginning 2 waited 800 and computed 400 (900-1300), 3
 *      computed 400: D = 0, W = 800, S = 800. All 800 are passed on to the wait of 2, half of
 *      it to the computation of 1, half to the wait of 1, and so to the computation of 0.
 *
 * All messages take no time. Waits: 2000, of which 400 + 800 are indirect. Short-term: 0 400,
 * 1 400. Long-term: 0 400 + 400, 1 400.
 */
void make_delay_shared(const char *directory)
{
    OTF2_EvtWriter *w[4];
    struct maker *maker = begin(directory, w, 4);

    maker_send(w[0], 500, 500, MAKER_WORLD, 1, 1, 10);
    maker_recv(w[1], 100, 500, MAKER_WORLD, 0, 1, 10);
    maker_send(w[1], 900, 900, MAKER_WORLD, 2, 1, 10);
    maker_recv(w[2], 100, 900, MAKER_WORLD, 1, 1, 10);
    maker_send(w[2], 1300, 1300, MAKER_WORLD, 3, 1, 10);
    maker_recv(w[3], 500, 1300, MAKER_WORLD, 2, 1, 10);
    end(maker, w, 4, 2000);
}

/*
 * Both ranks enter a barrier at 300, and nobody waits; before, 0 has solved for 100. The run begins
 * at 100.
 *
 *    1 waits for 0, 360-410: since 310, where both left the barrier, 0 computes 100, 1 50: D = 50.
 *      Short-term: computation of 0 50; what it solved was before they met.
 */
void make_delay_at_once(const char *directory)
{
    OTF2_EvtWriter *w[2];
    struct maker *maker = begin(directory, w, 2);

    maker_enter(w[0], 150, MAKER_USER);
    maker_leave(w[0], 250, MAKER_USER);
    barrier(w[0], 300, 310);
    barrier(w[1], 300, 310);
    maker_send(w[0], 410, 420, MAKER_WORLD, 1, 1, 10);
    maker_recv(w[1], 360, 420, MAKER_WORLD, 0, 1, 10);
    end(maker, w, 2, 1000);
}

/*
 * A reduction that lets nobody go before rank 2 comes at 500, to rank 0, which has come at 200, and
 * rank 1 at 300; 0 and 1 leave it at 520, 2 at 600. The run begins at 100.
 *
 *    0 waits for 1, 200-300, which has computed 100 longer: computation of 1 100.
 *    0 waits for 2, 300-500, since inside of the call; 2 has computed 300 longer: of 2 200.
 *    1 waits for 2, 300-500: of 2 200.
 *    0 waits for 2, 560-640. Both met last where 0 waited for 2, and 0 was the first that left
 *      that, at 520: since then both have computed 40, and 2 was in MPI_Reduce for 80: that 80.
 */
void make_delay_inside(const char *directory)
{
    static const uint64_t times[3][2] = { { 200, 520 }, { 300, 520 }, { 500, 600 } };
    struct maker_part part = { .operation = OTF2_COLLECTIVE_OP_REDUCE,
                               .region = MAKER_REDUCE };
    OTF2_EvtWriter *w[3];
    struct maker *maker = begin(directory, w, 3);

    for (uint32_t i = 0; i < 3; i++) {
        part.sent = 8;
        part.received = i == 0 ? 24 : 0;
        maker_collective(w[i], times[i][0], times[i][1], &part);
    }
    maker_recv(w[0], 560, 650, MAKER_WORLD, 2, 1, 10);
    maker_send(w[2], 640, 650, MAKER_WORLD, 0, 1, 10);
    end(maker, w, 3, 1000);
}

/*
 * In each of 2,000 steps of 100, rank 1 waits 40 for a message that rank 0 has computed for
 * meanwhile: short-term: computation of 0 40. Rank 1 has twice as many events, and a receive that
 * never is complete.
 */
void make_delay_uneven(const char *directory)
{
    OTF2_EvtWriter *w[2];
    struct maker *maker = begin(directory, w, 2);
    uint64_t t = 200;

    maker_irecv(w[1], 110, 1);
    for (unsigned step = 0; step < 2000; step++, t += 100) {
        maker_irecv(w[1], t, 2);
        maker_wait_recv(w[1], t + 10, t + 60, MAKER_WORLD, 0, 1, 10, 2);
        maker_send(w[0], t + 50, t + 51, MAKER_WORLD, 1, 1, 10);
    }
    maker_length(maker, t + 1000);
    end(maker, w, 2, t);
}
