#include <criterion/criterion.h>
#include <string.h>

#include "analyzer/analysis/efficiency/ideal_replay.h"
#include "analyzer/analysis/efficiency/stretches.h"
#include "analyzer/analysis/efficiency/what_if.h"
#include "analyzer/analysis/messages/queueing.h"
#include "test/unit/analyzer/told_in_chapters.h"

#define RUNS 60u

static void expect_queueing(const struct mwa_queueing *found, const struct mwa_queueing *expected)
{
    cr_expect_eq(found->matched, expected->matched);
    cr_expect_eq(found->without_bytes, expected->without_bytes);
    cr_expect_eq(found->late_posted, expected->late_posted);
    cr_expect(found->late_byte_ns == expected->late_byte_ns);
    cr_expect_eq(found->total_ns, expected->total_ns);
    cr_expect_eq(found->max_ns, expected->max_ns);
    cr_expect_eq(found->max_from, expected->max_from);
    cr_expect_eq(found->max_to, expected->max_to);
    cr_expect_eq(found->most.rank, expected->most.rank);
    cr_expect_eq(found->most.site, expected->most.site);
    cr_expect_eq(found->most.count, expected->most.count);
    cr_expect_eq(found->most.bytes, expected->most.bytes);
    cr_expect_eq(found->most.total_ns, expected->most.total_ns);
}

static const struct traveller queueing = { .analysis = &mwa_queueing_analysis,
                                           .size = sizeof(struct mwa_queueing) };

Test(queueing, of_chapters_is_that_of_the_run)
{
    uint64_t late = 0;

    for (uint32_t run = 1; run <= RUNS; run++) {
        struct mwa_queueing whole, of_chapters;
        bool cuts[TOLD_MEETINGS];
        struct told told;

        told_make(&told, run);
        told_follow(&told, &queueing, NULL, NULL, 512, &whole);
        for (uint32_t way = 0; way < TOLD_WAYS; way++) {
            told_cut(&told, way, cuts);
            told_follow(&told, &queueing, NULL, cuts, 1 + way, &of_chapters);
            expect_queueing(&of_chapters, &whole);
        }
        late += whole.late_posted;
        told_fini(&told);
    }
    cr_expect_gt(late, RUNS);
}

static void expect_replay(const struct mwa_replay_result *found,
                          const struct mwa_replay_result *expected, const struct mwa_trace *trace)
{
    cr_expect_eq(found->has_run, expected->has_run);
    cr_expect_eq(found->threads, expected->threads);
    cr_expect_eq(found->ideal.runtime_ns, expected->ideal.runtime_ns);
    cr_expect_eq(found->ideal.free_ns, expected->ideal.free_ns);
    cr_expect_eq(found->ideal.rank_count, expected->ideal.rank_count);
    cr_assert_eq(found->ideal.cell_count, expected->ideal.cell_count);
    for (uint64_t i = 0; i < expected->ideal.cell_count; i++) {
        cr_expect_eq(found->ideal.cells[i].region, expected->ideal.cells[i].region);
        cr_expect_eq(found->ideal.cells[i].rank, expected->ideal.cells[i].rank);
        cr_expect_eq(found->ideal.cells[i].ns, expected->ideal.cells[i].ns,
                     "cell %lu: %lu, not %lu", (unsigned long)i,
                     (unsigned long)found->ideal.cells[i].ns,
                     (unsigned long)expected->ideal.cells[i].ns);
    }
    cr_expect_eq(found->end_rank, expected->end_rank);
    cr_expect_eq(found->hops, expected->hops, "%lu hops, not %lu", (unsigned long)found->hops,
                 (unsigned long)expected->hops);
    for (uint64_t i = 0; i < trace->rank_count; i++) {
        cr_expect_eq(found->ideal.per_rank_ns[i], expected->ideal.per_rank_ns[i],
                     "rank %lu: %lu, not %lu", (unsigned long)i,
                     (unsigned long)found->ideal.per_rank_ns[i],
                     (unsigned long)expected->ideal.per_rank_ns[i]);
        cr_expect_eq(found->rank_ticks[i], expected->rank_ticks[i]);
    }
    cr_assert_eq(found->stretch_count, expected->stretch_count);
    for (uint64_t i = 0; i < expected->stretch_count; i++) {
        cr_expect_eq(found->stretches[i].rank, expected->stretches[i].rank);
        cr_expect_eq(found->stretches[i].place, expected->stretches[i].place);
        cr_expect_eq(found->stretches[i].ns, expected->stretches[i].ns);
    }
    for (uint64_t i = 0; i <= trace->region_count; i++) {
        cr_expect_eq(found->region_ticks[i], expected->region_ticks[i]);
    }
}

