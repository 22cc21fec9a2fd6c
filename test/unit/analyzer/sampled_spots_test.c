/* What mpiwatch.json says of samples: of what does not fit together nothing is taken, and why. */
#include "analyzer/load/sampled_spots.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct mwa_region regions[] = {
    { .name = "MPI_Barrier", .kind = MWA_REGION_MPI }, { .name = "step", .kind = MWA_REGION_USER }
};

/* Two ranks; the region of OTF2 with id 0 is a call of MPI, 1 is one of the program. */
static struct mwa_trace trace_of_two(void)
{
    struct mwa_trace trace = { .rank_count = 2, .site_count = 2, .region_count = 2 };

    trace.sites = calloc(2, sizeof *trace.sites);
    trace.regions = malloc(sizeof regions);
    memcpy(trace.regions, regions, sizeof regions);
    trace.sites[1] = (struct mwa_site){ .id = 1, .region = 1 };
    return trace;
}

#define RANKS                                                                                      \
    "\"ranks\": [{\"rank\": 0, \"outside\": 30, \"inside\": 5, \"lost\": 1, "                      \
    "            \"refused\": \"\"},"                                                              \
    "            {\"rank\": 1, \"outside\": 0, \"inside\": 0, \"lost\": 0, "                       \
    "            \"refused\": \"no\"}]"
#define SPOTS                                                                                      \
    "\"spots\": [{\"function\": \"b\", \"file\": \"/s/b.c\", \"line\": 7},"                        \
    "            {\"function\": \"a\", \"file\": \"/s/a.c\", \"line\": 3},"                        \
    "            {\"function\": \"b\", \"file\": \"/s/b.c\", \"line\": 9},"                        \
    "            {\"function\": \"m+0x12\", \"file\": \"\", \"line\": 0}]"
#define ROWS "\"rows\": [[0, 0, 0, 20], [0, null, 2, 10]]"
#define RATE "\"rate_hz\": 100"

/* Threads that call no MPI, also of a rank whose main thread could not be sampled. */
#define CREW(rank, threads)                                                                        \
    "{\"rank\": " #rank ", \"threads\": " #threads ", \"refused\": 0, \"there_ns\": 90, "          \
    "\"outside\": 9, \"inside\": 2, \"lost\": 1}"
#define OTHERS(ranks, rows) "\"others\": {\"ranks\": [" ranks "], \"rows\": [" rows "]}"
#define WITH_OTHERS(ranks, rows)                                                                   \
    "{" RATE "," RANKS "," SPOTS "," ROWS "," OTHERS(ranks, rows) "}"

/* Takes them, all or, with what is wrong, none; trace is the caller's to free. */
static void take(struct mwa_trace *trace, const char *text, const char *what)
{
    const struct mwa_sampled *sampled = &trace->sampled;
    struct mw_diagnostic diagnostic = { 0 };
    json_error_t error;
    json_t *json = json_loads(text, JSON_DECODE_ANY, &error);

    cr_assert_not_null(json, "%s: %s", text, error.text);
    cr_assert_eq(mwa_sampled_take(trace, json, "x/mpiwatch.json", &diagnostic), MW_OK);
    json_decref(json);
    cr_expect_eq(sampled->wrong != NULL, what != NULL, "%s", text);
    if (what && sampled->wrong) {
        cr_expect(strstr(sampled->wrong, what), "no \"%s\" in \"%s\"", what, sampled->wrong);
        cr_expect_eq(sampled->rate_hz + sampled->spot_count + sampled->row_count, 0, "%s", text);
        cr_expect(!sampled->ranks && !sampled->spots && !sampled->rows, "%s", text);
        cr_expect(!sampled->crews && !sampled->crew_rows && sampled->crew_row_count == 0);
        cr_expect(!mwa_was_sampled(sampled, 0));
    }
}

