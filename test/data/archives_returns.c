/* Whom who gives waits for is to be seen in the rows of operations of others, and whom who gets
 * does, or is in a scan, in when they come to the same. */
#include "test/data/archives_returns.h"

#include "test/data/maker.h"

#define RANKS 3u

/* What rank has to do with a broadcast of eight bytes with root 0, or with a reduction. */
static struct maker_part part_of(bool is_bcast, uint32_t rank)
{
    const uint64_t bytes = rank == 0 ? 8 * (RANKS - 1) : 8;
    const bool gives = is_bcast == (rank == 0);

    return (struct maker_part){ .operation = is_bcast ? OTF2_COLLECTIVE_OP_BCAST
                                                      : OTF2_COLLECTIVE_OP_REDUCE,
                                .region = is_bcast ? MAKER_BCAST : MAKER_REDUCE,
                                .root = 0,
                                .sent = gives ? bytes : 0,
                                .received = gives ? 0 : bytes };
}

/* What each rank has to do with a scan of eight bytes. */
static struct maker_part part_of_scan(void)
{
    return (struct maker_part){ .operation = OTF2_COLLECTIVE_OP_SCAN,
                                .region = MAKER_SCAN,
                                .root = OTF2_UNDEFINED_UINT32,
                                .sent = 8,
                                .received = 8 };
}

/* What ranks do, each from … to. */
static void all_do(OTF2_EvtWriter **writers, bool is_bcast, const uint64_t times[RANKS][2])
{
    for (uint32_t i = 0; i < RANKS; i++) {
        const struct maker_part part = part_of(is_bcast, i);

        maker_collective(writers[i], times[i][0], times[i][1], &part);
    }
}

/* An archive of so many broadcasts, and reductions behind them. */
static void make(const char *directory, const uint64_t broadcasts[][RANKS][2], size_t count,
                 const uint64_t reductions[][RANKS][2], size_t reduction_count)
{
    OTF2_EvtWriter *w[RANKS];
    struct maker *maker = maker_create(directory, RANKS, 1);

    for (uint32_t i = 0; i < RANKS; i++) {
        w[i] = maker_writer(maker, i, 0);
        maker_init(w[i]);
    }
    for (size_t i = 0; i < count; i++) {
        all_do(w, true, broadcasts[i]);
    }
    for (size_t i = 0; i < reduction_count; i++) {
        all_do(w, false, reductions[i]);
    }
    for (uint32_t i = 0; i < RANKS; i++) {
        maker_finalize(w[i], 10000);
    }
    maker_finish(maker);
}

/*
 * Rows of operations with root 0, each of which somebody leaves before the last has come, so that
 * nobody is kept by that:
 *
 *   broadcasts  0: 1000-1010 1020-1030 1040-2050  is left 50 behind 1's coming to the first at
 *               1: 2000-2010 2015-2020 2060-2070  2000, for which it has waited since 1040; for 2
 *               2: 1005-1012 1022-1032 1045-1055  it did for 5     for the last    0: 960, by 1
 *   broadcasts  0: 3000-3010 3020-4300            300 behind that, which is more than a tenth
 *               1: 4000-4010 4020-4030
 *               2: 3005-3015 3025-3035
 *   broadcasts  0: 5000-5010 5020-6070            70 behind 1, for which it waited 980, a tenth;
 *               1: 6000-6010 6075-6080            but 2 came then, too: less than a twentieth is
 *               2: 5950-5960 5965-5970            needed
 *   reductions  0: 8000-8010 8050-8060            1, which gives, is left 30 behind the root's
 *               1: 7000-7010 7020-8030            coming to the first       1: 980, by 0
 *               2: 7005-7015 8040-8045
 */
void make_waits_for_return(const char *directory)
{
    static const uint64_t held[][RANKS][2] = {
        { { 1000, 1010 }, { 2000, 2010 }, { 1005, 1012 } },
        { { 1020, 1030 }, { 2015, 2020 }, { 1022, 1032 } },
        { { 1040, 2050 }, { 2060, 2070 }, { 1045, 1055 } },
        { { 3000, 3010 }, { 4000, 4010 }, { 3005, 3015 } }, /* late */
        { { 3020, 4300 }, { 4020, 4030 }, { 3025, 3035 } },
        { { 5000, 5010 }, { 6000, 6010 }, { 5950, 5960 } }, /* two */
        { { 5020, 6070 }, { 6075, 6080 }, { 5965, 5970 } },
    };
    static const uint64_t given[][RANKS][2] = {
        { { 8000, 8010 }, { 7000, 7010 }, { 7005, 7015 } },
        { { 8050, 8060 }, { 7020, 8030 }, { 8040, 8045 } },
    };
    make(directory, held, sizeof held / sizeof *held, given, sizeof given / sizeof *given);
}

