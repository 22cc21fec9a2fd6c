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

/* What rank has to do with a broadcast of eight bytes with root 0, or with a reduction. */
static struct maker_part part_with_root(bool is_bcast, uint32_t rank)
{
    static const uint32_t roots[RANKS] = { SELF, 0, NOBODY, 0 };
    const uint64_t bytes = roots[rank] == SELF ? 16 : roots[rank] == NOBODY ? 0 : 8;
    const bool gives = is_bcast == (roots[rank] == SELF);

    return (struct maker_part){ .operation = is_bcast ? OTF2_COLLECTIVE_OP_BCAST
                                                      : OTF2_COLLECTIVE_OP_REDUCE,
                                .region = is_bcast ? MAKER_BCAST : MAKER_REDUCE,
                                .comm = BRIDGE,
                                .root = roots[rank],
                                .sent = gives ? bytes : 0,
                                .received = gives ? 0 : bytes };
}

static struct maker_part part_of_all(void)
{
    return (struct maker_part){ .operation = OTF2_COLLECTIVE_OP_ALLREDUCE,
                                .region = MAKER_ALLREDUCE,
                                .comm = BRIDGE,
                                .root = NONE,
                                .sent = 16,
                                .received = 16 };
}

/*
 * Of the same groups, with root 0, in whose group 2 has no part:
 *
 *   broadcast   0: 1000-1010    1: 1005-2050    3: 2000-2045    2: 1000-1001   1 is left 50 behind
 *               3's coming, of its own group                    for the last 1: 995, by 3
 *   broadcast   0: 3000-4040    1: 3005-3015    3: 4000-4010    2: 3000-3001   the root is left 40
 *               behind it                                       for the last 0: 1000, by 3
 *   broadcast   0: 5000-5010    1: 5005-6200    3: 6000-6010    2: 5000-5001   200 behind: more
 *               than a tenth
 *   broadcast   0: 7000-8010    1: 7005-7015    3: 7006-7020    2: 8000-8005   10 behind 2, which
 *               has no part
 *   reduction   0: 10000-10010  1: 9000-10030   3: 9005-9010    2: 9000-9001   1, which gives, is
 *               left 30 behind the root's coming                for the last 1: 1000, by 0
 *   reduction   0: 11000-12020  1: 11005-12040  3: 12000-12010  2: 11000-11001 the root needs both,
 *               1 is left 40 behind 3's coming                  early reduce 0: 5, by 1
 *                                                               for the last 0: 995, 1: 995, by 3
 *
 * These do not block: begun, waited for from … to:
 *
 *   allreduce   0: 13000, 13005-14030  1: 13000, 13010-14012  3: 13000, 13020-14020
 *               2: 14000, 14010-14015  0 needs 1 and 3, and is left 30 behind 2's beginning
 *                                      NxN 1: 990, 3: 980; for the last 0: 995, by 2
 *   broadcast   0: 14100, 14105-14620  1: 14100, 14110-14120  3: 14600, 14605-14608
 *               2: 14100, 14101-14102  the root is left 20 behind 3's beginning
 *                                      for the last 0: 495, by 3
 */
void make_waits_rooted_groups(const char *directory)
{
    static const uint64_t times[][RANKS][2] = {
        { { 1000, 1010 }, { 1005, 2050 }, { 1000, 1001 }, { 2000, 2045 } },
        { { 3000, 4040 }, { 3005, 3015 }, { 3000, 3001 }, { 4000, 4010 } },
        { { 5000, 5010 }, { 5005, 6200 }, { 5000, 5001 }, { 6000, 6010 } },
        { { 7000, 8010 }, { 7005, 7015 }, { 8000, 8005 }, { 7006, 7020 } },
        { { 10000, 10010 }, { 9000, 10030 }, { 9000, 9001 }, { 9005, 9010 } }, /* reductions */
        { { 11000, 12020 }, { 11005, 12040 }, { 11000, 11001 }, { 12000, 12010 } },
    };
    static const uint64_t begun[][RANKS][3] = {
        { { 13000, 13005, 14030 },
          { 13000, 13010, 14012 },
          { 14000, 14010, 14015 },
          { 13000, 13020, 14020 } },
        { { 14100, 14105, 14620 },
          { 14100, 14110, 14120 },
          { 14100, 14101, 14102 },
          { 14600, 14605, 14608 } },
    };
    OTF2_EvtWriter *w[RANKS];
    struct maker *maker = begin(directory, w);

    for (uint32_t i = 0; i < RANKS; i++) {
        for (size_t each = 0; each < sizeof times / sizeof *times; each++) {
            const struct maker_part part = part_with_root(each < 4, i);

            maker_collective(w[i], times[each][i][0], times[each][i][1], &part);
        }
        for (uint32_t each = 0; each < 2; each++) {
            const struct maker_part part = each == 0 ? part_of_all() : part_with_root(true, i);

            maker_icollective(w[i], begun[each][i][0], MAKER_IALLREDUCE, each);
            maker_wait_collective(w[i], begun[each][i][1], begun[each][i][2], &part, each);
        }
    }
    end(maker, w, 15000);
}
