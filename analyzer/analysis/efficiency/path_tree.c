/*
 * Which of the paths becomes the critical one is known at the run's end only, and
 * to keep all events until then is what this avoids: paths are kept as sums, and
 * what they have in common is kept once.
 */
#include "analyzer/analysis/efficiency/path_tree.h"

#include <stdlib.h>

#define UNITED_LEAST 4096u

void mwa_path_tree_init(struct mwa_path_tree *tree)
{
    *tree = (struct mwa_path_tree){ .pool = { .size = sizeof(struct mwa_path_node) },
                                    .united = UNITED_LEAST,
                                    .round = 1 };
}

static void free_sums(struct mwa_path_node *node)
{
    if (node->sums) {
        mwa_tally_fini(node->sums);
        free(node->sums);
        node->sums = NULL;
    }
}

void mwa_path_tree_fini(struct mwa_path_tree *tree)
{
    struct mwa_path_node *node;
    uint64_t at = 0;

    while ((node = mwa_pool_next(&tree->pool, &at))) {
        free_sums(node);
    }
    mwa_pool_fini(&tree->pool);
}

struct mwa_path_node *mwa_path_begin(struct mwa_path_tree *tree)
{
    struct mwa_path_node *node = mwa_pool_take_sized(&tree->pool, sizeof *node);

    if (node) {
        node->holders = 1;
        tree->used++;
    }
    return node;
}

static void free_node(struct mwa_path_tree *tree, struct mwa_path_node *node)
{
    tree->used--;
    free_sums(node);
    mwa_pool_give(&tree->pool, node);
}

struct mwa_path_node *mwa_path_hold(struct mwa_path_node *node)
{
    node->holders++;
    return node;
}

void mwa_path_drop(struct mwa_path_tree *tree, struct mwa_path_node *node)
{
    while (node && --node->holders == 0) {
        struct mwa_path_node *before = node->before;

        free_node(tree, node);
        node = before;
    }
}

struct mwa_tally *mwa_path_sums(struct mwa_path_node *node)
{
    if (!node->sums && !(node->sums = calloc(1, sizeof *node->sums))) {
        return NULL;
    }
    for (unsigned i = 0; i < MWA_PATH_STRETCHES; i++) {
        struct mwa_path_stretch *stretch = &node->stretches[i];

        if (!mwa_tally_add(node->sums, stretch->region, stretch->ticks) ||
            !mwa_tally_add(node->sums, MWA_PATH_RANKS + stretch->rank, stretch->ticks)) {
            return NULL;
        }
        stretch->ticks = 0;
    }
    return node->sums;
}

/* Adds ticks to what is spent in node. */
static bool add(struct mwa_path_node *node, uint32_t region, uint32_t rank, uint64_t ticks)
{
    struct mwa_path_stretch *stretch = node->stretches;

    for (unsigned i = 0; i < MWA_PATH_STRETCHES; i++, stretch++) {
        if (stretch->ticks == 0 || (stretch->region == region && stretch->rank == rank)) {
            break;
        }
    }
    if (stretch == node->stretches + MWA_PATH_STRETCHES) {
        if (!mwa_path_sums(node)) {
            return false;
        }
        stretch = node->stretches;
    }
    stretch->region = region;
    stretch->rank = rank;
    stretch->ticks += ticks;
    return true;
}

/* Adds all that is spent in from, which is to be freed, to what is spent in node. */
static bool add_all(struct mwa_path_node *node, struct mwa_path_node *from)
{
    if (!node->sums) {
        node->sums = from->sums;
        from->sums = NULL;
    }
    for (unsigned i = 0; i < MWA_PATH_STRETCHES; i++) {
        const struct mwa_path_stretch *stretch = &from->stretches[i];

        if (stretch->ticks > 0 && !add(node, stretch->region, stretch->rank, stretch->ticks)) {
            return false;
        }
    }
    return !from->sums || mwa_tally_absorb(node->sums, from->sums);
}

/* Takes in the nodes before this one that nothing else continues. */
static bool take_in(struct mwa_path_tree *tree, struct mwa_path_node *node)
{
    while (node->before && node->before->holders == 1) {
        struct mwa_path_node *before = node->before;

        if (!add_all(node, before)) {
            return false;
        }
        node->hops += before->hops;
        node->before = before->before;
        free_node(tree, before);
    }
    return true;
}

