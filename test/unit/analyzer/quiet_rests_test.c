/* A run of 1000 ticks, of which four moments may be kept: 200, 400, 600 and 800. */
#include "analyzer/load/quiet_rests.h"

#include <criterion/criterion.h>

#include "formats/table/calls.h"

static const struct mwa_trace trace = { .clock_length = 1000 };

struct place {
    struct mwa_quiet_tries lulls, moments;
    struct mwa_quiet_rests rests;
};

static void begin(struct place *place)
{
    *place = (struct place){ .lulls.most = 4, .moments.most = 4 };
    place->rests = (struct mwa_quiet_rests){ .lulls = &place->lulls,
                                             .moments = &place->moments };
    mwa_quiet_rests_init(&place->rests, &trace);
}

static void end(struct place *place)
{
    mwa_quiet_tries_fini(&place->lulls);
    mwa_quiet_tries_fini(&place->moments);
    mwa_quiet_rests_fini(&place->rests);
}

/* One of what is called so, behind so many events, from enter to leave; so many requests are open
 * before it. */
static void call_one(struct place *place, const char *name, uint64_t events, uint64_t enter,
                     uint64_t leave, uint64_t open)
{
    const struct mwa_quiet_try here = { .place = { .events = events, .time = enter } };
    const unsigned call = mw_call_find(name);

    cr_assert(mwa_quiet_rests_enter(&place->rests, call, &here, true, open));
    cr_assert(mwa_quiet_rests_leave(&place->rests, call, leave, false));
}

static void call(struct place *place, uint64_t events, uint64_t enter, uint64_t leave,
                 uint64_t open)
{
    call_one(place, "MPI_Recv", events, enter, leave, open);
}

static void expect(const struct mwa_quiet_tries *tries, uint64_t at, uint64_t number,
                   uint64_t events, uint64_t left)
{
    cr_assert_lt(at, tries->count);
    cr_expect_eq(tries->list[at].number, number);
    cr_expect_eq(tries->list[at].place.events, events);
    cr_expect_eq(tries->list[at].place.left, left);
}

Test(quiet_rests, at_a_moment_it_is_before_the_call_that_it_is_in_or_enters_next)
{
    struct place place;

    begin(&place);
    call(&place, 1, 10, 20, 0);
    call(&place, 5, 150, 250, 0); /* it is in this one at 200 */
    call(&place, 9, 700, 710, 0); /* and enters this one next at 400 and at 600 */
    call(&place, 13, 790, 800, 0); /* it has left this one at 800 */
    call(&place, 17, 900, 910, 0);
    cr_expect_eq(place.lulls.count, 0, "no request has ended");
    cr_expect_eq(place.moments.count, 4);
    expect(&place.moments, 0, 1, 5, 20);
    expect(&place.moments, 1, 2, 9, 250);
    expect(&place.moments, 2, 3, 9, 250);
    expect(&place.moments, 3, 4, 17, 800);
    end(&place);
}

Test(quiet_rests, many_requests_that_are_open_leave_no_place)
{
    const uint64_t many = MWA_QUIET_NEWLY_MOST + 1;
    struct place place;

    begin(&place);
    call(&place, 1, 10, 20, 0);
    call(&place, 3, 100, 300, many); /* nothing at 200 */
    call(&place, 7, 310, 320, 0); /* all have ended once */
    call(&place, 9, 500, 700, many);
    call(&place, 11, 750, 760, 0);
    cr_expect_eq(place.lulls.count, 2);
    expect(&place.lulls, 0, 1, 7, 300);
    expect(&place.lulls, 1, 2, 11, 700);
    cr_expect_eq(place.moments.count, 0, "at 400 and at 600 it is in the call at 500");
    call(&place, 13, 890, 900, 0);
    cr_expect_eq(place.moments.count, 1);
    expect(&place.moments, 0, 4, 13, 760);
    end(&place);
}

