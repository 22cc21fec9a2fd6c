#ifndef MWA_ANALYSIS_TIME_MARKERS_H
#define MWA_ANALYSIS_TIME_MARKERS_H

#include "analyzer/analysis/analysis.h"

/*
 * What programs mark by mpiwatch_marker, in order of time: the first MWA_MARKERS_MAX of all
 * ranks, and how many there were.
 */

#define MWA_MARKERS_MAX 10000u

struct mwa_marker {
    uint64_t time;     /* ticks */
    uint32_t rank;     /* MWA_NONE: of none */
    uint32_t location; /* index */
    const char *text;  /* of the trace */
};

struct mwa_markers {
    struct mwa_marker *list;
    uint64_t count;
    uint64_t total; /* at least count */
};

extern const struct mwa_analysis mwa_markers_analysis; /* finishes into struct mwa_markers */

void mwa_markers_fini(struct mwa_markers *markers);

#endif
