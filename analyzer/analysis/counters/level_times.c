/* What is removed from the middle stays as a time of which there are none until it is the first. */
#include "analyzer/analysis/counters/level_times.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/model/map.h"

bool mwa_level_times_add(struct mwa_level_times *times, uint64_t time)
{
    if (times->first < times->end && times->list[times->end - 1].time == time) {
        times->list[times->end - 1].count++;
        return true;
    }
    if (times->end == times->capacity && times->first > times->capacity / 2) {
        memmove(times->list, times->list + times->first,
                (times->end - times->first) * sizeof *times->list);
        times->end -= times->first;
        times->first = 0;
    }
    if (!mwa_grow(&times->list, &times->capacity, times->end + 1, sizeof *times->list)) {
        return false;
    }
    times->list[times->end++] = (struct mwa_level_time){ .time = time, .count = 1 };
    return true;
}

/* The position of the first that is not before time. */
static uint64_t find(const struct mwa_level_times *times, uint64_t time)
{
    uint64_t low = times->first;
    uint64_t high = times->end;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (times->list[middle].time < time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void mwa_level_times_remove(struct mwa_level_times *times, uint64_t time)
{
    const uint64_t first = times->first;
    const bool is_first = first < times->end && times->list[first].time == time;
    const uint64_t at = MW_LIKELY(is_first) ? first : find(times, time);

    if (at < times->end && times->list[at].time == time && times->list[at].count > 0) {
        times->list[at].count--;
    }
    while (times->first < times->end && times->list[times->first].count == 0) {
        times->first++;
    }
}

void mwa_level_times_fini(struct mwa_level_times *times)
{
    free(times->list);
    *times = (struct mwa_level_times){ .first = 0 };
}
