#ifndef MWA_LOAD_CLOCK_CORRECTION_H
#define MWA_LOAD_CLOCK_CORRECTION_H

#include <stdbool.h>
#include <stdint.h>

/*
 * How times of a location's clock become times of the archive: by its ClockOffsets, between two of
 * which the offset grows evenly; to the same tick as libotf2 does that. Not thread-safe.
 */

/* From one ClockOffset to the next. */
struct mwa_clock_interval {
    uint64_t begin;
    uint64_t end;
    int64_t offset; /* ticks, at its beginning */
    double slope;   /* ticks of offset a tick */
};

/* All zero corrects nothing. */
struct mwa_clock_correction {
    struct mwa_clock_interval *intervals; /* owned */
    uint64_t count, capacity;
    struct mwa_clock_interval open; /* from the ClockOffset that was told last, once there is one */
    bool is_open;
    uint64_t current; /* of the time that was corrected last */
};

/*
 * Takes the next ClockOffset: the clock is so many ticks behind at that time of it. One that is not
 * later than the one before is as good as none. False: no memory.
 */
bool mwa_clock_correction_add(struct mwa_clock_correction *correction, uint64_t time,
                              int64_t offset);

/* What time, not before the one that was asked for last, is corrected. */
uint64_t mwa_clock_corrected(struct mwa_clock_correction *correction, uint64_t time);

void mwa_clock_correction_fini(struct mwa_clock_correction *correction);

#endif