Test(sampled_spots, are_taken_as_they_are)
{
    struct mwa_trace trace = trace_of_two();
    const struct mwa_sampled *sampled = &trace.sampled;

    take(&trace, "{" RATE "," RANKS "," SPOTS "," ROWS "}", NULL);
    cr_expect_eq(sampled->rate_hz, 100);
    cr_expect_eq(sampled->ranks[0].outside, 30);
    cr_expect_eq(sampled->ranks[0].inside, 5);
    cr_expect_eq(sampled->ranks[0].lost, 1);
    cr_expect(mwa_was_sampled(sampled, 0));
    cr_expect(!mwa_was_sampled(sampled, 1));
    cr_expect_str_eq(sampled->ranks[1].refused, "no");
    cr_assert_eq(sampled->spot_count, 4);
    cr_expect_str_eq(sampled->spots[1].function, "a");
    cr_expect_eq(sampled->spots[0].first, 0);
    cr_expect_eq(sampled->spots[1].first, 1);
    cr_expect_eq(sampled->spots[2].first, 0, "the same function in the same file");
    cr_expect_eq(sampled->spots[3].first, 3);
    cr_assert_eq(sampled->row_count, 2);
    cr_expect_eq(sampled->rows[0].site, 0);
    cr_expect_eq(sampled->rows[1].site, MWA_NONE);
    cr_expect_eq(sampled->rows[1].spot, 2);
    cr_expect_eq(sampled->rows[1].count, 10);
    mwa_trace_fini(&trace);
}

Test(sampled_spots, are_also_of_other_threads)
{
    struct mwa_trace trace = trace_of_two();
    const struct mwa_sampled *sampled = &trace.sampled;

    take(&trace, WITH_OTHERS(CREW(1, 3), "[1, 0, 1, 4], [1, null, 2, 5]"), NULL);
    cr_expect_eq(sampled->crews[0].threads, 0);
    cr_expect_eq(sampled->crews[1].threads, 3);
    cr_expect_eq(sampled->crews[1].there_ns, 90);
    cr_expect_eq(sampled->crews[1].outside + sampled->crews[1].inside, 11);
    cr_assert_eq(sampled->crew_row_count, 2);
    cr_expect_eq(sampled->crew_rows[0].count, 4);
    cr_expect_eq(sampled->crew_rows[1].spot, 2);
    cr_expect_eq(sampled->row_count, 2);
    mwa_trace_fini(&trace);
}

Test(sampled_spots, need_not_be_there)
{
    struct mwa_trace trace = trace_of_two();
    struct mw_diagnostic diagnostic = { 0 };

    cr_expect_eq(mwa_sampled_take(&trace, NULL, "", &diagnostic), MW_OK);
    take(&trace, "null", NULL);
    cr_expect_eq(trace.sampled.rate_hz, 0);
    cr_expect(!mwa_was_sampled(&trace.sampled, 0));
    mwa_trace_fini(&trace);
}

