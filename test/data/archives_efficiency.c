#include "test/data/archives_efficiency.h"

#include "test/data/maker.h"

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
    struct maker *maker = maker_create(directory, 3, 1);
    OTF2_EvtWriter *writers[3];

    for (uint32_t i = 0; i < 3; i++) {
        writers[i] = maker_writer(maker, i, 0);
        maker_init(writers[i]);
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
