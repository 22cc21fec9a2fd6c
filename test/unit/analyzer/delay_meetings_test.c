#include "analyzer/analysis/delay/delay_meetings.h"

#include <criterion/criterion.h>

#define RANKS 200u

#define MARK_ACTIVITIES 2u

static struct mwa_meetings *meetings;
static struct mwa_pool marks;

static struct mwa_mark *mark_at(uint64_t time)
{
    struct mwa_mark *mark = mwa_pool_take(&marks);

    mark->home = &marks;
    mark->holders = 1;
    mark->time = time;
    return mark;
}

static void meet(uint64_t time, uint32_t one, uint32_t other)
{
    struct mwa_mark *mark = mark_at(time);
    const struct mwa_attendant first = { .rank = one, .mark = mark, .logged = time };
    const struct mwa_attendant second = { .rank = other, .mark = mark, .logged = time };

    cr_assert_eq(mwa_meetings_pair(meetings, time, false, &first, &second), MW_OK);
    mwa_mark_drop(mark);
}

/* A group's meeting, of two of its ranks. */
static void gather(const struct mwa_gathering *gathering, uint32_t one, uint32_t other)
{
    const uint64_t time = gathering->time;
    struct mwa_mark *mark = mark_at(time);
    const struct mwa_attendant first = { .rank = one, .mark = mark };
    const struct mwa_attendant second = { .rank = other, .mark = mark };

    mwa_meetings_open(meetings, gathering);
    cr_assert_eq(mwa_meetings_join(meetings, &first), MW_OK);
    cr_assert_eq(mwa_meetings_join(meetings, &second), MW_OK);
    mwa_mark_drop(mark);
}

/* A group of two. */
static void meet_on(uint32_t comm, uint64_t time, uint32_t one, uint32_t other)
{
    const struct mwa_gathering gathering = {
        .time = time, .begin = time, .comm = comm, .first = one
    };

    gather(&gathering, one, other);
}

/* All ranks, of which two are looked at. */
static void all_meet(uint64_t number, uint64_t time, uint64_t begin, uint32_t one, uint32_t other)
{
    const struct mwa_gathering gathering = { .time = time, .begin = begin, .of_all = number };

    gather(&gathering, one, other);
}

static struct mwa_meeting last_of(uint32_t one, uint32_t other)
{
    struct mwa_meeting met;

    mwa_meetings_last(meetings, one, other, &met);
    return met;
}

/* When two met last; 0: that is not known. */
static uint64_t last(uint32_t one, uint32_t other)
{
    const struct mwa_meeting met = last_of(one, other);

    return met.one ? met.one->mark->time : 0;
}

static void begin(void)
{
    marks = (struct mwa_pool){ .size = sizeof(struct mwa_mark) +
                                       MARK_ACTIVITIES * sizeof(uint64_t) };
    meetings = mwa_meetings_create(RANKS);
    cr_assert_not_null(meetings);
}

static void end(void)
{
    mwa_meetings_destroy(meetings);
    mwa_pool_fini(&marks);
}

TestSuite(meetings, .init = begin, .fini = end);

Test(meetings, of_a_master_are_remembered_by_its_workers)
{
    for (uint32_t i = 1; i < RANKS; i++) {
        meet(i, 0, i);
    }
    for (uint32_t i = 1; i < RANKS; i++) {
        cr_expect_eq(last(i, 0), i, "rank %u", i);
    }
}

Test(meetings, are_forgotten_when_both_have_met_many_others)
{
    meet(1, 0, 1);
    for (uint32_t i = 0; i < MWA_DELAY_PAIRS - 1; i++) {
        meet(10 + i, 0, 2 + i);
        meet(100 + i, 1, 100 + i);
    }
    cr_expect_eq(last(0, 1), 1, "as many others as can be remembered beside");
    meet(200, 0, 90);
    cr_expect_eq(last(0, 1), 1, "rank 1 remembers");
    meet(201, 1, 91);
    cr_expect_eq(last(0, 1), 0);
    cr_expect_eq(last(0, 2), 10, "rank 2 has met nobody else");
    meet(300, 1, 0);
    cr_expect_eq(last(0, 1), 300, "they have met again");
}

