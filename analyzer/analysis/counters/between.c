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
                                   .high = more,
                                   .is_read = true };

    if (next->course > 0) {
        const struct mwa_sample_course *course = &track->courses[next->course - 1];

        between.is_known = true;
        between.mean_lower = course->mean_lower;
        between.mean_upper = course->mean_upper;
        between.low = course->low;
        between.high = course->high;
        between.is_read = !course->is_of_sum;
        between.unseen = course->unseen;
    } else if (next->has_held) {
        between.is_known = true;
        between.since = next->time - before->time > next->held ? next->time - next->held
                                                               : before->time;
    }
    return between;
}

bool mwa_track_is_observed(const struct mwa_track *track, uint64_t sample)
{
    return sample + 1 < track->count && !(track->samples[sample].flags & MW_SAMPLE_STOP) &&
           !(track->samples[sample + 1].flags & MW_SAMPLE_GAP);
}

static struct mwa_bound bound_of(const struct mwa_sample *before, double value)
{
    return (struct mwa_bound){ .value = value,
                               .sample = before[0].value == value   ? &before[0]
                                         : before[1].value == value ? &before[1]
                                                                    : NULL };
}

struct mwa_bounds mwa_track_bounds(const struct mwa_tracks *tracks, const struct mwa_track *track,
                                   uint64_t sample, bool is_sum)
{
    const struct mwa_sample *before = &track->samples[sample > 0 ? sample - 1 : 0];
    struct mwa_bounds bounds = { 0 };
    struct mwa_between between;

    if (sample == 0 || !mwa_track_is_observed(track, sample - 1)) {
        return bounds;
    }
    between = mwa_track_between(track, sample - 1, is_sum);
    bounds.is_known = between.is_known && between.unseen == 0 &&
                      (is_sum || mwa_tracks_paused(tracks, track->rank, before[0].time,
                                                   before[1].time) == 0);
    bounds.lower = bound_of(before, between.low);
    bounds.upper = bound_of(before, between.high);
    return bounds;
}
