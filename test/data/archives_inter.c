#include "test/data/archives_inter.h"

#include "test/data/maker.h"

#define RANKS  4u
#define BRIDGE 2u
#define SELF   OTF2_COLLECTIVE_ROOT_SELF       /* MPI_ROOT */
#define NOBODY OTF2_COLLECTIVE_ROOT_THIS_GROUP /* MPI_PROC_NULL */
#define NONE   OTF2_COLLECTIVE_ROOT_NONE

/* What each rank does in an operation. */
struct row {
    uint64_t enter;
    uint64_t leave;
    uint32_t root;
    uint64_t sent;
    uint64_t received;
};

static void all(OTF2_EvtWriter **w, OTF2_CollectiveOp operation, uint32_t region,
                const struct row *rows)
{
    for (uint32_t i = 0; i < RANKS; i++) {
        const struct maker_part part = { .operation = operation,
                                         .region = region,
                                         .comm = BRIDGE,
                                         .root = rows[i].root,
                                         .sent = rows[i].sent,
                                         .received = rows[i].received };

        maker_collective(w[i], rows[i].enter, rows[i].leave, &part);
    }
}

/* Begins all ranks, of which 0 and 2 are one group of the intercommunicator, 1 and 3 the other. */
static struct maker *begin(const char *directory, OTF2_EvtWriter **w)
{
    static const uint64_t left[] = { 0, 2 };
    static const uint64_t right[] = { 1, 3 };
    struct maker *maker = maker_create(directory, RANKS, 1);

    maker_inter_comm(maker, "bridge", MAKER_WORLD, 2, left, 2, right);
    for (uint32_t i = 0; i < RANKS; i++) {
        w[i] = maker_writer(maker, i, 0);
        maker_init(w[i]);
    }
    return maker;
}

static void end(struct maker *maker, OTF2_EvtWriter **w, uint64_t time)
{
    for (uint32_t i = 0; i < RANKS; i++) {
        maker_finalize(w[i], time);
    }
    maker_finish(maker);
}

/*
 * Ranks 0 and 2 are group A, 1 and 3 group B.
 *
 *   broadcast of 2       0: 200  2: 300  1: 250  3: 310      late broadcast 1: 50, by 2
 *   scatter of 1         3: 400  1: 500  0: 420  2: 600      late broadcast 0: 80, by 1
 *   reduce to 3          1: 705  3: 700  0: 750  2: 850      early reduce   3: 50, by 0
 *                                                            for the last   3: 100, by 2
 *   allreduce            0: 1000 2: 1200 1: 1100 3: 1050     NxN 0: 100, by 1; 1: 100, 3: 150, by 2
 *   barrier              0: 1500 2: 1600 1: 1550 3: 1520     barrier 0: 50, by 1;
 *                                                            1: 50, 3: 80, by 2
 *   gather to 2          2: 1800-1850, 1 and 3 earlier; 0, which has no part in it, enters at 1900,
 *                        when it has received what 2 sends it after that: nobody waits for 0
 *   that message         0 receives from 1820 on, 2 sends at 1860: late sender 0: 40, by 2
 */
