#ifndef MWA_ANALYSIS_COUNTERS_COURSE_H
#define MWA_ANALYSIS_COUNTERS_COURSE_H

#include <stdint.h>

#include "formats/base/buffer.h"
#include "formats/base/status.h"

/*
 * The course of a value that changes without end, for a picture of it: at most MWA_COURSE_SAMPLES
 * of its samples, or what most says. Time is parted into cells, a tick each at first; of each, the
 * greatest, the least and the last sample stay. When so many may be too many, which is a matter of
 * all samples and not of their order, the cells are doubled; after which at least a sixth of that
 * many have samples. So the extremes of all samples are among those that stay, and courses of two
 * parts of the run make that of both. Begins as zeros, but for most. Not thread-safe.
 */

#define MWA_COURSE_SAMPLES 512u

struct mwa_course_sample {
    uint64_t time; /* ticks */
    double value;
};

struct mwa_course {
    struct mwa_course_sample *samples; /* in order of time */
    uint8_t *seen; /* at the first sample of each cell: how many the cell had, up to three */
    uint64_t count, capacity, seen_capacity;
    uint64_t last_cell; /* position of its first sample */
    uint64_t weight;    /* the sum of all cells' seen: count, or more */
    unsigned shift;     /* a cell is 2^shift ticks */
    uint32_t most;      /* at least 6; 0: MWA_COURSE_SAMPLES */
};

/* Appends a sample, not before the last one. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_course_add(struct mwa_course *course, uint64_t time,
                              double value) MW_MUST_CHECK;

/*
 * Appends the course of a later part, whose values are too low by so much: course is then as if it
 * had been given all samples of both. MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_course_append(struct mwa_course *course, const struct mwa_course *later,
                                 double by) MW_MUST_CHECK;

/*
 * For another process (analyzer/team/packing.h), of times and values alone: pack appends it, unpack
 * takes it out into zeros. MW_OK, MW_ERROR_MEMORY, MW_ERROR_FORMAT: these are other bytes.
 */
void mwa_course_pack(const struct mwa_course *course, struct mw_buffer *to);
enum mw_status mwa_course_unpack(struct mwa_course *course, struct mw_cursor *from) MW_MUST_CHECK;

void mwa_course_fini(struct mwa_course *course); /* zeros are fine */

#endif
