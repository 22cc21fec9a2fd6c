#include "analyzer/exchange/lineup.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* Locations of ranks 2, 0, none, 2, 1, 0, 2; the number of each is its key at first. */
#define LOCATIONS 7u

static const uint32_t ranks[LOCATIONS] = { 2, 0, MWA_NONE, 2, 1, 0, 2 };
static uint64_t keys[LOCATIONS];
static struct mwa_location locations[LOCATIONS];
static const struct mwa_trace trace = { .locations = locations,
                                        .location_count = LOCATIONS,
                                        .rank_count = 4 };
static struct mwa_lineup lineup;

static bool is_before(const void *user, uint32_t one, uint32_t other)
{
    const uint64_t *of = user;

    return of[one] != of[other] ? of[one] < of[other] : one < other;
}

static void set_up(void)
{
    for (uint32_t i = 0; i < LOCATIONS; i++) {
        keys[i] = i;
        locations[i].rank = ranks[i];
    }
    cr_assert(mwa_lineup_init(&lineup, &trace, is_before, keys));
}

static void tear_down(void)
{
    mwa_lineup_fini(&lineup);
}

TestSuite(lineup, .init = set_up, .fini = tear_down);

static void change(uint32_t location, uint64_t key)
{
    keys[location] = key;
    mwa_lineup_changed(&lineup, location);
}

Test(lineup, knows_the_first_of_all_and_of_each_rank)
{
    cr_expect_eq(mwa_lineup_first(&lineup), 0u);
    cr_expect_eq(mwa_lineup_first_of(&lineup, 0), 1u);
    cr_expect_eq(mwa_lineup_first_of(&lineup, 1), 4u);
    cr_expect_eq(mwa_lineup_first_of(&lineup, 2), 0u);
    cr_expect_eq(mwa_lineup_first_of(&lineup, 3), MWA_NONE);
}

Test(lineup, follows_who_moves_back_and_who_moves_forward)
{
    change(0, 10);
    cr_expect_eq(mwa_lineup_first(&lineup), 1u);
    cr_expect_eq(mwa_lineup_first_of(&lineup, 2), 3u);
    change(6, 1); /* as 1 has it, which is lower */
    cr_expect_eq(mwa_lineup_first(&lineup), 1u);
    cr_expect_eq(mwa_lineup_first_of(&lineup, 2), 6u);
    change(6, 0);
    cr_expect_eq(mwa_lineup_first(&lineup), 6u);
    change(6, 4);
    cr_expect_eq(mwa_lineup_first(&lineup), 1u);
    cr_expect_eq(mwa_lineup_first_of(&lineup, 2), 3u);
}

/* The first of rank's locations, of all with MWA_NONE, by looking at each. */
static uint32_t first_by_hand(uint32_t rank)
{
    uint32_t first = MWA_NONE;

    for (uint32_t i = 0; i < LOCATIONS; i++) {
        bool counts = ranks[i] != MWA_NONE && (rank == MWA_NONE || ranks[i] == rank);

        if (counts && (first == MWA_NONE || keys[i] < keys[first])) {
            first = i;
        }
    }
    return first;
}

Test(lineup, says_what_looking_at_each_says)
{
    srand(1);
    for (unsigned i = 0; i < 20000; i++) {
        uint32_t location = (uint32_t)rand() % LOCATIONS;

        if (ranks[location] == MWA_NONE) {
            continue;
        }
        change(location, (uint64_t)rand() % 8);
        cr_assert_eq(mwa_lineup_first(&lineup), first_by_hand(MWA_NONE));
        for (uint32_t rank = 0; rank < 4; rank++) {
            cr_assert_eq(mwa_lineup_first_of(&lineup, rank), first_by_hand(rank));
        }
    }
}

Test(lineup, is_empty_where_no_location_is_of_a_rank)
{
    const struct mwa_trace none = { .locations = &locations[2], .location_count = 1 };
    struct mwa_lineup empty;

    cr_assert(mwa_lineup_init(&empty, &none, is_before, keys));
    cr_expect_eq(mwa_lineup_first(&empty), MWA_NONE);
    mwa_lineup_fini(&empty);
}
