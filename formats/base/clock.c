/*
 * A time that is corrected here has to be the one that libotf2 makes of it for
 * other readers: hence its arithmetic, with doubles for the slope only, since a
 * time has more digits than a double.
 */
#include "formats/base/clock.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"

#define KEPT_MAX 8

/* As much as Linux slews a clock, adjtimex(2): of two hosts' it may be that one's. */
#define DRIFT_MAX 500e-6

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
    int64_t apart;
    uint64_t known;

    move = move > most ? most : move < -most ? -most : move;
    worse->offset += move;
    worse->error += (uint64_t)(move < 0 ? -move : move);
    apart = better->offset - worse->offset;
    known = better->error + (uint64_t)(apart < 0 ? -apart : apart) +
            (uint64_t)((double)(right->time - left->time) * DRIFT_MAX);
    worse->error = known < worse->error ? known : worse->error;
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
    (*points)[(*count)++] = added;
    return true;
}

/* How far point's offset is from that of the line through so many points. */
static uint64_t distance_from(const struct mw_clock_point *line, size_t count,
                              const struct mw_clock_point *point)
{
    const uint64_t there = mw_clock_correct(line, count, point->time) - point->time;
    const int64_t off = (int64_t)((uint64_t)point->offset - there);

    return off < 0 ? -(uint64_t)off : (uint64_t)off;
}

/*
 * What would be lost without point between two others: by how much it is known better than the
 * worse of them, or how far it is off the line between them, beyond what all of them may be wrong.
 */
static uint64_t worth(const struct mw_clock_point *left, const struct mw_clock_point *right,
                      const struct mw_clock_point *point)
{
    const struct mw_clock_point ends[2] = {*left, *right};
    uint64_t distance = distance_from(ends, 2, point);
    uint64_t most = left->error > right->error ? left->error : right->error;
    uint64_t beyond = distance > point->error + most ? distance - point->error - most : 0;
    uint64_t better = most > point->error ? most - point->error : 0;

    return beyond > better ? beyond : better;
}

/* Of those not kept, the point that is worth most; 0: none is worth anything. */
static size_t find_best(const struct mw_clock_point *points, const size_t *kept, size_t kept_count)
{
    uint64_t best = 0;
    size_t found = 0;

    for (size_t i = 0; i + 1 < kept_count; i++) {
        for (size_t at = kept[i] + 1; at < kept[i + 1]; at++) {
            uint64_t this = worth(&points[kept[i]], &points[kept[i + 1]], &points[at]);

            found = this > best ? at : found;
            best = this > best ? this : best;
        }
    }
    return found;
}

void mw_clock_choose(struct mw_clock_point *points, size_t *count)
{
    size_t kept[KEPT_MAX] = {0, *count - 1};
    size_t kept_count = 2;
    size_t found;

    if (*count < 2) {
        return;
    }
    while (kept_count < KEPT_MAX && (found = find_best(points, kept, kept_count)) > 0) {
        size_t at = kept_count++;

        for (; kept[at - 1] > found; at--) {
            kept[at] = kept[at - 1];
        }
        kept[at] = found;
    }
    for (size_t i = 0; i < kept_count; i++) {
        points[i] = points[kept[i]];
        if (i > 0) {
            settle(&points[i - 1], &points[i]);
        }
    }
    *count = kept_count;
}

uint64_t mw_clock_missed(const struct mw_clock_point *line, size_t line_count,
                         const struct mw_clock_point *points, size_t count)
{
    uint64_t most = 0;

    for (size_t i = 0; line_count > 0 && i < count; i++) {
        const struct mw_clock_point *point = &points[i];
        const uint64_t distance = distance_from(line, line_count, point);

        if (point->time > line[line_count - 1].time &&
            distance > point->error + line[line_count - 1].error &&
            distance + point->error > most) {
            most = distance + point->error;
        }
    }
    return most;
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
