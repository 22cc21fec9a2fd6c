#include "analyzer/analysis/counters/counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/counters/between.h"
#include "analyzer/analysis/counters/level_windows.h"
#include "analyzer/analysis/counters/sums.h"

/* Timers are read a little later than the sample's time, and not exactly. */
#define TIMER_SLACK      1.05
#define TIMER_RESOLUTION 1e-5 /* s */

/* --- time ------------------------------------------------------------------------------- */

/* The run in cells. */
static struct mwa_window cells_of(const struct mwa_tracks *tracks)
{
    return (struct mwa_window){
        .from = tracks->first, .to = tracks->last, .bins = MWA_SPARKLINE_CELLS
    };
}

/* --- levels -------------------------------------------------------------------------------- */

/* A mean over time, with bounds. */
struct mean {
    double lower;
    double upper;
    double held; /* each sample until the next */
    double ticks;
    bool is_unknown; /* of some time nothing is known */
};

/* Ticks from one time to another in which the rank recorded. */
static uint64_t recorded_in(const struct mwa_tracks *tracks, const struct mwa_track *track,
                            uint64_t from, uint64_t to)
{
    return to > from ? to - from - mwa_tracks_paused(tracks, track->rank, from, to) : 0;
}

/* Ticks behind a sample of which nothing is known, though some of the others is told. */
static uint64_t unseen_behind(const struct mwa_track *track, uint64_t sample,
                              const struct mwa_between *between)
{
    const struct mwa_sample *now = &track->samples[sample];

    return !between->is_known && track->is_followed ? now[1].time - now->time : between->unseen;
}

/* Ticks from one time to another in which it was seen, of which so many are unseen. */
static uint64_t seen_in(const struct mwa_tracks *tracks, const struct mwa_track *track,
                        uint64_t from, uint64_t to, uint64_t unseen)
{
    const uint64_t recorded = recorded_in(tracks, track, from, to);
    const uint64_t ticks = to > from ? to - from : 0;
    const uint64_t seen = ticks > unseen ? ticks - unseen : 0;

    return recorded < seen ? recorded : seen; /* what is not recorded is not seen, either */
}

/* Takes in what comes behind a sample: value until the change, something to next from there on. */
static void weigh(struct mean *mean, const struct mwa_tracks *tracks,
                  const struct mwa_track *track, uint64_t sample,
                  const struct mwa_between *between, double value)
{
    const struct mwa_sample *now = &track->samples[sample];
    double certain = (double)recorded_in(tracks, track, now->time, between->since);
    double open = (double)seen_in(tracks, track, between->since, now[1].time,
                                  unseen_behind(track, sample, between));

    mean->lower += certain * value + open * between->mean_lower;
    mean->upper += certain * value + open * between->mean_upper;
    mean->held += (certain + open) * value;
    mean->ticks += certain + open;
    mean->is_unknown |= !between->is_known && open > 0;
}

static void set_mean(const struct mean *mean, double otherwise, struct mwa_counter_row *row)
{
    const double ticks = mean->ticks;

    row->has_bounds = ticks > 0 && !mean->is_unknown;
    row->mean = row->mean_lower = row->mean_upper = otherwise;
    if (ticks > 0) {
        row->mean_lower = mean->lower / ticks;
        row->mean_upper = mean->upper / ticks;
        row->mean = mean->is_unknown || MW_CLASS_IS_SUM(row->effective)
                        ? mean->held / ticks
                        : (row->mean_lower + row->mean_upper) / 2;
    }
}

/* The place of a state among those that are listed, or MWA_STATES_LISTED. */
static uint32_t state_place(struct mwa_counter_row *row, double state)
{
    uint32_t at = 0;

    while (at < row->state_count && row->states[at] != state) {
        at++;
    }
    if (at < MWA_STATES_LISTED && at == row->state_count) {
        row->states[row->state_count++] = state;
    }
    return at;
}

