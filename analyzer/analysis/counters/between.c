/*
 * One place that says what lies between two samples, so that means, rates, states and watermarks
 * can't say different things of it.
 */
#include "analyzer/analysis/counters/between.h"

struct mwa_between mwa_track_between(const struct mwa_track *track, uint64_t sample, bool is_sum)
{
    const struct mwa_sample *before = &track->samples[sample];
    const struct mwa_sample *next = before + 1;
    const double less = before->value < next->value ? before->value : next->value;
    const double more = before->value > next->value ? before->value : next->value;
    struct mwa_between between = { .is_known = is_sum,
                                   .since = before->time,
                                   .mean_lower = less,
                                   .mean_upper = more,
                                   .low = less,
                                   .high = more };

    if (next->course > 0) {
        const struct mwa_sample_course *course = &track->courses[next->course - 1];

        between.is_known = true;
        between.mean_lower = course->mean_lower;
        between.mean_upper = course->mean_upper;
        between.low = course->low;
        between.high = course->high;
    } else if (next->has_held) {
        between.is_known = true;
        between.since = next->time - before->time > next->held ? next->time - next->held
                                                               : before->time;
    } else if (!is_sum && track->is_followed) {
        between.is_known = true;
        between.mean_lower = between.low = track->low;
        between.mean_upper = between.high = track->high;
    }
    return between;
}
