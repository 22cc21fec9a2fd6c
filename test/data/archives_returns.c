/* Whom who gives waits for is to be seen in the rows of operations of others, and whom who gets
 * does in when they come to the same. */
#include "test/data/archives_returns.h"

#include "test/data/maker.h"

#define RANKS 3u

/* What ranks do in region, each from … to, of eight bytes with root 0. */
static void all_do(OTF2_EvtWriter **writers, uint32_t region, const uint64_t times[RANKS][2])
{
    const bool is_bcast = region == MAKER_BCAST;

    for (uint32_t i = 0; i < RANKS; i++) {
        const uint64_t bytes = i == 0 ? 8 * (RANKS - 1) : 8;
        const bool gives = is_bcast == (i == 0);

        maker_collective(writers[i], times[i][0], times[i][1],
                         &(struct maker_part){ .operation = is_bcast ? OTF2_COLLECTIVE_OP_BCAST
                                                                     : OTF2_COLLECTIVE_OP_REDUCE,
                                               .region = region,
                                               .root = 0,
                                               .sent = gives ? bytes : 0,
                                               .received = gives ? 0 : bytes });
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
        all_do(w, MAKER_BCAST, broadcasts[i]);
    }
    for (size_t i = 0; i < reduction_count; i++) {
        all_do(w, MAKER_REDUCE, reductions[i]);
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