/* A state was held until the change for sure, and from there on it was this or another one. */
static void reside(struct mwa_counter_row *row, const struct mwa_tracks *tracks, uint64_t sample,
                   const struct mwa_between *between)
{
    const struct mwa_sample *now = &row->track->samples[sample];
    uint64_t certain = recorded_in(tracks, row->track, now->time, between->since);
    uint64_t open = seen_in(tracks, row->track, between->since, now[1].time,
                            unseen_behind(row->track, sample, between));
    uint32_t at = state_place(row, now->value);

    if (at < MWA_STATES_LISTED) {
        row->state_ticks[at] += certain + open;
        row->state_ticks_lower[at] += now->value == now[1].value ? certain + open : certain;
        row->state_ticks_upper[at] += certain + open;
    }
    at = state_place(row, now[1].value);
    if (at < MWA_STATES_LISTED && now->value != now[1].value) {
        row->state_ticks_upper[at] += open;
    }
}

static void follow_level(const struct mwa_tracks *tracks, struct mwa_counter_row *row)
{
    const struct mwa_track *track = row->track;
    struct mean mean = { 0 };

    for (uint64_t i = 0; i < track->count; i++) {
        const struct mwa_sample *sample = &track->samples[i];

        row->least = sample->value < row->least->value ? sample : row->least;
        row->greatest = sample->value > row->greatest->value ? sample : row->greatest;
        row->min = fmin(row->min, sample->value);
        row->max = fmax(row->max, sample->value);
        if (row->effective == MW_CLASS_STATE) {
            state_place(row, sample->value);
        }
        if (mwa_track_is_observed(track, i)) {
            const struct mwa_between between = mwa_track_between(track, i, false);

            row->is_of_sum |= !between.is_read;
            if (between.is_read) { /* else they are bounds only */
                row->min = between.low < row->min ? between.low : row->min;
                row->max = between.high > row->max ? between.high : row->max;
            }
            weigh(&mean, tracks, track, i, &between, sample->value);
            if (row->effective == MW_CLASS_STATE) {
                reside(row, tracks, i, &between);
                /* Any state may have been in between. */
                mean.is_unknown |= sample[1].course > 0 && between.low < between.high;
            }
        }
    }
    /* What was read and is in no sample is known as a real number only. */
    row->least = row->min < row->least->value ? NULL : row->least;
    row->greatest = row->max > row->greatest->value ? NULL : row->greatest;
    set_mean(&mean, row->last, row);
    mwa_level_windows_set(tracks, row);
    row->total = row->last;
}

/* --- sums ----------------------------------------------------------------------------------- */

/* Shares what a sum gained from one time to another among the windows in between. */
static void share(const struct mwa_tracks *tracks, struct mwa_counter_row *row, uint64_t from,
                  uint64_t to, double gain)
{
    const struct mwa_window window = cells_of(tracks);
    const uint32_t bin = mwa_window_bin(&window, to);
    struct mwa_piece piece = { 0 };

    if (to <= from || mwa_window_bin(&window, from) == bin) {
        row->cells[bin] += gain;
        row->cells_lower[bin] += gain;
        row->cells_upper[bin] += gain;
        return;
    }
    while (mwa_window_next(&window, from, to, &piece)) {
        row->cells[piece.bin] += gain * (double)(piece.to - piece.from) / (double)(to - from);
        row->cells_lower[piece.bin] += gain < 0 ? gain : 0;
        row->cells_upper[piece.bin] += gain > 0 ? gain : 0;
    }
}

/* What the sum gained from the sample before to this one; the program's own may have lost. */
static double gain_of(const struct mwa_counter_row *row, const struct mwa_sample *now)
{
    return row->is_exact && now->value >= now[-1].value ? (double)(now->bits - now[-1].bits)
                                                        : now->value - now[-1].value;
}

/* Seconds of a window in which the variable was there. */
static double seconds_in(const struct mwa_trace *trace, const struct mwa_tracks *tracks,
                         const struct mwa_track *track, unsigned cell)
{
    const struct mwa_window window = cells_of(tracks);
    uint64_t from = mwa_window_edge(&window, cell);
    uint64_t to = mwa_window_edge(&window, cell + 1);
    uint64_t first = track->samples[0].time;
    uint64_t last = track->samples[track->count - 1].time;

    from = first > from ? first : from;
    to = last < to ? last : to;
    return to > from ? (double)(to - from) / (double)trace->clock_resolution : 0;
}

