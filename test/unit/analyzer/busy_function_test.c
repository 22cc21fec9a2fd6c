/* Which function is named, and which is not for too few samples; sums of functions by samples. */
#include "analyzer/analysis/causes/busy_function.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "analyzer/analysis/results.h"

#define RANKS 4u
#define ALL_PLACES MWA_NONE

static struct mwa_region region = { .name = "MPI_Barrier", .kind = MWA_REGION_MPI };

/* Sites 0 and 1 are one place. */
static struct mwa_site sites[] = { { .place = 0, .file = "", .function = "" },
                                   { .place = 0, .file = "", .function = "" },
                                   { .place = 2, .file = "", .function = "" } };

/* Spots 0 and 1 are of one function. */
static struct mwa_sampled_spot spots[] = {
    { .function = "force", .file = "/src/force.c", .line = 5, .first = 0 },
    { .function = "force", .file = "/src/force.c", .line = 8, .first = 0 },
    { .function = "stencil", .file = "/src/stencil.c", .line = 20, .first = 2 },
    { .function = "m+0x12", .file = "", .first = 3 }
};

static struct mwa_sampled_rank ranks[RANKS];

static struct mwa_trace trace_with(struct mwa_sampled_row *rows, uint64_t count)
{
    for (uint32_t i = 0; i < RANKS; i++) {
        ranks[i] = (struct mwa_sampled_rank){ .was_to = true, .refused = "" };
    }
    for (uint64_t i = 0; i < count; i++) {
        ranks[rows[i].rank].outside += rows[i].count;
    }
    return (struct mwa_trace){ .rank_count = RANKS,
                               .sites = sites,
                               .site_count = 3,
                               .regions = &region,
                               .region_count = 1,
                               .sampled = { .rate_hz = 100,
                                            .ranks = ranks,
                                            .spots = spots,
                                            .spot_count = 4,
                                            .rows = rows,
                                            .row_count = count } };
}

/* Of rank 1 or of all. */
static bool ask(const struct mwa_trace *trace, bool is_of_all, uint32_t place, bool is_excess,
                struct mwa_busy_function *found)
{
    const bool flags[RANKS] = { is_of_all, true, is_of_all, is_of_all };
    const struct mwa_busy_question question = { .ranks = flags,
                                                .place = place,
                                                .is_excess = is_excess };

    return mwa_busy_function(trace, &question, found);
}

