#include <criterion/criterion.h>
#include <stdlib.h>

#include "analyzer/analysis/counters/level_marks.h"
#include "analyzer/analysis/counters/level_packing.h"
#include "analyzer/analysis/counters/levels.h"
#include "formats/base/order.h"
#include "test/unit/analyzer/travel.h"

/*
 * Levels whose changes come in chapters have the same marks as those whose changes come at once,
 * also where changes of the same time are on both sides of a seam, and where those of a chapter
 * come from another process.
 */

#define RANKS    3u
#define CHANGES  60u
#define CHAPTERS 4u
#define COMMS    2u
#define SEEDS    4000u
#define TRIES    48u /* of other bytes than those that travel */

struct step {
    struct mwa_level_change change; /* but for its series: */
    enum mwa_level_kind kind;
    uint32_t rank, comm;
    uint32_t chapter;
};

static uint64_t state;

static uint64_t some(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

static bool is_of_messages(enum mwa_level_kind kind)
{
    return kind == MWA_LEVEL_FLIGHT || kind == MWA_LEVEL_UNEXPECTED;
}

/* A rank's own levels change in its events; those of messages in anybody's, or in messages. */
static void make_steps(struct step *steps)
{
    uint64_t time = 10, chapter = 0;

    for (uint32_t i = 0; i < CHANGES; i++) {
        struct step *step = &steps[i];
        uint64_t by;

        time += some(3) ? 0 : some(4);
        chapter += chapter + 1 < CHAPTERS && some(12) == 0;
        step->kind = (enum mwa_level_kind)some(MWA_LEVEL_KINDS);
        step->rank = (uint32_t)some(RANKS);
        step->comm = step->kind == MWA_LEVEL_REQUESTS || some(2) ? MWA_NONE : (uint32_t)some(COMMS);
        step->chapter = (uint32_t)chapter;
        by = is_of_messages(step->kind) ? some(RANKS) | some(2) << 23 : step->rank;
        step->change = (struct mwa_level_change){ .time = time,
                                                  .order = by << MWA_MESSAGE_RANK_BITS | i,
                                                  .by = (double)some(7) - 3,
                                                  .call = i };
    }
}

static int by_time(const void *one, const void *other)
{
    const struct step *a = one;
    const struct step *b = other;

    return mw_order(a->change.time, b->change.time) ?: mw_order(a->change.order, b->change.order);
}

/* Takes the changes of a chapter in, in order; of all of them: MWA_NONE. */
static void feed(struct mwa_level_marks *marks, const struct step *sorted, uint32_t chapter)
{
    for (uint32_t i = 0; i < CHANGES; i++) {
        struct mwa_level_change change = sorted[i].change;

        if (chapter == MWA_NONE || sorted[i].chapter == chapter) {
            change.series = mwa_level_marks_series(marks, sorted[i].kind, sorted[i].rank,
                                                   sorted[i].comm);
            cr_assert_eq(mwa_level_marks_take(marks, &change), MW_OK);
        }
    }
}

/* Goes on with what is taken to marks like these. */
static enum mw_status take(void *user, struct mw_cursor *from)
{
    const struct mwa_level_marks *like = user;
    struct mwa_level_marks whole, taken;
    enum mw_status status;

    mwa_level_marks_init(&whole, like->trace, &like->options);
    mwa_level_marks_init(&taken, like->trace, &like->options);
    status = mwa_level_marks_unpack(&taken, from);
    if (status == MW_OK) {
        cr_expect_eq(mwa_level_marks_go_on(&whole, &taken), MW_OK);
    }
    mwa_level_marks_fini(&taken);
    mwa_level_marks_fini(&whole);
    return status;
}

/* Replaces marks by what another process gets of them. */
static void replace(struct mwa_level_marks *marks, bool with_others)
{
    struct mw_buffer packed = { 0 };
    struct mwa_level_marks taken;
    struct mw_cursor from;

    mwa_level_marks_pack(marks, &packed);
    cr_assert_not(packed.failed);
    if (with_others) {
        travel_try(&packed, TRIES, take, marks);
    }
    mwa_level_marks_init(&taken, marks->trace, &marks->options);
    from = (struct mw_cursor){ packed.data, packed.bytes };
    cr_assert_eq(mwa_level_marks_unpack(&taken, &from), MW_OK);
    mwa_level_marks_fini(marks);
    *marks = taken;
    mw_buffer_fini(&packed);
}

static void expect_same_mark(const struct mwa_mark *one, const struct mwa_mark *other)
{
    cr_expect_eq(one->value, other->value);
    cr_expect_eq(one->time, other->time);
    cr_expect_eq(one->call, other->call);
}

static void expect_same(const struct mwa_watermarks *one, const struct mwa_watermarks *other)
{
    cr_assert_eq(one->count, other->count);
    cr_assert_eq(one->sum_count, other->sum_count);
    for (uint64_t i = 0; i < one->count; i++) {
        cr_expect_str_eq(one->rows[i].track->name, other->rows[i].track->name);
        cr_expect_eq(one->rows[i].track->rank, other->rows[i].track->rank);
        expect_same_mark(&one->rows[i].high, &other->rows[i].high);
        expect_same_mark(&one->rows[i].low, &other->rows[i].low);
    }
    for (uint64_t i = 0; i < one->sum_count; i++) {
        cr_expect_eq(one->sums[i].peak_of_sum, other->sums[i].peak_of_sum);
        cr_expect_eq(one->sums[i].peak_time, other->sums[i].peak_time);
        cr_expect_eq(one->sums[i].sum_of_peaks, other->sums[i].sum_of_peaks);
    }
}

static void compare(const struct mwa_trace *trace, uint64_t seed)
{
    struct mwa_level_options options = { .to = UINT64_MAX };
    const struct mwa_matching_result matching = { .unmatched_sends = 0 };
    struct mwa_watermarks at_once = { .count = 0 }, in_chapters = { .count = 0 };
    struct mwa_level_marks whole, first, later;
    struct step steps[CHANGES];

    state = seed * 0x9e3779b97f4a7c15u + 1;
    make_steps(steps);
    options.from = seed % 2 ? 0 : 10 + some(30);
    options.to = seed % 3 ? UINT64_MAX : options.from + 10 + some(30);
    qsort(steps, CHANGES, sizeof *steps, by_time);
    mwa_level_marks_init(&whole, trace, &options);
    mwa_level_marks_init(&first, trace, &options);
    feed(&whole, steps, MWA_NONE);
    feed(&first, steps, 0);
    for (uint32_t i = 1; i < CHAPTERS; i++) {
        mwa_level_marks_init(&later, trace, &options);
        feed(&later, steps, i);
        replace(&later, seed % 50 == 0);
        cr_assert_eq(mwa_level_marks_go_on(&first, &later), MW_OK);
        mwa_level_marks_fini(&later);
    }
    cr_assert_eq(mwa_level_marks_append(&whole, &matching, &at_once), MW_OK);
    cr_assert_eq(mwa_level_marks_append(&first, &matching, &in_chapters), MW_OK);
    cr_expect(at_once.count > 0 || options.to < UINT64_MAX);
    expect_same(&at_once, &in_chapters);
    mwa_watermarks_fini(&at_once);
    mwa_watermarks_fini(&in_chapters);
    mwa_level_marks_fini(&whole);
    mwa_level_marks_fini(&first);
}

static struct mwa_region regions[CHANGES];
static struct mwa_comm comms[COMMS];

Test(level_chapters, marks_do_not_depend_on_where_a_run_is_cut)
{
    struct mwa_rank ranks[RANKS] = { { .locations = 1 } };
    const struct mwa_trace trace = { .regions = regions,
                                     .region_count = CHANGES,
                                     .comms = comms,
                                     .comm_count = COMMS,
                                     .ranks = ranks,
                                     .rank_count = RANKS };

    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        compare(&trace, seed);
    }
}

