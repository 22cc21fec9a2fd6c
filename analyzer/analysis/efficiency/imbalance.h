#ifndef MWA_ANALYSIS_EFFICIENCY_IMBALANCE_H
#define MWA_ANALYSIS_EFFICIENCY_IMBALANCE_H

#include "analyzer/analysis/time/profile.h"
#include "analyzer/analysis/time/regions.h"

/*
 * How evenly the ranks share a piece of the run. The pieces are the useful time of the
 * whole run, and the exclusive time in each MPI call and each region of the program, all
 * on main threads. t_p is the time of rank p, over the ranks that take part: those that
 * have events, or that visit the region.
 *
 *   average      Σ t_p / n
 *   load balance average / max                      (POP; 1 is even; 1 - Sakellariou's L_R)
 *   COV          √(Σ (t_p - average)² / n) / average               (mpiP; 0 is even)
 *   overload     Σ max(0, t_p - average)            (Scalasca's load-imbalance heuristic)
 *   underload    Σ max(0, average - t_p)            (equal to overload but for rounding)
 *
 * Where one rank alone takes part, or not all do, Scalasca's sub-cases single participant
 * and non-participation, `absent` counts the others; they do not lower the average.
 */

#define MWA_IMBALANCE_KINDS(KIND) KIND(USEFUL, "useful") KIND(MPI, "mpi") KIND(REGION, "region")

enum mwa_imbalance_kind {
#define MWA_CONSTANT(constant, name) MWA_IMBALANCE_##constant,
    MWA_IMBALANCE_KINDS(MWA_CONSTANT)
#undef MWA_CONSTANT
};

struct mwa_imbalance_row {
    enum mwa_imbalance_kind kind;
    const char *name; /* of the region, or "useful" */
    const struct mwa_region *region; /* null: of none */
    uint32_t participants;
    uint32_t absent; /* ranks that have events, and do not take part */
    uint64_t total_ns;
    uint64_t min_ns;
    uint64_t average_ns; /* rounded to the nearest */
    uint64_t max_ns;
    uint32_t rank_min; /* the lowest of several */
    uint32_t rank_max;
    double load_balance; /* 1 where all times are 0 */
    double cov;
    uint64_t overload_ns; /* rounded to the nearest */
    uint64_t underload_ns;
    uint64_t *per_rank_ns; /* of all ranks, 0 for those that do not take part */
};

/* The part of a rank in a row, or of a location. */
struct mwa_part {
    uint32_t of;
    uint64_t ns;
};

int mwa_part_order(const void *one, const void *other); /* by whose they are */

/* The figures of a row, but absent and per_rank_ns, from its parts, at least one, in order. */
void mwa_imbalance_measure(struct mwa_imbalance_row *row, const struct mwa_part *parts,
                           uint32_t count);

struct mwa_imbalance {
    struct mwa_imbalance_row *rows; /* useful first, then by overload and name */
    uint64_t count;
    uint64_t rank_count;
};

/*
 * Makes the rows; names are those of trace.
 *
 * \return MW_OK, MW_ERROR_MEMORY; mwa_imbalance_fini is due in any case.
 */
enum mw_status mwa_imbalance_make(const struct mwa_trace *trace,
                                  const struct mwa_profile *profile,
                                  const struct mwa_regions *regions,
                                  struct mwa_imbalance *imbalance) MW_MUST_CHECK;
void mwa_imbalance_fini(struct mwa_imbalance *imbalance);

#endif
