#ifndef MWA_ANALYSIS_EFFICIENCY_PATH_TREE_H
#define MWA_ANALYSIS_EFFICIENCY_PATH_TREE_H

#include "analyzer/analysis/time/tally.h"
#include "analyzer/model/pool.h"

/*
 * The critical paths to many points of a run at once, in memory bounded by the number of
 * points, not by the length of the run.
 *
 * The path to a point ends in a node; each node has the time that the path spends in it, by
 * key, and the node that it continues. Paths with the same beginning share its nodes. A
 * node that only one other continues is one with that, so that there are fewer than two
 * nodes for each point that is held, but for those not yet united: that is done on the way
 * for the nodes at the ends, and for all when their number has doubled.
 *
 * A node belongs to those who hold it (hold, drop). Not thread-safe.
 */

struct mwa_path_node {
    struct mwa_path_node *before; /* null: the path begins here */
    uint64_t holders;             /* nodes that continue this one included */
    uint64_t hops;
    struct mwa_tally spent; /* ticks by key */
    uint64_t round;         /* of uniting that has seen it */
};

struct mwa_path_tree {
    struct mwa_pool pool; /* of nodes */
    uint64_t used; /* nodes */
    uint64_t united; /* nodes left by the last round of uniting */
    uint64_t round;
};

void mwa_path_tree_init(struct mwa_path_tree *tree);

/* Frees all nodes, whoever holds them. */
void mwa_path_tree_fini(struct mwa_path_tree *tree);

/* The beginning of a path; null when there is no memory. */
struct mwa_path_node *mwa_path_begin(struct mwa_path_tree *tree);

/* Holds node once more; returns it. */
struct mwa_path_node *mwa_path_hold(struct mwa_path_node *node);
void mwa_path_drop(struct mwa_path_tree *tree, struct mwa_path_node *node); /* null is fine */

/* Spends ticks more on the path to *node, which belongs to the caller and may become another
 * node. False when there is no memory. */
bool mwa_path_spend(struct mwa_path_tree *tree, struct mwa_path_node **node, uint32_t key,
                    uint64_t ticks);

/* A new node behind before, which it holds; the caller holds the new one. Null without memory. */
struct mwa_path_node *mwa_path_continue(struct mwa_path_tree *tree, struct mwa_path_node *before);

/* Makes node continue before instead of what it did; takes the caller's hold of before over. */
void mwa_path_lead(struct mwa_path_tree *tree, struct mwa_path_node *node,
                   struct mwa_path_node *before);

/* Replaces the path to *node by one that continues `to`, by a hop. False without memory. */
bool mwa_path_hop(struct mwa_path_tree *tree, struct mwa_path_node **node,
                  struct mwa_path_node *to);

/*
 * Whether it is time for a round of uniting: mwa_path_unite for the node at each end (null is
 * fine; false without memory), then mwa_path_end_round.
 */
bool mwa_path_is_time(const struct mwa_path_tree *tree);
bool mwa_path_unite(struct mwa_path_tree *tree, struct mwa_path_node *node);
void mwa_path_end_round(struct mwa_path_tree *tree);

#endif
