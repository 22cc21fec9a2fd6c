#ifndef MWA_ANALYSIS_COUNTERS_PEAKS_H
#define MWA_ANALYSIS_COUNTERS_PEAKS_H

#include "analyzer/analysis/analysis.h"

/*
 * The highest sample of each level (metrics of class LEVEL, SIZE, PERCENTAGE and HIGHWATERMARK)
 * over all ranks, communicators and objects: what fits on a line of the report, in memory that
 * does not grow with samples. Of a variable with a value for each peer it is that of the first
 * member: their sum, or the greatest. Between two samples a level may have gone further.
 */

struct mwa_peak {
    bool is_still; /* somewhere the variable stands still: nobody started it … */
    bool is_seen;  /* … and somewhere it does not; these two of any class */
    bool has_samples;
    double value;
    uint64_t time; /* ticks; the earliest sample with this value */
    uint32_t rank; /* the lowest one of those with this value and time */
};

struct mwa_peaks {
    struct mwa_peak *list; /* by index of the metric; what is no level has no samples */
    uint64_t count;
};

extern const struct mwa_analysis mwa_peaks_analysis; /* finishes into struct mwa_peaks */

void mwa_peaks_fini(struct mwa_peaks *peaks);

#endif
