#include "analyzer/analysis/counters/counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/counters/sums.h"

/* Timers are read a little later than the sample's time, and not exactly. */
#define TIMER_SLACK      1.05
#define TIMER_RESOLUTION 1e-5 /* s */

/* --- time ------------------------------------------------------------------------------- */

/* Ticks of [from, to) in which the rank recorded nothing. */
static uint64_t gaps_in(const struct mwa_tracks *tracks, uint32_t rank, uint64_t from, uint64_t to)
{
    uint64_t ticks = 0;

    for (uint64_t i = 0; i < tracks->gap_count; i++) {
        const struct mwa_gap *gap = &tracks->gaps[i];
        uint64_t begin = gap->from > from ? gap->from : from;
        uint64_t end = gap->to < to ? gap->to : to;

        ticks += gap->rank == rank && end > begin ? end - begin : 0;
    }
    return ticks;
}

/* The run in cells. */
static struct mwa_window cells_of(const struct mwa_tracks *tracks)
{
    return (struct mwa_window){
        .from = tracks->first, .to = tracks->last, .bins = MWA_SPARKLINE_CELLS
    };
}

/* --- levels -------------------------------------------------------------------------------- */

static void hold(struct mwa_counter_row *row, const struct mwa_tracks *tracks, uint64_t from,
                 uint64_t to, double value)
{
    const struct mwa_window window = cells_of(tracks);

    for (uint32_t cell = mwa_window_bin(&window, from); cell <= mwa_window_bin(&window, to);
         cell++) {
        row->cells[cell] = value > row->cells[cell] ? value : row->cells[cell];
    }
}

/* A mean of values, each held for some time. */
struct mean {
    double weighted;
    double ticks;
};

/* Ticks until the sample after this one, as far as they were observed. */
static uint64_t held_for(const struct mwa_tracks *tracks, const struct mwa_track *track,
                         uint64_t sample)
{
    const struct mwa_sample *now = &track->samples[sample];

    if (sample + 1 == track->count || now->flags & MW_SAMPLE_STOP ||
        now[1].flags & MW_SAMPLE_GAP) {
        return 0;
    }
    return now[1].time - now->time - gaps_in(tracks, track->rank, now->time, now[1].time);
}

static void weigh(struct mean *mean, const struct mwa_tracks *tracks,
                  const struct mwa_track *track, uint64_t sample, double value)
{
    double ticks = (double)held_for(tracks, track, sample);

    mean->weighted += ticks * value;
    mean->ticks += ticks;
}

/* A state was held for some time. */
static void reside(struct mwa_counter_row *row, double state, uint64_t ticks)
{
    uint32_t at = 0;

    while (at < row->state_count && row->states[at] != state) {
        at++;
    }
    if (at == MWA_STATES_LISTED) {
        return;
    }
    row->states[at] = state;
    row->state_ticks[at] += ticks;
    row->state_count += at == row->state_count;
}

static void follow_level(const struct mwa_tracks *tracks, struct mwa_counter_row *row)
{
    const struct mwa_track *track = row->track;
    struct mean mean = { 0 };

    for (uint64_t i = 0; i < track->count; i++) {
        const struct mwa_sample *sample = &track->samples[i];
        bool is_held = i + 1 < track->count && !(sample->flags & MW_SAMPLE_STOP);
        uint64_t until = is_held ? sample[1].time : sample->time;

        row->least = sample->value < row->least->value ? sample : row->least;
        row->greatest = sample->value > row->greatest->value ? sample : row->greatest;
        hold(row, tracks, sample->time, until, sample->value);
        weigh(&mean, tracks, track, i, sample->value);
        if (row->effective == MW_CLASS_STATE) {
            reside(row, sample->value, held_for(tracks, track, i));
        }
    }
    row->min = row->least->value;
    row->max = row->greatest->value;
    row->mean = mean.ticks > 0 ? mean.weighted / mean.ticks : row->last;
    row->total = row->last;
}

/* --- sums ----------------------------------------------------------------------------------- */

