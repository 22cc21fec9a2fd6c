#include "test/data/archives_neighbors.h"

#include "test/data/maker.h"

#define RANKS 3u

/* Whom each rank gets something from. */
static const uint64_t just_0[] = { 0 };
static const uint64_t just_1[] = { 1 };
static const uint64_t ends[] = { 0, 2 };

struct line {
    struct maker *maker;
    OTF2_EvtWriter *w[RANKS];
    uint32_t from_0, from_1, from_ends, from_none;
};

static struct line begin(const char *directory)
{
    struct line line = { .maker = maker_create(directory, RANKS, 1) };

    line.from_0 = maker_group(line.maker, 1, just_0);
    line.from_1 = maker_group(line.maker, 1, just_1);
    line.from_ends = maker_group(line.maker, 2, ends);
    line.from_none = maker_group(line.maker, 0, just_0);
    for (uint32_t i = 0; i < RANKS; i++) {
        line.w[i] = maker_writer(line.maker, i, 0);
        maker_init(line.w[i]);
    }
    return line;
}

static void finish(struct line *line, uint64_t time)
{
    for (uint32_t i = 0; i < RANKS; i++) {
        maker_finalize(line->w[i], time);
    }
    maker_finish(line->maker);
}

/* A blocking operation; rows are enter, leave. */
static void blocking(struct line *line, struct maker_part part, const uint64_t rows[RANKS][2],
                     const uint32_t neighbors[RANKS])
{
    for (uint32_t i = 0; i < RANKS; i++) {
        part.neighbors = neighbors[i];
        part.sent = part.received = neighbors[i] == line->from_none ? 0 : 8;
        maker_collective(line->w[i], rows[i][0], rows[i][1], &part);
    }
}

/* One that begins in part's region, with an MPI_Wait; rows are begin, enter of it, leave. */
static void waited_for(struct line *line, struct maker_part part, const uint64_t rows[RANKS][3],
                       const uint32_t neighbors[RANKS], const uint32_t sources[RANKS])
{
    part.sent = part.received = 8;
    for (uint32_t i = 0; i < RANKS; i++) {
        part.neighbors = neighbors ? neighbors[i] : 0;
        part.sources = sources ? sources[i] : 0;
        maker_icollective(line->w[i], rows[i][0], part.region, 1);
        maker_wait_collective(line->w[i], rows[i][1], rows[i][2], &part, 1);
    }
}

/*
 * Ranks 0, 1 and 2 in a line: 0 and 2 have neighbour 1, which has both. Enter and leave, or
 * begin and the MPI_Wait:
 *
 *   blocking     0: 200-420        1: 400-900         2: 850-900
 *                0 waits 200 for 1, and 1 450 for 2
 *   Ineighbor    0: 1000 1050-1110 1: 1100 1200-1450  2: 1400 1410-1420
 *                0 waits 50 for 1, and 1 200 for 2
 *   MPI_Start    0: 1500 1550-1560 1: 1510 1600-1720  2: 1700 1710-1720
 *                1 waits 100 for 2; an Alltoall of all, begun before it, is not mixed up with it
 *   blocking, 2 sends 1 nothing
 *                0: 1800-1830      1: 1810-2000       2: 1990-2000
 *                0 waits 10 for 1
 *   blocking, data goes from 0 to 1 and from 1 to 2 only
 *                0: 2300-2310      1: 2100-2320       2: 2200-2210
 *                1 waits 200 for 0
 *   blocking, neighbours not known
 *                0: 2400-2500      1: 2450-2500       2: 2490-2500
 *                counted and left out
 *
 * The Alltoall: 0: 1470 1480-1490  1: 1471 1480-1490  2: 1472 1480-1490, nobody waits.
 *
 * 0: 260, by 0 200; 1: 950, by 1 260; 2: 0, by 2 750. Seven waits.
 */
void make_waits_neighbors(const char *directory)
{
    static const struct maker_part part = { .operation = OTF2_COLLECTIVE_OP_ALLTOALL,
                                            .region = MAKER_NEIGHBOR,
                                            .root = OTF2_UNDEFINED_UINT32 };
    static const uint64_t first[RANKS][2] = { { 200, 420 }, { 400, 900 }, { 850, 900 } };
    static const uint64_t second[RANKS][3] = { { 1000, 1050, 1110 },
                                               { 1100, 1200, 1450 },
                                               { 1400, 1410, 1420 } };
    static const uint64_t all[RANKS][3] = { { 1470, 1480, 1490 },
                                            { 1471, 1480, 1490 },
                                            { 1472, 1480, 1490 } };
    static const uint64_t third[RANKS][3] = { { 1500, 1550, 1560 },
                                              { 1510, 1600, 1720 },
                                              { 1700, 1710, 1720 } };
    static const uint64_t fourth[RANKS][2] = { { 1800, 1830 }, { 1810, 2000 }, { 1990, 2000 } };
    static const uint64_t fifth[RANKS][2] = { { 2300, 2310 }, { 2100, 2320 }, { 2200, 2210 } };
    static const uint64_t sixth[RANKS][2] = { { 2400, 2500 }, { 2450, 2500 }, { 2490, 2500 } };
    static const uint32_t unknown[RANKS] = { MAKER_UNKNOWN, MAKER_UNKNOWN, MAKER_UNKNOWN };
    struct line line = begin(directory);
    const uint32_t both[RANKS] = { line.from_1, line.from_ends, line.from_1 };
    const uint32_t without_2[RANKS] = { line.from_1, line.from_0, line.from_1 };
    const uint32_t upwards[RANKS] = { line.from_none, line.from_0, line.from_1 };
    struct maker_part other = part;

    blocking(&line, part, first, both);
    other.region = MAKER_INEIGHBOR;
    waited_for(&line, other, second, both, NULL);
    other.region = MAKER_IALLTOALLV;
    waited_for(&line, other, all, NULL, NULL);
    other.region = MAKER_START;
    waited_for(&line, other, third, both, NULL);
    blocking(&line, part, fourth, without_2);
    blocking(&line, part, fifth, upwards);
    blocking(&line, part, sixth, unknown);
    finish(&line, 5000);
}

