#ifndef MWA_ANALYSIS_COUNTERS_LEVEL_TIMES_H
#define MWA_ANALYSIS_COUNTERS_LEVEL_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/status.h"

/*
 * Times of what is still to be told, in ticks, which are added in order and mostly removed so.
 * Not thread-safe.
 */

struct mwa_level_time {
    uint64_t time;
    uint64_t count; /* so many are at it; 0: there were */
};

/* Zeros are none; fields are private. */
struct mwa_level_times {
    struct mwa_level_time *list;
    uint64_t first, end, capacity;
};

/* Adds one at time, which is not before the others; false without memory. */
bool mwa_level_times_add(struct mwa_level_times *times, uint64_t time) MW_MUST_CHECK;

/* Removes one at time, if it is there. */
void mwa_level_times_remove(struct mwa_level_times *times, uint64_t time);

/* The first; UINT64_MAX: there is none. */
static inline uint64_t mwa_level_times_first(const struct mwa_level_times *times)
{
    return times->first < times->end ? times->list[times->first].time : UINT64_MAX;
}

void mwa_level_times_fini(struct mwa_level_times *times);

#endif
