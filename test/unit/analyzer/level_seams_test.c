#include "analyzer/analysis/counters/level_seams.h"

#include <criterion/criterion.h>

#include "analyzer/analysis/counters/level_marks.h"

/* Two ranks that enter the calls behind their lull at 100 and at 130, with main threads only. */
static struct mwa_location locations[2] = { { .rank = 0, .master = true },
                                            { .rank = 1, .master = true } };
static struct mwa_rank ranks[2] = { { .locations = 1, .master = 0 },
                                    { .locations = 1, .master = 1 } };
static const struct mwa_trace trace = { .locations = locations,
                                        .location_count = 2,
                                        .ranks = ranks,
                                        .rank_count = 2 };
static struct mwa_location_start places[2] = { { .is_there = true, .first.enter = 100 },
                                               { .is_there = true, .first.enter = 130 } };
static const struct mwa_reading_start lull = { .is_lull = true,
                                               .locations = places,
                                               .location_count = 2 };
static const struct mwa_level_options options = { .to = UINT64_MAX };

struct chapter {
    struct mwa_level_marks marks;
    struct mwa_level_seams seams;
};

static void begin(struct chapter *chapter, const struct mwa_reading_start *start,
                  const struct mwa_reading_start *next)
{
    mwa_level_marks_init(&chapter->marks, &trace, &options);
    mwa_level_seams_init(&chapter->seams, &trace, start, next);
}

static void end(struct chapter *chapter)
{
    mwa_level_marks_fini(&chapter->marks);
    mwa_level_seams_fini(&chapter->seams);
}

/* A level of a rank changes, as told by its event. */
static void change(struct chapter *chapter, uint32_t rank, uint64_t time, double by)
{
    const struct mwa_level_change change = {
        .time = time,
        .order = (uint64_t)rank << MWA_MESSAGE_RANK_BITS,
        .by = by,
        .series = mwa_level_marks_series(&chapter->marks, MWA_LEVEL_REQUESTS, rank, MWA_NONE),
        .call = MWA_NONE
    };

    cr_assert_eq(mwa_level_seams_have(&chapter->seams, time)
                     ? mwa_level_seams_add(&chapter->seams, &change)
                     : mwa_level_marks_take(&chapter->marks, &change),
                 MW_OK);
}

/*
 * The first chapter has rank 1 up by 3 from 90 to 125, the second one rank 0 up by 4 from 100 to
 * 140. At 100 to 125 the sum is 7, which neither of them sees. Rank 0 was up by 5 before, alone.
 */
Test(level_seams, sums_over_a_lull_are_those_of_the_run)
{
    const uint64_t sent[2] = { 0 };
    struct chapter earlier, later;
    uint32_t rank;

    begin(&earlier, NULL, &lull);
    begin(&later, &lull, NULL);
    change(&earlier, 0, 20, 5);
    change(&earlier, 0, 30, -5);
    change(&earlier, 1, 90, 3);
    change(&earlier, 1, 125, -3);
    cr_expect_eq(earlier.seams.count, 1, "what comes from 100 on");
    change(&later, 0, 100, 4);
    change(&later, 0, 140, -4);
    change(&later, 1, 131, 1);
    change(&later, 1, 150, -1);
    cr_expect_eq(later.seams.count, 1, "what comes up to 130");
    cr_assert_eq(mwa_level_seams_go_on(&earlier.seams, &earlier.marks, &later.seams, &later.marks,
                                       sent),
                 MW_OK);
    cr_assert_eq(earlier.seams.count, 0);
    cr_assert_eq(earlier.marks.sum_count, 1);
    cr_expect_eq(earlier.marks.sums[0].peak, 7);
    cr_expect_eq(earlier.marks.sums[0].peak_time, 100);
    rank = mwa_level_marks_series(&earlier.marks, MWA_LEVEL_REQUESTS, 0, MWA_NONE);
    cr_expect_eq(earlier.marks.series[rank].high.value, 5);
    cr_expect_eq(earlier.marks.series[rank].value, 0);
    rank = mwa_level_marks_series(&earlier.marks, MWA_LEVEL_REQUESTS, 1, MWA_NONE);
    cr_expect_eq(earlier.marks.series[rank].high.value, 3);
    end(&earlier);
    end(&later);
}