Test(meetings, of_others_make_nobody_forget)
{
    meet(1, 0, 1);
    for (uint32_t i = 2; i < RANKS; i++) {
        for (uint32_t j = i + 1; j < RANKS; j++) {
            meet(100, i, j);
        }
    }
    cr_expect_eq(last(0, 1), 1);
}

Test(meetings, are_in_the_order_of_time_whatever_waits_were_between)
{
    meet(10, 0, 1);
    meet_on(5, 20, 0, 1);
    cr_expect_eq(last(0, 1), 20);
    meet_on(6, 20, 1, 0);
    meet(20, 0, 1);
    cr_expect_eq(last(0, 1), 20);
    meet(30, 0, 1);
    cr_expect_eq(last(1, 0), 30);
}

Test(meetings, of_all_are_never_forgotten)
{
    all_meet(1, 10, 10, 0, 1);
    for (uint32_t i = 0; i < 2 * MWA_DELAY_PAIRS; i++) {
        meet_on(2 + i, 20 + i, 0, 2);
        meet_on(500 + i, 20 + i, 1, 3);
        meet(400 + i, 0, 4 + i % (RANKS - 4));
    }
    cr_expect_eq(last(0, 1), 10);
    cr_expect_eq(last(0, 2), 20 + 2 * MWA_DELAY_PAIRS - 1);
}

Test(meetings, of_all_leave_nothing_behind_them_that_matters)
{
    meet(10, 0, 1);
    meet_on(7, 10, 0, 1);
    all_meet(1, 10, 10, 0, 1);
    all_meet(2, 10, 15, 0, 1);
    cr_expect_eq(last_of(0, 1).begin, 15, "of what is at the same time it is the last");
    all_meet(3, 20, 25, 0, 1);
    cr_expect_eq(last_of(0, 1).begin, 25);
    meet_on(7, 21, 0, 1);
    cr_expect_eq(last(0, 1), 21);
    all_meet(4, 30, 30, 0, 2);
    cr_expect_eq(last(0, 1), 21, "what rank 1 had done in it is not known");
    cr_expect_eq(last(0, 2), 30);
}

/* Of activity 0 rank 3 did 100 and waited 30, of 1 it did 40, and 2 is waiting only: 5. */
Test(meetings, keep_what_was_done_less_what_was_waited)
{
    const uint64_t waits[] = { 30, 0, 5 };
    struct mwa_mark *mark = mark_at(70);
    const struct mwa_attendant first = {
        .rank = 3, .mark = mark, .logged = 4, .waited = 35, .waits = waits, .count = 3
    };
    const struct mwa_attendant second = { .rank = 1, .mark = mark };
    struct mwa_meeting met;

    mark->count = MARK_ACTIVITIES;
    mark->ticks[0] = 100;
    mark->ticks[1] = 40;
    mwa_meetings_open(meetings, &(struct mwa_gathering){ .time = 70, .comm = 5 });
    cr_assert_eq(mwa_meetings_join(meetings, &first), MW_OK);
    mark->count = 0;
    cr_assert_eq(mwa_meetings_join(meetings, &second), MW_OK);
    mwa_mark_drop(mark);
    met = last_of(3, 1);
    cr_assert_not_null(met.one);
    cr_assert_eq(met.one->count, 3);
    cr_expect_eq(met.one->spent[0], 70);
    cr_expect_eq(met.one->spent[1], 40);
    cr_expect_eq(met.one->spent[2], (uint64_t)-5);
    cr_expect_eq(met.one->waited, 35);
    cr_expect_eq(met.one->logged, 4);
}

