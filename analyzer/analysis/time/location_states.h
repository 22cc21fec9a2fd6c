#ifndef MWA_ANALYSIS_TIME_LOCATION_STATES_H
#define MWA_ANALYSIS_TIME_LOCATION_STATES_H

#include "analyzer/analysis/time/location_activity.h"

/*
 * What each location that has a row (analyzer/analysis/other_locations.h; the pass must have these)
 * did in each bin of a window (that, too): ticks by the states of location_activity.h, exactly.
 */

struct mwa_location_states {
    uint64_t rows;
    uint32_t bins;
    uint64_t *ticks; /* [row][bin][MWA_LOCATION_STATES]; null: there are no rows */
};

/* Finishes into struct mwa_location_states. */
extern const struct mwa_analysis mwa_location_states_analysis;

void mwa_location_states_fini(struct mwa_location_states *states);

static inline uint64_t *mwa_location_states_at(const struct mwa_location_states *states,
                                               uint64_t row, uint32_t bin)
{
    return states->ticks + (row * states->bins + bin) * MWA_LOCATION_STATES;
}

#endif
