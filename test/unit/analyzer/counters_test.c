#include "analyzer/analysis/counters/counters.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "analyzer/analysis/counters/sums.h"

/* What becomes of the only track there is. */
static struct mwa_counter_row made_of(const struct mwa_trace *trace, struct mwa_tracks *tracks)
{
    struct mwa_counters counters;
    struct mwa_counter_row row;

    cr_assert_eq(mwa_sums_rebuild(trace, tracks), MW_OK);
    cr_assert_eq(mwa_counters_make(trace, tracks, &counters), MW_OK);
    cr_assert_eq(counters.count, 1);
    row = counters.rows[0];
    mwa_counters_fini(&counters);
    return row;
}

/* A sum of 32-bit elements, or one of them, with two samples a second apart. */
static struct mwa_counter_row row_of(bool is_statistic, uint64_t before, uint64_t now,
                                     uint32_t flags)
{
    static struct mwa_metric_member member = { .name = "calls.sum", .unit = "#" };
    static uint32_t members[] = { 0 };
    static struct mwa_sample samples[2];
    static struct mwa_track track;
    struct mwa_metric metric = { .count = 1,
                                 .members = members,
                                 .declared = MW_CLASS_COUNTER,
                                 .effective = MW_CLASS_COUNTER,
                                 .bits = 32,
                                 .bind = "MPI_COMM",
                                 .is_statistic = is_statistic };
    struct mwa_trace trace = { .clock_resolution = 1000000000,
                               .metrics = { .members = &member,
                                            .member_count = 1,
                                            .list = &metric,
                                            .count = 1 } };
    struct mwa_tracks tracks = { .list = &track, .count = 1, .first = 0, .last = 1000000000 };

    samples[0] = (struct mwa_sample){ .time = 0, .value = (double)before, .bits = before };
    samples[1] = (struct mwa_sample){
        .time = 1000000000, .value = (double)now, .bits = now, .flags = flags
    };
    track = (struct mwa_track){ .name = "calls.sum",
                                .comm = MWA_NONE,
                                .object = MWA_NONE,
                                .samples = samples,
                                .count = 2 };
    return made_of(&trace, &tracks);
}

Test(counters, count_on_when_one_of_several_elements_wraps)
{
    /* 2^32 - 6 and 100 in two elements, then 4 and 100: 10 more. */
    struct mwa_counter_row row = row_of(true, UINT64_C(4294967390), 104, 0);

    cr_assert_eq(row.total_exact, 10);
    cr_assert_eq(row.wraps, 1);
    cr_assert_eq(row.resets, 0);
}

Test(counters, may_sum_up_to_more_than_an_element_holds)
{
    struct mwa_counter_row row = row_of(true, UINT64_C(4294967290), UINT64_C(4294967300), 0);

    cr_assert_eq(row.total_exact, 10);
    cr_assert_eq(row.wraps, 0);
}

Test(counters, start_again_from_0_where_the_application_has_reset_them)
{
    struct mwa_counter_row row = row_of(false, 1000, 7, MW_SAMPLE_FOREIGN);

    cr_assert_eq(row.total_exact, 7);
    cr_assert_eq(row.resets, 1);
}

Test(counters, have_as_mean_rate_what_they_gain_in_the_time_that_they_are_there)
{
    struct mwa_counter_row row = row_of(false, 0, 240, 0);

    cr_assert_float_eq(row.rate, 240, 1e-6);
    cr_assert_float_eq(row.rate_min, 240, 1e-6);
    cr_assert_float_eq(row.rate_max, 240, 1e-6);
    cr_assert_float_eq(row.coverage, 1, 1e-9);
}

/* A timer of seconds that gains what is said between its two samples, a second apart. */
static struct mwa_counter_row timer_of(double gain, uint32_t flags)
{
    static struct mwa_metric_member member = { .name = "t", .unit = "s", .type = MW_METRIC_DOUBLE };
    static uint32_t members[] = { 0 };
    static struct mwa_sample samples[2];
    static struct mwa_track track;
    struct mwa_metric metric = { .count = 1,
                                 .members = members,
                                 .declared = MW_CLASS_TIMER,
                                 .effective = MW_CLASS_TIMER,
                                 .bits = 64,
                                 .bind = "NO_OBJECT" };
    struct mwa_rank rank = { .locations = 1 };
    struct mwa_trace trace = { .clock_resolution = 1000000000,
                               .ranks = &rank,
                               .rank_count = 1,
                               .metrics = { .members = &member,
                                            .member_count = 1,
                                            .list = &metric,
                                            .count = 1 } };
    struct mwa_tracks tracks = { .list = &track, .count = 1, .last = 1000000000 };
    struct mwa_counters counters;
    struct mwa_counter_row row;

    samples[0] = (struct mwa_sample){ .value = -1795194000 }; /* MPICH's begin there */
    samples[1] = (struct mwa_sample){
        .time = 1000000000, .value = -1795194000 + gain, .flags = flags
    };
    for (unsigned i = 0; i < 2; i++) {
        memcpy(&samples[i].bits, &samples[i].value, sizeof samples[i].bits);
    }
    track = (struct mwa_track){
        .name = "t", .comm = MWA_NONE, .object = MWA_NONE, .samples = samples, .count = 2
    };
    cr_assert_eq(mwa_sums_rebuild(&trace, &tracks), MW_OK);
    cr_assert_eq(mwa_counters_make(&trace, &tracks, &counters), MW_OK);
    row = counters.rows[0];
    mwa_counters_fini(&counters);
    return row;
}