static double per_second(double gain, double seconds)
{
    return seconds > 0 ? gain / seconds : 0;
}

/* Turns gains in windows into rates, of the time in which the variable was there. */
static void set_rates(const struct mwa_trace *trace, const struct mwa_tracks *tracks,
                      struct mwa_counter_row *row)
{
    double whole = 0;
    bool any = false;

    for (unsigned cell = 0; cell < MWA_SPARKLINE_CELLS; cell++) {
        double seconds = seconds_in(trace, tracks, row->track, cell);
        double rate = row->cells[cell] = per_second(row->cells[cell], seconds);
        double lower = row->cells_lower[cell] = per_second(row->cells_lower[cell], seconds);
        double upper = row->cells_upper[cell] = per_second(row->cells_upper[cell], seconds);

        if (seconds > 0) {
            row->rate_min = !any || rate < row->rate_min ? rate : row->rate_min;
            row->rate_max = !any || rate > row->rate_max ? rate : row->rate_max;
            row->rate_min_lower = !any ? lower : fmin(lower, row->rate_min_lower);
            row->rate_min_upper = !any ? upper : fmin(upper, row->rate_min_upper);
            row->rate_max_lower = !any ? lower : fmax(lower, row->rate_max_lower);
            row->rate_max_upper = !any ? upper : fmax(upper, row->rate_max_upper);
            whole += seconds;
            any = true;
        }
    }
    row->rate = whole > 0 ? row->total / whole : 0;
}

/* Whether a timer gained more than it can have between two samples. */
static bool is_implausible(const struct mwa_trace *trace, const struct mwa_counter_row *row,
                           const struct mwa_sample *now, double gain)
{
    const struct mwa_metric *metric = &trace->metrics.list[row->track->metric];
    double seconds = (double)(now->time - now[-1].time) / (double)trace->clock_resolution;
    uint32_t threads;

    if (row->effective != MW_CLASS_TIMER || row->is_exact || metric->is_statistic ||
        strcmp(row->unit, "s") != 0) {
        return false;
    }
    threads = trace->ranks[row->track->rank].locations;
    return gain > seconds * (threads > 1 ? threads : 1) * TIMER_SLACK + TIMER_RESOLUTION;
}

/* It was 0 when the recorder bound it, or the program first named it; else it is not known. */
static bool begins_at_0(const struct mwa_trace *trace, const struct mwa_track *track)
{
    return track->samples[0].flags & MW_SAMPLE_BASELINE || mwa_track_is_relative(trace, track) ||
           mwa_metric_is_told(&trace->metrics.list[track->metric]);
}

static void follow_sum(const struct mwa_trace *trace, const struct mwa_tracks *tracks,
                       struct mwa_counter_row *row)
{
    const struct mwa_track *track = row->track;
    const struct mwa_metric *metric = &trace->metrics.list[track->metric];
    const struct mwa_sample *last = &track->samples[track->count - 1];
    bool is_whole = begins_at_0(trace, track);
    struct mean mean = { 0 };

    row->total = is_whole ? track->samples[0].value : 0;
    row->min = row->total;
    row->least = is_whole ? row->least : NULL;
    row->is_exact = trace->metrics.members[metric->members[track->value]].type !=
                        MW_METRIC_DOUBLE &&
                    last->value >= 0;
    row->total_exact = is_whole ? last->bits : last->bits - track->samples[0].bits;
    for (uint64_t i = 0; i + 1 < track->count; i++) {
        const struct mwa_sample *next = &track->samples[i + 1];
        const double before = row->total;
        const double gain = gain_of(row, next);
        struct mwa_between between = mwa_track_between(track, i, true);


        row->total += gain;
        between.mean_lower = fmin(before, row->total);
        between.mean_upper = fmax(before, row->total);
        if (is_implausible(trace, row, next, gain)) {
            row->implausible++;
        } else {
            share(tracks, row, between.since, next->time, gain);
        }
        if (mwa_track_is_observed(track, i)) {
            weigh(&mean, tracks, track, i, &between, before);
        }
    }
    row->max = row->total;
    set_mean(&mean, row->total, row);
    set_rates(trace, tracks, row);
}

