#ifndef MWA_ANALYSIS_COMMS_REMADE_H
#define MWA_ANALYSIS_COMMS_REMADE_H

#include "analyzer/analysis/analysis.h"

/*
 * Windows, communicators and open files by the place of the call that makes them: how many, how
 * many of them there are at once, and the time in the calls that make and free them. Each rank
 * counts its own. Of communicators those count that a call makes before it returns, so that not
 * those of MPI_Comm_idup; of files, those that the same place opened before.
 */
enum mwa_remade_kind { MWA_REMADE_COMMS, MWA_REMADE_WINDOWS, MWA_REMADE_FILES };

struct mwa_remade_row {
    uint32_t place;     /* where they are made, a site; not MWA_NONE */
    uint32_t freed;     /* and where the first one that is freed is; MWA_NONE: none is */
    enum mwa_remade_kind kind;
    uint64_t made;      /* of all ranks together … */
    uint64_t made_most; /* … and of one */
    uint64_t at_once;   /* at most, of each rank, summed */
    uint64_t make_ns;   /* in the calls that make them … */
    uint64_t free_ns;   /* … and that free them */
};

struct mwa_remade {
    struct mwa_remade_row *rows; /* by place */
    uint64_t count;
};

extern const struct mwa_analysis mwa_remade_analysis; /* finishes into struct mwa_remade */

void mwa_remade_fini(struct mwa_remade *remade);

#endif
