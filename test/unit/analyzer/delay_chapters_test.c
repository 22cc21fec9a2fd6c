/*
 * A run is followed by one struct mwa_delay, and in chapters by several that are appended: what
 * comes out has to be the same, also if it comes from other processes.
 */
#include "analyzer/analysis/delay/delay.h"

#include <criterion/criterion.h>
#include <string.h>

#include "analyzer/analysis/delay/activity.h"
#include "analyzer/load/reading_start.h"
#include "test/unit/analyzer/delay_run.h"
#include "test/unit/analyzer/travel.h"

static struct delay_run run;

/* --- who follows it ----------------------------------------------------------------------- */

static void tell(struct mwa_delay *delay, const struct delay_step *step, bool opens)
{
    struct mwa_delay_wait wait = step->wait;
    enum mw_status status = MW_OK;

    switch (step->kind) {
    case STEP_WAYPOINT:
        status = mwa_delay_waypoint(delay, step->location, &step->waypoint);
        break;
    case STEP_BEGIN:
        status = mwa_delay_begin(delay, step->call);
        break;
    case STEP_END:
        status = mwa_delay_end(delay, step->call);
        break;
    case STEP_WAIT:
        wait.before_chapter = opens;
        status = mwa_delay_take(delay, &wait);
        break;
    case STEP_MEET:
        status = mwa_delay_meet(delay, step->collective);
        break;
    }
    cr_assert_eq(status, MW_OK);
}

static void tell_waypoint(struct mwa_delay *delay, uint32_t rank, enum mwa_waypoint_kind kind,
                          uint32_t region, uint64_t time)
{
    const struct mwa_waypoint waypoint = { kind, region, time, 0 };

    cr_assert_eq(mwa_delay_waypoint(delay, rank, &waypoint), MW_OK);
}

/* The regions that are open where a chapter begins. */
static void open_regions(struct mwa_delay *delay, const struct delay_cut *cut)
{
    for (uint32_t i = 0; i < run.shape.ranks; i++) {
        const struct delay_place *place = &cut->before[i];

        tell_waypoint(delay, i, MWA_WAYPOINT_FIRST, MWA_NONE,
                      place->depth > 0 ? place->open[0].enter : place->now);
        for (uint32_t j = 0; j < place->depth; j++) {
            tell_waypoint(delay, i, MWA_WAYPOINT_ENTER, place->open[j].region,
                          place->open[j].enter);
        }
    }
}

/* And where it ends. */
static void close_regions(struct mwa_delay *delay, const struct delay_cut *cut)
{
    for (uint32_t i = 0; i < run.shape.ranks; i++) {
        const struct delay_place *place = &cut->behind[i];

        for (uint32_t j = 0; j < place->depth; j++) {
            tell_waypoint(delay, i, MWA_WAYPOINT_LEAVE, MWA_NONE, place->now);
        }
        tell_waypoint(delay, i, MWA_WAYPOINT_LAST, MWA_NONE, place->now);
    }
}

/* What lies between two cuts, each null: the run's beginning, its end. A round is so many steps. */
static struct mwa_delay *follow(const struct delay_cut *from, const struct delay_cut *to,
                                uint64_t round)
{
    const uint64_t first = from ? from->first : 0;
    const uint64_t end = to ? to->end : run.step_count;
    struct mwa_delay *delay = mwa_delay_create(&run.trace);

    cr_assert_not_null(delay);
    if (from) {
        open_regions(delay, from);
    }
    for (uint64_t i = first; i < end; i++) {
        tell(delay, &run.steps[i], from && i < from->end);
        if ((i - first) % round == round - 1) {
            cr_assert_eq(mwa_delay_round(delay), MW_OK);
        }
    }
    if (to) {
        close_regions(delay, to);
    }
    return delay;
}

static bool is_from_others; /* what is appended */
static size_t most_bytes;   /* that came from there */

static struct mw_buffer pack(struct mwa_delay *delay)
{
    struct mw_buffer packed = { .data = NULL };

    mwa_delay_pack(delay, &packed);
    cr_assert_not(packed.failed);
    mwa_delay_destroy(delay);
    return packed;
}

static struct mwa_delay *travelled(struct mwa_delay *delay)
{
    struct mw_buffer packed = pack(delay);
    struct mw_cursor from = { packed.data, packed.bytes };
    struct mwa_delay *taken = mwa_delay_create(&run.trace);

    cr_assert_not_null(taken);
    cr_assert_eq(mwa_delay_unpack(taken, &from), MW_OK);
    cr_expect_eq(from.left, 0);
    most_bytes = packed.bytes > most_bytes ? packed.bytes : most_bytes;
    mw_buffer_fini(&packed);
    return taken;
}

