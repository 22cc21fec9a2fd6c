/*
 * Values of variables in sentences rather than cells: what is known of them differs from one to the
 * next, and where it is an interval that has to be said.
 */
#include "analyzer/report/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/counters/between.h"
#include "analyzer/report/extreme_tracks.h"
#include "analyzer/table/clean.h"
#include "analyzer/table/layout.h"
#include "analyzer/table/line.h"
#include "analyzer/table/units.h"
#include "formats/archive/archive_words.h"

#define BOUNDED_BYTES 80u
#define CVARS_MAX 40u /* control variables in text */

/* What a track is bound to: a communicator, a window, a file; otherwise, nothing. */
static const char *object_name(const struct mwa_trace *trace, const struct mwa_track *track,
                               const char *otherwise)
{
    const char *bound = mwa_track_bound(trace, track);

    return bound ? bound : otherwise;
}

static bool is_shown(const struct mwa_track *track, uint32_t rank)
{
    return rank == MWA_NONE || track->rank == rank;
}

/* Of statistics, text has the sum over the elements; JSON has everything. */
static bool is_in_text(const struct mwa_trace *trace, const struct mwa_track *track, uint32_t rank)
{
    bool is_detail = track->metric != MWA_NONE && track->value > 0 &&
                     trace->metrics.list[track->metric].is_statistic;

    return is_shown(track, rank) && !is_detail;
}

/* A name that the archive says: nothing of it may steer the terminal. */
static void put_name(const char *name, int width, FILE *out)
{
    mwa_put_clean(name, out);
    for (int length = (int)mwa_line_columns(name); length < width; length++) {
        putc(' ', out);
    }
    putc(' ', out);
}

/* --- counters ------------------------------------------------------------------------ */

