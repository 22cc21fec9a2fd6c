#ifndef MWA_ANALYSIS_COMMS_COMM_TREE_H
#define MWA_ANALYSIS_COMMS_COMM_TREE_H

#include "analyzer/analysis/comms/comm_history.h"

/*
 * Communicators in the order of a tree: each behind its parent. Those of one parent are
 * together by the call that made them, the calls by their communicators' time in all, and
 * within a call by time; then by definition.
 */

struct mwa_comm_node {
    const struct mwa_comm_row *row;
    uint32_t depth;    /* 0: without a parent */
    uint64_t siblings; /* of the same parent and call, this one included */
    uint64_t place;    /* among them, from 0 */
};

struct mwa_comm_tree {
    struct mwa_comm_node *nodes;
    uint64_t count;
};

/* MW_OK, MW_ERROR_MEMORY; mwa_comm_tree_fini is due in any case. */
enum mw_status mwa_comm_tree_make(const struct mwa_trace *trace, const struct mwa_comms *comms,
                                  struct mwa_comm_tree *tree) MW_MUST_CHECK;
void mwa_comm_tree_fini(struct mwa_comm_tree *tree);

#endif