/* Rank 0 has met 40 others in one chapter, and others in the next one: 64 in all, or one more. */
Test(meetings, of_chapters_are_remembered_together_or_not)
{
    for (uint32_t many = 24; many <= 25; many++) {
        struct mwa_meetings *const earlier = meetings;
        struct mw_buffer keys = { 0 };
        struct mw_cursor from;
        bool fit;

        for (uint32_t i = 1; i <= 40; i++) {
            meet(i, 0, i);
        }
        mwa_meetings_pack_keys(earlier, &keys);
        meetings = mwa_meetings_create(RANKS);
        for (uint32_t i = 1; i <= many; i++) {
            meet(100 + i, 0, 40 + i);
            meet(200 + i, 0, i); /* those are counted once */
        }
        mwa_meetings_pack_keys(meetings, &keys);
        from = (struct mw_cursor){ keys.data, keys.bytes };
        cr_assert_eq(mwa_meetings_keys_fit(&from, &fit), MW_OK);
        cr_expect_eq(fit, many == 24, "%u", many);
        cr_expect(!mwa_meetings_have_forgotten(meetings));
        from = (struct mw_cursor){ keys.data, keys.bytes - 1 };
        cr_expect(mwa_meetings_keys_fit(&from, &fit) == MW_ERROR_FORMAT || !fit);
        mw_buffer_fini(&keys);
        mwa_meetings_destroy(meetings);
        meetings = earlier;
    }
    for (uint32_t i = 41; i <= 65; i++) {
        meet(300 + i, 0, i);
    }
    cr_expect(mwa_meetings_have_forgotten(meetings), "65 were too many");
}

/* What a process tells another one of; of less than that, it is refused. */
Test(meetings, travel)
{
    struct mwa_rank ranks[RANKS] = { { .master = MWA_NONE } };
    const struct mwa_trace trace = { .ranks = ranks, .rank_count = RANKS };
    struct mwa_meetings *const own = meetings;
    struct mw_buffer packed = { 0 };

    meet(10, 1, 2);
    meet(30, 3, 3);
    meet_on(7, 12, 4, 5);
    all_meet(1, 20, 25, 8, 9);
    mwa_meetings_pack(own, &packed);
    for (size_t bytes = packed.bytes; bytes + 400 > packed.bytes; bytes--) {
        struct mwa_activities *activities = mwa_activities_create(&trace);
        struct mw_cursor from = { packed.data, bytes };
        enum mw_status status;

        meetings = mwa_meetings_create(RANKS);
        status = mwa_meetings_unpack(meetings, activities, &from);
        cr_expect_eq(status, bytes == packed.bytes ? MW_OK : MW_ERROR_FORMAT, "%zu", bytes);
        if (bytes == packed.bytes) {
            cr_expect_eq(last(1, 2), 10);
            cr_expect_eq(last(3, 3), 30);
            cr_expect_eq(last_of(4, 5).begin, 12);
            cr_expect_eq(last_of(8, 9).begin, 25);
            cr_expect_eq(last(1, 4), 0);
        }
        mwa_meetings_destroy(meetings);
        mwa_activities_destroy(activities);
    }
    mw_buffer_fini(&packed);
    meetings = own;
}

static struct mwa_standing *stand_later(void *user, uint32_t rank,
                                        const struct mwa_standing *standing)
{
    struct mwa_standing *made = calloc(1, sizeof *made);

    ++*(uint32_t *)user;
    made->mark = mwa_mark_hold(standing->mark);
    made->logged = standing->logged + 1000;
    return made;
}

/* What is known already stays; the rest is handed over, of pairs and of groups. */
Test(meetings, are_handed_over_to_the_next_chapter)
{
    struct mwa_meetings *const earlier = meetings;
    uint32_t handed = 0;

    meet(10, 1, 2);
    meet(11, 2, 3);
    meet_on(7, 12, 4, 5);
    meet_on(8, 13, 4, 5);
    meetings = mwa_meetings_create(RANKS);
    meet(20, 1, 2);
    meet_on(8, 21, 4, 5);
    cr_assert_eq(mwa_meetings_inherit(meetings, earlier, stand_later, &handed), MW_OK);
    cr_expect_eq(handed, 4, "two ranks that met in 11, and two in 12: %u", handed);
    cr_expect_eq(last_of(1, 2).one->logged, 20);
    cr_expect_eq(last_of(3, 2).one->logged, 1011);
    cr_expect_eq(last_of(4, 5).begin, 21);
    mwa_meetings_destroy(meetings);
    meetings = earlier;
}
