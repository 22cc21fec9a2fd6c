#ifndef MWA_ANALYSIS_EFFICIENCY_PATH_TREE_H
#define MWA_ANALYSIS_EFFICIENCY_PATH_TREE_H

#include "analyzer/analysis/time/tally.h"
#include "analyzer/model/pool.h"

/*
 * The critical paths to many points of a run at once, in memory bounded by the number of
 * points, not by the length of the run.
 *
 * The path to a point ends in a node; each node has the time that the path spends in it, by
 * region and by rank, and the node that it continues. Most are of a stretch or two, between what
 * others may ask for, and gone before they are united with any: these are kept in place. Paths with
 * the same beginning share its nodes. A node that only one other continues is one with that, so
 * that there are fewer than two nodes for each point that is held, but for those not yet united:
 * that is done on the way for the nodes at the ends, and for all when their number has doubled.
 *
 * A node belongs to those who hold it (hold, drop). Not thread-safe.
 */

#define MWA_PATH_STRETCHES 2u
#define MWA_PATH_RANKS     0x80000000u /* keys of sums: regions by index, and ranks from here on */

struct mwa_path_stretch {
    uint64_t ticks; /* 0: there is none */
    uint32_t region;
    uint32_t rank;
};

struct mwa_path_node {
    struct mwa_path_node *before; /* null: the path begins here */
    uint32_t holders;             /* nodes that continue this one included */
    uint32_t round;               /* of uniting that has seen it */
    uint64_t hops;
    struct mwa_path_stretch stretches[MWA_PATH_STRETCHES];
    struct mwa_tally *sums; /* of all other ticks, by region, and by rank; null: there are none */
};

struct mwa_path_tree {
    struct mwa_pool pool; /* of nodes */
    uint64_t used; /* nodes */
    uint64_t united; /* nodes left by the last round of uniting */
    uint32_t round;
};

void mwa_path_tree_init(struct mwa_path_tree *tree);

/* Frees all nodes, whoever holds them. */
void mwa_path_tree_fini(struct mwa_path_tree *tree);

/* The beginning of a path; null when there is no memory. */
struct mwa_path_node *mwa_path_begin(struct mwa_path_tree *tree);

/* Holds node once more; returns it. */
struct mwa_path_node *mwa_path_hold(struct mwa_path_node *node);
void mwa_path_drop(struct mwa_path_tree *tree, struct mwa_path_node *node); /* null is fine */

/*
 * Spends ticks more in region and on rank on the path to *node, which belongs to the caller and
 * may become another node. False when there is no memory.
 */
bool mwa_path_spend(struct mwa_path_tree *tree, struct mwa_path_node **node, uint32_t region,
                    uint32_t rank, uint64_t ticks);

/* All that is spent in node, as sums, which may be added to; null without memory. */
struct mwa_tally *mwa_path_sums(struct mwa_path_node *node);

/* Replaces the path to *node, null for none, by one that continues `to`, by a hop. False without
 * memory. */
bool mwa_path_hop(struct mwa_path_tree *tree, struct mwa_path_node **node,
                  struct mwa_path_node *to);

/* Adds what the path to node spends to sums by region and by rank. Returns how often it hops. */
uint64_t mwa_path_sum(const struct mwa_path_node *node, uint64_t *regions, uint64_t region_count,
                      uint64_t *ranks, uint64_t rank_count);

/*
 * A joint: a point of a path of which it may yet turn out that the path came there another way.
 * It is an empty node that nothing is united with. All zero is none.
 */
struct mwa_path_joint {
    struct mwa_path_node *node;   /* null: there is none */
    struct mwa_path_node *before; /* what it continues, held so that they stay apart */
};

/* Makes one where the path to *node, which belongs to the caller, ends. False without memory. */
bool mwa_path_joint_make(struct mwa_path_tree *tree, struct mwa_path_joint *joint,
                         struct mwa_path_node **node);

/* Makes the path come to joint by before, of which it takes the caller's hold over. */
void mwa_path_joint_lead(struct mwa_path_tree *tree, struct mwa_path_joint *joint,
                         struct mwa_path_node *before);
void mwa_path_joint_drop(struct mwa_path_tree *tree, const struct mwa_path_joint *joint);

/*
 * Another tree's nodes become this one's, where they are; from is empty then. False without memory:
 * nothing has changed.
 */
bool mwa_path_tree_join(struct mwa_path_tree *tree, struct mwa_path_tree *from);

/*
 * Makes what begins at root (mwa_path_begin), which the caller has held ever since, continue
 * before, null for nothing; the caller's holds of both are taken over.
 */
void mwa_path_graft(struct mwa_path_tree *tree, struct mwa_path_node *root,
                    struct mwa_path_node *before);

/*
 * Whether it is time for a round of uniting: mwa_path_unite for the node at each end (null is
 * fine; false without memory), then mwa_path_end_round.
 */
bool mwa_path_is_time(const struct mwa_path_tree *tree);
bool mwa_path_unite(struct mwa_path_tree *tree, struct mwa_path_node *node);
void mwa_path_end_round(struct mwa_path_tree *tree);

#endif
