/*
 * A time that is corrected here has to be the one that libotf2 makes of it for
 * other readers: hence its arithmetic, with doubles for the slope only, since a
 * time has more digits than a double.
 */
#include "formats/base/clock.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"

uint64_t mw_clock_nanoseconds(uint64_t ticks, uint64_t resolution)
{
    if (resolution == 0 || resolution == MW_NANOSECONDS) {
        return ticks;
    }
    return ticks / resolution * MW_NANOSECONDS +
           (uint64_t)((double)(ticks % resolution) * MW_NANOSECONDS / (double)resolution);
}

uint64_t mw_clock_told(uint64_t ticks, struct mw_clock_scale scale)
{
    uint64_t time = mw_clock_nanoseconds(ticks, scale.resolution);

    return scale.unit > 1 ? time & -scale.unit : time;
}

uint64_t mw_clock_unit(const char *text)
{
    char *end = NULL;
    uint64_t unit = *text >= '1' && *text <= '9' ? strtoull(text, &end, 10) : 0;

    return unit <= MW_TIME_UNIT_MAX && (unit & (unit - 1)) == 0 && end && strcmp(end, "ns") == 0
               ? unit
               : 0;
}

int64_t mw_clock_offset(int64_t ticks, uint64_t resolution)
{
    return ticks < 0 ? -(int64_t)mw_clock_nanoseconds(-(uint64_t)ticks, resolution)
                     : (int64_t)mw_clock_nanoseconds((uint64_t)ticks, resolution);
}

/* Whether a line leads from the last of count points to point: times rise, all are sane. */
static bool may_follow(const struct mw_clock_point *points, size_t count,
                       const struct mw_clock_point *point)
{
    return point->time <= MW_TIME_MAX && point->offset < (int64_t)MW_TIME_MAX &&
           point->offset > -(int64_t)MW_TIME_MAX && point->error <= MW_TIME_MAX &&
           (count == 0 || points[count - 1].time < point->time);
}

static void settle(struct mw_clock_point *left, struct mw_clock_point *right)
{
    struct mw_clock_point *worse = left->error > right->error ? left : right;
    const struct mw_clock_point *better = worse == left ? right : left;
    int64_t most = (int64_t)(worse->error - better->error);
    int64_t move = better->offset - worse->offset;

    move = move > most ? most : move < -most ? -most : move;
    worse->offset += move;
    worse->error += (uint64_t)(move < 0 ? -move : move);
}

bool mw_clock_add(struct mw_clock_point **points, size_t *count,
                  const struct mw_clock_point *point, uint64_t resolution)
{
    struct mw_clock_point added = {
        .time = mw_clock_nanoseconds(point->time, resolution),
        .offset = mw_clock_offset(point->offset, resolution),
        .error = mw_clock_nanoseconds(point->error, resolution),
    };

    if (!may_follow(*points, *count, &added)) {
        return true;
    }
    if (!mw_array_grow((void **)points, *count, sizeof added)) {
        return false;
    }
    (*points)[*count] = added;
    if (*count > 0) {
        settle(&(*points)[*count - 1], &(*points)[*count]);
    }
    (*count)++;
    return true;
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
