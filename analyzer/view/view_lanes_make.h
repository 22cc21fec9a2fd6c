#ifndef MWA_VIEW_VIEW_LANES_MAKE_H
#define MWA_VIEW_VIEW_LANES_MAKE_H

#include "analyzer/analysis/comms/comm_history.h"
#include "analyzer/analysis/counters/level_marks.h"
#include "analyzer/analysis/pass.h"
#include "analyzer/analysis/time/markers.h"
#include "analyzer/view/view_store.h"

/*
 * What a pass has to find out for the lanes, and what is made of it: by the analyzer's own
 * analyses, so that numbers are the same.
 */

#define MWA_VIEW_LANE_ANALYSES 3u

extern const struct mwa_analysis *const mwa_view_lane_analyses[MWA_VIEW_LANE_ANALYSES];

/* What is known of lanes while the archive is read. Zeros at first. */
struct mwa_view_lanes_making {
    struct mwa_view_array changes; /* of bytes in flight, by time */
    void *totals[MWA_VIEW_LANE_ANALYSES];
    struct mwa_level_marks levels;
    struct mw_diagnostic diagnostic; /* why mwa_view_lanes_take failed */
};

/* \return as mwa_view_array_init. To be freed in any case. */
enum mw_status mwa_view_lanes_begin(struct mwa_view_lanes_making *making,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_view_lanes_end(struct mwa_view_lanes_making *making);

/* Takes a change of a level, a mwa_level_visit: user is the making. */
enum mw_status mwa_view_lanes_take(void *user, const struct mwa_level_series *series,
                                   const struct mwa_level_change *change);

/* Fills store's lanes; its locations are whole. Memory: that of the analyses' results, of which
 * samples of variables are the most. \return MW_OK; MW_ERROR_MEMORY; as mwa_view_array_add. */
enum mw_status mwa_view_lanes_make(struct mwa_view_lanes_making *making,
                                   struct mwa_view_store *store,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
