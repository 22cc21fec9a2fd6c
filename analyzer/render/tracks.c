#include "analyzer/render/tracks.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analyzer/render/clean.h"
#include "analyzer/render/csv.h"
#include "analyzer/render/line.h"
#include "analyzer/render/units.h"
#include "analyzer/render/values.h"
#include "formats/archive_words.h"

#define CVARS_MAX 40u /* control variables in text */

/* What a track is bound to: a communicator, a window, a file; otherwise, nothing. */
static const char *object_name(const struct mwa_trace *trace, const struct mwa_track *track,
                               const char *otherwise)
{
    return track->comm != MWA_NONE     ? trace->comms[track->comm].name
           : track->object != MWA_NONE ? trace->metrics.objects[track->object].name
                                       : otherwise;
}

static uint64_t since_begin(const struct mwa_trace *trace, uint64_t time)
{
    return time > trace->clock_offset ? mwa_trace_ns(trace, time - trace->clock_offset) : 0;
}

/* Sets the keys comm and object. */
static void set_object(const struct mwa_trace *trace, const struct mwa_track *track,
                       json_t *object)
{
    json_object_set_new(
        object, "comm",
        mwa_json_text(track->comm == MWA_NONE ? NULL : trace->comms[track->comm].name));
    json_object_set_new(object, "comm_uid", mwa_json_comm_uid(trace, track->comm));
    json_object_set_new(object, "object",
                        mwa_json_text(track->object == MWA_NONE
                                          ? NULL
                                          : trace->metrics.objects[track->object].name));
}