/* --- the analysis ----------------------------------------------------------------------------- */

/* The rank makes communicators, or frees them, in the call of a region. */
static void tell(void *levels, const struct mwa_trace *trace, uint64_t time, bool makes,
                 uint32_t region)
{
    const struct mwa_event event = { .kind = makes ? MWA_COMM_CREATE : MWA_COMM_DESTROY,
                                     .time = time };
    const struct mwa_moment moment = { .trace = trace,
                                       .location = trace->locations,
                                       .event = &event,
                                       .mpi = &regions[region] };

    cr_assert_eq(mwa_levels_analysis.moment(levels, &moment), MW_OK);
}

static void *begin_chapter(const struct mwa_trace *trace, struct mwa_scope *scope, uint32_t chapter)
{
    void *levels = NULL;

    scope->chapter = chapter;
    cr_assert_eq(mwa_levels_analysis.create(trace, 1, scope, &levels), MW_OK);
    return levels;
}

static void free_marks(void *marks)
{
    mwa_level_marks_fini(marks);
}

/* Two are made before the seam; behind it a third one, then two are freed, and one more is made. */
Test(level_chapters, changes_travel_that_wait_to_be_put_in_order)
{
    struct mwa_rank ranks[] = { { .locations = 1 } };
    struct mwa_location locations[] = { { .rank = 0, .master = true, .events = 8 } };
    const struct mwa_trace trace = { .clock_resolution = 1000000000,
                                     .clock_offset = 5,
                                     .regions = regions,
                                     .region_count = CHANGES,
                                     .ranks = ranks,
                                     .rank_count = 1,
                                     .locations = locations,
                                     .location_count = 1 };
    const struct mwa_matching_result matching = { .unmatched_sends = 0 };
    struct mwa_scope scope = { MWA_ALL_OF_IT };
    const struct mwa_seam seam = { .sent = NULL };
    const struct traveller traveller = { .analysis = &mwa_levels_analysis,
                                         .size = sizeof(struct mwa_level_marks),
                                         .fini = free_marks,
                                         .trace = &trace,
                                         .scope = &scope };
    struct mwa_watermarks found = { .count = 0 };
    struct mwa_level_marks marks;
    void *levels = begin_chapter(&trace, &scope, 0);
    void *later;

    tell(levels, &trace, 10, true, 3);
    tell(levels, &trace, 20, true, 4);
    later = begin_chapter(&trace, &scope, 1);
    tell(later, &trace, 30, true, 5);
    tell(later, &trace, 40, false, 6);
    tell(later, &trace, 50, false, 7);
    tell(later, &trace, 60, true, 8);
    later = travel(&traveller, later, NULL, TRIES);
    cr_assert_eq(mwa_levels_analysis.append(levels, later, &seam), MW_OK);
    cr_assert_eq(mwa_levels_analysis.finish(levels, &marks), MW_OK);
    cr_assert_eq(mwa_level_marks_append(&marks, &matching, &found), MW_OK);
    cr_assert_eq(found.count, 1);
    cr_expect_eq(found.rows[0].high.value, 3);
    cr_expect_eq(found.rows[0].high.time, 30);
    cr_expect_eq(found.rows[0].high.call, 5);
    cr_expect_eq(found.rows[0].low.value, 0);
    cr_expect_eq(found.rows[0].low.time, 5); /* where the record begins */
    mwa_watermarks_fini(&found);
    mwa_level_marks_fini(&marks);
    mwa_levels_analysis.destroy(levels);
    mwa_levels_analysis.destroy(later);
}
