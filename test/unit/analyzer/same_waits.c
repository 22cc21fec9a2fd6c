#include "test/unit/analyzer/same_waits.h"

#include <string.h>

#include <criterion/criterion.h>

/* Of copies, which lose their lists, so that all the rest can be compared. */
static void expect_same_list(uint64_t **one, uint64_t **other, uint64_t count)
{
    cr_assert_eq(*one == NULL, *other == NULL);
    cr_expect(!*one || memcmp(*one, *other, count * sizeof **one) == 0);
    *one = *other = NULL;
}

static bool are_same_paths(const struct mwa_region_path *one, const struct mwa_region_path *other)
{
    for (; one && other && one->region == other->region; one = one->outer, other = other->outer) {
    }
    return one == other;
}

static void expect_same_wait(const struct mwa_wait *one, const struct mwa_wait *other)
{
    cr_expect_eq(one->time, other->time);
    cr_expect_eq(one->wait, other->wait);
    cr_expect_eq(one->between, other->between);
    cr_expect_eq(one->message, other->message);
    cr_expect_eq(one->location, other->location);
    cr_expect_eq(one->rank, other->rank);
    cr_expect_eq(one->cause, other->cause);
    cr_expect_eq(one->call, other->call);
    cr_expect(are_same_paths(one->within, other->within));
    cr_expect_eq(one->site, other->site);
    cr_expect_eq(one->cause_site, other->cause_site);
    cr_expect_eq(one->comm, other->comm);
    cr_expect_eq(one->grouped, other->grouped);
    cr_expect_eq(one->other_thread, other->other_thread);
    cr_expect_not(other->before_chapter);
}

static void expect_same_row(const struct mwa_trace *trace, struct mwa_wait_row *one,
                            struct mwa_wait_row *other)
{
    expect_same_list(&one->rank_ns, &other->rank_ns, trace->rank_count);
    expect_same_list(&one->cause_ns, &other->cause_ns, trace->rank_count);
    expect_same_list(&one->call_ns, &other->call_ns, trace->mpi_region_count);
    expect_same_list(&one->site_ns, &other->site_ns, trace->site_count);
    expect_same_list(&one->place_ns, &other->place_ns, trace->site_count);
    expect_same_list(&one->cause_place_ns, &other->cause_place_ns, trace->site_count);
    expect_same_list(&one->region_ns, &other->region_ns, trace->region_count);
    expect_same_list(&one->comm_ns, &other->comm_ns, trace->comm_count);
    cr_assert_eq(one->worst_count, other->worst_count);
    for (uint32_t i = 0; i < one->worst_count; i++) {
        expect_same_wait(&one->worst[i], &other->worst[i]);
    }
    memset(one->worst, 0, sizeof one->worst);
    memset(other->worst, 0, sizeof other->worst);
}

/* The same paths; what a path is at is looked for, since they may be in another order. */
static void expect_same_paths(struct mwa_waits *one, struct mwa_waits *other)
{
    cr_assert_eq(one->path_count, other->path_count);
    for (uint64_t i = 0; i < one->path_count; i++) {
        const struct mwa_path_wait *row = &one->paths[i], *same = NULL;

        for (uint64_t j = 0; j < other->path_count; j++) {
            same = other->paths[j].site == row->site &&
                           are_same_paths(other->paths[j].path, row->path)
                       ? &other->paths[j]
                       : same;
        }
        cr_assert_not_null(same);
        cr_expect_eq(same->ns, row->ns);
    }
    one->paths = other->paths = NULL;
}

/* The same in the same order. */
static void expect_same_cells(struct mwa_delay_cell **one, struct mwa_delay_cell **other,
                              uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        cr_expect_eq((*one)[i].rank, (*other)[i].rank);
        cr_expect_eq((*one)[i].region, (*other)[i].region);
        cr_expect_eq((*one)[i].short_ns, (*other)[i].short_ns);
        cr_expect_eq((*one)[i].long_ns, (*other)[i].long_ns);
        cr_expect_eq((*one)[i].before, (*other)[i].before);
    }
    *one = *other = NULL;
}

static void expect_same_delays(struct mwa_delays *one, struct mwa_delays *other)
{
    cr_assert_eq(one->rank_count, other->rank_count);
    cr_assert_eq(one->cell_count, other->cell_count);
    cr_assert_eq(one->place_count, other->place_count);
    expect_same_list(&one->rank_short_ns, &other->rank_short_ns, one->rank_count);
    expect_same_list(&one->rank_long_ns, &other->rank_long_ns, one->rank_count);
    expect_same_cells(&one->cells, &other->cells, one->cell_count);
    expect_same_cells(&one->places, &other->places, one->place_count);
}

void same_waits_expect(const struct mwa_trace *trace, struct mwa_waits *first,
                       struct mwa_waits *second)
{
    struct mwa_waits one = *first, other = *second;

    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        expect_same_row(trace, &one.rows[i], &other.rows[i]);
    }
    for (unsigned i = 0; i < MWA_WAITS_PARTS; i++) {
        expect_same_wait(&one.longest[i], &other.longest[i]);
    }
    memset(one.longest, 0, sizeof one.longest);
    memset(other.longest, 0, sizeof other.longest);
    expect_same_paths(&one, &other);
    expect_same_list(&one.unmet_ns, &other.unmet_ns, trace->mpi_region_count);
    expect_same_list(&one.other_threads_ns, &other.other_threads_ns, trace->rank_count);
    expect_same_list(&one.reordered_ns, &other.reordered_ns, trace->rank_count);
    expect_same_list(&one.between_ns, &other.between_ns, trace->rank_count);
    expect_same_delays(&one.delays, &other.delays);
    cr_expect_eq(memcmp(&one, &other, sizeof one), 0);
    mwa_waits_fini(first);
    mwa_waits_fini(second);
}