/*
 * Operations with root 0, which some leave before the last has come. What is late at 2 comes by 1,
 * and what 1 gives is taken by 2:
 *
 *   broadcasts  0: 1000-1010   1: 2000-2010   2: 1005-2050   2 is left 50 behind 1's coming, for
 *                                             which it has waited since 1005  for the last 2: 995
 *               0: 3000-3010   1: 4000-4010   2: 3005-4200   200 behind that: more than a tenth
 *               0: 5500-5510   1: 6000-6010   2: 5000-6030   30 behind: a tenth of the time since
 *                                             the root came is 50
 *                                             late broadcast 2: 500     for the last 2: 500, by 1
 *   reductions  0: 7000-8008   1: 7005-7010   2: 8000-8005   the root needs both:
 *                                             early reduce   0: 5       for the last 0: 995, by 2
 *               0: 8040-8065   1: 7020-8030   2: 8045-8050   1 is left 30 behind 2's coming to the
 *                                             first          for the last 1: 980, 0: 5, by 2
 */
void make_waits_for_handing_on(const char *directory)
{
    static const uint64_t handed[][RANKS][2] = {
        { { 1000, 1010 }, { 2000, 2010 }, { 1005, 2050 } },
        { { 3000, 3010 }, { 4000, 4010 }, { 3005, 4200 } },
        { { 5500, 5510 }, { 6000, 6010 }, { 5000, 6030 } },
    };
    static const uint64_t given[][RANKS][2] = {
        { { 7000, 8008 }, { 7005, 7010 }, { 8000, 8005 } },
        { { 8040, 8065 }, { 7020, 8030 }, { 8045, 8050 } },
    };
    make(directory, handed, sizeof handed / sizeof *handed, given, sizeof given / sizeof *given);
}

/*
 * Scans, which some leave before the last has come. 1 may be held by 2, to which it gives:
 *
 *   0: 1000-1010   1: 1005-2050   2: 2000-2060   1 is left 50 behind 2's coming, for which it has
 *                                                waited since 1005        for the last 1: 995
 *   0: 3000-3010   1: 3005-4200   2: 4000-4210   200 behind that: more than a tenth
 *   0: 5500-5510   1: 5000-6030   2: 6000-6040   30 behind: a tenth of the time since 0 came is 50
 *                                   early scan 1: 500, by 0    for the last 1: 500, by 2
 *   0: 7000-7010   1: 8000-8005   2: 7005-8010   it needs 1      early scan 2: 995
 *   0: 8900-9070   1: 9000-9086   2: 9080-9200   6 behind 2's coming, for which it would have
 *                                                waited 80: it was through in 86, nobody in less
 */
void make_waits_for_taking(const char *directory)
{
    static const uint64_t scans[][RANKS][2] = {
        { { 1000, 1010 }, { 1005, 2050 }, { 2000, 2060 } },
        { { 3000, 3010 }, { 3005, 4200 }, { 4000, 4210 } },
        { { 5500, 5510 }, { 5000, 6030 }, { 6000, 6040 } },
        { { 7000, 7010 }, { 8000, 8005 }, { 7005, 8010 } },
        { { 8900, 9070 }, { 9000, 9086 }, { 9080, 9200 } },
    };
    struct maker *maker = maker_create(directory, RANKS, 1);

    for (uint32_t i = 0; i < RANKS; i++) {
        OTF2_EvtWriter *writer = maker_writer(maker, i, 0);
        const struct maker_part part = part_of_scan();

        maker_init(writer);
        for (size_t each = 0; each < sizeof scans / sizeof *scans; each++) {
            maker_collective(writer, scans[each][i][0], scans[each][i][1], &part);
        }
        maker_finalize(writer, 10000);
    }
    maker_finish(maker);
}

/* An archive of so many operations that do not block, begun, and waited for from … to: broadcasts
 * and reductions with root 0, and then scans. */
