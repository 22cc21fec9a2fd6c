#ifndef MWA_ANALYSIS_COUNTERS_COURSE_H
#define MWA_ANALYSIS_COUNTERS_COURSE_H

#include "analyzer/analysis/counters/tracks.h"

/*
 * The course of a value that changes without end, for a picture of it: at most MWA_COURSE_SAMPLES
 * of its samples, or what most says. Time is parted into cells, a tick each at first; of each, the
 * greatest, the least and the last sample stay. When these are too many, the cells are doubled,
 * after which at least a sixth of that many have samples. So the extremes of all samples are among
 * those that stay. Begins as zeros, but for most. Not thread-safe.
 */

#define MWA_COURSE_SAMPLES 512u

struct mwa_course {
    struct mwa_sample *samples; /* in order of time; to be freed */
    uint64_t count, capacity;
    uint64_t last_cell; /* position of its first sample */
    unsigned shift;     /* a cell is 2^shift ticks */
    uint32_t most;      /* at least 6; 0: MWA_COURSE_SAMPLES */
};

/* Appends a sample, not before the last one. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_course_add(struct mwa_course *course,
                              const struct mwa_sample *sample) MW_MUST_CHECK;

#endif
