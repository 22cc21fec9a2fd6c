#ifndef MWA_MODEL_CLUSTERS_H
#define MWA_MODEL_CLUSTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/status.h"

/*
 * Ranks that behave alike. What a rank is like are shares of one, some of its time and some of its
 * calls of MPI. A rank is in the first cluster from whose leader, its first rank, no share of the
 * time is further away than MWA_TIME_APART, and no share of the calls than MWA_CALLS_APART; where
 * there is none it leads a new one (the leader algorithm: Hartigan, Clustering Algorithms, 1975,
 * chapter 3). Ranks are taken in their order, so that the same archive has the same clusters, and
 * nothing has edges between which equal ranks fall.
 */

#define MWA_TIME_APART  .05
#define MWA_CALLS_APART .10

/* So many clusters are told apart; of more, all ranks that are like no leader are in the last. */
#define MWA_CLUSTERS_MAX 1000u

/* Fills the shares of item index of what is asked about: first those of time, then of calls. */
typedef void mwa_shares_of(const void *of, uint64_t index, double *shares);

/* What is to be told apart: count items with so many shares of time and of calls. */
struct mwa_alike {
    const void *of;
    mwa_shares_of *shares_of;
    uint64_t count;
    uint32_t times;
    uint32_t calls;
};

/*
 * Fills which cluster each item is in: from 0 on, by their leaders. *count becomes how many there
 * are. Time grows with items times clusters, memory with clusters. Any thread.
 *
 * \return MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_clusters_find(const struct mwa_alike *alike, uint32_t *cluster,
                                 uint32_t *count) MW_MUST_CHECK;

#endif
