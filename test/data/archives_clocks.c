#include "test/data/archives_clocks.h"

#include "test/data/maker.h"

#define LENGTH 20000000u

/*
 * Rank 1, on another host, receives at 95000 what rank 0 sends at 100000, and a message between
 * hosts takes 1000 at least: its clock is behind by 6000. Its receives at 40000 and 195000 are in
 * order. Before, at 47500, it sends what rank 0 receives at 49500.
 */
void make_clock_jump(const char *directory)
{
    struct maker *maker = maker_create(directory, 2, 1);
    OTF2_EvtWriter *zero, *one;

    maker_length(maker, LENGTH);
    zero = maker_writer(maker, 0, 0);
    one = maker_writer(maker, 1, 0);
    maker_init(zero);
    maker_init(one);
    maker_send(zero, 30000, 30010, MAKER_WORLD, 1, 5, 8);
    maker_recv(zero, 45000, 49500, MAKER_WORLD, 1, 5, 8);
    maker_send(zero, 100000, 100010, MAKER_WORLD, 1, 5, 8);
    maker_send(zero, 190000, 190010, MAKER_WORLD, 1, 5, 8);
    maker_finalize(zero, 10000000);
    maker_recv(one, 20000, 40000, MAKER_WORLD, 0, 5, 8);
    maker_send(one, 47500, 47510, MAKER_WORLD, 0, 5, 8);
    maker_recv(one, 71250, 95000, MAKER_WORLD, 0, 5, 8);
    maker_recv(one, 185000, 195000, MAKER_WORLD, 0, 5, 8);
    maker_finalize(one, 10000000);
    maker_finish(maker);
}

/*
 * The same, but for probes: rank 1 leaves one at 95000 that found what rank 0 sends at 100000, and
 * receives that in order until 125000; rank 0 has found at 49500 what it receives until 70000.
 */
static void make_probed(const char *directory, uint32_t threads)
{
    struct maker *maker = maker_create(directory, 2, threads);
    OTF2_EvtWriter *zero, *one;

    maker_length(maker, LENGTH);
    maker_found(maker);
    zero = maker_writer(maker, 0, 0);
    one = maker_writer(maker, 1, 0);
    maker_init(zero);
    maker_init(one);
    maker_send(zero, 30000, 30010, MAKER_WORLD, 1, 5, 8);
    maker_probe(zero, 45000, 49500, MAKER_WORLD, 1, 5);
    maker_recv(zero, 60000, 70000, MAKER_WORLD, 1, 5, 8);
    maker_send(zero, 100000, 100010, MAKER_WORLD, 1, 5, 8);
    maker_send(zero, 190000, 190010, MAKER_WORLD, 1, 5, 8);
    maker_finalize(zero, 10000000);
    maker_recv(one, 20000, 40000, MAKER_WORLD, 0, 5, 8);
    maker_send(one, 47500, 47510, MAKER_WORLD, 0, 5, 8);
    maker_probe(one, 71250, 95000, MAKER_WORLD, 0, 5);
    maker_recv(one, 115000, 125000, MAKER_WORLD, 0, 5, 8);
    maker_recv(one, 185000, 195000, MAKER_WORLD, 0, 5, 8);
    maker_finalize(one, 10000000);
    maker_finish(maker);
}

void make_clock_probes(const char *directory)
{
    make_probed(directory, 1);
}

/* The same of ranks that have two threads, of which one does all. */
void make_clock_thread_probes(const char *directory)
{
    make_probed(directory, 2);
}

/* One of four ranks takes part, from enter to leave, with 8 bytes that it sends and receives. */
static void take_part(struct maker *maker, uint32_t rank, uint64_t enter, uint64_t leave,
                      OTF2_CollectiveOp operation, uint32_t region, uint32_t root)
{
    const struct maker_part part = { .operation = operation,
                                     .region = region,
                                     .comm = MAKER_WORLD,
                                     .root = root,
                                     .sent = 8,
                                     .received = 8 };

    maker_collective(maker_writer(maker, rank, 0), enter, leave, &part);
}

/*
 * An Allreduce, a Bcast of rank 3, a Reduce to rank 0 and a Scan begin 3000000 after each other.
 * Ranks 0, 1, 2 enter after 1000, 2000 and 3000, rank 3 after 40000; they leave after 10000, 20000,
 * 30000 and 60000. Rank 0 needs all in the first and the third;
 * ranks 1 and 2 need rank 3 in the first two. In the Scan nobody needs rank 3, but rank 1, which
 * enters after 25000 there and leaves after 26000: so does rank 2, which leaves after 22000.
 */
void make_clock_collectives(const char *directory)
{
    static const uint64_t enters[] = { 1000, 2000, 3000, 40000 };
    static const uint64_t leaves[] = { 10000, 20000, 30000, 60000 };
    struct maker *maker = maker_create(directory, 4, 1);

    maker_length(maker, LENGTH);
    for (uint32_t rank = 0; rank < 4; rank++) {
        const uint64_t enter = enters[rank], leave = leaves[rank];

        maker_init(maker_writer(maker, rank, 0));
        take_part(maker, rank, 3000000 + enter, 3000000 + leave, OTF2_COLLECTIVE_OP_ALLREDUCE,
                  MAKER_ALLREDUCE, OTF2_UNDEFINED_UINT32);
        take_part(maker, rank, 6000000 + enter, 6000000 + leave, OTF2_COLLECTIVE_OP_BCAST,
                  MAKER_BCAST, 3);
        take_part(maker, rank, 9000000 + enter, 9000000 + leave, OTF2_COLLECTIVE_OP_REDUCE,
                  MAKER_REDUCE, 0);
        take_part(maker, rank, 12000000 + (rank == 1 ? 25000 : enter),
                  12000000 + (rank == 1 ? 26000 : rank == 2 ? 22000 : leave),
                  OTF2_COLLECTIVE_OP_SCAN, MAKER_SCAN, OTF2_UNDEFINED_UINT32);
        maker_finalize(maker_writer(maker, rank, 0), 18000000);
    }
    maker_finish(maker);
}
