/*
 * The arithmetic is that of libotf2 3.0 (OTF2_EvtReader.c, otf2_archive_location.c), operation by
 * operation: other tools shall show the same times. So is that a time behind the last ClockOffset
 * goes on with the last slope, that one ClockOffset alone corrects nothing, and that an interval
 * which was left is not gone back to.
 */
#include "analyzer/load/clock_correction.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/model/map.h"

bool mwa_clock_correction_add(struct mwa_clock_correction *correction, uint64_t time,
                              int64_t offset)
{
    struct mwa_clock_interval *open = &correction->open;

    if (correction->is_open && open->begin < time) {
        open->end = time;
        open->slope = (double)(int64_t)((uint64_t)offset - (uint64_t)open->offset) /
                      (double)(time - open->begin);
        if (!mwa_grow(&correction->intervals, &correction->capacity, correction->count + 1,
                      sizeof *correction->intervals)) {
            return false;
        }
        correction->intervals[correction->count++] = *open;
    }
    *open = (struct mwa_clock_interval){ .begin = time, .offset = offset };
    correction->is_open = true;
    return true;
}

uint64_t mwa_clock_corrected(struct mwa_clock_correction *correction, uint64_t time)
{
    const struct mwa_clock_interval *interval;
    double distance;

    if (correction->count == 0) {
        return time;
    }
    while (correction->current + 1 < correction->count &&
           time > correction->intervals[correction->current].end) {
        correction->current++;
    }
    interval = &correction->intervals[correction->current];
    distance = time >= interval->begin ? (double)(time - interval->begin)
                                       : -(double)(interval->begin - time);
    return time + (uint64_t)interval->offset + (uint64_t)(int64_t)rint(interval->slope * distance);
}

void mwa_clock_correction_fini(struct mwa_clock_correction *correction)
{
    free(correction->intervals);
    *correction = (struct mwa_clock_correction){ 0 };
}
