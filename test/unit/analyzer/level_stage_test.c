#include <stdlib.h>

#include <criterion/criterion.h>

#include "analyzer/analysis/counters/level_stage.h"

/*
 * Changes come in turns of locations, each in the order of its times or not quite, to rows or to
 * none, and go out by time and order: once each, none before all that are before it have come,
 * those that are the same in both as they came. call is which change it is of all.
 */

#define LOCATIONS 7u
#define TURNS     500u
#define MOST      60u /* changes in a turn */
#define CHANGES   (TURNS * LOCATIONS * MOST)

enum how {
    EVENTS,   /* in order, in rows of events */
    MESSAGES, /* the same, and some in rows of messages, which may go back, as some events do */
    LOOSE     /* in none; some go back */
};

static struct mwa_level_change *came, *went;
static uint32_t came_count, went_count;

static uint64_t state;

static uint64_t some(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

static enum mw_status go(void *user, const struct mwa_level_series *series,
                         const struct mwa_level_change *change)
{
    (void)user;
    (void)series;
    cr_assert_lt(went_count, CHANGES);
    went[went_count++] = *change;
    return MW_OK;
}

/* Whose row, and what order it has in it, which with LOOSE others have, too. */
static uint32_t choose_row(enum how how, uint32_t location, struct mwa_level_change *change)
{
    if (how == LOOSE) {
        change->order = some(3);
        return MWA_NONE;
    }
    if (how == MESSAGES && some(3) == 0) {
        change->order = UINT64_C(1) << 63 | some(LOCATIONS) << 40 | came_count;
        return mwa_level_row_of_messages((uint32_t)some(LOCATIONS));
    }
    change->order = (uint64_t)location << 40 | came_count;
    return mwa_level_row_of_events(location);
}

/* Changes of a location's turn, one in backwards of which is before the one that came before it;
 * 0: none. */
static uint64_t add_turn(struct mwa_level_stage *stage, struct mwa_level_marks *marks,
                         uint32_t location, uint64_t time, enum how how, uint32_t backwards)
{
    const uint32_t series = mwa_level_marks_series(marks, MWA_LEVEL_FLIGHT, 0, MWA_NONE);
    const uint64_t begin = time;

    for (uint64_t left = some(MOST); left > 0; left--) {
        const bool is_back = backwards > 0 && some(backwards) == 0;
        struct mwa_level_change *change = &came[came_count];
        uint32_t row;

        *change = (struct mwa_level_change){
            .time = is_back ? begin + some(time - begin + 1) : time,
            .by = 1,
            .series = series,
            .call = came_count
        };
        row = choose_row(how, location, change);
        came_count++;
        cr_assert_eq(mwa_level_stage_add(stage, row, change), MW_OK);
        time += some(3);
    }
    return time;
}

static int as_they_go(const void *one, const void *other)
{
    const struct mwa_level_change *a = one, *b = other;

    if (a->time != b->time) {
        return a->time < b->time ? -1 : 1;
    }
    if (a->order != b->order) {
        return a->order < b->order ? -1 : 1;
    }
    return a->call < b->call ? -1 : 1;
}

static void expect_all_in_order(void)
{
    qsort(came, came_count, sizeof *came, as_they_go);
    cr_assert_eq(went_count, came_count);
    for (uint32_t i = 0; i < came_count; i++) {
        cr_assert_eq(went[i].call, came[i].call, "change %u", i);
        cr_assert_eq(went[i].time, came[i].time, "change %u", i);
    }
}

static void run(uint64_t seed, enum how how, uint32_t backwards)
{
    const struct mwa_trace trace = { .rank_count = 1 };
    const struct mwa_level_options options = { .to = UINT64_MAX, .visit = go };
    struct mwa_level_stage stage;
    struct mwa_level_marks marks;
    uint64_t times[LOCATIONS];
    uint32_t drained = 0;

    came = malloc(CHANGES * sizeof *came);
    went = malloc(CHANGES * sizeof *went);
    came_count = went_count = 0;
    state = seed;
    cr_assert(mwa_level_stage_init(&stage, how == LOOSE ? 0 : LOCATIONS));
    mwa_level_marks_init(&marks, &trace, &options);
    for (uint32_t i = 0; i < LOCATIONS; i++) {
        times[i] = 1 + some(2000);
    }
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        uint64_t frontier = UINT64_MAX;

        for (uint32_t i = 0; i < LOCATIONS; i++) {
            times[i] = add_turn(&stage, &marks, i, times[i], how, backwards);
            frontier = times[i] < frontier ? times[i] : frontier;
        }
        if (mwa_level_stage_is_full(&stage)) {
            cr_assert_eq(mwa_level_stage_drain(&stage, frontier, &marks), MW_OK);
            cr_assert(went_count == 0 || went[went_count - 1].time < frontier);
            drained++;
        }
    }
    cr_expect_gt(drained, 2);
    cr_assert_eq(mwa_level_stage_drain(&stage, UINT64_MAX, &marks), MW_OK);
    expect_all_in_order();
    mwa_level_stage_fini(&stage);
    mwa_level_marks_fini(&marks);
    free(came);
    free(went);
}

Test(level_stage, hands_on_by_time_and_order)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        run(seed, EVENTS, 0);
    }
}

Test(level_stage, has_rows_that_are_not_quite_in_order)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        run(seed, MESSAGES, 0);
        run(seed, MESSAGES, 2);
        run(seed, MESSAGES, 20);
    }
}

Test(level_stage, need_no_rows)
{
    run(6, LOOSE, 0);
    run(7, LOOSE, 2);
    run(8, LOOSE, 20);
}

/* The change that is at 10 comes when all before 50 is through. */
static void expect_it_late(uint32_t row)
{
    const struct mwa_trace trace = { .rank_count = 1 };
    const struct mwa_level_options options = { .to = UINT64_MAX, .visit = go };
    struct mwa_level_stage stage;
    struct mwa_level_change change = { .time = 10, .by = 1 };
    struct mwa_level_change list[2];
    struct mwa_level_marks marks;

    went = list;
    went_count = 0;
    cr_assert(mwa_level_stage_init(&stage, 1));
    mwa_level_marks_init(&marks, &trace, &options);
    change.series = mwa_level_marks_series(&marks, MWA_LEVEL_FLIGHT, 0, MWA_NONE);
    cr_assert_eq(mwa_level_stage_drain(&stage, 50, &marks), MW_OK);
    cr_assert_eq(mwa_level_stage_add(&stage, row, &change), MW_OK);
    cr_assert_eq(mwa_level_stage_drain(&stage, 50, &marks), MW_OK);
    cr_expect_eq(went_count, 0, "it may not be the first at 50");
    cr_assert_eq(mwa_level_stage_drain(&stage, 51, &marks), MW_OK);
    cr_assert_eq(went_count, 1);
    cr_expect_eq(went[0].time, 50);
    mwa_level_stage_fini(&stage);
    mwa_level_marks_fini(&marks);
}

Test(level_stage, what_comes_too_late_is_of_the_frontier)
{
    expect_it_late(mwa_level_row_of_events(0));
    expect_it_late(mwa_level_row_of_messages(0));
    expect_it_late(MWA_NONE);
}