void make_waits_inter(const char *directory)
{
    static const struct row bcast[RANKS] = { { 200, 210, NOBODY, 0, 0 },
                                             { 250, 330, 1, 0, 8 },
                                             { 300, 320, SELF, 16, 0 },
                                             { 310, 330, 1, 0, 8 } };
    static const struct row scatter[RANKS] = { { 420, 520, 0, 0, 8 },
                                               { 500, 510, SELF, 16, 0 },
                                               { 600, 610, 0, 0, 8 },
                                               { 400, 405, NOBODY, 0, 0 } };
    static const struct row reduce[RANKS] = { { 750, 760, 1, 8, 0 },
                                              { 705, 706, NOBODY, 0, 0 },
                                              { 850, 860, 1, 8, 0 },
                                              { 700, 900, SELF, 0, 16 } };
    static const struct row allreduce[RANKS] = { { 1000, 1300, NONE, 16, 16 },
                                                 { 1100, 1300, NONE, 16, 16 },
                                                 { 1200, 1300, NONE, 16, 16 },
                                                 { 1050, 1300, NONE, 16, 16 } };
    static const struct row barrier[RANKS] = { { 1500, 1700, NONE, 0, 0 },
                                               { 1550, 1620, NONE, 0, 0 },
                                               { 1600, 1650, NONE, 0, 0 },
                                               { 1520, 1620, NONE, 0, 0 } };
    struct maker_part gather = { .operation = OTF2_COLLECTIVE_OP_GATHER,
                                 .region = MAKER_REDUCE,
                                 .comm = BRIDGE };
    OTF2_EvtWriter *w[RANKS];
    struct maker *maker = begin(directory, w);

    all(w, OTF2_COLLECTIVE_OP_BCAST, MAKER_BCAST, bcast);
    all(w, OTF2_COLLECTIVE_OP_SCATTER, MAKER_BCAST, scatter);
    all(w, OTF2_COLLECTIVE_OP_REDUCE, MAKER_REDUCE, reduce);
    all(w, OTF2_COLLECTIVE_OP_ALLREDUCE, MAKER_ALLREDUCE, allreduce);
    all(w, OTF2_COLLECTIVE_OP_BARRIER, MAKER_BARRIER, barrier);

    gather.root = 1;
    gather.sent = 8;
    maker_collective(w[1], 1790, 1795, &gather);
    maker_collective(w[3], 1790, 1796, &gather);
    gather.root = SELF;
    gather.sent = 0;
    gather.received = 16;
    maker_collective(w[2], 1800, 1850, &gather);
    maker_send(w[2], 1860, 1870, MAKER_WORLD, 0, 1, 8);
    maker_recv(w[0], 1820, 1880, MAKER_WORLD, 2, 1, 8);
    gather.root = NOBODY;
    gather.received = 0;
    maker_collective(w[0], 1900, 1905, &gather);
    end(maker, w, 2000);
}

/*
 * Of the same groups, in each of which all need the other one:
 *
 *   barrier     0: 1000-2050  2: 2000-2060  1: 1005-2055  3: 1010-2045   0 had all of its own group
 *               but 2, and is left 50 behind that; 3 takes 45 since all had come for it
 *               barrier 0: 10, by 3; 1: 995, 3: 990, by 2       for the last 0: 990, by 2
 *   allreduce   0: 3000-4200  2: 4000-4210  1: 3005-4205  3: 3010-4200   200 behind, which is more
 *               than a tenth                    NxN 0: 10, by 3; 1: 995, 3: 990, by 2
 *   allreduce   0: 5000-5020  2: 6000-6010  1: 5005-6015  3: 5010-6012   it is let go before
 *                                               NxN 0: 10, by 3; 1: 995, 3: 990, by 2
 */
void make_waits_own_group(const char *directory)
{
    static const struct row barrier[RANKS] = { { 1000, 2050, NONE, 0, 0 },
                                               { 1005, 2055, NONE, 0, 0 },
                                               { 2000, 2060, NONE, 0, 0 },
                                               { 1010, 2045, NONE, 0, 0 } };
    static const struct row late[RANKS] = { { 3000, 4200, NONE, 16, 16 },
                                            { 3005, 4205, NONE, 16, 16 },
                                            { 4000, 4210, NONE, 16, 16 },
                                            { 3010, 4200, NONE, 16, 16 } };
    static const struct row let_go[RANKS] = { { 5000, 5020, NONE, 16, 16 },
                                              { 5005, 6015, NONE, 16, 16 },
                                              { 6000, 6010, NONE, 16, 16 },
                                              { 5010, 6012, NONE, 16, 16 } };
    OTF2_EvtWriter *w[RANKS];
    struct maker *maker = begin(directory, w);

    all(w, OTF2_COLLECTIVE_OP_BARRIER, MAKER_BARRIER, barrier);
    all(w, OTF2_COLLECTIVE_OP_ALLREDUCE, MAKER_ALLREDUCE, late);
    all(w, OTF2_COLLECTIVE_OP_ALLREDUCE, MAKER_ALLREDUCE, let_go);
    end(maker, w, 7000);
}
