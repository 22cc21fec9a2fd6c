#ifndef MWA_ANALYSIS_TIME_REGION_LANES_H
#define MWA_ANALYSIS_TIME_REGION_LANES_H

#include "analyzer/analysis/analysis.h"

/*
 * When the ranks' main threads are in which regions of the program (MWA_REGION_USER): a lane for
 * each region, with the time of all ranks in it, by parts of the window. A region inside itself
 * counts once. Of each rank the first MWA_LANES_OF_RANK regions that it enters are looked at, so
 * that memory stays bounded with the number of ranks.
 */

#define MWA_LANES_BINS    500u
#define MWA_LANES_OF_RANK 16u
#define MWA_LANES_MAX     12u /* those with most time stay; the others are counted */

struct mwa_region_lane {
    uint32_t region;               /* index */
    uint64_t first;                /* ticks: when it is entered first */
    uint64_t all;                  /* ticks in it, of all ranks together */
    uint64_t ticks[MWA_LANES_BINS];
};

struct mwa_region_lanes {
    struct mwa_window window;     /* that of the pass, in MWA_LANES_BINS parts */
    struct mwa_region_lane *list; /* by when they are entered first, then the longer one */
    uint64_t count;
    uint64_t left_out;
};

extern const struct mwa_analysis mwa_region_lanes_analysis; /* … struct mwa_region_lanes */

void mwa_region_lanes_fini(struct mwa_region_lanes *lanes);

/* The share of the ranks' time, 0 to 1, that is in a lane's region in a part of the window. */
double mwa_region_lanes_share(const struct mwa_region_lanes *lanes,
                              const struct mwa_region_lane *lane, uint32_t bin, uint64_t ranks);

#endif