/* They may be a row, which waits as one call. */
Test(quiet_rests, polls_that_find_nothing_one_after_the_other_are_one_call)
{
    struct place place;

    begin(&place);
    call_one(&place, "MPI_Recv", 1, 10, 20, 0);
    call_one(&place, "MPI_Iprobe", 4, 150, 250, 0);
    call_one(&place, "MPI_Iprobe", 6, 260, 610, 0);
    call_one(&place, "MPI_Recv", 8, 700, 710, 0);
    call_one(&place, "MPI_Iprobe", 11, 790, 820, 0);
    cr_expect_eq(place.moments.count, 4);
    expect(&place.moments, 0, 1, 4, 20);
    expect(&place.moments, 1, 2, 4, 20);
    expect(&place.moments, 2, 3, 4, 20);
    expect(&place.moments, 3, 4, 11, 710);
    end(&place);
}

Test(quiet_rests, a_poll_behind_one_that_has_found_something_is_a_call_of_its_own)
{
    const unsigned probe = mw_call_find("MPI_Iprobe");
    const struct mwa_quiet_try here = { .place = { .events = 4, .time = 150 } };
    struct place place;

    begin(&place);
    call_one(&place, "MPI_Recv", 1, 10, 20, 0);
    cr_assert(mwa_quiet_rests_enter(&place.rests, probe, &here, true, 0));
    cr_assert(mwa_quiet_rests_leave(&place.rests, probe, 250, true));
    call_one(&place, "MPI_Iprobe", 6, 260, 410, 0);
    cr_expect_eq(place.moments.count, 2);
    expect(&place.moments, 0, 1, 4, 20);
    expect(&place.moments, 1, 2, 6, 250);
    end(&place);
}

/* What was found in one chapter would be received in the next. */
Test(quiet_rests, messages_that_were_found_leave_no_place_before_they_are_received)
{
    struct place place;

    begin(&place);
    call(&place, 1, 10, 20, 0);
    mwa_quiet_rests_find(&place.rests, 71, 2);
    mwa_quiet_rests_find(&place.rests, 72, 2);
    mwa_quiet_rests_find(&place.rests, 72, 2);
    call(&place, 3, 190, 210, 0);
    mwa_quiet_rests_receive(&place.rests, 72, 4);
    mwa_quiet_rests_receive(&place.rests, 73, 4);
    call(&place, 5, 390, 410, 0);
    mwa_quiet_rests_receive(&place.rests, 71, 6);
    call(&place, 7, 590, 610, 0);
    cr_expect_eq(place.moments.count, 1);
    expect(&place.moments, 0, 3, 7, 410);
    for (uint64_t i = 0; i <= MWA_QUIET_FOUND_MOST; i++) {
        mwa_quiet_rests_find(&place.rests, i, 8);
    }
    for (uint64_t i = 0; i <= MWA_QUIET_FOUND_MOST; i++) {
        mwa_quiet_rests_receive(&place.rests, i, 9);
    }
    call(&place, 9, 790, 810, 0);
    cr_expect_eq(place.moments.count, 1, "more were found than it keeps");
    end(&place);
}

/* A receive that was posted before the probe gets a message before the one that is found. */
Test(quiet_rests, a_receive_that_was_posted_before_a_probe_does_not_get_what_that_found)
{
    struct place place;

    begin(&place);
    call(&place, 1, 10, 20, 0);
    mwa_quiet_rests_find(&place.rests, 71, 2);
    mwa_quiet_rests_find(&place.rests, 71, 5);
    mwa_quiet_rests_receive(&place.rests, 71, 4);
    call(&place, 7, 190, 410, 0);
    cr_expect_eq(place.moments.count, 0);
    mwa_quiet_rests_receive(&place.rests, 71, 6);
    call(&place, 9, 420, 610, 0);
    cr_expect_eq(place.moments.count, 1);
    expect(&place.moments, 0, 3, 9, 410);
    end(&place);
}