static void append(struct mwa_delay *delay, struct mwa_delay *later)
{
    later = is_from_others ? travelled(later) : later;
    cr_assert_eq(mwa_delay_append(delay, later), MW_OK);
    mwa_delay_destroy(later);
}

/* Follows the run in chapters of so many meetings of all. */
static struct mwa_delay *follow_chapters(uint64_t meetings, uint64_t round)
{
    struct mwa_delay *delay = follow(NULL, &run.cuts[meetings - 1], round);
    uint64_t at = meetings - 1;

    for (; at + meetings < run.cut_count; at += meetings) {
        append(delay, follow(&run.cuts[at], &run.cuts[at + meetings], round));
    }
    append(delay, follow(&run.cuts[at], NULL, round));
    return delay;
}

/* --- what comes out ----------------------------------------------------------------------- */

static struct mwa_delays finish(struct mwa_delay *delay)
{
    struct mwa_delays delays;

    cr_assert_eq(mwa_delay_finish(delay, &delays), MW_OK);
    mwa_delay_destroy(delay);
    return delays;
}

static void expect_same_cells(const struct mwa_delay_cell *one, const struct mwa_delay_cell *other,
                              uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        cr_assert_eq(one[i].rank, other[i].rank, "cell %lu", (unsigned long)i);
        cr_assert_eq(one[i].region, other[i].region, "cell %lu", (unsigned long)i);
        cr_assert_eq(one[i].short_ns, other[i].short_ns, "cell %lu", (unsigned long)i);
        cr_assert_eq(one[i].long_ns, other[i].long_ns, "cell %lu", (unsigned long)i);
        cr_assert_eq(one[i].before, other[i].before, "cell %lu", (unsigned long)i);
    }
}

static void expect_same(const struct mwa_delays *one, const struct mwa_delays *other)
{
    cr_assert_eq(one->short_ns, other->short_ns, "short-term: %lu, %lu",
                 (unsigned long)one->short_ns, (unsigned long)other->short_ns);
    cr_assert_eq(one->long_ns, other->long_ns, "long-term: %lu, %lu", (unsigned long)one->long_ns,
                 (unsigned long)other->long_ns);
    cr_assert_eq(one->unexplained_ns, other->unexplained_ns);
    cr_assert_eq(one->indirect_ns, other->indirect_ns);
    cr_assert_eq(one->rank_count, other->rank_count);
    for (uint64_t i = 0; i < one->rank_count; i++) {
        cr_assert_eq(one->rank_short_ns[i], other->rank_short_ns[i]);
        cr_assert_eq(one->rank_long_ns[i], other->rank_long_ns[i]);
    }
    cr_assert_eq(one->cell_count, other->cell_count);
    cr_assert_eq(one->place_count, other->place_count);
    expect_same_cells(one->cells, other->cells, one->cell_count);
    expect_same_cells(one->places, other->places, one->place_count);
}

static void expect_the_same_in_chapters(struct delay_shape shape, uint64_t meetings)
{
    struct mwa_delays whole, chapters;

    delay_run_make(&run, shape);
    cr_assert_gt(run.cut_count, meetings);
    whole = finish(follow(NULL, NULL, 1000));
    cr_expect_gt(whole.short_ns, 0);
    cr_expect_gt(whole.long_ns, 0, "waits lead to waits");
    for (unsigned way = 0; way < 2; way++) {
        is_from_others = way == 1;
        chapters = finish(follow_chapters(meetings, 300));
        expect_same(&whole, &chapters);
        mwa_delays_fini(&chapters);
    }
    mwa_delays_fini(&whole);
    delay_run_fini(&run);
}

Test(delay_chapters, of_a_run_add_up_to_what_one_finds_that_follows_it_all)
{
    for (uint64_t seed = 1; seed <= 30; seed++) {
        expect_the_same_in_chapters((struct delay_shape){ .seed = seed,
                                                          .ranks = 3 + (uint32_t)seed % 6,
                                                          .regions = 40,
                                                          .works = 1500,
                                                          .comms = 20,
                                                          .between = 40,
                                                          .unit = 1 },
                                    1 + seed % 7);
    }
}