static const struct {
    const char *text;
    const char *what;
} damaged[] = {
    { "7", "no rate" },
    { "[]", "no rate" },
    { "{" RANKS "," SPOTS "," ROWS "}", "no rate" },
    { "{\"rate_hz\": 0," RANKS "," SPOTS "," ROWS "}", "no rate" },
    { "{\"rate_hz\": -1," RANKS "," SPOTS "," ROWS "}", "no rate" },
    { "{\"rate_hz\": 1e2," RANKS "," SPOTS "," ROWS "}", "no rate" },
    { "{" RATE "," SPOTS "," ROWS "}", "list of ranks" },
    { "{" RATE ",\"ranks\": [7]," SPOTS "," ROWS "}", "rank that there is not" },
    { "{" RATE ",\"ranks\": [{\"rank\": 2, \"outside\": 0, \"inside\": 0, \"lost\": 0, "
      "\"refused\": \"\"}]," SPOTS "," ROWS "}", "rank that there is not" },
    { "{" RATE ",\"ranks\": [{\"rank\": 0, \"outside\": 0, \"inside\": 0, \"lost\": 0, "
      "\"refused\": \"\"}, {\"rank\": 0, \"outside\": 0, \"inside\": 0, \"lost\": 0, "
      "\"refused\": \"\"}]," SPOTS "," ROWS "}", "or twice" },
    { "{" RATE ",\"ranks\": [{\"rank\": 0, \"outside\": 0, \"inside\": -1, \"lost\": 0, "
      "\"refused\": \"\"}]," SPOTS "," ROWS "}", "numbers of samples" },
    { "{" RATE ",\"ranks\": [{\"rank\": 0, \"outside\": 0, \"inside\": 0, \"lost\": 0}],"
      SPOTS "," ROWS "}", "numbers of samples" },
    { "{" RATE ",\"ranks\": [{\"rank\": 0, \"outside\": 9223372036854775806, \"inside\": 0, "
      "\"lost\": 0, \"refused\": \"\"}, {\"rank\": 1, \"outside\": 2, \"inside\": 0, \"lost\": 0, "
      "\"refused\": \"\"}]," SPOTS "," ROWS "}", "numbers of samples" },
    { "{" RATE "," RANKS ",\"spots\": {}," ROWS "}", "list of functions" },
    { "{" RATE "," RANKS ",\"spots\": [{\"function\": 1, \"file\": \"\", \"line\": 0}]," ROWS "}",
      "no name" },
    { "{" RATE "," RANKS ",\"spots\": [{\"function\": \"a\", \"file\": \"\", \"line\": -1}],"
      ROWS "}", "no name" },
    { "{" RATE "," RANKS "," SPOTS "}", "no rows" },
    { "{" RATE "," RANKS "," SPOTS ",\"rows\": [[0, 0, 0]]}", "rank that was not sampled" },
    { "{" RATE "," RANKS "," SPOTS ",\"rows\": [7]}", "rank that was not sampled" },
    { "{" RATE "," RANKS "," SPOTS ",\"rows\": [[2, 0, 0, 1]]}", "rank that was not sampled" },
    { "{" RATE "," RANKS "," SPOTS ",\"rows\": [[1, 0, 0, 0]]}", "rank that was not sampled" },
    { "{" RATE "," RANKS "," SPOTS ",\"rows\": [[0, 1, 0, 1]]}", "no call of MPI" },
    { "{" RATE "," RANKS "," SPOTS ",\"rows\": [[0, 2, 0, 1]]}", "no call of MPI" },
    { "{" RATE "," RANKS "," SPOTS ",\"rows\": [[0, \"0\", 0, 1]]}", "no call of MPI" },
    { "{" RATE "," RANKS "," SPOTS ",\"rows\": [[0, 4294967296, 0, 1]]}", "no call of MPI" },
    { "{" RATE "," RANKS "," SPOTS ",\"rows\": [[0, 0, 4, 1]]}", "not listed" },
    { "{" RATE "," RANKS "," SPOTS ",\"rows\": [[0, 0, 0, -1]]}", "more samples" },
    { "{" RATE "," RANKS "," SPOTS ",\"rows\": [[0, 0, 0, 20], [0, 0, 1, 11]]}", "more samples" },
    { "{" RATE "," RANKS "," SPOTS ",\"rows\": [[0, 0, 0, 20], [0, 0, 1, 11]]}",
      "samples.rows[1], rank 0: " },
    { "{" RATE "," RANKS "," SPOTS ",\"rows\": [[0, 0, 0, 20], [7, 0, 1, 11]]}",
      "samples.rows[1]: " },
    { "{" RATE "," RANKS ",\"spots\": [{\"function\": 1, \"file\": \"\", \"line\": 0}]," ROWS "}",
      "samples.spots[0]: " },
    { "{" RATE "," RANKS "," SPOTS "," ROWS ",\"others\": 7}", "no list of ranks" },
    { WITH_OTHERS(CREW(2, 3), ""), "samples.others.ranks[0]: threads are of a rank" },
    { WITH_OTHERS(CREW(0, 3) "," CREW(0, 1), ""), "or twice" },
    { WITH_OTHERS(CREW(0, -1), ""), "samples.others.ranks[0], rank 0: the numbers" },
    { WITH_OTHERS(CREW(0, 3), "[1, 0, 1, 4]"), "samples.others.rows[0]: samples are of a rank" },
    { WITH_OTHERS(CREW(0, 3), "[0, 0, 4, 4]"), "not listed" },
    { WITH_OTHERS(CREW(0, 3), "[0, 0, 1, 10]"), "samples.others.rows[0], rank 0: a rank has more" },
};

Test(sampled_spots, are_left_out_where_they_do_not_fit)
{
    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
        struct mwa_trace trace = trace_of_two();

        take(&trace, damaged[i].text, damaged[i].what);
        mwa_trace_fini(&trace);
    }
}