/* Where the total lies. */
static void set_total(const struct mwa_trace *trace, const struct mwa_tracks *tracks,
                      struct mwa_counter_row *row)
{
    const struct mwa_total total = { row->total, row->total_exact };

    row->lower = mwa_total_at_least(trace, tracks, row->track, total);
    row->upper = mwa_total_at_most(trace, row->track, total);
}

/* --- rows ------------------------------------------------------------------------------------ */

/* Ticks of intervals in which samples were lost, less pauses. */
static uint64_t lost_in(const struct mwa_tracks *tracks, const struct mwa_track *track)
{
    uint64_t ticks = 0;

    for (uint64_t i = 1; i < track->count; i++) {
        uint64_t from = track->samples[i - 1].time;
        uint64_t to = track->samples[i].time;

        if (track->samples[i].flags & MW_SAMPLE_GAP) {
            ticks += to - from - mwa_tracks_paused(tracks, track->rank, from, to);
        }
    }
    return ticks;
}

/* Ticks between a stop and the next start by the application. */
static uint64_t stopped_in(const struct mwa_track *track)
{
    uint64_t ticks = 0;
    uint64_t since = UINT64_MAX;

    for (uint64_t i = 0; i < track->count; i++) {
        const struct mwa_sample *sample = &track->samples[i];

        if (sample->flags & MW_SAMPLE_START && since != UINT64_MAX) {
            ticks += sample->time - since;
            since = UINT64_MAX;
        }
        if (sample->flags & MW_SAMPLE_STOP) {
            since = sample->time;
        }
    }
    return since != UINT64_MAX ? ticks + track->samples[track->count - 1].time - since : ticks;
}

/* Of events there is nothing between two of them: the mean is that of all, cells count them. */
static void follow_events(const struct mwa_tracks *tracks, struct mwa_counter_row *row)
{
    const struct mwa_track *track = row->track;
    const struct mwa_window window = { .from = tracks->first,
                                       .to = tracks->last,
                                       .bins = MWA_SPARKLINE_CELLS };
    double sum = 0;

    for (uint64_t i = 0; i < track->count; i++) {
        const struct mwa_sample *sample = &track->samples[i];

        row->least = sample->value < row->least->value ? sample : row->least;
        row->greatest = sample->value > row->greatest->value ? sample : row->greatest;
        sum += sample->value;
        if (mwa_window_has(&window, sample->time)) {
            row->cells[mwa_window_bin(&window, sample->time)]++;
        }
    }
    row->min = row->least->value;
    row->max = row->greatest->value;
    row->mean = row->mean_lower = row->mean_upper = sum / (double)track->count;
    row->has_bounds = true;
    memcpy(row->cells_lower, row->cells, sizeof row->cells);
    memcpy(row->cells_upper, row->cells, sizeof row->cells);
}

/* Ticks between samples of which nothing is known, though some of the others is told; no pauses. */
static uint64_t unseen_in(const struct mwa_tracks *tracks, const struct mwa_counter_row *row)
{
    const struct mwa_track *track = row->track;
    uint64_t ticks = 0;

    for (uint64_t i = 0; !MW_CLASS_IS_SUM(row->effective) && i + 1 < track->count; i++) {
        if (mwa_track_is_observed(track, i)) {
            const struct mwa_between between = mwa_track_between(track, i, false);
            const uint64_t from = track->samples[i].time;
            const uint64_t to = track->samples[i + 1].time;

            ticks += recorded_in(tracks, track, from, to) -
                     seen_in(tracks, track, from, to, unseen_behind(track, i, &between));
        }
    }
    return ticks;
}

static void set_coverage(const struct mwa_trace *trace, const struct mwa_tracks *tracks,
                         struct mwa_counter_row *row)
{
    const struct mwa_track *track = row->track;
    uint64_t first = track->samples[0].time;
    uint64_t last = track->samples[track->count - 1].time;

    first = first > tracks->first ? first : tracks->first;
    last = last < tracks->last ? last : tracks->last;

    uint64_t unseen = mwa_tracks_paused(tracks, track->rank, first, last) + stopped_in(track) +
                      lost_in(tracks, track) + unseen_in(tracks, row);
    double run = (double)(tracks->last - tracks->first);

