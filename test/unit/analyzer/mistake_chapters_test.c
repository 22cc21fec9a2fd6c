/*
 * Members of runs that are made up tell terms where they change, as the recorder does, and some of
 * them change alone: what is wrong in a chapter hangs on what an earlier one has told.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "analyzer/analysis/messages/mistakes.h"
#include "analyzer/model/map.h"
#include "formats/table/terms.h"
#include "test/unit/analyzer/told_in_chapters.h"

#define RUNS 60u

/* Terms of number-th use of an operation: mostly those of all, for a while others of one rank. */
static uint32_t terms_of(uint64_t seed, uint32_t rank, uint64_t number)
{
    const bool is_other = (seed + number / 3) % 3 == 1 && rank == (seed + number / 3) % TOLD_RANKS;

    if (seed % 4 == 0 && rank == 3) {
        return 0; /* never tells any */
    }
    return MW_TERMS_OF(is_other && number % 2 ? MW_REDUCTION_MAX : MW_REDUCTION_SUM,
                       is_other && number % 5 ? MW_SCALAR(MW_SCALAR_FLOAT, 2)
                                              : MW_SCALAR(MW_SCALAR_SIGNED, 2));
}

/* Has a rank tell terms, and as many bytes too much in every ninth operation. */
static void tell_terms(struct told *told, uint64_t seed, uint32_t rank)
{
    struct mwa_map numbers = { 0 }, last = { 0 };

    for (uint64_t i = 0; i < told->ranks[rank].count; i++) {
        struct mwa_event *event = &told->ranks[rank].list[i];
        struct mwa_collective_data *data = &event->of.collective;
        uint64_t *number, *known;

        if (event->kind != MWA_COLLECTIVE_END) {
            continue;
        }
        number = mwa_map_put(&numbers, (struct mwa_key){ 0, data->operation }, 0);
        known = mwa_map_put(&last, (struct mwa_key){ 0, data->operation }, 0);
        cr_assert(number && known);
        data->terms = data->operation == 0 ? 0 : terms_of(seed, rank, *number);
        data->has_terms = data->terms != *known;
        *known = data->terms;
        data->bytes_sent += (*number)++ % 9 == 4 ? 8 * rank : 0;
    }
    mwa_map_fini(&numbers);
    mwa_map_fini(&last);
}

static void expect_mistakes(const struct mwa_mistakes *found, const struct mwa_mistakes *expected)
{
    cr_assert_eq(found->count, expected->count, "%lu, not %lu", (unsigned long)found->count,
                 (unsigned long)expected->count);
    for (uint64_t i = 0; i < expected->count; i++) {
        const struct mwa_mistake *one = &found->list[i], *other = &expected->list[i];

        cr_expect_eq(one->kind, other->kind);
        cr_expect_eq(one->is_sure, other->is_sure);
        cr_expect_eq(one->rank, other->rank);
        cr_expect_eq(one->other, other->other);
        cr_expect_eq(one->comm, other->comm);
        cr_expect_eq(one->tag, other->tag);
        cr_expect_eq(one->site, other->site);
        cr_expect_eq(one->other_site, other->other_site);
        cr_expect_eq(one->count, other->count, "%lu, not %lu", (unsigned long)one->count,
                     (unsigned long)other->count);
        cr_expect_eq(one->bytes, other->bytes);
        cr_expect_eq(one->other_bytes, other->other_bytes);
        cr_expect_eq(one->term, other->term);
        cr_expect_eq(one->other_term, other->other_term);
    }
}

static void free_result(void *result)
{
    mwa_mistakes_fini(result);
}

static const struct traveller mistakes = { .analysis = &mwa_mistakes_analysis,
                                           .size = sizeof(struct mwa_mistakes),
                                           .fini = free_result };

Test(mistakes, of_chapters_are_those_of_the_run)
{
    uint64_t of_kind[MWA_MISTAKE_KINDS] = { 0 };

    for (uint32_t run = 1; run <= RUNS; run++) {
        struct mwa_mistakes whole, of_chapters;
        bool cuts[TOLD_MEETINGS];
        struct told told;

        told_make(&told, run);
        told.trace.creator = run % 5 == 0 ? "somebody" : "mpiwatch";
        for (uint32_t i = 0; i < TOLD_RANKS; i++) {
            tell_terms(&told, run, i);
        }
        told_follow(&told, &mistakes, NULL, NULL, 512, &whole);
        for (uint32_t way = 0; way < TOLD_WAYS; way++) {
            told_cut(&told, way, cuts);
            told_follow(&told, &mistakes, NULL, cuts, 1 + way, &of_chapters);
            expect_mistakes(&of_chapters, &whole);
            mwa_mistakes_fini(&of_chapters);
        }
        for (uint64_t i = 0; i < whole.count; i++) {
            of_kind[whole.list[i].kind] += whole.list[i].count;
        }
        mwa_mistakes_fini(&whole);
        told_fini(&told);
    }
    cr_expect_gt(of_kind[MWA_MISTAKE_REDUCTION], RUNS);
    cr_expect_gt(of_kind[MWA_MISTAKE_TYPE], RUNS);
    cr_expect_gt(of_kind[MWA_MISTAKE_COUNT], RUNS);
}