Test(delay_chapters, may_begin_where_much_happens_at_the_same_time)
{
    for (uint64_t seed = 1; seed <= 100; seed++) {
        expect_the_same_in_chapters((struct delay_shape){ .seed = seed,
                                                          .ranks = 3 + (uint32_t)seed % 3,
                                                          .regions = 20,
                                                          .works = 600,
                                                          .comms = 5,
                                                          .between = 5 + (uint32_t)seed % 20,
                                                          .unit = 50 << seed % 3 },
                                    1 + seed % 3);
    }
}

Test(delay_chapters, are_as_one_of_more_ranks_and_activities_than_are_remembered)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        expect_the_same_in_chapters((struct delay_shape){ .seed = seed,
                                                          .ranks = DELAY_RANKS,
                                                          .regions = DELAY_REGIONS,
                                                          .works = 8000,
                                                          .comms = 200,
                                                          .between = 1500,
                                                          .unit = 1 },
                                    1);
    }
}

Test(delay_chapters, may_be_longer_than_the_queue_and_the_log_in_memory)
{
    expect_the_same_in_chapters((struct delay_shape){ .seed = 1,
                                                      .ranks = 6,
                                                      .regions = 100,
                                                      .works = 240000,
                                                      .comms = 12,
                                                      .between = 200,
                                                      .unit = 1 },
                                580);
    cr_expect_gt(most_bytes, 5 << 18, "%zu, of which a part was in a file", most_bytes);
}

Test(delay_chapters, are_appended_in_their_order_however_they_are_put_together)
{
    struct mwa_delays whole, chapters;
    struct mwa_delay *first, *middle;

    delay_run_make(&run, (struct delay_shape){ .seed = 7,
                                               .ranks = 5,
                                               .regions = 40,
                                               .works = 3000,
                                               .comms = 20,
                                               .between = 100,
                                               .unit = 1 });
    cr_assert_gt(run.cut_count, 12);
    whole = finish(follow(NULL, NULL, 500));
    for (unsigned way = 0; way < 2; way++) {
        is_from_others = way == 1;
        first = follow(NULL, &run.cuts[5], 500);
        middle = follow(&run.cuts[5], &run.cuts[8], 500);
        append(middle, follow(&run.cuts[8], &run.cuts[9], 500));
        append(middle, follow(&run.cuts[9], NULL, 500));
        append(first, middle);
        chapters = finish(first);
        expect_same(&whole, &chapters);
        mwa_delays_fini(&chapters);
    }
    mwa_delays_fini(&whole);
    delay_run_fini(&run);
}

/* --- bytes that are others -------------------------------------------------------------------- */

/* Goes on with what was taken. */
static enum mw_status take(void *user, struct mw_cursor *from)
{
    struct mwa_delay *taken = mwa_delay_create(&run.trace), *all = mwa_delay_create(&run.trace);
    enum mw_status status = mwa_delay_unpack(taken, from);
    struct mwa_delays delays;

    if (status == MW_OK) {
        cr_assert_eq(mwa_delay_append(all, taken), MW_OK);
        cr_assert_eq(mwa_delay_finish(all, &delays), MW_OK);
        mwa_delays_fini(&delays);
    }
    mwa_delay_destroy(taken);
    mwa_delay_destroy(all);
    return status;
}

/* Of two chapters; so many regions that some have no number of their own, or fewer. */
static void distrust(uint32_t regions)
{
    struct mw_buffer packed;
    struct mwa_delay *delay;

    delay_run_make(&run, (struct delay_shape){ .seed = 5,
                                               .ranks = 3,
                                               .regions = regions,
                                               .works = 100,
                                               .comms = 5,
                                               .between = 20,
                                               .unit = 1 });
    delay = follow(NULL, &run.cuts[0], 100);
    append(delay, follow(&run.cuts[0], &run.cuts[1], 100));
    packed = pack(delay);
    travel_try(&packed, (uint32_t)packed.bytes, take, NULL);
    mw_buffer_fini(&packed);
    delay_run_fini(&run);
}

Test(delay_chapters, are_not_believed_if_their_bytes_can_not_be)
{
    distrust(40);
    distrust(DELAY_REGIONS);
}

/* Rank 0 waited from time - 5 to time, for rank 1. */
static void take_wait(struct mwa_delay *delay, uint64_t time)
{
    const struct mwa_delay_wait wait = { .time = time - 5,
                                         .wait = 5,
                                         .selected = 5,
                                         .rank = 0,
                                         .cause = 1,
                                         .cause_site = MWA_NONE,
                                         .call = &run.regions[0] };

    cr_assert_eq(mwa_delay_take(delay, &wait), MW_OK);
    cr_assert_eq(mwa_delay_round(delay), MW_OK);
}

