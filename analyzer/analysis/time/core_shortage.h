#ifndef MWA_ANALYSIS_TIME_CORE_SHORTAGE_H
#define MWA_ANALYSIS_TIME_CORE_SHORTAGE_H

#include "analyzer/analysis/time/profile.h"
#include "analyzer/analysis/waits/waits.h"

/*
 * Whether ranks had a core each: by what the recorder found in MPI_Init (mpiwatch.json's
 * circumstances), and, where that is recorded, by how long they could have run, had none, and lost
 * time by it. Of several things the one that most ranks share is told, hosts before bindings before
 * limits.
 */

#define MWA_CORES_MATTER 0.05 /* of the ranks' run lost so: less is no reason for doubt */
#define MWA_CORES_DOUBTFUL 0.25 /* of it, whoever has them: times tell of other programs, too */
#define MWA_CORES_OTHERS_MATTER 0.25 /* of the cores, with somebody else: less is not said */

enum mwa_cores_lack {
    MWA_CORES_ENOUGH, /* or nothing is known of them */
    MWA_CORES_OF_HOST,  /* there are more ranks than cores */
    MWA_CORES_OF_BINDING, /* ranks are bound to the same cores, and to fewer than there are ranks */
    MWA_CORES_OF_LIMIT   /* a control group allows less than a core each */
};

struct mwa_cores {
    enum mwa_cores_lack lack;
    uint32_t ranks;      /* that share them */
    uint32_t first_rank; /* the lowest two of these */
    uint32_t second_rank;
    double cores;        /* that they have */
    const char *where;   /* the host, the cores as a list, the group; the trace's */
    bool is_known;       /* how long they had none: */
    double no_core;      /* share of their runs together, … */
    double lost;         /* … and that of what they lose by it */
    double others;       /* the least share of the cores that somebody else had: neither of them;
                          * 0: nobody has to have had any, or it is a limit */
    bool all_known;      /* what ranks lose, whether they share any or not: */
    double all_lost;     /* share of all ranks' runs together */
};

/* How many cores the rank's main thread may run on, 0: not known. */
double mwa_cores_of(const struct mwa_trace *trace, uint32_t rank);

/* Whether these are the same for both ranks, which may be one; false where that is not known. */
bool mwa_cores_are_shared(const struct mwa_trace *trace, uint32_t rank, uint32_t other);

/* How long a rank's main thread was in MPI in its run, and is not known to have waited, ns. */
uint64_t mwa_rank_mpi_beside_waiting_ns(const struct mwa_waits *waits,
                                        const struct mwa_rank_row *row);

/*
 * How long a rank could have run, had no core, and lost time by it, ns: outside of MPI, and in
 * calls at most as long as it does not wait there. 0 where that is not told.
 */
uint64_t mwa_rank_lost_for_cores_ns(const struct mwa_waits *waits, const struct mwa_rank_row *row);

/* The part of it that is in calls. */
uint64_t mwa_rank_lost_inside_ns(const struct mwa_waits *waits, const struct mwa_rank_row *row);

/*
 * The same of all ranks. *ns: of those together of which it is told.
 *
 * \return whether it is told of all.
 */
bool mwa_lost_for_cores(const struct mwa_profile *profile, const struct mwa_waits *waits,
                        uint64_t *ns);

/* \return MW_OK, MW_ERROR_MEMORY. Nothing is to be freed. */
enum mw_status mwa_cores_make(const struct mwa_trace *trace, const struct mwa_profile *profile,
                              const struct mwa_waits *waits,
                              struct mwa_cores *cores) MW_MUST_CHECK;

#endif
