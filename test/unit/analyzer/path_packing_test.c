#include "analyzer/analysis/efficiency/path_packing.h"

#include <criterion/criterion.h>
#include <string.h>

#include "test/unit/analyzer/travel.h"

#define REGIONS 40u
#define RANKS   3u
#define ENDS    4u

/*
 * Two paths that have 5 ticks in region 1 in common: one goes on with a tick in each region, the
 * other one hops twice. The third end is where these part, the fourth one nowhere.
 */
struct forest {
    struct mwa_path_tree tree;
    struct mwa_path_node *ends[ENDS];
};

static void make_paths(struct forest *forest)
{
    struct mwa_path_tree *tree = &forest->tree;
    struct mwa_path_node **ends = forest->ends;

    mwa_path_tree_init(tree);
    memset(forest->ends, 0, sizeof forest->ends);
    ends[2] = mwa_path_begin(tree);
    cr_assert(mwa_path_spend(tree, &ends[2], 1, 0, 5));
    ends[0] = mwa_path_hold(ends[2]);
    for (uint32_t i = 0; i < REGIONS; i++) {
        cr_assert(mwa_path_spend(tree, &ends[0], i, 1, 1));
    }
    cr_assert(mwa_path_hop(tree, &ends[1], ends[2]));
    cr_assert(mwa_path_hop(tree, &ends[1], ends[1]));
    cr_assert(mwa_path_spend(tree, &ends[1], 7, 2, 11));
}

static void expect_path(const struct mwa_path_node *end, uint64_t hops, uint64_t in_first,
                        uint64_t in_seventh, uint64_t on_rank_2)
{
    uint64_t regions[REGIONS] = { 0 }, ranks[RANKS] = { 0 };

    cr_expect_eq(mwa_path_sum(end, regions, REGIONS, ranks, RANKS), hops);
    cr_expect_eq(regions[1], in_first);
    cr_expect_eq(regions[7], in_seventh);
    cr_expect_eq(ranks[2], on_rank_2);
}

static void pack_paths(struct mw_buffer *to)
{
    struct forest forest;

    make_paths(&forest);
    mwa_path_pack(forest.ends, ENDS, to);
    cr_assert_not(to->failed);
    mwa_path_tree_fini(&forest.tree);
}

static enum mw_status take(struct mw_cursor *from, struct forest *forest)
{
    mwa_path_tree_init(&forest->tree);
    memset(forest->ends, 0, sizeof forest->ends);
    return mwa_path_unpack(&forest->tree, forest->ends, ENDS, from);
}

Test(path_packing, keeps_what_paths_have_in_common)
{
    struct mw_buffer packed = { 0 };
    struct mw_cursor from;
    struct forest taken;

    pack_paths(&packed);
    from = (struct mw_cursor){ packed.data, packed.bytes };
    cr_assert_eq(take(&from, &taken), MW_OK);
    cr_expect_eq(taken.tree.used, 3, "what is common, and each that goes on");
    expect_path(taken.ends[0], 0, 6, 1, 0);
    expect_path(taken.ends[1], 2, 5, 11, 11);
    expect_path(taken.ends[2], 0, 5, 0, 0);
    cr_expect_null(taken.ends[3]);
    mwa_path_tree_fini(&taken.tree);
    mw_buffer_fini(&packed);
}

/* When nobody holds any of them any more, all are gone. */
Test(path_packing, knows_who_holds_a_node)
{
    struct mw_buffer packed = { 0 };
    struct mw_cursor from;
    struct forest taken;

    pack_paths(&packed);
    from = (struct mw_cursor){ packed.data, packed.bytes };
    cr_assert_eq(take(&from, &taken), MW_OK);
    mwa_path_drop(&taken.tree, taken.ends[2]);
    expect_path(taken.ends[1], 2, 5, 11, 11);
    mwa_path_drop(&taken.tree, taken.ends[1]);
    expect_path(taken.ends[0], 0, 6, 1, 0);
    mwa_path_drop(&taken.tree, taken.ends[0]);
    cr_expect_eq(taken.tree.used, 0);
    mwa_path_tree_fini(&taken.tree);
    mw_buffer_fini(&packed);
}

Test(path_packing, does_not_repeat_a_path_for_each_of_its_ends)
{
    struct mw_buffer one = { 0 }, many = { 0 };
    struct mwa_path_node *ends[100];
    struct forest forest;

    make_paths(&forest);
    for (unsigned i = 0; i < 100; i++) {
        ends[i] = forest.ends[0];
    }
    mwa_path_pack(ends, 1, &one);
    mwa_path_pack(ends, 100, &many);
    cr_expect_eq(many.bytes, one.bytes + 99 * sizeof(uint64_t));
    mwa_path_tree_fini(&forest.tree);
    mw_buffer_fini(&one);
    mw_buffer_fini(&many);
}

/* The first node, which continues none, continues itself. */
Test(path_packing, refuses_a_path_that_goes_round_in_circles)
{
    struct mw_buffer packed = { 0 };
    struct mw_cursor from;
    struct forest taken;
    const uint64_t itself = 0;

    pack_paths(&packed);
    memcpy(packed.data + sizeof(uint64_t), &itself, sizeof itself);
    from = (struct mw_cursor){ packed.data, packed.bytes };
    cr_expect_eq(take(&from, &taken), MW_ERROR_FORMAT);
    mwa_path_tree_fini(&taken.tree);
    mw_buffer_fini(&packed);
}

/* Follows what is taken to its end, and gives it back. */
static enum mw_status take_and_follow(void *user, struct mw_cursor *from)
{
    uint64_t regions[REGIONS] = { 0 }, ranks[RANKS] = { 0 };
    uint32_t *fine = user;
    struct forest taken;
    enum mw_status status = take(from, &taken);

    if (status == MW_OK) {
        ++*fine;
        for (unsigned end = 0; end < ENDS; end++) {
            (void)mwa_path_sum(taken.ends[end], regions, REGIONS, ranks, RANKS);
        }
        for (unsigned end = 0; end < ENDS; end++) {
            mwa_path_drop(&taken.tree, taken.ends[end]);
        }
    }
    mwa_path_tree_fini(&taken.tree);
    return status;
}

Test(path_packing, refuses_bytes_that_are_cut_short_and_survives_any)
{
    struct mw_buffer packed = { 0 };
    uint32_t fine = 0;

    pack_paths(&packed);
    travel_try(&packed, 20000, take_and_follow, &fine);
    cr_expect_gt(fine, 1, "some of which bytes are others, too");
    mw_buffer_fini(&packed);
}