/* Both ranks are in a call from 90 to 110, and rank 0 waits there for rank 1 up to 100. The chapter
 * is between these lulls; null: it begins, or ends, with the run. */
static struct mwa_delay *follow_call(const struct mwa_reading_start *start,
                                     const struct mwa_reading_start *next)
{
    static struct mwa_rank ranks[2] = { { .master = 0 }, { .master = 1 } };
    struct mwa_delay *delay = mwa_delay_create(&run.trace);

    cr_assert_not_null(delay);
    run.trace.ranks = ranks;
    mwa_delay_at_lulls(delay, start, next);
    for (uint32_t i = 0; i < 2; i++) {
        const struct mwa_exchange_call call = { .region = &run.regions[0], .location = i,
                                                .rank = i, .enter = 90, .leave = 110 };

        tell_waypoint(delay, i, MWA_WAYPOINT_FIRST, MWA_NONE, 80);
        cr_assert_eq(mwa_delay_begin(delay, &call), MW_OK);
        cr_assert_eq(mwa_delay_end(delay, &call), MW_OK);
        tell_waypoint(delay, i, MWA_WAYPOINT_LAST, MWA_NONE, 120);
    }
    take_wait(delay, 100);
    return delay;
}

/* They have not met since the lull with which the chapter begins. */
static struct mw_buffer pack_early(void)
{
    struct mwa_location_start starts[2] = { { 0 } };
    const struct mwa_reading_start lull = { .is_lull = true, .locations = starts,
                                            .location_count = 2 };
    return pack(follow_call(&lull, NULL));
}

/* Which of packed's numbers is the first of these three; they are there once. */
static uint64_t find_three(const struct mw_buffer *packed, const uint64_t *three)
{
    uint64_t found = packed->bytes;

    for (uint64_t at = 0; at + 3 * sizeof *three <= packed->bytes; at++) {
        if (memcmp(packed->data + at, three, 3 * sizeof *three) == 0) {
            cr_expect_eq(found, packed->bytes, "there are several");
            found = at;
        }
    }
    cr_assert_lt(found, packed->bytes);
    return found;
}

/* It is told where a chapter begins at a lull, ends at one, and how many waits are put off. */
Test(delay_chapters, put_waits_off_at_lulls_only)
{
    const uint64_t at_lull[3] = { true, false, 1 }, before_lull[3] = { false, true, 1 };
    struct mw_buffer packed;

    delay_run_make(&run, (struct delay_shape){ .seed = 1, .ranks = 2, .regions = 8, .works = 1,
                                               .comms = 1, .between = 1, .unit = 1 });
    packed = pack_early();
    cr_expect_eq(take(NULL, &(struct mw_cursor){ packed.data, packed.bytes }), MW_OK);
    memcpy(packed.data + find_three(&packed, at_lull), before_lull, sizeof before_lull);
    cr_expect_eq(take(NULL, &(struct mw_cursor){ packed.data, packed.bytes }), MW_ERROR_FORMAT);
    mw_buffer_fini(&packed);
    delay_run_fini(&run);
}

/* Their records are in the chapter that begins there, and not in what was appended to that. */
Test(delay_chapters, put_waits_off_in_the_first_of_them_only)
{
    const uint64_t one = 1, two = 2;
    struct mw_buffer packed, chapter = { 0 };
    uint64_t chapters;

    delay_run_make(&run, (struct delay_shape){ .seed = 1, .ranks = 2, .regions = 8, .works = 1,
                                               .comms = 1, .between = 1, .unit = 1 });
    packed = pack_early();
    chapters = packed.bytes - (8 + MWA_ACTIVITIES) - (8 + 8) - (8 + 1 + 4); /* a block, a word */
    cr_assert_eq(memcmp(packed.data + chapters - 8, &one, sizeof one), 0);
    mw_buffer_append(&chapter, packed.data + chapters, packed.bytes - chapters);
    mw_buffer_append(&packed, chapter.data, chapter.bytes);
    cr_assert_not(packed.failed);
    cr_expect_eq(take(NULL, &(struct mw_cursor){ packed.data, packed.bytes }), MW_OK,
                 "there is one chapter, and something behind it");
    memcpy(packed.data + chapters - 8, &two, sizeof two);
    cr_expect_eq(take(NULL, &(struct mw_cursor){ packed.data, packed.bytes }), MW_ERROR_FORMAT);
    mw_buffer_fini(&chapter);
    mw_buffer_fini(&packed);
    delay_run_fini(&run);
}

/* Whether the chapter is put together with others, if it begins and ends at lulls to which rank 1
 * comes then. */