Test(counters, say_of_timers_that_gain_more_than_the_time_that_passed)
{
    struct mwa_counter_row row = timer_of(0.5, 0);

    cr_assert_eq(row.implausible, 0);
    cr_assert_float_eq(row.total, 0.5, 1e-6);
    cr_assert_float_eq(row.rate_max, 0.5, 1e-6);
    row = timer_of(3, 0);
    cr_assert_eq(row.implausible, 1);
    cr_assert_float_eq(row.total, 3, 1e-6);
    cr_assert_float_eq(row.rate_max, 0, 1e-9);
}

Test(counters, have_not_been_seen_where_samples_were_lost)
{
    struct mwa_counter_row row = timer_of(0.5, MW_SAMPLE_GAP);

    cr_assert_eq(row.unobserved_ns, 1000000000);
    cr_assert_float_eq(row.coverage, 0, 1e-9);
    cr_assert_float_eq(row.total, 0.5, 1e-6);
}

Test(counters, know_how_long_each_state_was_held)
{
    static const double values[] = { 1, 2, 1, 1 };
    static const uint64_t times[] = { 0, 10, 30, 40 };
    struct mwa_metric_member member = { .name = "state", .unit = "" };
    uint32_t members[] = { 0 };
    struct mwa_metric metric = {
        .count = 1, .members = members, .declared = MW_CLASS_STATE,
        .effective = MW_CLASS_STATE, .bits = 32, .bind = "NO_OBJECT"
    };
    struct mwa_trace trace = { .clock_resolution = 1000000000,
                               .metrics = { .members = &member,
                                            .member_count = 1,
                                            .list = &metric,
                                            .count = 1 } };
    struct mwa_sample samples[4] = { { 0 } };
    struct mwa_track track = {
        .name = "state", .comm = MWA_NONE, .object = MWA_NONE, .samples = samples, .count = 4
    };
    struct mwa_tracks tracks = { .list = &track, .count = 1, .last = 40 };
    struct mwa_counters counters;

    for (unsigned i = 0; i < 4; i++) {
        samples[i].time = times[i];
        samples[i].value = values[i];
    }
    cr_assert_eq(mwa_sums_rebuild(&trace, &tracks), MW_OK);
    cr_assert_eq(mwa_counters_make(&trace, &tracks, &counters), MW_OK);
    cr_assert_eq(counters.rows[0].state_count, 2);
    cr_assert_float_eq(counters.rows[0].states[0], 1, 0);
    cr_assert_eq(counters.rows[0].state_ticks[0], 20);
    cr_assert_float_eq(counters.rows[0].states[1], 2, 0);
    cr_assert_eq(counters.rows[0].state_ticks[1], 20);
    mwa_counters_fini(&counters);
}

/* A level over 40 ns, of which samples has count. */
static struct mwa_counter_row level_of(struct mwa_sample *samples, uint64_t count)
{
    struct mwa_metric_member member = { .name = "level", .unit = "#" };
    uint32_t members[] = { 0 };
    struct mwa_metric metric = {
        .count = 1, .members = members, .declared = MW_CLASS_LEVEL,
        .effective = MW_CLASS_LEVEL, .bits = 64, .bind = "NO_OBJECT"
    };
    struct mwa_trace trace = { .clock_resolution = 1000000000,
                               .metrics = { .members = &member,
                                            .member_count = 1,
                                            .list = &metric,
                                            .count = 1 } };
    struct mwa_track track = { .name = "level",
                               .comm = MWA_NONE,
                               .object = MWA_NONE,
                               .samples = samples,
                               .count = count,
                               .still_from = 10,
                               .still_to = UINT64_MAX };
    struct mwa_tracks tracks = { .list = &track, .count = 1, .last = 40 };

    return made_of(&trace, &tracks);
}

Test(counters, have_no_mean_of_the_time_between_a_stop_and_the_next_start)
{
    /* 4 for 10 ns, 8 when it is stopped, which it stays for 20, 2 for the last 10. */
    struct mwa_sample samples[] = { { .time = 0, .value = 4 },
                                    { .time = 10, .value = 8, .flags = MW_SAMPLE_STOP },
                                    { .time = 30, .value = 2, .flags = MW_SAMPLE_START },
                                    { .time = 40, .value = 2 } };
    struct mwa_counter_row row = level_of(samples, 4);

    cr_assert(row.is_observed);
    cr_assert_float_eq(row.mean, 3, 1e-9);
    cr_assert_eq(row.unobserved_ns, 20);
    cr_assert_float_eq(row.coverage, 0.5, 1e-9);
}

Test(counters, know_nothing_of_what_nobody_has_started)
{
    struct mwa_counter_row row = level_of(NULL, 0);

    cr_assert_not(row.is_observed);
    cr_assert(isnan(row.total) && isnan(row.max) && isnan(row.mean) && isnan(row.cells[3]));
    cr_assert_eq(row.samples, 0);
    cr_assert_eq(row.unobserved_ns, 30);
    cr_assert_float_eq(row.coverage, 0, 0);
}
