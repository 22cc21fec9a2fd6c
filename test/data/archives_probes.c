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
