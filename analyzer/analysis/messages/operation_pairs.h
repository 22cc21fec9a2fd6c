#ifndef MWA_ANALYSIS_MESSAGES_OPERATION_PAIRS_H
#define MWA_ANALYSIS_MESSAGES_OPERATION_PAIRS_H

#include "analyzer/analysis/analysis.h"

/*
 * Two blocking operations on a communicator of which the second is the next call of MPI behind the
 * first: MPI_Reduce, MPI_Gather or MPI_Gatherv, and a broadcast of their root; or two in which all
 * need all, of which one is a barrier, while the location has no windows. By the places of both.
 * Each rank counts its own.
 */

/* Of all ranks but the root, or of the roots. */
struct mwa_pair_part {
    uint64_t first;      /* operations at the first place, whatever comes behind */
    uint64_t count;      /* of these so many are followed by the one at the second place: */
    uint64_t first_ns;   /* time in the first ones … */
    uint64_t second_ns;  /* … and in the second ones, */
    uint64_t between_ns; /* and between the leave of the one and the enter of the other */
    uint64_t sent;       /* bytes, in the first ones … */
    uint64_t received;   /* … */
    uint64_t spread;     /* … and received in the second ones */
};

struct mwa_operation_pair {
    uint32_t first;  /* places, sites; neither is MWA_NONE */
    uint32_t second;
    bool is_of_meetings; /* all need all in both, where nobody is a root */
    struct mwa_pair_part others;
    struct mwa_pair_part roots;
};

struct mwa_operation_pairs {
    struct mwa_operation_pair *rows; /* by places */
    uint64_t count;
};

extern const struct mwa_analysis mwa_operation_pairs_analysis; /* … struct mwa_operation_pairs */

void mwa_operation_pairs_fini(struct mwa_operation_pairs *pairs);

#endif