    row->unobserved_ns = mwa_trace_ns(trace, unseen);
    row->coverage = run > 0 && last > first && last - first > unseen
                        ? (double)(last - first - unseen) / run
                        : 0;
}

static void fill(const struct mwa_trace *trace, const struct mwa_tracks *tracks,
                 const struct mwa_track *track, struct mwa_counter_row *row)
{
    const struct mwa_metric *metric = &trace->metrics.list[track->metric];
    const struct mwa_sample *first = &track->samples[0];
    const struct mwa_sample *last = &track->samples[track->count - 1];

    *row = (struct mwa_counter_row){
        .track = track,
        .declared = metric->is_foreign
                        ? mwa_metric_class(&trace->metrics, metric, track->value)
                        : metric->declared,
        .effective = track->class,
        .reclassified = track->is_reclassified,
        .resets = MW_CLASS_IS_SUM(track->class) ? track->resets : 0,
        .wraps = MW_CLASS_IS_SUM(track->class) ? track->wraps : 0,
        .bind = metric->bind,
        .unit = trace->metrics.members[metric->members[track->value]].unit,
        .first = first->value,
        .last = last->value,
        .min = first->value,
        .max = first->value,
        .is_observed = true,
        .is_open = mwa_track_is_open(trace, track),
        .least = first,
        .greatest = first,
        .samples = track->count,
    };
    if (MW_CLASS_IS_SUM(row->effective)) {
        follow_sum(trace, tracks, row);
        set_total(trace, tracks, row);
    } else if (row->effective == MW_CLASS_EVENT) {
        follow_events(tracks, row);
    } else {
        follow_level(tracks, row);
    }
    set_coverage(trace, tracks, row);
}

/* One of a variable that nobody has started: nothing is known of it. */
static void fill_unobserved(const struct mwa_trace *trace, const struct mwa_tracks *tracks,
                            const struct mwa_track *track, struct mwa_counter_row *row)
{
    const struct mwa_metric *metric = &trace->metrics.list[track->metric];
    uint64_t from = track->still_from > tracks->first ? track->still_from : tracks->first;
    uint64_t to = track->still_to < tracks->last ? track->still_to : tracks->last;

    *row = (struct mwa_counter_row){
        .track = track,
        .declared = metric->is_foreign
                        ? mwa_metric_class(&trace->metrics, metric, track->value)
                        : metric->declared,
        .effective = mwa_metric_class(&trace->metrics, metric, track->value),
        .bind = metric->bind,
        .unit = trace->metrics.members[metric->members[track->value]].unit,
        .total = NAN,
        .first = NAN,
        .last = NAN,
        .min = NAN,
        .max = NAN,
        .mean = NAN,
        .rate = NAN,
        .rate_min = NAN,
        .rate_max = NAN,
        .rate_min_lower = NAN,
        .rate_min_upper = NAN,
        .rate_max_lower = NAN,
        .rate_max_upper = NAN,
        .unobserved_ns = mwa_trace_ns(trace, to > from ? to - from : 0),
    };
    for (unsigned i = 0; i < MWA_SPARKLINE_CELLS; i++) {
        row->cells[i] = row->cells_lower[i] = row->cells_upper[i] = NAN;
    }
}

enum mw_status mwa_counters_make(const struct mwa_trace *trace, const struct mwa_tracks *tracks,
                                 struct mwa_counters *counters)
{
    *counters = (struct mwa_counters){ 0 };
    counters->rows = calloc(tracks->count + 1, sizeof *counters->rows);
    if (!counters->rows) {
        return MW_ERROR_MEMORY;
    }
    counters->window_ns = mwa_trace_ns(trace, (tracks->last - tracks->first) / MWA_SPARKLINE_CELLS);
    for (uint64_t i = 0; i < tracks->count; i++) {
        struct mwa_counter_row *row = &counters->rows[counters->count++];

        if (tracks->list[i].count > 0) {
            fill(trace, tracks, &tracks->list[i], row);
        } else {
            fill_unobserved(trace, tracks, &tracks->list[i], row);
        }
    }
    return MW_OK;
}

void mwa_counters_fini(struct mwa_counters *counters)
{
    free(counters->rows);
    *counters = (struct mwa_counters){ 0 };
}