/* Whole numbers as integers. */
static json_t *number(double value)
{
    return value == floor(value) && fabs(value) < 9e15 ? json_integer((json_int_t)value)
                                                       : mwa_json_ratio(value);
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

static void put_counter(const struct mwa_trace *trace, const struct mwa_counter_row *row,
                        FILE *out)
{
    bool sum = MW_CLASS_IS_SUM(row->effective);

    put_name(row->track->name, 42, out);
    fprintf(out, "%4" PRIu32 " ", row->track->rank);
    put_name(object_name(trace, row->track, "-"), 16, out);
    fprintf(out, "%-9.9s %12.6g %10.4g %10.4g %10.4g%s ", mw_class_name(row->effective),
            row->total, sum ? row->rate_min : row->min, sum ? row->rate : row->mean,
            sum ? row->rate_max : row->max, sum ? "/s" : "  ");
    fprintf(out, "%7" PRIu64 " ", row->samples);
    put_sparkline(row, out);
    if (row->reclassified) {
        fprintf(out, " declared %s, behaves as %s", mw_class_name(row->declared),
                mw_class_name(row->effective));
    }
    for (uint32_t i = 0; i < row->state_count; i++) {
        char time[MWA_UNITS_BYTES];

        fprintf(out, "%s %.10g: %s", i > 0 ? "," : "", row->states[i],
                mwa_time_text(mwa_trace_ns(trace, row->state_ticks[i]), time));
    }
    if (row->implausible) {
        fprintf(out, " %" PRIu64 " steps longer than the time they took", row->implausible);
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
        if (cvar->rank == MWA_NONE) {
            fputs("set by the environment\n", out);
        } else {
            fprintf(out, "on rank %" PRIu32 "\n", cvar->rank);
        }
    }
}

void mwa_text_counters(const struct mwa_trace *trace, const struct mwa_counters *counters,
                       uint32_t rank, FILE *out)
{
    char time[MWA_UNITS_BYTES];

    fprintf(out, "%-42s %4s %-16s %-9s %12s %10s %10s %10s %9s %s\n", "VARIABLE", "RANK",
            "BOUND TO", "CLASS", "TOTAL/LAST", "MIN", "MEAN", "MAX", "SAMPLES", "OVER THE RUN");
    for (uint64_t i = 0; i < counters->count; i++) {
        if (is_in_text(trace, counters->rows[i].track, rank)) {
            put_counter(trace, &counters->rows[i], out);
        }
    }
    fprintf(out, "Sums: TOTAL since the start; per second, over %u windows of %s. "
                 "Levels: LAST value, MEAN over time.\n",
            MWA_SPARKLINE_CELLS, mwa_time_text(counters->window_ns, time));
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

void mwa_text_series(const struct mwa_trace *trace, const struct mwa_counters *counters,
                     uint32_t rank, FILE *out)
{
    for (uint64_t i = 0; i < counters->count; i++) {
        const struct mwa_track *track = counters->rows[i].track;

        for (uint64_t k = 0; is_shown(track, rank) && k < track->count; k++) {
            fprintf(out, "%12" PRIu64 " %16.15g %4" PRIu32 " ",
                    since_begin(trace, track->samples[k].time), track->samples[k].value,
                    track->rank);
            put_name(track->name, 0, out);
            put_name(object_name(trace, track, "-"), 0, out);
            putc('\n', out);
        }
    }
}

void mwa_csv_series(const struct mwa_trace *trace, const struct mwa_counters *counters,
                    uint32_t rank, FILE *out)
{
    fputs("t_ns,value,rank,name,comm,object\n", out);
    for (uint64_t i = 0; i < counters->count; i++) {
        const struct mwa_track *track = counters->rows[i].track;

        for (uint64_t k = 0; is_shown(track, rank) && k < track->count; k++) {
            fprintf(out, "%" PRIu64 ",%.15g,%" PRIu32 ",",
                    since_begin(trace, track->samples[k].time), track->samples[k].value,
                    track->rank);
            mwa_csv_text(track->name, out);
            putc(',', out);
            mwa_csv_text(track->comm == MWA_NONE ? "" : trace->comms[track->comm].name, out);
            putc(',', out);
            mwa_csv_text(track->object == MWA_NONE ? ""
                                                   : trace->metrics.objects[track->object].name,
                         out);
            putc('\n', out);
        }
    }
}

/* A list of those that the environment sets, or of values that differ. */
static json_t *cvar_list(const struct mwa_metrics *metrics, bool is_difference)
{
    json_t *list = json_array();

    for (uint64_t i = 0; i < metrics->listed_cvars; i++) {
        const struct mwa_cvar *cvar = &metrics->cvars[i];
        json_t *object;

        if ((cvar->rank != MWA_NONE) != is_difference) {
            continue;
        }
        object = json_object();
        json_object_set_new(object, "name", mwa_json_text(cvar->name));
        json_object_set_new(object, "value", mwa_json_text(cvar->value));
        if (is_difference) {
            json_object_set_new(object, "rank", json_integer(cvar->rank));
        }
        json_array_append_new(list, object);
    }
    return list;
}

/* Sets the keys states and state_ns, empty lists for all but states. */
static void set_states(const struct mwa_trace *trace, const struct mwa_counter_row *row,
                       json_t *object)
{
    json_t *states = json_array();
    json_t *times = json_array();

    for (uint32_t i = 0; i < row->state_count; i++) {
        json_array_append_new(states, number(row->states[i]));
        json_array_append_new(times, mwa_json_number(mwa_trace_ns(trace, row->state_ticks[i])));
    }
    json_object_set_new(object, "states", states);
    json_object_set_new(object, "state_ns", times);
}

static json_t *counter_object(const struct mwa_trace *trace, const struct mwa_counter_row *row)
{
    json_t *object = json_object();
    json_t *windows = json_array();
    bool sum = MW_CLASS_IS_SUM(row->effective);

    for (unsigned i = 0; i < MWA_SPARKLINE_CELLS; i++) {
        json_array_append_new(windows, number(row->cells[i]));
    }
    json_object_set_new(object, "name", mwa_json_text(row->track->name));
    json_object_set_new(object, "class", json_string(mw_class_name(row->declared)));
    json_object_set_new(object, "effective_class", json_string(mw_class_name(row->effective)));
    json_object_set_new(object, "reclassified", json_boolean(row->reclassified));
    json_object_set_new(object, "bind", mwa_json_text(row->bind));
    json_object_set_new(object, "unit", mwa_json_text(row->unit));
    json_object_set_new(object, "rank", json_integer(row->track->rank));
    set_object(trace, row->track, object);
    json_object_set_new(object, "total",
                        sum && row->is_exact ? mwa_json_number(row->total_exact)
                                             : number(row->total));
    json_object_set_new(object, "first", number(row->first));
    json_object_set_new(object, "last", number(row->last));
    json_object_set_new(object, "min", number(row->min));
    json_object_set_new(object, "max", number(row->max));
    json_object_set_new(object, "mean", number(row->mean));
    json_object_set_new(object, "rate_per_s",
                        sum ? mwa_json_ratio(row->rate) : json_null());
    json_object_set_new(object, "rate_min_per_s",
                        sum ? mwa_json_ratio(row->rate_min) : json_null());
    json_object_set_new(object, "rate_max_per_s",
                        sum ? mwa_json_ratio(row->rate_max) : json_null());
    json_object_set_new(object, "windows", windows);
    set_states(trace, row, object);
    json_object_set_new(object, "samples", mwa_json_number(row->samples));
    json_object_set_new(object, "resets", mwa_json_number(row->resets));
    json_object_set_new(object, "wraps", mwa_json_number(row->wraps));
    json_object_set_new(object, "implausible", mwa_json_number(row->implausible));
    json_object_set_new(object, "unobserved_ns", mwa_json_number(row->unobserved_ns));
    json_object_set_new(object, "coverage", mwa_json_ratio(row->coverage));
    return object;
}

json_t *mwa_json_counters(const struct mwa_trace *trace, const struct mwa_counters *counters,
                          uint32_t rank)
{
    json_t *object = json_object();
    json_t *list = json_array();

    for (uint64_t i = 0; i < counters->count; i++) {
        if (is_shown(counters->rows[i].track, rank)) {
            json_array_append_new(list, counter_object(trace, &counters->rows[i]));
        }
    }
    json_object_set_new(object, "schema", json_string("mpiwatch-counters/1"));
    json_object_set_new(object, "note",
                        mwa_json_text(trace->metrics.note));
    json_object_set_new(object, "window_ns", mwa_json_number(counters->window_ns));
    json_object_set_new(object, "cvars", mwa_json_number(trace->metrics.cvar_count));
    json_object_set_new(object, "cvars_set", cvar_list(&trace->metrics, false));
    json_object_set_new(object, "cvar_differences", cvar_list(&trace->metrics, true));
    json_object_set_new(object, "pvars", list);
    return object;
}

void mwa_csv_counters(const struct mwa_trace *trace, const struct mwa_counters *counters,
                      uint32_t rank, FILE *out)
{
    mwa_csv_table(mwa_json_counters(trace, counters, rank), "pvars",
                  "name,class,effective_class,reclassified,bind,unit,rank,comm,comm_uid,object,"
                  "total,first,last,min,max,mean,rate_per_s,rate_min_per_s,rate_max_per_s,windows,"
                  "states,state_ns,samples,resets,wraps,implausible,unobserved_ns,coverage",
                  out);
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
            mwa_time_text(since_begin(trace, mark->time), time),
            mwa_clean(call_name(trace, mark->call), call, sizeof call),
            mark->exact ? "exact" : mark->why);
    if (!mark->exact && mark->has_lower && mark->has_upper) {
        fprintf(out, ", from %.10g to %.10g", mark->lower, mark->upper);
    }
    putc('\n', out);
}

void mwa_text_watermarks(const struct mwa_trace *trace, const struct mwa_watermarks *watermarks,
                         uint32_t rank, FILE *out)
{
    char time[MWA_UNITS_BYTES];

    for (uint64_t i = 0; i < watermarks->count; i++) {
        const struct mwa_watermark_row *row = &watermarks->rows[i];

        if (is_in_text(trace, row->track, rank)) {
            put_name(row->track->name, 0, out);
            fprintf(out, " rank %" PRIu32 "  ", row->track->rank);
            put_name(object_name(trace, row->track, ""), 0, out);
            putc('\n', out);
            put_mark(trace, "high", &row->high, out);
            put_mark(trace, "low", &row->low, out);
        }
    }
    for (uint64_t i = 0; rank == MWA_NONE && i < watermarks->sum_count; i++) {
        const struct mwa_watermark_sum *sum = &watermarks->sums[i];

        if (!is_in_text(trace, sum->track, MWA_NONE)) {
            continue;
        }
        fputs(i == 0 ? "All ranks together:\n" : "", out);
        put_name(sum->track->name, 42, out);
        put_name(object_name(trace, sum->track, "-"), 16, out);
        fprintf(out, "peak of the sum %.10g at %s, sum of the peaks %.10g\n", sum->peak_of_sum,
                mwa_time_text(since_begin(trace, sum->peak_time), time), sum->sum_of_peaks);
    }
}

/* lower and upper enclose the truth; null: not known. */
static json_t *mark_object(const struct mwa_trace *trace, const struct mwa_mark *mark)
{
    json_t *object = json_object();

    json_object_set_new(object, "value", number(mark->value));
    json_object_set_new(object, "t_ns", mwa_json_number(since_begin(trace, mark->time)));
    json_object_set_new(object, "call", mwa_json_text(mark->call == MWA_NONE
                                                          ? NULL
                                                          : trace->regions[mark->call].name));
    json_object_set_new(object, "exact", json_boolean(mark->exact));
    json_object_set_new(object, "lower", mark->has_lower ? number(mark->lower) : json_null());
    json_object_set_new(object, "upper", mark->has_upper ? number(mark->upper) : json_null());
    json_object_set_new(object, "why", json_string(mark->why));
    return object;
}

static json_t *row_object(const struct mwa_trace *trace, const struct mwa_watermark_row *row)
{
    json_t *object = json_object();

    json_object_set_new(object, "name", mwa_json_text(row->track->name));
    json_object_set_new(object, "source",
                        json_string(row->track->metric == MWA_NONE ? "events" : "pvar"));
    json_object_set_new(object, "rank", json_integer(row->track->rank));
    set_object(trace, row->track, object);
    json_object_set_new(object, "high", mark_object(trace, &row->high));
    json_object_set_new(object, "low", mark_object(trace, &row->low));
    return object;
}

static json_t *sum_object(const struct mwa_trace *trace, const struct mwa_watermark_sum *sum)
{
    json_t *object = json_object();

    json_object_set_new(object, "name", mwa_json_text(sum->track->name));
    set_object(trace, sum->track, object);
    json_object_set_new(object, "ranks", json_integer(sum->ranks));
    json_object_set_new(object, "peak_of_sum", number(sum->peak_of_sum));
    json_object_set_new(object, "peak_t_ns", mwa_json_number(since_begin(trace, sum->peak_time)));
    json_object_set_new(object, "sum_of_peaks", number(sum->sum_of_peaks));
    return object;
}

json_t *mwa_json_watermarks(const struct mwa_trace *trace,
                            const struct mwa_watermarks *watermarks, uint32_t rank)
{
    json_t *object = json_object();
    json_t *rows = json_array();
    json_t *sums = json_array();

    for (uint64_t i = 0; i < watermarks->count; i++) {
        if (is_shown(watermarks->rows[i].track, rank)) {
            json_array_append_new(rows, row_object(trace, &watermarks->rows[i]));
        }
    }
    for (uint64_t i = 0; i < watermarks->sum_count; i++) {
        json_array_append_new(sums, sum_object(trace, &watermarks->sums[i]));
    }
    json_object_set_new(object, "schema", json_string("mpiwatch-watermarks/1"));
    json_object_set_new(object, "watermarks", rows);
    json_object_set_new(object, "across_ranks", sums);
    return object;
}

void mwa_csv_watermarks(const struct mwa_trace *trace, const struct mwa_watermarks *watermarks,
                        uint32_t rank, FILE *out)
{
    mwa_csv_table(mwa_json_watermarks(trace, watermarks, rank), "watermarks",
                  "name,source,rank,comm,comm_uid,object,high_value,high_t_ns,high_call,high_exact,"
                  "high_lower,high_upper,high_why,low_value,low_t_ns,low_call,low_exact,low_lower,"
                  "low_upper,low_why",
                  out);
}

void mwa_csv_across_ranks(const struct mwa_trace *trace, const struct mwa_watermarks *watermarks,
                          FILE *out)
{
    mwa_csv_table(mwa_json_watermarks(trace, watermarks, MWA_NONE), "across_ranks",
                  "name,comm,comm_uid,object,ranks,peak_of_sum,peak_t_ns,sum_of_peaks", out);
}
