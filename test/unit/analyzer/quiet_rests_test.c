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
}

/* One of what is called so, behind so many events, from enter to leave; before it a request is open
 * or not. */
static void call_one(struct place *place, const char *name, uint64_t events, uint64_t enter,
                     uint64_t leave, bool is_open)
{
    const struct mwa_quiet_try here = { .place = { .events = events, .time = enter } };
    const unsigned call = mw_call_find(name);

    cr_assert(mwa_quiet_rests_enter(&place->rests, call, &here, true, is_open));
    cr_assert(mwa_quiet_rests_leave(&place->rests, call, leave, false));
}

static void call(struct place *place, uint64_t events, uint64_t enter, uint64_t leave,
                 bool is_open)
{
    call_one(place, "MPI_Recv", events, enter, leave, is_open);
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
    call(&place, 1, 10, 20, false);
    call(&place, 5, 150, 250, false); /* it is in this one at 200 */
    call(&place, 9, 700, 710, false); /* and enters this one next at 400 and at 600 */
    call(&place, 13, 790, 800, false); /* it has left this one at 800 */
    call(&place, 17, 900, 910, false);
    cr_expect_eq(place.lulls.count, 0, "no request has ended");
    cr_expect_eq(place.moments.count, 4);
    expect(&place.moments, 0, 1, 5, 20);
    expect(&place.moments, 1, 2, 9, 250);
    expect(&place.moments, 2, 3, 9, 250);
    expect(&place.moments, 3, 4, 17, 800);
    end(&place);
}

Test(quiet_rests, requests_that_are_open_leave_no_place)
{
    struct place place;

    begin(&place);
    call(&place, 1, 10, 20, false);
    call(&place, 3, 100, 300, true); /* nothing at 200 */
    call(&place, 7, 310, 320, false); /* all have ended once */
    call(&place, 9, 500, 700, true);
    call(&place, 11, 750, 760, false);
    cr_expect_eq(place.lulls.count, 2);
    expect(&place.lulls, 0, 1, 7, 300);
    expect(&place.lulls, 1, 2, 11, 700);
    cr_expect_eq(place.moments.count, 0, "at 400 and at 600 it is in the call at 500");
    call(&place, 13, 890, 900, false);
    cr_expect_eq(place.moments.count, 1);
    expect(&place.moments, 0, 4, 13, 760);
    end(&place);
}

/* They may be a row, which waits as one call. */
Test(quiet_rests, polls_that_find_nothing_one_after_the_other_are_one_call)
{
    struct place place;

    begin(&place);
    call_one(&place, "MPI_Recv", 1, 10, 20, false);
    call_one(&place, "MPI_Iprobe", 4, 150, 250, false);
    call_one(&place, "MPI_Iprobe", 6, 260, 610, false);
    call_one(&place, "MPI_Recv", 8, 700, 710, false);
    call_one(&place, "MPI_Iprobe", 11, 790, 820, false);
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
    call_one(&place, "MPI_Recv", 1, 10, 20, false);
    cr_assert(mwa_quiet_rests_enter(&place.rests, probe, &here, true, false));
    cr_assert(mwa_quiet_rests_leave(&place.rests, probe, 250, true));
    call_one(&place, "MPI_Iprobe", 6, 260, 410, false);
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
    call(&place, 1, 10, 20, false);
    mwa_quiet_rests_find(&place.rests, 71, 2);
    mwa_quiet_rests_find(&place.rests, 72, 2);
    mwa_quiet_rests_find(&place.rests, 72, 2);
    call(&place, 3, 190, 210, false);
    mwa_quiet_rests_receive(&place.rests, 72, 4);
    mwa_quiet_rests_receive(&place.rests, 73, 4);
    call(&place, 5, 390, 410, false);
    mwa_quiet_rests_receive(&place.rests, 71, 6);
    call(&place, 7, 590, 610, false);
    cr_expect_eq(place.moments.count, 1);
    expect(&place.moments, 0, 3, 7, 410);
    for (uint64_t i = 0; i <= MWA_QUIET_FOUND_MOST; i++) {
        mwa_quiet_rests_find(&place.rests, i, 8);
    }
    for (uint64_t i = 0; i <= MWA_QUIET_FOUND_MOST; i++) {
        mwa_quiet_rests_receive(&place.rests, i, 9);
    }
    call(&place, 9, 790, 810, false);
    cr_expect_eq(place.moments.count, 1, "more were found than it keeps");
    end(&place);
}

/* A receive that was posted before the probe gets a message before the one that is found. */
Test(quiet_rests, a_receive_that_was_posted_before_a_probe_does_not_get_what_that_found)
{
    struct place place;

    begin(&place);
    call(&place, 1, 10, 20, false);
    mwa_quiet_rests_find(&place.rests, 71, 2);
    mwa_quiet_rests_find(&place.rests, 71, 5);
    mwa_quiet_rests_receive(&place.rests, 71, 4);
    call(&place, 7, 190, 410, false);
    cr_expect_eq(place.moments.count, 0);
    mwa_quiet_rests_receive(&place.rests, 71, 6);
    call(&place, 9, 420, 610, false);
    cr_expect_eq(place.moments.count, 1);
    expect(&place.moments, 0, 3, 9, 410);
    end(&place);
}

Test(quiet_rests, nothing_is_a_place_before_the_run_has_begun)
{
    struct place place;

    begin(&place);
    call(&place, 1, 10, 220, false);
    cr_assert(mwa_quiet_rests_enter(&place.rests, mw_call_find("MPI_Init"),
                                    &(struct mwa_quiet_try){ .place.events = 3 }, true, false));
    mwa_quiet_rests_begin_run(&place.rests);
    cr_assert(mwa_quiet_rests_leave(&place.rests, mw_call_find("MPI_Init"), 450, false));
    cr_expect_eq(place.moments.count, 0);
    call(&place, 5, 460, 610, false);
    cr_expect_eq(place.moments.count, 1);
    expect(&place.moments, 0, 3, 5, 450);
    end(&place);
}

Test(quiet_rests, who_gives_up_keeps_no_more)
{
    struct place place;

    begin(&place);
    mwa_quiet_rests_give_up(&place.rests);
    call(&place, 1, 10, 900, true);
    call(&place, 3, 910, 920, false);
    cr_expect_eq(place.moments.count, 0);
    cr_expect_eq(place.lulls.count, 0);
    end(&place);
}