Test(quiet_rests, nothing_is_a_place_before_the_run_has_begun)
{
    struct place place;

    begin(&place);
    call(&place, 1, 10, 220, 0);
    cr_assert(mwa_quiet_rests_enter(&place.rests, mw_call_find("MPI_Init"),
                                    &(struct mwa_quiet_try){ .place.events = 3 }, true, 0));
    mwa_quiet_rests_begin_run(&place.rests);
    cr_assert(mwa_quiet_rests_leave(&place.rests, mw_call_find("MPI_Init"), 450, false));
    cr_expect_eq(place.moments.count, 0);
    call(&place, 5, 460, 610, 0);
    cr_expect_eq(place.moments.count, 1);
    expect(&place.moments, 0, 3, 5, 450);
    end(&place);
}

/* That has begun behind so many events, and ends. */
static void carry(struct place *place, uint64_t begin_at, uint64_t end_at)
{
    const struct mwa_carried_request ended = { .begin = begin_at, .end = end_at };

    cr_assert(mwa_quiet_rests_carry(&place->rests, &ended));
}

static void expect_carried(const struct place *place, uint64_t at, uint64_t begin_at)
{
    cr_assert_lt(at, place->moments.carried_count);
    cr_expect_eq(place->moments.carried[at].begin, begin_at);
}

Test(quiet_rests, requests_that_are_open_at_a_moment_are_kept_once)
{
    const unsigned wait = mw_call_find("MPI_Wait");
    const struct mwa_quiet_try here = { .place = { .events = 9, .time = 190 } };
    struct place place;

    begin(&place);
    call(&place, 1, 10, 20, 0);
    cr_assert(mwa_quiet_rests_enter(&place.rests, wait, &here, true, 2));
    carry(&place, 5, 10); /* was open at 200 */
    carry(&place, 10, 11); /* begun in the call */
    cr_expect_eq(place.moments.carried_count, 0, "nobody knows of a moment in the call yet");
    cr_assert(mwa_quiet_rests_leave(&place.rests, wait, 450, true));
    cr_expect_eq(place.moments.count, 2, "200 and 400");
    expect(&place.moments, 0, 1, 9, 20);
    cr_expect_eq(place.moments.carried_count, 1);
    expect_carried(&place, 0, 5);
    carry(&place, 7, 14); /* it, too, and ends later */
    carry(&place, 13, 15); /* begun since */
    cr_expect_eq(place.moments.carried_count, 2);
    expect_carried(&place, 1, 7);
    end(&place);
}

Test(quiet_rests, those_that_were_open_at_the_moment_before_are_no_new_ones)
{
    const uint64_t most = MWA_QUIET_NEWLY_MOST;
    struct place place;

    begin(&place);
    call(&place, 5, 10, 210, most);
    call(&place, 15, 220, 410, 2 * most);
    cr_expect_eq(place.moments.count, 2, "half of them are new");
    carry(&place, 3, 16);
    call(&place, 20, 420, 610, 2 * most + 1); /* one has ended, two were begun and more */
    cr_expect_eq(place.moments.count, 3, "two are new");
    call(&place, 40, 620, 810, 3 * most + 2);
    cr_expect_eq(place.moments.count, 3, "too many are new");
    end(&place);
}

Test(quiet_rests, a_place_is_none_behind_the_beginning_of_what_nobody_knows_the_end_of)
{
    const unsigned wait = mw_call_find("MPI_Wait");
    const struct mwa_quiet_try here = { .place = { .events = 9, .time = 390 } };
    struct place place;

    begin(&place);
    call(&place, 3, 10, 210, 0);
    cr_assert(mwa_quiet_rests_enter(&place.rests, wait, &here, true, 1));
    mwa_quiet_rests_take_back(&place.rests, 7);
    cr_assert(mwa_quiet_rests_leave(&place.rests, wait, 410, true));
    cr_expect_eq(place.moments.count, 1);
    expect(&place.moments, 0, 1, 3, 0);
    end(&place);
}
