/*
 * A time that is corrected here has to be the one that libotf2 makes of it for
 * other readers: hence its arithmetic, with doubles for the slope only, since a
 * time has more digits than a double.
 */
#include "formats/base/clock.h"

uint64_t mw_clock_nanoseconds(uint64_t ticks, uint64_t resolution)
{
    if (resolution == 0 || resolution == MW_NANOSECONDS) {
        return ticks;
    }
    return ticks / resolution * MW_NANOSECONDS +
           (uint64_t)((double)(ticks % resolution) * MW_NANOSECONDS / (double)resolution);
}

int64_t mw_clock_offset(int64_t ticks, uint64_t resolution)
{
    return ticks < 0 ? -(int64_t)mw_clock_nanoseconds(-(uint64_t)ticks, resolution)
                     : (int64_t)mw_clock_nanoseconds((uint64_t)ticks, resolution);
}

bool mw_clock_may_follow(const struct mw_clock_point *points, size_t count,
                         const struct mw_clock_point *point)
{
    return point->time <= MW_TIME_MAX && point->offset <= (int64_t)MW_TIME_MAX &&
           point->offset >= -(int64_t)MW_TIME_MAX &&
           (count == 0 || points[count - 1].time < point->time);
}

uint64_t mw_clock_correct(const struct mw_clock_point *points, size_t count, uint64_t time)
{
    size_t i = 0;

    if (count == 0) {
        return time;
    }
    if (count == 1) {
        return time + (uint64_t)points[0].offset;
    }
    while (i + 2 < count && time > points[i + 1].time) {
        i++;
    }
    const struct mw_clock_point *left = &points[i];
    const struct mw_clock_point *right = &points[i + 1];
    double slope =
        (double)(right->offset - left->offset) / (double)(right->time - left->time);
    double drift = slope * ((double)time - (double)left->time);

    return time + (uint64_t)left->offset + (uint64_t)(int64_t)drift;
}
