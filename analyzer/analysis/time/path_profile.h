#ifndef MWA_ANALYSIS_TIME_PATH_PROFILE_H
#define MWA_ANALYSIS_TIME_PATH_PROFILE_H

#include "analyzer/analysis/analysis.h"
#include "analyzer/analysis/region_paths.h"

/*
 * The sites of MPI calls (site_profile.h) by the regions of the program that calls are made in:
 * the times of a site add up to what that has. Only of calls that are made in a region.
 */

struct mwa_path_time {
    const struct mwa_region_path *path;
    uint32_t site; /* index */
    uint64_t time_ns;
};

struct mwa_path_profile {
    struct mwa_region_paths paths;
    struct mwa_path_time *rows; /* by site, then by depth and regions */
    uint64_t count;
};

extern const struct mwa_analysis mwa_paths_analysis; /* finishes into struct mwa_path_profile */

void mwa_path_profile_fini(struct mwa_path_profile *profile);

#endif
