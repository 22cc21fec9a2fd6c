/* Places stand before the 10th, 20th, 30th event … of a location. */
#include "analyzer/load/quiet_tries.h"

#include <criterion/criterion.h>

static struct mwa_quiet_tries tries;
static struct mwa_quiet_requests requests;

static void begin(void)
{
    tries = (struct mwa_quiet_tries){ .most = 8 };
    requests = (struct mwa_quiet_requests){ .collectives = 0 };
}

static void end(void)
{
    mwa_quiet_tries_fini(&tries);
    mwa_quiet_requests_fini(&requests);
}

TestSuite(quiet_tries, .init = begin, .fini = end);

static void add_places(uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        cr_assert(mwa_quiet_tries_add(
            &tries, &(struct mwa_quiet_try){ .place = { .events = 10 * (i + 1) }, .number = i }));
    }
}

static void carry(uint64_t request, uint64_t from, uint64_t to)
{
    cr_assert(mwa_quiet_tries_carry(&tries, &(struct mwa_carried_request){ .request = request,
                                                                           .begin = from,
                                                                           .end = to }));
}

static void open_one(uint64_t request, uint64_t from, enum mwa_event_kind kind)
{
    const struct mwa_open_request one = {
        .what = { .request = request, .begin = from, .kind = kind }
    };

    struct mwa_open_request former;

    cr_assert_eq(mwa_quiet_requests_begin(&requests, &one, &former), MWA_REQUEST_TAKEN);
}

Test(quiet_tries, a_request_is_kept_if_it_was_open_at_a_place)
{
    add_places(3);
    carry(1, 29, 31);
    carry(2, 30, 35); /* the event behind the place begins it */
    carry(3, 5, 40);
    cr_assert(mwa_quiet_tries_end(&tries, &requests));
    cr_assert_eq(tries.carried_count, 2);
    cr_expect_eq(tries.carried[0].request, 3); /* by what begins them */
    cr_expect_eq(tries.carried[1].request, 1);
    cr_expect(mwa_is_carried_over(&tries.carried[1], 30));
    cr_expect_not(mwa_is_carried_over(&tries.carried[1], 20));
    cr_expect_not(mwa_is_carried_over(&tries.carried[1], 40));
}

Test(quiet_tries, requests_that_never_end_are_counted_at_the_places_behind_them)
{
    add_places(3);
    open_one(1, 4, MWA_ISEND);
    open_one(2, 10, MWA_IRECV_POST); /* the event behind the first place */
    open_one(3, 25, MWA_ISEND);
    cr_assert(mwa_quiet_tries_end(&tries, &requests));
    cr_expect_eq(tries.list[0].place.resting, 1);
    cr_expect_eq(tries.list[1].place.resting, 2);
    cr_expect_eq(tries.list[2].place.resting, 3);
    cr_expect_eq(tries.carried_count, 0);
}

Test(quiet_tries, a_place_with_too_many_open_requests_is_none)
{
    tries.most = 1024;
    add_places(3);
    for (uint64_t i = 0; i < MWA_QUIET_CARRIED_MOST; i++) {
        carry(i, 11, 35);
    }
    carry(1000, 22, 35);
    cr_assert(mwa_quiet_tries_end(&tries, &requests));
    cr_assert_eq(tries.count, 2);
    cr_expect_eq(tries.list[0].place.events, 10);
    cr_expect_eq(tries.list[1].place.events, 20);
    cr_expect_eq(tries.carried_count, MWA_QUIET_CARRIED_MOST);
}

Test(quiet_tries, where_a_send_is_open_that_never_was_is_no_place)
{
    add_places(3);
    carry(1, 5, 31);
    mwa_quiet_tries_take_back(&tries, 19);
    carry(2, 19, 32);
    cr_assert(mwa_quiet_tries_end(&tries, &requests));
    cr_assert_eq(tries.count, 1);
    cr_expect_eq(tries.list[0].place.events, 10);
    cr_expect_eq(tries.carried_count, 1);
}

Test(quiet_tries, of_many_places_and_requests_fewer_are_kept)
{
    for (uint64_t i = 0; i < 1000; i++) {
        const uint64_t events = 10 * (i + 1);

        cr_assert(mwa_quiet_tries_add(
            &tries, &(struct mwa_quiet_try){ .place = { .events = events }, .number = i }));
        for (uint64_t k = 0; k < 40; k++) {
            carry(40 * i + k, events - 5, events + 3);
        }
    }
    cr_assert(mwa_quiet_tries_end(&tries, &requests));
    cr_expect_lt(tries.count, 8);
    cr_expect_gt(tries.count, 1);
    cr_expect_eq(tries.carried_count, 40 * tries.count);
    for (uint64_t i = 0; i < tries.carried_count; i++) {
        cr_expect(mwa_is_carried_over(&tries.carried[i], tries.list[i / 40].place.events));
    }
}

Test(quiet_tries, a_request_that_is_open_is_not_begun_again)
{
    const struct mwa_event event = { .kind = MWA_IRECV, .request = 7 };
    const struct mwa_open_request again = {
        .what = { .request = 7, .begin = 9, .kind = MWA_IRECV_POST }
    };
    struct mwa_open_request ended, former;

    open_one(7, 1, MWA_COLLECTIVE_POST);
    cr_expect_eq(requests.collectives, 1);
    cr_expect_eq(mwa_quiet_requests_begin(&requests, &again, &former),
                 MWA_REQUEST_STRANGE);
    cr_expect_eq(former.what.begin, 1);
    cr_expect_eq(requests.collectives, 0);
    cr_expect_eq(mwa_quiet_requests_end(&requests, &event, MWA_IRECV_POST, &ended),
                 MWA_REQUEST_TAKEN);
    cr_expect_eq(ended.what.begin, 9);
    cr_expect_eq(mwa_quiet_requests_end(&requests, &event, MWA_IRECV_POST, &ended),
                 MWA_REQUEST_STRANGE);
    cr_expect_eq(ended.what.kind, 0);
}