/* A new node behind before, of which it takes one hold over. */
static struct mwa_path_node *continue_with(struct mwa_path_tree *tree,
                                           struct mwa_path_node *before)
{
    struct mwa_path_node *node = mwa_path_begin(tree);

    if (node) {
        node->before = before;
    }
    return node;
}

bool mwa_path_spend(struct mwa_path_tree *tree, struct mwa_path_node **node, uint32_t region,
                    uint32_t rank, uint64_t ticks)
{
    if (ticks == 0) {
        return true;
    }
    if ((*node)->holders > 1) {
        struct mwa_path_node *next = continue_with(tree, *node);

        if (!next) {
            return false;
        }
        *node = next;
    }
    return take_in(tree, *node) && add(*node, region, rank, ticks);
}

bool mwa_path_hop(struct mwa_path_tree *tree, struct mwa_path_node **node,
                  struct mwa_path_node *to)
{
    struct mwa_path_node *next = continue_with(tree, to);

    if (!next) {
        return false;
    }
    mwa_path_hold(to);
    next->hops = 1;
    mwa_path_drop(tree, *node);
    *node = next;
    return true;
}

static void spread(uint32_t key, uint64_t ticks, uint64_t *sums, uint64_t count)
{
    if (key < count) {
        sums[key] += ticks;
    }
}

uint64_t mwa_path_sum(const struct mwa_path_node *node, uint64_t *regions, uint64_t region_count,
                      uint64_t *ranks, uint64_t rank_count)
{
    uint64_t hops = 0;

    for (; node; node = node->before) {
        for (unsigned i = 0; i < MWA_PATH_STRETCHES; i++) {
            const struct mwa_path_stretch *stretch = &node->stretches[i];

            spread(stretch->region, stretch->ticks, regions, region_count);
            spread(stretch->rank, stretch->ticks, ranks, rank_count);
        }
        if (node->sums) {
            mwa_tally_spread(node->sums, 0, regions, region_count);
            mwa_tally_spread(node->sums, MWA_PATH_RANKS, ranks, rank_count);
        }
        hops += node->hops;
    }
    return hops;
}

bool mwa_path_joint_make(struct mwa_path_tree *tree, struct mwa_path_joint *joint,
                         struct mwa_path_node **node)
{
    joint->node = continue_with(tree, *node);
    if (!joint->node) {
        return false;
    }
    joint->before = mwa_path_hold(*node);
    *node = mwa_path_hold(joint->node);
    return true;
}

void mwa_path_joint_lead(struct mwa_path_tree *tree, struct mwa_path_joint *joint,
                         struct mwa_path_node *before)
{
    mwa_path_drop(tree, joint->before);
    mwa_path_drop(tree, joint->node->before);
    joint->node->before = before;
    joint->before = mwa_path_hold(before);
}

void mwa_path_joint_drop(struct mwa_path_tree *tree, const struct mwa_path_joint *joint)
{
    mwa_path_drop(tree, joint->node);
    mwa_path_drop(tree, joint->before);
}

bool mwa_path_tree_join(struct mwa_path_tree *tree, struct mwa_path_tree *from)
{
    if (!mwa_pool_join(&tree->pool, &from->pool)) {
        return false;
    }
    tree->used += from->used;
    tree->round = (tree->round > from->round ? tree->round : from->round) + 1;
    mwa_path_tree_init(from);
    return true;
}

void mwa_path_graft(struct mwa_path_tree *tree, struct mwa_path_node *root,
                    struct mwa_path_node *before)
{
    root->before = before;
    mwa_path_drop(tree, root);
}

bool mwa_path_is_time(const struct mwa_path_tree *tree)
{
    return tree->used > 2 * tree->united;
}

bool mwa_path_unite(struct mwa_path_tree *tree, struct mwa_path_node *node)
{
    for (; node && node->round != tree->round; node = node->before) {
        node->round = tree->round;
        if (!take_in(tree, node)) {
            return false;
        }
    }
    return true;
}

void mwa_path_end_round(struct mwa_path_tree *tree)
{
    tree->round++;
    tree->united = tree->used > UNITED_LEAST ? tree->used : UNITED_LEAST;
}
