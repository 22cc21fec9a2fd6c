#ifndef MWA_ANALYSIS_COUNTERS_TOTALS_H
#define MWA_ANALYSIS_COUNTERS_TOTALS_H

#include "analyzer/analysis/counters/tracks.h"

/*
 * Where the total of a sum lies. Of what comes to a rank the recorder can't tell its own messages
 * from the program's in two moments: at the end of MPI_Init, where the program's first ones may be
 * in the baseline (its doubt); and from the time that the first rank is in MPI_Finalize, where the
 * recorder's first ones may be in the last value, and in one that was read late, behind the time
 * that its sample has. A sum that a barrier of the recorder's moved in MPI_Init can be moved by
 * that in MPI_Finalize; one without a doubt is exact.
 */

struct mwa_total {
    double value;
    uint64_t exact; /* of integers */
};

/* total is what the samples say. */
struct mwa_total mwa_total_at_least(const struct mwa_trace *trace, const struct mwa_tracks *tracks,
                                    const struct mwa_track *track, struct mwa_total total);
struct mwa_total mwa_total_at_most(const struct mwa_trace *trace, const struct mwa_track *track,
                                   struct mwa_total total);

/*
 * Whether a variable of the MPI went on behind its last sample, as that of a process does that was
 * killed: the recorder marks the one that it takes in the end.
 */
bool mwa_track_is_open(const struct mwa_trace *trace, const struct mwa_track *track);

#endif
