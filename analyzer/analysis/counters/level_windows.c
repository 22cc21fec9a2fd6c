/*
 * A value that was read between two samples is the windows' as well as those that have a sample:
 * where it can have been, it counts for the upper bound, and where it must have been, for the
 * lower one.
 */
#include "analyzer/analysis/counters/level_windows.h"

#include <math.h>

#include "analyzer/analysis/counters/between.h"
#include "analyzer/model/bins.h"

struct filling {
    const struct mwa_tracks *tracks;
    struct mwa_counter_row *row;
    struct mwa_window window;
};

/* In [from, to), or at from, there was a value that is less at least and more at most. */
static void take(const struct filling *filling, uint64_t from, uint64_t to, double less,
                 double more)
{
    struct mwa_counter_row *row = filling->row;
    const uint32_t last = mwa_window_bin(&filling->window, to > from ? to - 1 : from);

    for (uint32_t cell = mwa_window_bin(&filling->window, from); cell <= last; cell++) {
        row->cells_lower[cell] = fmax(row->cells_lower[cell], less);
        row->cells_upper[cell] = fmax(row->cells_upper[cell], more);
    }
}

/* The same as samples alone say. */
static void hold(const struct filling *filling, uint64_t from, uint64_t to, double value)
{
    struct mwa_counter_row *row = filling->row;
    const uint32_t last = mwa_window_bin(&filling->window, to > from ? to - 1 : from);

    for (uint32_t cell = mwa_window_bin(&filling->window, from); cell <= last; cell++) {
        row->cells[cell] = fmax(row->cells[cell], value);
    }
}

/* What happened while the rank recorded nothing is not known. */
static void take_pauses(const struct filling *filling, uint64_t from, uint64_t to)
{
    for (uint64_t i = 0; i < filling->tracks->gap_count; i++) {
        const struct mwa_gap *gap = &filling->tracks->gaps[i];
        const uint64_t begin = gap->from > from ? gap->from : from;
        const uint64_t end = gap->to < to ? gap->to : to;

        if (gap->rank == filling->row->track->rank && end > begin) {
            take(filling, begin, end, NAN, INFINITY);
        }
    }
}

/* What comes between a sample and the next one. */
static void take_between(const struct filling *filling, uint64_t sample)
{
    const struct mwa_track *track = filling->row->track;
    const struct mwa_sample *now = &track->samples[sample];
    const struct mwa_between between = mwa_track_between(track, sample, false);

    if (!mwa_track_is_observed(track, sample) || !between.is_known || between.unseen > 0) {
        take(filling, now->time, now[1].time, NAN, INFINITY);
    }
    if (!mwa_track_is_observed(track, sample) || !between.is_known) {
        return;
    }
    if (between.since > now->time) {
        take(filling, now->time, between.since, now->value, now->value);
    }
    if (now[1].time > between.since) {
        take(filling, between.since, now[1].time, between.low, between.high);
    }
    if (between.is_read && mwa_window_bin(&filling->window, between.since) ==
                                 mwa_window_bin(&filling->window, now[1].time)) {
        take(filling, between.since, between.since, between.high, between.high);
    }
    take_pauses(filling, now->time, now[1].time);
}

static void settle(struct mwa_counter_row *row)
{
    for (unsigned cell = 0; cell < MWA_SPARKLINE_CELLS; cell++) {
        if (!isfinite(row->cells_upper[cell])) {
            row->cells_upper[cell] = NAN;
        } else if (!row->is_of_sum) { /* else that says too much */
            row->cells[cell] = row->cells_upper[cell];
        }
    }
}

void mwa_level_windows_set(const struct mwa_tracks *tracks, struct mwa_counter_row *row)
{
    const struct filling filling = { .tracks = tracks,
                                     .row = row,
                                     .window = { .from = tracks->first,
                                                 .to = tracks->last,
                                                 .bins = MWA_SPARKLINE_CELLS } };
    const struct mwa_track *track = row->track;

    for (unsigned cell = 0; cell < MWA_SPARKLINE_CELLS; cell++) {
        row->cells_lower[cell] = row->cells_upper[cell] = NAN;
    }
    for (uint64_t i = 0; i < track->count; i++) {
        const struct mwa_sample *sample = &track->samples[i];
        const bool is_held = i + 1 < track->count && !(sample->flags & MW_SAMPLE_STOP);

        take(&filling, sample->time, sample->time, sample->value, sample->value);
        hold(&filling, sample->time, is_held ? sample[1].time : sample->time, sample->value);
        if (is_held) {
            take_between(&filling, i);
        }
    }
    settle(row);
}