/* Shares what a sum gained from one time to another among the windows in between. */
static void share(const struct mwa_tracks *tracks, struct mwa_counter_row *row, uint64_t from,
                  uint64_t to, double gain)
{
    const struct mwa_window window = cells_of(tracks);
    struct mwa_piece piece = { 0 };

    if (to <= from) {
        row->cells[mwa_window_bin(&window, to)] += gain;
    }
    while (mwa_window_next(&window, from, to, &piece)) {
        row->cells[piece.bin] += gain * (double)(piece.to - piece.from) / (double)(to - from);
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

/* Turns gains in windows into rates, of the time in which the variable was there. */
static void set_rates(const struct mwa_trace *trace, const struct mwa_tracks *tracks,
                      struct mwa_counter_row *row)
{
    double whole = 0;
    bool any = false;

    for (unsigned cell = 0; cell < MWA_SPARKLINE_CELLS; cell++) {
        double seconds = seconds_in(trace, tracks, row->track, cell);
        double rate = seconds > 0 ? row->cells[cell] / seconds : 0;

        row->cells[cell] = rate;
        if (seconds > 0) {
            row->rate_min = !any || rate < row->rate_min ? rate : row->rate_min;
            row->rate_max = !any || rate > row->rate_max ? rate : row->rate_max;
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
static bool begins_at_0(const struct mwa_metric *metric, const struct mwa_track *track)
{
    return track->samples[0].flags & MW_SAMPLE_BASELINE || mwa_metric_is_of_program(metric);
}

static void follow_sum(const struct mwa_trace *trace, const struct mwa_tracks *tracks,
                       struct mwa_counter_row *row)
{
    const struct mwa_track *track = row->track;
    const struct mwa_metric *metric = &trace->metrics.list[track->metric];
    const struct mwa_sample *last = &track->samples[track->count - 1];
    bool is_whole = begins_at_0(metric, track);
    struct mean mean = { 0 };

    row->total = is_whole ? track->samples[0].value : 0;
    row->min = row->total;
    row->least = is_whole ? row->least : NULL;
    row->is_exact = trace->metrics.members[metric->members[track->value]].type !=
                        MW_METRIC_DOUBLE &&
                    last->value >= 0;
    row->total_exact = is_whole ? last->bits : last->bits - track->samples[0].bits;
    for (uint64_t i = 0; i < track->count; i++) {
        if (i > 0) {
            const struct mwa_sample *now = &track->samples[i];
            double gain = gain_of(row, now);

            row->total += gain;
            if (is_implausible(trace, row, now, gain)) {
                row->implausible++;
            } else {
                share(tracks, row, now[-1].time, now->time, gain);
            }
        }
        weigh(&mean, tracks, track, i, row->total);
    }
    row->max = row->total;
    row->mean = mean.ticks > 0 ? mean.weighted / mean.ticks : row->total;
    set_rates(trace, tracks, row);
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
            ticks += to - from - gaps_in(tracks, track->rank, from, to);
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

static void set_coverage(const struct mwa_trace *trace, const struct mwa_tracks *tracks,
                         struct mwa_counter_row *row)
{
    const struct mwa_track *track = row->track;
    uint64_t first = track->samples[0].time;
    uint64_t last = track->samples[track->count - 1].time;

    first = first > tracks->first ? first : tracks->first;
    last = last < tracks->last ? last : tracks->last;

    uint64_t unseen = gaps_in(tracks, track->rank, first, last) + stopped_in(track) +
                      lost_in(tracks, track);
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
        .declared = metric->declared,
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
        .least = first,
        .greatest = first,
        .samples = track->count,
    };
    if (MW_CLASS_IS_SUM(row->effective)) {
        follow_sum(trace, tracks, row);
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
        .declared = metric->declared,
        .effective = metric->effective,
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
        .unobserved_ns = mwa_trace_ns(trace, to > from ? to - from : 0),
    };
    for (unsigned i = 0; i < MWA_SPARKLINE_CELLS; i++) {
        row->cells[i] = NAN;
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
