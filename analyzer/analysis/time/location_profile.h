#ifndef MWA_ANALYSIS_TIME_LOCATION_PROFILE_H
#define MWA_ANALYSIS_TIME_LOCATION_PROFILE_H

#include "analyzer/analysis/time/location_activity.h"

/*
 * What each location that is no main thread did (analyzer/analysis/other_locations.h, which the
 * pass must have): time by the states of location_activity.h, and by region, exclusive as in
 * regions.h.
 */

struct mwa_location_cell {
    uint32_t region;   /* index */
    uint32_t location; /* index */
    uint64_t visits;
    uint64_t exclusive_ns;
};

struct mwa_location_times {
    uint64_t ns[MWA_LOCATION_STATES];
    uint64_t slept_ns; /* of useful: on no core, and not for the lack of one; as far as told */
    bool tells_idle;
};

struct mwa_location_profile {
    struct mwa_location_cell *cells; /* by region, then location; only what was visited */
    uint64_t count;
    struct mwa_location_times *times; /* of all other locations, in their order; or null */
};

/* Finishes into struct mwa_location_profile. */
extern const struct mwa_analysis mwa_location_profile_analysis;

void mwa_location_profile_fini(struct mwa_location_profile *profile);

#endif