static void put_sparkline(const struct mwa_counter_row *row, FILE *out)
{
    static const char *const bars[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
    double most = 0;

    for (unsigned i = 0; i < MWA_SPARKLINE_CELLS; i++) {
        most = row->cells[i] > most ? row->cells[i] : most;
    }
    for (unsigned i = 0; i < MWA_SPARKLINE_CELLS; i++) {
        int height = most > 0 ? (int)(row->cells[i] / most * 7.0 + 0.5) : 0;

        fputs(bars[height < 0 ? 0 : height], out);
    }
}

/* A value of a variable, exactly, in as many columns; "1.2e+21" where it is a real number. */
static void put_exact(const struct mwa_trace *trace, const struct mwa_track *track, uint64_t bits,
                      int width, FILE *out)
{
    const enum mw_metric_type type = mwa_track_type(trace, track);

    if (type == MW_METRIC_DOUBLE) {
        fprintf(out, "%*.*g", width, width < 16 ? 6 : 15, mwa_metric_value(type, bits));
    } else if (type == MW_METRIC_INT64) {
        fprintf(out, "%*" PRId64, width, (int64_t)bits);
    } else {
        fprintf(out, "%*" PRIu64, width, bits);
    }
}

/* What a STATE calls a value, or the value. */
static void put_state(const struct mwa_metric *metric, double value, FILE *out)
{
    size_t length;
    const char *word = mwa_metric_item(metric, (int64_t)value, &length);

    if (word) {
        mwa_put_clean_bytes(word, length, out);
    } else {
        fprintf(out, "%.10g", value);
    }
}

static void put_sum(const struct mwa_trace *trace, const struct mwa_counter_row *row,
                    const struct mwa_total *total, int width, FILE *out)
{
    if (row->is_exact) {
        put_exact(trace, row->track, total->exact, width, out);
    } else {
        fprintf(out, "%*.6g", width, total->value);
    }
}

/* Of a sum from where to where it lies, ">=" with an open end; of others the last value. */
static void put_total(const struct mwa_trace *trace, const struct mwa_counter_row *row, FILE *out)
{
    if (!MW_CLASS_IS_SUM(row->effective)) {
        put_exact(trace, row->track, row->track->samples[row->samples - 1].bits, 12, out);
    } else if (row->is_open) {
        fputs(">=", out);
        put_sum(trace, row, &row->lower, 0, out);
    } else if (row->lower.value < row->upper.value) {
        put_sum(trace, row, &row->lower, 0, out);
        fputs(" to ", out);
        put_sum(trace, row, &row->upper, 0, out);
    } else {
        put_sum(trace, row, &row->upper, 12, out);
    }
}

/* A number, or from where to where it lies if that can be seen in three digits. */
static const char *bounded(double value, double lower, double upper, char text[BOUNDED_BYTES])
{
    char less[32];
    char more[32];

    snprintf(less, sizeof less, "%.3g", lower);
    snprintf(more, sizeof more, "%.3g", upper);
    if (strcmp(less, more) == 0) {
        snprintf(text, BOUNDED_BYTES, "%.4g", value);
    } else {
        snprintf(text, BOUNDED_BYTES, "%s to %s", less, more);
    }
    return text;
}

static void put_rates(const struct mwa_counter_row *row, FILE *out)
{
    char least[BOUNDED_BYTES];
    char most[BOUNDED_BYTES];

    fprintf(out, MWA_ROW_CELL "%10s " MWA_ROW_CELL "%10.4g " MWA_ROW_CELL "%10s/s ",
            bounded(row->rate_min, row->rate_min_lower, row->rate_min_upper, least), row->rate,
            bounded(row->rate_max, row->rate_max_lower, row->rate_max_upper, most));
}

static void put_values(const struct mwa_counter_row *row, FILE *out)
{
    char mean[BOUNDED_BYTES];

    if (row->has_bounds) {
        bounded(row->mean, row->mean_lower, row->mean_upper, mean);
    } else {
        snprintf(mean, sizeof mean, "~%.4g", row->mean);
    }
    fprintf(out, MWA_ROW_CELL "%10.4g " MWA_ROW_CELL "%10s " MWA_ROW_CELL "%10.4g   ", row->min,
            mean, row->max);
}

static void put_states(const struct mwa_trace *trace, const struct mwa_counter_row *row, FILE *out)
{
    for (uint32_t i = 0; i < row->state_count; i++) {
        const bool has_bounds = row->has_bounds;
        char lower[MWA_UNITS_BYTES];
        char upper[MWA_UNITS_BYTES];

        mwa_time_text(mwa_trace_ns(trace, has_bounds ? row->state_ticks_lower[i]
                                                     : row->state_ticks[i]), lower);
        mwa_time_text(mwa_trace_ns(trace, has_bounds ? row->state_ticks_upper[i]
                                                     : row->state_ticks[i]), upper);
        fputs(i > 0 ? ", " : " ", out);
        put_state(&trace->metrics.list[row->track->metric], row->states[i], out);
        fprintf(out, ": %s", lower);
        if (strcmp(lower, upper) != 0) {
            fprintf(out, " to %s", upper);
        }
    }
}

/* How long it was not observed while it was there, if that can be seen in the mean. */
static void put_unobserved(const struct mwa_trace *trace, const struct mwa_counter_row *row,
                           FILE *out)
{
    const struct mwa_sample *samples = row->track->samples;
    const uint64_t ns = mwa_trace_ns(trace, samples[row->samples - 1].time - samples[0].time);
    char time[MWA_UNITS_BYTES];

    if (row->unobserved_ns > 0 && row->unobserved_ns >= ns / 100) {
        fprintf(out, " not observed for %s", mwa_time_text(row->unobserved_ns, time));
    }
}

static void put_counter(const struct mwa_trace *trace, const struct mwa_counter_row *row,
                        FILE *out)
{
    bool sum = MW_CLASS_IS_SUM(row->effective);

    const char *cell = row->is_observed ? MWA_ROW_CELL : ""; /* otherwise it is a sentence */

    fputs(cell, out);
    put_name(row->track->name, 42, out);
    fprintf(out, "%s%4" PRIu32 " %s", cell, row->track->rank, cell);
    put_name(object_name(trace, row->track, "-"), 16, out);
    fprintf(out, "%s%-9.9s ", cell, mw_class_name(row->effective));
    if (!row->is_observed) {
        fputs("not observed: it stands still until it is started (--pvar-start)\n", out);
        return;
    }
    fputs(MWA_ROW_CELL, out);
    put_total(trace, row, out);
    putc(' ', out);
    (sum ? put_rates : put_values)(row, out);
    fprintf(out, MWA_ROW_CELL "%7" PRIu64 " " MWA_ROW_CELL, row->samples);
    put_sparkline(row, out);
    fputs(MWA_ROW_CELL, out);
    if (row->reclassified) {
        fprintf(out, " declared %s, behaves as %s", mw_class_name(row->declared),
                mw_class_name(row->effective));
    }
    put_states(trace, row, out);
    if (trace->metrics.list[row->track->metric].categories) {
        fputs(" in ", out);
        mwa_put_clean(trace->metrics.list[row->track->metric].categories, out);
    }
    put_unobserved(trace, row, out);
    if (row->implausible) {
        fprintf(out, " %" PRIu64 " steps longer than the time they took", row->implausible);
    }
    if (row->is_open) {
        fputs(" end open: what came behind its last value is not known", out);
    }
    if (row->resets || row->wraps) {
        fprintf(out, " %" PRIu64 " resets, %" PRIu64 " wraps", row->resets, row->wraps);
    }
    putc('\n', out);
}

/* Control variables that somebody set, and values of ranks that have another one. */
static void put_cvars(const struct mwa_metrics *metrics, FILE *out)
{
    for (uint64_t i = 0; i < metrics->listed_cvars; i++) {
        const struct mwa_cvar *cvar = &metrics->cvars[i];

        if (i == CVARS_MAX) {
            fprintf(out, "  and %" PRIu64 " more\n", metrics->listed_cvars - i);
            return;
        }
        fputs("  ", out);
        put_name(cvar->name, 40, out);
        put_name(cvar->value, 0, out);
        put_name(cvar->scope, 0, out);
        if (cvar->rank == MWA_NONE) {
            fputs("set by the environment\n", out);
        } else {
            fprintf(out, "on rank %" PRIu32 "\n", cvar->rank);
        }
    }
}

/* What the library's own marks may be of, since they go back to before the first sample. */
static void put_own_traffic(const struct mwa_own_traffic *own, FILE *out)
{
    char calls[MWA_UNITS_BYTES];
    char sent[MWA_UNITS_BYTES];
    char received[MWA_UNITS_BYTES];

    if (own->calls > 0) {
        fprintf(out, "The recorder itself, in MPI_Init and in none of the sums: at most %s calls "
                     "of a rank, %s sent, %s received.\n",
                mwa_count_text(own->calls, calls), mwa_bytes_text(own->sent, sent),
                mwa_bytes_text(own->received, received));
    }
}

/* Of a sum its total counts, of others what they were at least and at most. */
static struct mwa_track_extent counter_extent(const struct mwa_results *results, uint64_t index)
{
    const struct mwa_counter_row *row = &results->counters.rows[index];
    const bool is_sum = MW_CLASS_IS_SUM(row->effective);

    if (!is_in_text(results->trace, row->track, MWA_NONE)) {
        return (struct mwa_track_extent){ .name = NULL };
    }
    return (struct mwa_track_extent){ row->track->name, is_sum ? row->total : row->min,
                                      is_sum ? row->total : row->max };
}

/* The rows that are asked for, or extreme. \return whether one of them is of events. */
static bool put_counters(const struct mwa_results *results, const struct mwa_screen *screen,
                         FILE *out)
{
    const struct mwa_counters *counters = &results->counters;
    uint64_t left;
    bool *is_extreme = mwa_extreme_tracks(results, screen, counters->count, counter_extent, &left);
    bool has_events = false;

    for (uint64_t i = 0; i < counters->count; i++) {
        if (is_extreme ? is_extreme[i]
                       : is_in_text(results->trace, counters->rows[i].track, results->rank)) {
            put_counter(results->trace, &counters->rows[i], out);
            has_events |= counters->rows[i].effective == MW_CLASS_EVENT;
        }
    }
    mwa_say_extreme_tracks(left, "most", "least", out);
    free(is_extreme);
    return has_events;
}

void mwa_text_counters(const struct mwa_results *results, const struct mwa_screen *screen,
                       FILE *out)
{
    const struct mwa_trace *trace = results->trace;
    const struct mwa_counters *counters = &results->counters;
    bool has_events;
    char time[MWA_UNITS_BYTES];

    fprintf(out,
            MWA_CELL "A%-42s " MWA_CELL "0%4s " MWA_CELL "F%-16s " MWA_CELL "E%-9s "
            MWA_CELL "0%12s " MWA_CELL "3%10s " MWA_CELL "2%10s " MWA_CELL "1%10s "
            MWA_CELL "7%9s " MWA_CELL "6%s" MWA_CELL_BELOW "\n",
            "VARIABLE", "RANK", "BOUND TO", "CLASS", "TOTAL/LAST", "MIN", "MEAN", "MAX", "SAMPLES",
            "OVER THE RUN");
    has_events = put_counters(results, screen, out);
    fprintf(out, "Sums: TOTAL since the start; per second, over %u windows of %s. "
                 "Levels: LAST value, MEAN over time (~: of samples, "
                 "between which nothing is known).\n",
            MWA_SPARKLINE_CELLS, mwa_time_text(counters->window_ns, time));
    if (has_events) {
        fputs("Events: LAST, least, mean and greatest value of an element; SAMPLES and bars count "
              "them.\n",
              out);
    }
    put_own_traffic(&trace->metrics.own_traffic, out);
    if (counters->count == 0 && !trace->metrics.note) {
        fputs("No variable has values here: none was recorded (mpiwatch-record --pvars; "
              "mpiwatch-vars lists what an MPI offers).\n",
              out);
    }
    if (trace->metrics.note) {
        mwa_put_clean(trace->metrics.note, out);
        putc('\n', out);
    }
    if (trace->metrics.cvar_count > 0) {
        fprintf(out, "%" PRIu64 " control variables in mpiwatch.json, %" PRIu64
                " of them set by the environment, %" PRIu64 " values that differ between ranks\n",
                trace->metrics.cvar_count, trace->metrics.cvars_set, trace->metrics.cvars_differ);
        put_cvars(&trace->metrics, out);
    }
}

static void put_bound(const struct mwa_trace *trace, const struct mwa_track *track,
                      const struct mwa_bound *bound, FILE *out)
{
    if (bound->sample) {
        put_exact(trace, track, bound->sample->bits, 0, out);
    } else {
        fprintf(out, "%.10g", bound->value);
    }
}

/* A sample, and where the value was since the one before. */
static void put_sample(const struct mwa_trace *trace, const struct mwa_tracks *tracks,
                       const struct mwa_counter_row *row, const struct mwa_sample *sample,
                       FILE *out)
{
    const struct mwa_track *track = row->track;
    const struct mwa_bounds bounds =
        mwa_track_bounds(tracks, track, (uint64_t)(sample - track->samples),
                         MW_CLASS_IS_SUM(row->effective));

    fprintf(out, "%12" PRId64 " ", mwa_trace_since_begin(trace, sample->time));
    put_exact(trace, track, sample->bits, 16, out);
    fprintf(out, " %4" PRIu32 " ", track->rank);
    put_name(track->name, 0, out);
    put_name(object_name(trace, track, "-"), 0, out);
    if (track->class == MW_CLASS_STATE) {
        put_state(&trace->metrics.list[track->metric], sample->value, out);
        putc(' ', out);
    }
    if (bounds.is_known && bounds.lower.value != bounds.upper.value) {
        fputs("before: ", out);
        put_bound(trace, track, &bounds.lower, out);
        fputs(" to ", out);
        put_bound(trace, track, &bounds.upper, out);
    } else if (!bounds.is_known && sample != track->samples) {
        fputs("before: unknown", out);
    }
    putc('\n', out);
}

void mwa_text_series(const struct mwa_results *results, const struct mwa_screen *screen,
                     FILE *out)
{
    const struct mwa_trace *trace = results->trace;
    const struct mwa_counters *counters = &results->counters;

    for (uint64_t i = 0; i < counters->count; i++) {
        const struct mwa_counter_row *row = &counters->rows[i];
        const struct mwa_track *track = row->track;

        for (uint64_t k = 0; is_shown(track, results->rank) && k < track->count; k++) {
            put_sample(trace, &results->tracks, row, &track->samples[k], out);
        }
    }
}

/* --- watermarks -------------------------------------------------------------------------- */

static const char *call_name(const struct mwa_trace *trace, uint32_t call)
{
    return call == MWA_NONE ? "-" : trace->regions[call].name;
}

static void put_mark(const struct mwa_trace *trace, const char *what, const struct mwa_mark *mark,
                     FILE *out)
{
    const char *relation = mark->exact || mark->has_lower == mark->has_upper ? "  "
                           : mark->has_lower                                 ? ">="
                                                                             : "<=";
    char time[MWA_UNITS_BYTES];
    char call[256];

    fprintf(out, "  %-4s %s%-12.10g at %-9s in %-20s %s", what, relation, mark->value,
            mwa_moment_text(mwa_trace_since_begin(trace, mark->time), time),
            mwa_clean(call_name(trace, mark->call), call, sizeof call),
            mark->exact ? "exact" : mark->why);
    if (!mark->exact && mark->has_lower && mark->has_upper) {
        fprintf(out, ", from %.10g to %.10g", mark->lower, mark->upper);
    }
    putc('\n', out);
}

static void put_watermark(const struct mwa_trace *trace, const struct mwa_watermark_row *row,
                          FILE *out)
{
    put_name(row->track->name, 0, out);
    fprintf(out, " rank %" PRIu32 "  ", row->track->rank);
    put_name(object_name(trace, row->track, ""), 0, out);
    putc('\n', out);
    put_mark(trace, "high", &row->high, out);
    put_mark(trace, "low", &row->low, out);
    if (row->relation) {
        fprintf(out, "  %s\n", row->relation);
    }
}

static struct mwa_track_extent watermark_extent(const struct mwa_results *results, uint64_t index)
{
    const struct mwa_watermark_row *row = &results->watermarks.rows[index];

    if (!is_in_text(results->trace, row->track, MWA_NONE)) {
        return (struct mwa_track_extent){ .name = NULL };
    }
    return (struct mwa_track_extent){ row->track->name, row->low.value, row->high.value };
}

static void put_watermarks(const struct mwa_results *results, const struct mwa_screen *screen,
                           FILE *out)
{
    const struct mwa_watermarks *watermarks = &results->watermarks;
    uint64_t left;
    bool *is_extreme = mwa_extreme_tracks(results, screen, watermarks->count, watermark_extent,
                                          &left);

    for (uint64_t i = 0; i < watermarks->count; i++) {
        const struct mwa_watermark_row *row = &watermarks->rows[i];

        if (is_extreme ? is_extreme[i] : is_in_text(results->trace, row->track, results->rank)) {
            put_watermark(results->trace, row, out);
        }
    }
    mwa_say_extreme_tracks(left, "the highest value", "the lowest", out);
    free(is_extreme);
}

/* Communicators, of which there are as many as ranks, have values of the same variable. */
static struct mwa_track_extent sum_extent(const struct mwa_results *results, uint64_t index)
{
    const struct mwa_watermark_sum *sum = &results->watermarks.sums[index];

    if (!is_in_text(results->trace, sum->track, MWA_NONE)) {
        return (struct mwa_track_extent){ .name = NULL };
    }
    return (struct mwa_track_extent){ sum->track->name, sum->peak_of_sum, sum->peak_of_sum };
}

static void put_sums(const struct mwa_results *results, const struct mwa_screen *screen, FILE *out)
{
    const struct mwa_trace *trace = results->trace;
    const struct mwa_watermarks *watermarks = &results->watermarks;
    const char *heading = "All ranks together:\n";
    uint64_t left;
    bool *is_extreme = mwa_extreme_tracks(results, screen, watermarks->sum_count, sum_extent,
                                          &left);
    char time[MWA_UNITS_BYTES];

    for (uint64_t i = 0; i < watermarks->sum_count; i++) {
        const struct mwa_watermark_sum *sum = &watermarks->sums[i];

        if (is_extreme ? !is_extreme[i] : !is_in_text(trace, sum->track, MWA_NONE)) {
            continue;
        }
        fputs(heading, out);
        heading = "";
        put_name(sum->track->name, 42, out);
        put_name(object_name(trace, sum->track, "-"), 16, out);
        fprintf(out, "peak of the sum %.10g at %s, sum of the peaks %.10g\n", sum->peak_of_sum,
                mwa_moment_text(mwa_trace_since_begin(trace, sum->peak_time), time),
                sum->sum_of_peaks);
    }
    mwa_say_extreme_tracks(left, "the highest peak of the sum", "the lowest", out);
    free(is_extreme);
}

void mwa_text_watermarks(const struct mwa_results *results, const struct mwa_screen *screen,
                         FILE *out)
{
    const struct mwa_watermarks *watermarks = &results->watermarks;

    put_watermarks(results, screen, out);
    for (uint64_t i = 0; i < watermarks->unknown_count; i++) {
        fprintf(out, "%s: not known: %s\n", watermarks->unknown[i].name,
                watermarks->unknown[i].why);
    }
    if (results->rank == MWA_NONE) {
        put_sums(results, screen, out);
    }
}