/*
 * MPI_Alltoallv among three ranks, of which 0 and 2 give each other nothing:
 *
 *   blocking     0: 200-420        1: 400-700         2: 690-700
 *                0 waits 200 for 1, and 1 290 for 2; completion: 10 of 1, 10 of 2
 *   Ialltoallv   0: 800 850-1010   1: 1000 1050-1210  2: 1200 1205-1210
 *                0 waits 150 for 1, and 1 150 for 2
 *   blocking, as other tools tell it: as if everybody gave to everybody
 *                0: 1300-1500      1: 1400-1500       2: 1490-1500
 *                0 waits 190 and 1 90 for 2
 *
 * 0: 540; 1: 530, by 1 350; by 2 720. Six waits.
 */
void make_waits_alltoallv(const char *directory)
{
    static const uint64_t first[RANKS][2] = { { 200, 420 }, { 400, 700 }, { 690, 700 } };
    static const uint64_t second[RANKS][3] = { { 800, 850, 1010 },
                                               { 1000, 1050, 1210 },
                                               { 1200, 1205, 1210 } };
    static const uint64_t third[RANKS][2] = { { 1300, 1500 }, { 1400, 1500 }, { 1490, 1500 } };
    struct line line = begin(directory);
    const uint32_t sources[RANKS] = { line.from_1, 0, line.from_1 };
    struct maker_part part = { .operation = OTF2_COLLECTIVE_OP_ALLTOALLV,
                               .region = MAKER_ALLTOALLV,
                               .root = OTF2_UNDEFINED_UINT32,
                               .sent = 8,
                               .received = 8 };
    struct maker_part other = part;

    for (uint32_t i = 0; i < RANKS; i++) {
        part.sources = sources[i];
        maker_collective(line.w[i], first[i][0], first[i][1], &part);
    }
    other.region = MAKER_IALLTOALLV;
    waited_for(&line, other, second, NULL, sources);
    for (uint32_t i = 0; i < RANKS; i++) {
        maker_collective(line.w[i], third[i][0], third[i][1], &other);
    }
    finish(&line, 5000);
}

/*
 * The line of make_waits_neighbors in one exchange, 0: 200-450, 1: 400-750, 2: 700-760, and then
 * an Alltoallv, 0: 800-1050, 1: 1000-1250, 2: 1020-1400, in which 0 and 2 give each other nothing.
 *
 *            useful                     clock on an ideal network
 *   rank 0   100, 350, 450     = 900    exchange 100: 300;  Alltoallv 650: 850;  end 1300
 *   rank 1   300, 250, 250     = 800    exchange 300: 600;  Alltoallv 850: 860;  end 1110
 *   rank 2   600, 260, 100     = 960    exchange 600: 600;  Alltoallv 860: 860;  end 960
 *
 * T = 1400, T_ideal = 1300; 1400 if all waited for all in the exchange, 1310 if they did in the
 * Alltoallv. The critical path, of 0: 2 until 700; 1's exchange until 750, and 250; 0's Alltoallv
 * from 1000 on, and 450.
 */
void make_halo(const char *directory)
{
    static const uint64_t first[RANKS][2] = { { 200, 450 }, { 400, 750 }, { 700, 760 } };
    static const uint64_t second[RANKS][2] = { { 800, 1050 }, { 1000, 1250 }, { 1020, 1400 } };
    struct line line = begin(directory);
    const uint32_t both[RANKS] = { line.from_1, line.from_ends, line.from_1 };
    const uint32_t sources[RANKS] = { line.from_1, 0, line.from_1 };
    const struct maker_part exchange = { .operation = OTF2_COLLECTIVE_OP_ALLTOALL,
                                         .region = MAKER_NEIGHBOR,
                                         .root = OTF2_UNDEFINED_UINT32 };
    struct maker_part part = { .operation = OTF2_COLLECTIVE_OP_ALLTOALLV,
                               .region = MAKER_ALLTOALLV,
                               .root = OTF2_UNDEFINED_UINT32,
                               .sent = 8,
                               .received = 8 };

    blocking(&line, exchange, first, both);
    for (uint32_t i = 0; i < RANKS; i++) {
        part.sources = sources[i];
        maker_collective(line.w[i], second[i][0], second[i][1], &part);
    }
    finish(&line, 1500);
}

/* On a communicator of 2 and 0, both take something from 1, which is not in it: nobody waits. */
void make_outside(const char *directory)
{
    static const uint64_t half[] = { 2, 0 };
    struct line line = { .maker = maker_create(directory, RANKS, 1) };
    struct maker_part part = { .operation = OTF2_COLLECTIVE_OP_ALLTOALLV,
                               .region = MAKER_ALLTOALLV,
                               .comm = 2,
                               .root = OTF2_UNDEFINED_UINT32,
                               .sent = 8,
                               .received = 8 };

    maker_comm(line.maker, "half", MAKER_WORLD, 2, half);
    part.sources = maker_group(line.maker, 1, just_1);
    for (uint32_t i = 0; i < RANKS; i++) {
        line.w[i] = maker_writer(line.maker, i, 0);
        maker_init(line.w[i]);
    }
    maker_collective(line.w[0], 200, 300, &part);
    maker_collective(line.w[2], 250, 300, &part);
    finish(&line, 1000);
}
