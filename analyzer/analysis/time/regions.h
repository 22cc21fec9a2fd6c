#ifndef MWA_ANALYSIS_TIME_REGIONS_H
#define MWA_ANALYSIS_TIME_REGIONS_H

#include "analyzer/analysis/analysis.h"

/*
 * Time by region and rank, on each rank's main thread: MPI calls, and the regions that
 * the program or its instrumentation names (those of kind MWA_REGION_USER).
 *
 * *exclusive* is the time in a region and in no region inside it, over the whole trace;
 * of coalesced polls what they spent inside. The others are within the rank's *run* (see
 * profile.h): *inclusive* the time in a region and all inside it, a region inside itself
 * counted once; *useful* that part of it outside of MPI calls. Both are 0 for MPI calls.
 */

struct mwa_region_cell {
    uint32_t region; /* index */
    uint32_t rank;
    uint64_t visits;
    uint64_t exclusive_ns;
    uint64_t inclusive_ns;
    uint64_t useful_ns;
};

struct mwa_regions {
    struct mwa_region_cell *cells; /* by region, then rank; only regions that were visited */
    uint64_t count;
};

extern const struct mwa_analysis mwa_regions_analysis; /* finishes into struct mwa_regions */

void mwa_regions_fini(struct mwa_regions *regions);

/* The cells of a region: *count of them from the one returned on; null when it has none. */
const struct mwa_region_cell *mwa_regions_of(const struct mwa_regions *regions, uint32_t region,
                                             uint64_t *count);

#endif
