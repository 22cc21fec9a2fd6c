#ifndef MWA_ANALYSIS_MESSAGES_OPERATION_PAIRS_H
#define MWA_ANALYSIS_MESSAGES_OPERATION_PAIRS_H

#include "analyzer/analysis/analysis.h"

/*
 * Blocking operations that bring something to one rank (MPI_Reduce, MPI_Gather, MPI_Gatherv), and
 * whether the next call of MPI is a broadcast of that rank on the same communicator: by the places
 * of both. Each rank counts its own.
 */

/* Of all ranks but the root, or of the roots. */
struct mwa_pair_part {
    uint64_t first;      /* operations at the first place, whatever comes behind */
    uint64_t count;      /* of these so many are followed by the broadcast at the second one: */
    uint64_t first_ns;   /* time in the operations … */
    uint64_t second_ns;  /* … and in the broadcasts, */
    uint64_t between_ns; /* and between the leave of the one and the enter of the other */
    uint64_t sent;       /* bytes, in the operations … */
    uint64_t received;   /* … */
    uint64_t spread;     /* … and received in the broadcasts */
};

struct mwa_operation_pair {
    uint32_t first;  /* places, sites; neither is MWA_NONE */
    uint32_t second;
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