static bool is_put_together(uint64_t begin, uint64_t end)
{
    struct mwa_location_start starts[2] = { { .is_there = true, .first.enter = 80 },
                                            { .is_there = true, .first.enter = begin } };
    struct mwa_location_start ends[2] = { { .is_there = true, .first.enter = 120 },
                                          { .is_there = true, .first.enter = end } };
    const struct mwa_reading_start start = { true, starts, 2 }, next = { true, ends, 2 };
    struct mwa_delay *delay = follow_call(&start, &next);
    const bool can = mwa_delay_can_be_appended(delay);

    mwa_delay_destroy(delay);
    return can;
}

/* By clocks that disagree rank 1 may send what is waited for before it comes to the one lull, or
 * behind the other: in the run its own waits there are before that. */
Test(delay_chapters, are_between_lulls_by_the_clocks_of_all)
{
    delay_run_make(&run, (struct delay_shape){ .seed = 1, .ranks = 2, .regions = 8, .works = 1,
                                               .comms = 1, .between = 1, .unit = 1 });
    cr_expect(is_put_together(80, 120));
    cr_expect(is_put_together(100, 101));
    cr_expect_not(is_put_together(101, 120));
    cr_expect_not(is_put_together(80, 100));
    delay_run_fini(&run);
}

/* Both ranks call for half of the time, in steps of 20 up to 40,000: 4,000 stretches. */
Test(delay_chapters, are_not_believed_if_they_have_forgotten_what_was_asked_for)
{
    struct mwa_delay *delay;

    delay_run_make(&run, (struct delay_shape){ .seed = 1, .ranks = 2, .regions = 8, .works = 1,
                                               .comms = 1, .between = 1, .unit = 1 });
    delay = mwa_delay_create(&run.trace);
    cr_assert_not_null(delay);
    for (uint32_t i = 0; i < 2; i++) {
        tell_waypoint(delay, i, MWA_WAYPOINT_FIRST, MWA_NONE, 0);
        for (uint64_t time = 0; time < 40000; time += 20) {
            const struct mwa_exchange_call call = { .region = &run.regions[0],
                                                    .location = i,
                                                    .rank = i,
                                                    .enter = time,
                                                    .leave = time + 10 };

            cr_assert_eq(mwa_delay_begin(delay, &call), MW_OK);
            cr_assert_eq(mwa_delay_end(delay, &call), MW_OK);
        }
    }
    take_wait(delay, 1000);
    cr_expect(mwa_delay_can_be_appended(delay), "what was told in this round is known");
    take_wait(delay, 39000);
    cr_expect(mwa_delay_can_be_appended(delay), "of the rounds before what was told last is");
    take_wait(delay, 2000);
    cr_expect_not(mwa_delay_can_be_appended(delay));
    mwa_delay_destroy(delay);
    delay_run_fini(&run);
}

/* A mark where the record of a chapter ends at a lull: behind it is no call, though the call before
 * it has been the last. */
Test(delay_chapters, end_with_what_their_ranks_go_on_with)
{
    const uint32_t entered = 7;
    struct mwa_activities *activities;
    struct mwa_exchange_call call = { .enter = 20, .leave = 30 };
    const struct mwa_waypoint first = { .kind = MWA_WAYPOINT_FIRST, .time = 10 };
    const struct mwa_waypoint enter = { .kind = MWA_WAYPOINT_ENTER, .region = entered, .time = 15 };
    struct mwa_mark *mark = NULL;

    delay_run_make(&run, (struct delay_shape){ .seed = 1, .ranks = 2, .regions = 8, .works = 1,
                                               .comms = 1, .between = 1, .unit = 1 });
    activities = mwa_activities_create(&run.trace);
    cr_assert(activities);
    call.region = &run.trace.regions[0];
    cr_assert_eq(mwa_activities_waypoint(activities, 0, &first), MW_OK);
    cr_assert_eq(mwa_activities_waypoint(activities, 0, &enter), MW_OK);
    cr_assert_eq(mwa_activities_begin(activities, &call), MW_OK);
    cr_assert_eq(mwa_activities_end(activities, &call), MW_OK);
    cr_assert_eq(mwa_activities_mark(activities, 0, 30, &mark), MW_OK);
    cr_assert(mark);
    cr_assert_eq(mwa_activities_finish(activities), MW_OK);
    cr_expect_eq(mwa_activity_region(activities, mark->activity), entered);
    cr_expect_eq(mark->leave, 0);
    mwa_mark_drop(mark);
    mwa_activities_destroy(activities);
    delay_run_fini(&run);
}
