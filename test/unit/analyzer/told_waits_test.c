#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/time/rank_states.h"
#include "analyzer/analysis/time/timeline.h"
#include "formats/table/calls.h"

/*
 * Waits of two chapters, taken into results of their own, which are added: that is the same where
 * the second one's come from another process.
 */

#define RANKS 5u
#define WAITS 300u

static struct mwa_region regions[] = {
    { .name = "MPI_Recv", .kind = MWA_REGION_MPI, .call = MW_CALL_MPI_Recv },
    { .name = "MPI_Barrier", .kind = MWA_REGION_MPI, .call = MW_CALL_MPI_Barrier }
};
static struct mwa_rank ranks[RANKS];
static const struct mwa_trace trace = { .clock_resolution = 1000000000,
                                        .regions = regions,
                                        .region_count = 2,
                                        .ranks = ranks,
                                        .rank_count = RANKS };
static const struct mwa_window window = { .from = 100, .to = 20100, .bins = 7 };

union result {
    struct mwa_rank_waits ranks;
    struct mwa_timeline_waits timeline;
};

struct kind {
    const struct mwa_wait_analysis *analysis;
    void (*fini)(union result *result);
};

static void free_ranks(union result *result)
{
    mwa_rank_waits_fini(&result->ranks);
}

static void free_timeline(union result *result)
{
    mwa_timeline_waits_fini(&result->timeline);
}

static const struct kind of_ranks = { &mwa_rank_waits_analysis, free_ranks };
static const struct kind of_timeline = { &mwa_timeline_waits_analysis, free_timeline };

static uint64_t random_state = 1;

static uint64_t any(uint64_t below)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (random_state >> 33) % below;
}

static union result begin(const struct kind *kind)
{
    union result result;

    memset(&result, 0, sizeof result);
    cr_assert_eq(kind->analysis->begin(&result, &trace, &window), MW_OK);
    return result;
}

/* So many waits, from a time on. */
static union result take(const struct kind *kind, uint32_t waits, uint64_t since)
{
    union result result = begin(kind);

    for (uint32_t i = 0; i < waits; i++) {
        const uint64_t from = since + any(10000);

        cr_assert_eq(kind->analysis->visit(&result, (uint32_t)any(RANKS),
                                           any(3) ? &regions[any(2)] : NULL,
                                           (enum mwa_use)any(MWA_USES), from, from + any(300)),
                     MW_OK);
    }
    return result;
}

static struct mw_buffer pack(const struct kind *kind, const union result *result)
{
    struct mw_buffer packed = { .data = NULL };

    kind->analysis->pack(result, &packed);
    cr_assert_not(packed.failed);
    return packed;
}

static void expect_same(const struct kind *kind, const union result *one, const union result *other)
{
    struct mw_buffer ones = pack(kind, one), others = pack(kind, other);

    cr_assert_eq(ones.bytes, others.bytes);
    cr_expect_eq(memcmp(ones.data, others.data, ones.bytes), 0);
    mw_buffer_fini(&ones);
    mw_buffer_fini(&others);
}

/* Adds other, as another process tells of it, or less, which it refuses. */
static void add_told(const struct kind *kind, union result *result, const union result *other)
{
    struct mw_buffer packed = pack(kind, other);
    union result taken = begin(kind);
    struct mw_cursor from = { packed.data, packed.bytes };

    cr_assert_eq(kind->analysis->unpack(&taken, &from), MW_OK);
    cr_expect_eq(from.left, 0);
    cr_assert_eq(kind->analysis->add(result, &taken), MW_OK);
    kind->fini(&taken);
    for (size_t bytes = 0; bytes < packed.bytes; bytes += 1 + packed.bytes / 1000) {
        taken = begin(kind);
        from = (struct mw_cursor){ packed.data, bytes };
        cr_expect_eq(kind->analysis->unpack(&taken, &from), MW_ERROR_FORMAT, "%zu of %zu", bytes,
                     packed.bytes);
        kind->fini(&taken);
    }
    mw_buffer_fini(&packed);
}

static void compare(const struct kind *kind, uint32_t first, uint32_t second)
{
    union result one, other, told = begin(kind);

    one = take(kind, first, 0);
    other = take(kind, second, 10000);
    cr_assert_eq(kind->analysis->add(&told, &one), MW_OK);
    cr_assert_eq(kind->analysis->add(&one, &other), MW_OK);
    add_told(kind, &told, &other);
    expect_same(kind, &one, &told);
    kind->fini(&one);
    kind->fini(&other);
    kind->fini(&told);
}

Test(told_waits, of_ranks_are_those_that_were_found)
{
    compare(&of_ranks, WAITS, WAITS);
    compare(&of_ranks, 0, WAITS);
    compare(&of_ranks, 1, 0);
}

Test(told_waits, of_the_timeline_are_those_that_were_found)
{
    compare(&of_timeline, WAITS, WAITS);
    compare(&of_timeline, 0, WAITS);
    compare(&of_timeline, 1, 0);
}

/* Whatever is told, what is added stays where it belongs. */
static void distrust(const struct kind *kind)
{
    union result found = take(kind, WAITS, 0);
    struct mw_buffer packed = pack(kind, &found);

    for (size_t i = 0; i < 1000; i++) {
        const size_t at = i < 40 ? i : any(packed.bytes);
        const char was = packed.data[at];
        struct mw_cursor from = { packed.data, packed.bytes };
        union result all = begin(kind), taken = begin(kind);

        packed.data[at] = (char)any(256);
        if (kind->analysis->unpack(&taken, &from) == MW_OK) {
            cr_expect_eq(kind->analysis->add(&all, &taken), MW_OK);
        }
        packed.data[at] = was;
        kind->fini(&taken);
        kind->fini(&all);
    }
    mw_buffer_fini(&packed);
    kind->fini(&found);
}

Test(told_waits, are_not_believed_if_their_bytes_can_not_be)
{
    distrust(&of_ranks);
    distrust(&of_timeline);
}
