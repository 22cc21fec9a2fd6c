#include <criterion/criterion.h>

#include "analyzer/exchange/exchange.h"
#include "formats/table/calls.h"

/*
 * Ranks 1 to RANKS - 1 start an access to what rank 0 has to post for each of them. They are so
 * many that looking at all of them whenever something is known of rank 0 would take minutes.
 */

#define RANKS   200000u
#define BEGIN   1000u
#define END     (UINT64_C(10) * RANKS)
#define MINUTES 100 /* of seconds: what is in proportion takes a few, on a machine that is busy */

static const struct mwa_region start = { .name = "MPI_Win_start",
                                         .kind = MWA_REGION_MPI,
                                         .call = MW_CALL_MPI_Win_start };
static const struct mwa_region post = { .name = "MPI_Win_post",
                                        .kind = MWA_REGION_MPI,
                                        .call = MW_CALL_MPI_Win_post };
static uint32_t members[RANKS];
static struct mwa_location locations[RANKS];
static struct mwa_rank ranks[RANKS];
static struct mwa_group group = { .count = RANKS, .ranks = members };
static struct mwa_comm world = { .name = "", .remote_group = MWA_NONE, .parent = MWA_NONE };
static struct mwa_metric_object window = { .comm = 0 };
static const struct mwa_trace trace = { .groups = &group,
                                        .group_count = 1,
                                        .comms = &world,
                                        .comm_count = 1,
                                        .locations = locations,
                                        .location_count = RANKS,
                                        .ranks = ranks,
                                        .rank_count = RANKS,
                                        .metrics.objects = &window,
                                        .metrics.object_count = 1 };

static struct mwa_exchange *exchange;
static uint32_t ended;
static uint32_t waited[RANKS];

static enum mw_status count_end(void *user, struct mwa_exchange_call *call)
{
    ended++;
    return MW_OK;
}

static enum mw_status count_wait(void *user, struct mwa_collective *pair)
{
    cr_assert_eq(pair->kind, MWA_GROUP_POST);
    cr_assert_eq(pair->members[0].rank, 0u);
    waited[pair->members[1].rank]++;
    return MW_OK;
}

static void take(uint32_t rank, uint64_t time, enum mwa_onesided_step step, uint32_t target)
{
    const struct mwa_event event = { .kind = MWA_ONESIDED,
                                     .location = rank,
                                     .time = time,
                                     .of.onesided = { .step = step, .target = target } };

    cr_assert_eq(mwa_exchange_event(exchange, &event), MW_OK);
}

/* When rank leaves its start: the first one last. */
static uint64_t leave_of(uint32_t rank)
{
    return END + RANKS - rank;
}

static void begin(void)
{
    const struct mwa_exchange_listener listener = { .end = count_end, .collective = count_wait };
    struct mw_diagnostic diagnostic;

    for (uint32_t i = 0; i < RANKS; i++) {
        members[i] = i;
        locations[i].rank = i;
        ranks[i].locations = 1;
    }
    cr_assert_eq(mwa_exchange_create(&trace, NULL, &listener, 1, &exchange, &diagnostic), MW_OK);
    for (uint32_t i = 1; i < RANKS; i++) {
        cr_assert_eq(mwa_exchange_enter(exchange, i, &start, NULL, 0, BEGIN), MW_OK);
        take(i, leave_of(i), MWA_STEP_AWAIT, 0);
        cr_assert_eq(mwa_exchange_leave(exchange, i, leave_of(i), false), MW_OK);
        cr_assert_eq(mwa_exchange_advance(exchange, i, leave_of(i)), MW_OK);
    }
    cr_assert_eq(ended, 0u, "nobody knows yet who waited");
}

static void finish(void)
{
    struct mwa_matching_result matching;
    struct mwa_exchange_result result;

    cr_assert_eq(mwa_exchange_finish(exchange, &matching, &result), MW_OK);
    mwa_matching_result_fini(&matching);
    mwa_exchange_destroy(exchange);
    cr_expect_eq(result.calls_unresolved, 0u);
}

/* The call is over for all when it has been told whom it posts for. */
Test(held, ranks_by_the_hundred_thousand_wait_for_one_that_posts, .timeout = MINUTES)
{
    begin();
    cr_assert_eq(mwa_exchange_enter(exchange, 0, &post, NULL, 0, END - 10), MW_OK);
    for (uint32_t i = 1; i < RANKS; i++) {
        take(0, END - 5, MWA_STEP_NOTICE, i);
    }
    cr_assert_eq(ended, 0u);
    cr_assert_eq(mwa_exchange_leave(exchange, 0, END - 5, false), MW_OK);
    cr_expect_eq(ended, RANKS);
    finish();
    for (uint32_t i = 1; i < RANKS; i++) {
        cr_assert_eq(waited[i], 1u, "rank %u", i);
    }
}

/* A start that was left before any post was entered did not wait: it is told when rank 0 has been
 * read behind its leave, and those with later leaves are not. At the tick of its leave it may be
 * what it waited for that happens. */
Test(held, ranks_by_the_hundred_thousand_go_on_when_one_has_been_read_so_far, .timeout = MINUTES)
{
    begin();
    for (uint32_t i = RANKS - 1; i > 0; i--) {
        cr_assert_eq(mwa_exchange_advance(exchange, 0, leave_of(i)), MW_OK);
        cr_assert_eq(ended, RANKS - 1 - i, "%u at the leave of rank %u", ended, i);
        cr_assert_eq(mwa_exchange_advance(exchange, 0, leave_of(i) + 1), MW_OK);
        cr_assert_eq(ended, RANKS - i, "%u for rank %u", ended, i);
    }
    finish();
    for (uint32_t i = 1; i < RANKS; i++) {
        cr_assert_eq(waited[i], 0u, "rank %u", i);
    }
}