static void free_replayed(void *result)
{
    mwa_replay_result_fini(result);
}

static const struct traveller replay = { .analysis = &mwa_replay_analysis,
                                         .size = sizeof(struct mwa_replay_result),
                                         .fini = free_replayed };

Test(ideal, replay_and_path_of_chapters_are_those_of_the_run)
{
    uint64_t hops = 0;

    for (uint32_t run = 1; run <= RUNS; run++) {
        struct mwa_replay_result whole, of_chapters;
        bool cuts[TOLD_MEETINGS];
        struct told told;

        told_make(&told, run);
        told_follow(&told, &replay, NULL, NULL, 512, &whole);
        for (uint32_t way = 0; way < TOLD_WAYS; way++) {
            told_cut(&told, way, cuts);
            told_follow(&told, &replay, NULL, cuts, 1 + way, &of_chapters);
            expect_replay(&of_chapters, &whole, &told.trace);
            mwa_replay_result_fini(&of_chapters);
        }
        hops += whole.hops;
        mwa_replay_result_fini(&whole);
        told_fini(&told);
    }
    cr_expect_gt(hops, 2 * RUNS * TOLD_MEETINGS);
}

/* The site of the calls of a function. */
static uint32_t site_of(const struct mwa_trace *trace, const char *name)
{
    for (uint32_t i = 0; i < trace->site_count; i++) {
        if (strcmp(trace->regions[trace->sites[i].region].name, name) == 0) {
            return i;
        }
    }
    cr_assert_fail("no site of %s", name);
    return MWA_NONE;
}

static const struct traveller what_if = { .analysis = &mwa_what_if_analysis,
                                          .size = sizeof(struct mwa_what_if) };

Test(what_if, of_chapters_is_that_of_the_run)
{
    uint32_t differing = 0;

    for (uint32_t run = 1; run <= RUNS; run++) {
        struct mwa_what_if whole, of_chapters;
        bool cuts[TOLD_MEETINGS];
        struct told told;

        told_make(&told, run);
        const uint32_t wait = site_of(&told.trace, "MPI_Wait");
        const uint32_t recv = site_of(&told.trace, "MPI_Recv");
        const struct mwa_what_if_factor one[] = { { 0, recv, 0.5, 0 }, { 2, wait, 1.7, 0 },
                                                  { 4, recv, 0.1, 0 } };
        const struct mwa_what_if_factor other[] = { { 1, recv, 3.3, 0 } };
        struct mwa_what_if_cases cases = {
            .list = { { .place_count = 0 },
                      { .factors = one, .factor_count = 3 },
                      { .factors = other, .factor_count = 1, .places = { wait },
                        .place_count = 1 },
                      { .places = { recv, wait }, .place_count = 2 } },
            .count = 4
        };
        told_follow(&told, &what_if, &cases, NULL, 512, &whole);
        cr_expect(whole.is_known);
        for (uint32_t way = 0; way < TOLD_WAYS; way++) {
            told_cut(&told, way, cuts);
            told_follow(&told, &what_if, &cases, cuts, 1 + way, &of_chapters);
            cr_expect_eq(of_chapters.is_known, whole.is_known);
            for (uint32_t i = 0; i < cases.count; i++) {
                cr_expect_eq(of_chapters.runtime_ns[i], whole.runtime_ns[i],
                             "case %u: %lu, not %lu", i, (unsigned long)of_chapters.runtime_ns[i],
                             (unsigned long)whole.runtime_ns[i]);
            }
        }
        differing += whole.runtime_ns[3] < whole.runtime_ns[0] &&
                     whole.runtime_ns[1] != whole.runtime_ns[2];
        told_fini(&told);
    }
    cr_expect_gt(differing, RUNS / 2);
}

/* Others look up what is told of a place. */
Test(ideal_chapters, stretches_before_calls_at_places_that_are_not_there_are_refused)
{
    for (uint64_t sites = 7; sites <= 8; sites++) {
        struct mwa_stretches told = { 0 }, taken = { 0 };
        struct mw_buffer packed = { 0 };
        struct mw_cursor from;

        cr_assert_eq(mwa_stretches_add(&told, MWA_NONE, 3), MW_OK);
        cr_assert_eq(mwa_stretches_add(&told, 7, 5), MW_OK);
        mwa_stretches_pack(&told, &packed);
        from = (struct mw_cursor){ packed.data, packed.bytes };
        cr_expect_eq(mwa_stretches_unpack(&taken, sites, &from),
                     sites > 7 ? MW_OK : MW_ERROR_FORMAT);
        mwa_stretches_fini(&told);
        mwa_stretches_fini(&taken);
        mw_buffer_fini(&packed);
    }
}