/* A chapter that is all within what its lulls overlap: its changes wait for those of the next. */
Test(level_seams, changes_wait_for_all_chapters_that_may_have_earlier_ones)
{
    static struct mwa_location_start next_places[2] = { { .is_there = true, .first.enter = 120 },
                                                        { .is_there = true, .first.enter = 160 } };
    static const struct mwa_reading_start next = { .is_lull = true,
                                                   .locations = next_places,
                                                   .location_count = 2 };
    const uint64_t sent[2] = { 0 };
    struct chapter first, second, third;

    begin(&first, NULL, &lull);
    begin(&second, &lull, &next);
    begin(&third, &next, NULL);
    change(&first, 1, 128, 2);
    change(&second, 0, 119, 1);
    change(&second, 1, 155, -2);
    cr_expect_eq(second.seams.count, 2);
    change(&third, 0, 121, -1);
    change(&third, 0, 129, 6);
    cr_expect_eq(third.seams.count, 2);
    cr_assert_eq(mwa_level_seams_go_on(&first.seams, &first.marks, &second.seams, &second.marks,
                                       sent),
                 MW_OK);
    cr_expect_eq(first.seams.count, 2, "128 and 155, before which the third may have some");
    cr_assert_eq(mwa_level_seams_go_on(&first.seams, &first.marks, &third.seams, &third.marks,
                                       sent),
                 MW_OK);
    cr_expect_eq(first.marks.sums[0].peak, 8, "rank 1's 2 and rank 0's 6, from 129 on");
    cr_expect_eq(first.marks.sums[0].peak_time, 129);
    end(&first);
    end(&second);
    end(&third);
}

Test(level_seams, more_than_may_be_are_not_kept)
{
    struct chapter chapter;

    begin(&chapter, &lull, NULL);
    for (uint64_t i = 0; i < MWA_LEVEL_SEAM_MOST; i++) {
        change(&chapter, 0, 100, 1);
    }
    cr_expect_not(chapter.seams.are_many);
    change(&chapter, 0, 100, 1);
    cr_expect(chapter.seams.are_many);
    cr_expect_eq(chapter.seams.count, MWA_LEVEL_SEAM_MOST);
    end(&chapter);
}

Test(level_seams, travels_and_is_looked_at_where_it_comes)
{
    struct mwa_level_seams taken = { 0 };
    struct mw_buffer packed = { 0 };
    struct chapter chapter;
    struct mw_cursor from;

    begin(&chapter, &lull, NULL);
    change(&chapter, 1, 110, 1);
    mwa_level_seams_pack(&chapter.seams, &packed);
    from = (struct mw_cursor){ packed.data, packed.bytes };
    cr_assert_eq(mwa_level_seams_unpack(&taken, &chapter.marks, &from), MW_OK);
    cr_expect_eq(taken.count, 1);
    cr_expect_eq(taken.list[0].time, 110);
    cr_expect_eq(taken.end, UINT64_MAX);
    mwa_level_seams_fini(&taken);
    mw_buffer_fini(&packed);

    chapter.seams.list[0].series = 1; /* there is one */
    mwa_level_seams_pack(&chapter.seams, &packed);
    from = (struct mw_cursor){ packed.data, packed.bytes };
    cr_expect_eq(mwa_level_seams_unpack(&taken, &chapter.marks, &from), MW_ERROR_FORMAT);
    mwa_level_seams_fini(&taken);
    mw_buffer_fini(&packed);

    chapter.seams.list[0].series = 0;
    chapter.seams.list[0].order = UINT64_C(1) << 63 | UINT64_C(2) << MWA_MESSAGE_RANK_BITS;
    mwa_level_seams_pack(&chapter.seams, &packed);
    from = (struct mw_cursor){ packed.data, packed.bytes };
    cr_expect_eq(mwa_level_seams_unpack(&taken, &chapter.marks, &from), MW_ERROR_FORMAT,
                 "a message of a rank that there is not");
    mwa_level_seams_fini(&taken);
    mw_buffer_fini(&packed);
    end(&chapter);
}