static void make_begun(const char *directory, const uint64_t times[][RANKS][3], uint32_t broadcasts,
                       uint32_t reductions, uint32_t scans)
{
    const uint32_t rooted = broadcasts + reductions;
    struct maker *maker = maker_create(directory, RANKS, 1);

    for (uint32_t i = 0; i < RANKS; i++) {
        OTF2_EvtWriter *writer = maker_writer(maker, i, 0);

        maker_init(writer);
        for (uint32_t each = 0; each < rooted + scans; each++) {
            const struct maker_part part = each < rooted ? part_of(each < broadcasts, i)
                                                         : part_of_scan();

            maker_icollective(writer, times[each][i][0], MAKER_IALLREDUCE, each);
            maker_wait_collective(writer, times[each][i][1], times[each][i][2], &part, each);
        }
        maker_finalize(writer, 10000);
    }
    maker_finish(maker);
}

/*
 * Broadcasts and a reduction with root 0 that do not block: begun, waited for from … to.
 *
 *   broadcasts  0: 1000, 1010-1430 1: 1000, 1400-1405 2: 1000, 1005-1020  the root is left 30
 *               behind 1's coming to complete it, for which it has waited since 1010
 *                                                             progress of all   0: 390, by 1
 *               0: 2000, 2010-2500 1: 2000, 2400-2405 2: 2000, 2005-2008  100 behind: more than a
 *                                                             tenth
 *               0: 3000, 3010-3420 1: 3390, 3400-3405 2: 3000, 3005-3008  30 behind 1's beginning
 *               it: a tenth of 380 is 38                      for the last      0: 380, by 1
 *               0: 4000, 4010-4430 1: 4000, 4400-4405 2: 4000, 4380-4385  30 behind 1, but 2 came
 *                                                             then, too: 19 are needed
 *   reduction   0: 5000, 5400-5405 1: 5000, 5010-5430 2: 5000, 5005-5008  who gives waits for who
 *                                                             gets it   1: 390, by 0
 */
void make_waits_for_completion(const char *directory)
{
    static const uint64_t times[][RANKS][3] = {
        { { 1000, 1010, 1430 }, { 1000, 1400, 1405 }, { 1000, 1005, 1020 } },
        { { 2000, 2010, 2500 }, { 2000, 2400, 2405 }, { 2000, 2005, 2008 } },
        { { 3000, 3010, 3420 }, { 3390, 3400, 3405 }, { 3000, 3005, 3008 } },
        { { 4000, 4010, 4430 }, { 4000, 4400, 4405 }, { 4000, 4380, 4385 } },
        { { 5000, 5400, 5405 }, { 5000, 5010, 5430 }, { 5000, 5005, 5008 } },
    };
    make_begun(directory, times, 4, 1, 0);
}

/*
 * The same, where another begins when the call that completes the part has been entered:
 *
 *   broadcasts  0: 1000, 1010-2030  1: 2000, 2010-2015  2: 1000, 1005-1020  the root is left 30
 *               behind 1's beginning, for which it has waited since 1010
 *                                                             for the last  0: 990, by 1
 *               0: 3000, 3010-4200  1: 4000, 4010-4015  2: 3000, 3005-3020  200 behind: more than a
 *                                                                           tenth
 *               0: 5000, 5005-5010  1: 6000, 6005-6010  2: 5000, 5008-6040  what 1 hands on
 *                                                             for the last  2: 992, by 1
 *   reduction   0: 8000, 8010-8015  1: 7000, 7010-8030  2: 7000, 7005-7008  1 is left 30 behind the
 *               root's beginning                              for the last  1: 990, by 0
 *   scans       0: 8500, 8505-8510  1: 8500, 8510-9230  2: 9200, 9205-9210  1 is left 30 behind 2's
 *               beginning, to which it gives                  for the last  1: 690, by 2
 *               0: 9300, 9305-9310  1: 9300, 9310-9500  2: 9400, 9405-9410  100 behind
 */
void make_waits_for_beginning(const char *directory)
{
    static const uint64_t times[][RANKS][3] = {
        { { 1000, 1010, 2030 }, { 2000, 2010, 2015 }, { 1000, 1005, 1020 } },
        { { 3000, 3010, 4200 }, { 4000, 4010, 4015 }, { 3000, 3005, 3020 } },
        { { 5000, 5005, 5010 }, { 6000, 6005, 6010 }, { 5000, 5008, 6040 } },
        { { 8000, 8010, 8015 }, { 7000, 7010, 8030 }, { 7000, 7005, 7008 } },
        { { 8500, 8505, 8510 }, { 8500, 8510, 9230 }, { 9200, 9205, 9210 } },
        { { 9300, 9305, 9310 }, { 9300, 9310, 9500 }, { 9400, 9405, 9410 } },
    };

    make_begun(directory, times, 3, 1, 2);
}
