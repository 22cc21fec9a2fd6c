#ifndef MWA_ANALYSIS_CAUSES_OUTSIDE_H
#define MWA_ANALYSIS_CAUSES_OUTSIDE_H

#include "analyzer/analysis/results.h"

/* How long ranks together are outside of MPI before the calls of each place. */
struct mwa_outside {
    double *all_ns; /* by site; behind them those that are not known */
    uint64_t sites;
    double ranks;
    double average_ns; /* of a rank, before calls of all places */
    double off_ns;     /* of all ranks: when they did not compute */
};

/* Of results' replay, of so many ranks. To be freed with fini in any case. MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_outside_init(struct mwa_outside *outside, const struct mwa_results *results,
                                uint64_t ranks) MW_MUST_CHECK;
void mwa_outside_fini(struct mwa_outside *outside);

/* Where in all_ns a place is. */
uint64_t mwa_outside_at(const struct mwa_outside *outside, uint32_t place);

/* What a stretch of these results is longer than those of ranks on average at its place, ns; at
 * least 0. */
double mwa_outside_above(const struct mwa_outside *outside,
                         const struct mwa_rank_stretch *stretch);

/* How long a rank is outside of MPI beyond what ranks are on average, ns. */
struct mwa_outside_longer {
    uint32_t place; /* of the most; MWA_NONE: none */
    double most, all;
    double below; /* what it is there for less, at all places together where it is; at least 0. That
                   * others do not compute there is none of it */
};

/* Of the rank whose stretches these are, all of them; off_ns: of this rank. */
struct mwa_outside_longer mwa_outside_longer(const struct mwa_outside *outside,
                                             const struct mwa_rank_stretch *stretches,
                                             uint64_t count, double off_ns);

/* How long a rank was outside of MPI and did not compute, as far as that is known. */
double mwa_outside_off_ns(const struct mwa_rank_row *row);

#endif