#define TRACE(name, ...)                                                                           \
    struct mwa_sampled_row name##_rows[] = { __VA_ARGS__ };                                        \
    const struct mwa_trace name =                                                                  \
        trace_with(name##_rows, sizeof name##_rows / sizeof name##_rows[0])

Test(busy_function, has_most_samples_and_is_told_with_its_line)
{
    struct mwa_busy_function found;
    TRACE(trace, { 1, 0, 0, 20 }, { 1, 1, 1, 41 }, { 1, 2, 2, 39 });

    cr_assert(ask(&trace, false, ALL_PLACES, false, &found));
    cr_expect_eq(found.spot, 1);
    cr_expect_float_eq(found.share, 0.61, 1e-9);
    cr_expect_float_eq(found.error, sqrt(0.61 * 0.39 / 100), 1e-9);
}

Test(busy_function, is_of_the_place_that_is_asked_for)
{
    struct mwa_busy_function found;
    TRACE(trace, { 1, 0, 0, 10 }, { 1, 1, 0, 12 }, { 1, 2, 2, 80 }, { 1, MWA_NONE, 2, 50 });

    cr_assert(ask(&trace, false, 0, false, &found));
    cr_expect_eq(found.spot, 0);
    cr_expect_float_eq(found.share, 1, 1e-9);
    cr_assert(ask(&trace, false, ALL_PLACES, false, &found));
    cr_expect_eq(found.spot, 2);
}

Test(busy_function, is_not_told_of_few_samples_or_without_a_lead)
{
    struct mwa_busy_function found;
    TRACE(few, { 1, 0, 0, 19 });
    TRACE(close, { 1, 0, 0, 40 }, { 1, 0, 2, 24 });
    TRACE(ahead, { 1, 0, 0, 41 }, { 1, 0, 2, 24 });
    TRACE(parted, { 1, 0, 0, 330 }, { 1, 0, 2, 1 }, { 1, 0, 3, 260 });

    cr_expect(!ask(&few, false, ALL_PLACES, false, &found));
    cr_expect(!ask(&close, false, ALL_PLACES, false, &found), "16 are 2 sqrt(64)");
    cr_expect(ask(&ahead, false, ALL_PLACES, false, &found));
    cr_expect(ask(&parted, false, ALL_PLACES, false, &found));
    parted_rows[1].count = 410;
    parted_rows[2].count = 500;
    cr_expect(ask(&parted, false, ALL_PLACES, false, &found), "500 of 1240");
    cr_expect_eq(found.spot, 3);
}

Test(busy_function, is_not_told_where_lost_samples_may_be_of_another)
{
    struct mwa_busy_function found;
    TRACE(trace, { 1, 0, 0, 80 }, { 1, 0, 2, 10 }, { 2, 0, 2, 10 });

    ranks[2].lost = 1000;
    cr_expect(ask(&trace, false, ALL_PLACES, false, &found), "they are rank 2's");
    ranks[1].lost = 51;
    cr_expect(ask(&trace, false, ALL_PLACES, false, &found), "19 are more than 2 sqrt(90)");
    ranks[1].lost = 52;
    cr_expect(!ask(&trace, false, ALL_PLACES, false, &found));
}

Test(busy_function, is_not_told_of_less_than_a_third)
{
    struct mwa_busy_function found;
    struct mwa_sampled_spot many[5];
    TRACE(trace, { 1, 0, 0, 300 }, { 1, 0, 1, 210 }, { 1, 0, 2, 210 }, { 1, 0, 3, 210 });
    struct mwa_trace apart = trace;

    memcpy(many, spots, sizeof spots);
    many[1].first = 1;
    apart.sampled.spots = many;
    cr_expect(!ask(&apart, false, ALL_PLACES, false, &found), "300 of 930");
    trace_rows[1].count = 179;
    cr_expect(ask(&apart, false, ALL_PLACES, false, &found), "300 of 899");
}

/* All are in the stencil most of the time; rank 1 is longer in force. */
Test(busy_function, is_where_a_rank_has_more_than_others)
{
    struct mwa_busy_function found;
    TRACE(trace, { 0, 0, 2, 200 }, { 1, 0, 2, 200 }, { 2, 0, 2, 200 }, { 3, 0, 2, 200 },
          { 0, 0, 0, 20 }, { 1, 0, 1, 100 }, { 2, 0, 0, 20 }, { 3, 0, 0, 20 });

    cr_assert(ask(&trace, false, ALL_PLACES, false, &found));
    cr_expect_eq(found.spot, 2);
    cr_assert(ask(&trace, false, ALL_PLACES, true, &found));
    cr_expect_eq(found.spot, 1);
    cr_expect_float_eq(found.share, 1, 1e-9, "of what it has more, which is 60");
    cr_assert(ask(&trace, true, ALL_PLACES, true, &found), "of all there is no more");
    cr_expect_eq(found.spot, 2);
}

/* A rank that was not sampled does not lower the average. */
Test(busy_function, is_compared_with_ranks_that_were_sampled)
{
    struct mwa_busy_function found;
    TRACE(trace, { 0, 0, 0, 80 }, { 1, 0, 0, 100 }, { 2, 0, 0, 80 }, { 3, 0, 0, 0 });

    cr_expect(ask(&trace, false, ALL_PLACES, true, &found));
    ranks[3].refused = "Permission denied";
    cr_expect(!ask(&trace, false, ALL_PLACES, true, &found), "13.3 are less than 2 errors of 7.9");
    trace_rows[1].count = 108;
    cr_expect(ask(&trace, false, ALL_PLACES, true, &found));
}

Test(busy_function, is_of_the_ranks_that_a_cause_means)
{
    struct mwa_busy_function found;
    TRACE(trace, { 0, 2, 2, 50 }, { 1, 0, 0, 50 }, { 1, 2, 2, 90 });
    const struct mwa_results results = { .trace = &trace };
    struct mwa_cause cause = { .rule = MWA_RULE_LATE_SENDER,
                               .ranks = { 1 },
                               .rank_count = 1,
                               .listed = 1,
                               .site = 1 };

    cr_assert(mwa_busy_function_of(&results, &cause, &found));
    cr_expect_eq(found.spot, 0, "on the way to the call");
    cause.rule = MWA_RULE_BY_TURNS;
    cr_assert(mwa_busy_function_of(&results, &cause, &found));
    cr_expect_eq(found.spot, 2, "in all");
    cause.rule = MWA_RULE_IDLE;
    cause.site = MWA_NONE;
    cr_assert(mwa_busy_function_of(&results, &cause, &found));
    cr_expect_eq(found.spot, 2, "of rank 0");
    cause.rank_count = 2;
    cr_expect(!mwa_busy_function_of(&results, &cause, &found), "who is not idle is not known");
    cause.rule = MWA_RULE_TINY;
    cr_expect(!mwa_busy_function_of(&results, &cause, &found), "nothing is said of computing");
}

Test(busy_function, is_not_told_where_ranks_are_in_the_kernel)
{
    struct mwa_busy_function found;
    TRACE(trace, { 0, 0, 0, 10 }, { 1, 0, 0, 90 }, { 1, 2, 2, 10 });
    struct mwa_rank_row rows[] = { { .rank = 0, .running.system_ns = 5000000000 },
                                   { .rank = 1, .running.system_ns = 500000000 } };
    const struct mwa_results results = { .trace = &trace,
                                         .profile = { .ranks = rows, .rank_count = 2 } };
    const struct mwa_cause cause = { .rule = MWA_RULE_BY_TURNS,
                                     .ranks = { 1 },
                                     .rank_count = 1,
                                     .listed = 1,
                                     .site = MWA_NONE };

    cr_expect(mwa_busy_function_of(&results, &cause, &found), "50 of 100 a second are not seen");
    rows[1].running.system_ns = 700000000;
    cr_expect(!mwa_busy_function_of(&results, &cause, &found), "10 are less than 2 sqrt(100)");
}

/* --- all functions --------------------------------------------------------------------------- */

Test(sampled_functions, are_summed_up_by_line_rank_and_call)
{
    struct mwa_functions functions;
    TRACE(trace, { 0, 0, 0, 10 }, { 0, 2, 1, 15 }, { 1, 1, 0, 12 }, { 1, 0, 2, 60 },
          { 2, MWA_NONE, 3, 3 });

    ranks[3].refused = "no";
    cr_assert_eq(mwa_functions_make(&trace, MWA_NONE, &functions), MW_OK);
    cr_assert_eq(functions.count, 3);
    cr_expect_eq(functions.outside, 100);
    cr_expect_eq(functions.ranks, 3);
    cr_expect_eq(functions.refused, 1);
    cr_expect_eq(functions.refused_first, 3);
    cr_expect_str_eq(functions.rows[0].function, "stencil");
    cr_expect_float_eq(mwa_sampled_error(functions.rows[0].count, functions.outside),
                       sqrt(0.6 * 0.4 / 100), 1e-9);
    cr_expect_eq(functions.rows[1].count, 37);
    cr_expect_eq(functions.rows[1].line, 5);
    cr_expect_eq(functions.rows[1].line_count, 22);
    cr_expect_eq(functions.rows[1].rank, 0);
    cr_expect_eq(functions.rows[1].rank_count, 25);
    cr_expect_float_eq(mwa_function_over_average(&functions.rows[1]), 25 * 3 / 37.0,
                       1e-9);
    cr_expect_eq(functions.rows[1].site, 0);
    cr_expect_eq(functions.rows[1].site_count, 22);
    cr_expect_eq(mwa_sampled_ns(&trace, 37), 370000000);
    cr_expect_null(functions.rows[2].file);
    cr_expect_eq(functions.rows[2].site, MWA_NONE);
    mwa_functions_fini(&functions);
}

Test(sampled_functions, may_be_of_one_rank_or_of_none)
{
    struct mwa_functions functions;
    TRACE(trace, { 0, 0, 0, 10 }, { 1, 1, 2, 12 });
    const struct mwa_trace without = { .rank_count = 2 };

    cr_assert_eq(mwa_functions_make(&trace, 1, &functions), MW_OK);
    cr_assert_eq(functions.count, 1);
    cr_expect_eq(functions.outside, 12);
    cr_expect_str_eq(functions.rows[0].function, "stencil");
    mwa_functions_fini(&functions);
    cr_assert_eq(mwa_functions_make(&without, MWA_NONE, &functions), MW_OK);
    cr_expect_eq(functions.count, 0);
    mwa_functions_fini(&functions);
}
