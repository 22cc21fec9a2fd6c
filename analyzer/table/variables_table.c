/* Variables and levels over the run: counters, and what was highest and lowest. */
#include <string.h>

#include "analyzer/analysis/counters/between.h"
#include "analyzer/analysis/results.h"
#include "analyzer/table/tables.h"
#include "formats/archive/archive_words.h"

/* Why something is not known. */
#define UNBOUND      "it is of none"
#define NOT_OBSERVED "the variable was not observed"
#define NO_BOUNDS    "it is of a sum, or nothing is known of the time between values"
#define NO_RATE      "it is no sum, or was not observed for long enough"
#define NO_TOTAL     "it is no sum, or was not observed"
#define NO_END       NO_TOTAL ", or went on behind its last value"
#define NO_TRAFFIC   "there is none that the archive tells of"

/* --- what rows have in common: their track is their first member ------------------------------ */

static const struct mwa_track *track_of(const struct mwa_cell *cell)
{
    return *(const struct mwa_track *const *)cell->row;
}

MWA_WHETHER(is_of_rank, cell->results->rank == MWA_NONE || track_of(cell)->rank ==
            cell->results->rank)

/* Of statistics the screen has the sum over the elements. */
static bool is_no_detail(const struct mwa_cell *cell)
{
    const struct mwa_track *track = track_of(cell);

    return track->metric == MWA_NONE || track->value == 0 ||
           !cell->results->trace->metrics.list[track->metric].is_statistic;
}

MWA_VALUE(name, mwa_text(track_of(cell)->name))
MWA_VALUE(rank, mwa_number(track_of(cell)->rank))

static struct mwa_value comm(const struct mwa_cell *cell)
{
    const uint32_t index = track_of(cell)->comm;

    return mwa_text(index == MWA_NONE ? NULL : cell->results->trace->comms[index].name);
}

MWA_VALUE(comm_uid, mwa_comm_uid(cell, track_of(cell)->comm))

static struct mwa_value object(const struct mwa_cell *cell)
{
    const struct mwa_track *track = track_of(cell);

    return mwa_text(track->comm == MWA_NONE ? mwa_track_bound(cell->results->trace, track) : NULL);
}

#define BOUND_COLUMNS                                                                              \
    { "comm", MWA_BY(MWA_TEXT, comm), .unknown = UNBOUND },                                        \
        { "comm_uid", MWA_BY(MWA_TEXT, comm_uid), .unknown = UNBOUND },                            \
    {                                                                                              \
        "object", MWA_BY(MWA_TEXT, object), .unknown = UNBOUND                                     \
    }

/* --- counters --------------------------------------------------------------------------------- */

static const struct mwa_counter_row *counter_of(const struct mwa_cell *cell)
{
    return cell->row;
}

MWA_WHETHER(is_sum, MW_CLASS_IS_SUM(counter_of(cell)->effective))
MWA_VALUE(categories,
          mwa_text(cell->results->trace->metrics.list[track_of(cell)->metric].categories))
MWA_VALUE(declared, mwa_text(mw_class_name(counter_of(cell)->declared)))
MWA_VALUE(effective, mwa_text(mw_class_name(counter_of(cell)->effective)))
/* A value of the row's variable, exactly: by its bits. */
static struct mwa_value measured(const struct mwa_cell *cell, const struct mwa_track *track,
                                 uint64_t bits)
{
    return mwa_measured(mwa_track_type(cell->results->trace, track), bits);
}

/* That of a sample; nothing of a variable that was not observed and has none. */
static struct mwa_value sampled(const struct mwa_cell *cell, const struct mwa_sample *sample)
{
    const struct mwa_counter_row *row = counter_of(cell);

    return row->is_observed ? measured(cell, row->track, sample->bits) : mwa_nothing();
}

MWA_VALUE_OF(first, struct mwa_counter_row, sampled(cell, row->track->samples))
MWA_VALUE_OF(last, struct mwa_counter_row,
             sampled(cell, &row->track->samples[row->samples > 0 ? row->samples - 1 : 0]))

/* Of sums least and greatest are of what came since the beginning. */
static struct mwa_value total(const struct mwa_cell *cell)
{
    const struct mwa_counter_row *row = counter_of(cell);

    return !is_sum(cell) || !row->is_observed ? last(cell)
           : row->is_exact                    ? measured(cell, row->track, row->total_exact)
                                              : mwa_decimal(row->total);
}

/* An end of where a total lies. */
static struct mwa_value total_bound(const struct mwa_cell *cell, const struct mwa_total *bound)
{
    const struct mwa_counter_row *row = counter_of(cell);

    return !is_sum(cell) || !row->is_observed ? mwa_nothing()
           : row->is_exact                    ? measured(cell, row->track, bound->exact)
                                              : mwa_decimal(bound->value);
}

MWA_VALUE(total_lower, total_bound(cell, &counter_of(cell)->lower))
MWA_VALUE(total_upper, counter_of(cell)->is_open ? mwa_nothing()
                                                 : total_bound(cell, &counter_of(cell)->upper))
MWA_VALUE_OF(least, struct mwa_counter_row, row->least || !row->is_observed ?
             sampled(cell, row->least) : mwa_decimal(row->min))
MWA_VALUE_OF(greatest, struct mwa_counter_row, is_sum(cell) ? total(cell) :
             row->greatest || !row->is_observed ?
             sampled(cell, row->greatest) : mwa_decimal(row->max))
MWA_VALUE(rate, is_sum(cell) ? mwa_real(counter_of(cell)->rate) : mwa_nothing())
MWA_VALUE(rate_min, is_sum(cell) ? mwa_real(counter_of(cell)->rate_min) : mwa_nothing())
MWA_VALUE(rate_max, is_sum(cell) ? mwa_real(counter_of(cell)->rate_max) : mwa_nothing())
MWA_VALUE(mean_lower, counter_of(cell)->has_bounds ? mwa_decimal(counter_of(cell)->mean_lower)
                                                   : mwa_nothing())
MWA_VALUE(mean_upper, counter_of(cell)->has_bounds ? mwa_decimal(counter_of(cell)->mean_upper)
                                                   : mwa_nothing())
MWA_VALUE(rate_min_lower, is_sum(cell) ? mwa_real(counter_of(cell)->rate_min_lower) : mwa_nothing())
MWA_VALUE(rate_min_upper, is_sum(cell) ? mwa_real(counter_of(cell)->rate_min_upper) : mwa_nothing())
MWA_VALUE(rate_max_lower, is_sum(cell) ? mwa_real(counter_of(cell)->rate_max_lower) : mwa_nothing())
MWA_VALUE(rate_max_upper, is_sum(cell) ? mwa_real(counter_of(cell)->rate_max_upper) : mwa_nothing())
MWA_COUNT_BY(window_count, MWA_SPARKLINE_CELLS)
MWA_ROW_BY(window_at, &counter_of(parent)->cells[index])
MWA_ROW_BY(window_lower_at, &counter_of(parent)->cells_lower[index])
MWA_ROW_BY(window_upper_at, &counter_of(parent)->cells_upper[index])
MWA_COUNT_BY(state_count, counter_of(parent)->state_count)
MWA_ROW_BY(state_at, &counter_of(parent)->states[index])
MWA_ROW_BY(state_ticks_at, &counter_of(parent)->state_ticks[index])
MWA_ROW_BY(state_lower_at, &counter_of(parent)->state_ticks_lower[index])
MWA_ROW_BY(state_upper_at, &counter_of(parent)->state_ticks_upper[index])
MWA_COUNT_BY(bounded_count,
             counter_of(parent)->has_bounds ? counter_of(parent)->state_count : 0)

/* What a track's STATE calls a value; nothing of other classes, and where it has no word. */
static struct mwa_value item(const struct mwa_cell *cell, const struct mwa_track *track,
                             double value)
{
    const struct mwa_metrics *metrics = &cell->results->trace->metrics;
    size_t length = 0;
    const char *word = track->class == MW_CLASS_STATE
                           ? mwa_metric_item(&metrics->list[track->metric], (int64_t)value, &length)
                           : NULL;

    return mwa_owned_text(word ? strndup(word, length) : NULL);
}

MWA_VALUE(state_name, item(cell, track_of(cell->parent), *(const double *)cell->row))

static const struct mwa_column decimal_column[] = { { .kind = MWA_DECIMAL,
                                                      .unknown = "nothing was observed then" } };
static const struct mwa_column state_name_column[] = { { MWA_BY(MWA_TEXT, state_name),
                                                         .unknown = "the MPI has no word" } };
static const struct mwa_column state_ns_column[] = {
    { .unit = MWA_NS, .kind = MWA_NUMBER, .size = sizeof(uint64_t), .clock = MWA_TICKS }
};

static const struct mwa_table windows = {
    .shape = MWA_VALUES, MWA_COLUMNS(decimal_column), .count = window_count, .row = window_at
};
static const struct mwa_table windows_lower = {
    .shape = MWA_VALUES,
    MWA_COLUMNS(decimal_column),
    .count = window_count,
    .row = window_lower_at
};
static const struct mwa_table windows_upper = {
    .shape = MWA_VALUES,
    MWA_COLUMNS(decimal_column),
    .count = window_count,
    .row = window_upper_at
};
static const struct mwa_table states = {
    .shape = MWA_VALUES, MWA_COLUMNS(decimal_column), .count = state_count, .row = state_at
};
static const struct mwa_table state_names = {
    .shape = MWA_VALUES, MWA_COLUMNS(state_name_column), .count = state_count, .row = state_at
};
static const struct mwa_table state_times = {
    .shape = MWA_VALUES, MWA_COLUMNS(state_ns_column), .count = state_count, .row = state_ticks_at
};

static const struct mwa_table states_lower = {
    .shape = MWA_VALUES,
    MWA_COLUMNS(state_ns_column),
    .count = bounded_count,
    .row = state_lower_at
};
static const struct mwa_table states_upper = {
    .shape = MWA_VALUES,
    MWA_COLUMNS(state_ns_column),
    .count = bounded_count,
    .row = state_upper_at
};

#define COUNTER(member) MWA_IN(struct mwa_counter_row, member)
#define DECIMAL(member)                                                                            \
    .kind = MWA_DECIMAL, .offset = offsetof(struct mwa_counter_row, member), .size = sizeof(double)

static const struct mwa_column counter_columns[] = {
    { "name", MWA_BY(MWA_TEXT, name) },
    { "class", MWA_BY(MWA_TEXT, declared) },
    { "effective_class", MWA_BY(MWA_TEXT, effective) },
    { "reclassified", COUNTER(reclassified) },
    { "bind", COUNTER(bind), .unknown = MWA_NOT_SAID },
    { "unit", COUNTER(unit), .unknown = MWA_NOT_SAID },
    { "rank", MWA_BY(MWA_NUMBER, rank) },
    BOUND_COLUMNS,
    { "total", MWA_BY(MWA_MEASURED, total), .unknown = NOT_OBSERVED },
    { "first", MWA_BY(MWA_MEASURED, first), .unknown = NOT_OBSERVED },
    { "last", MWA_BY(MWA_MEASURED, last), .unknown = NOT_OBSERVED },
    { "min", MWA_BY(MWA_MEASURED, least), .unknown = NOT_OBSERVED },
    { "max", MWA_BY(MWA_MEASURED, greatest), .unknown = NOT_OBSERVED },
    { "mean", DECIMAL(mean), .unknown = NOT_OBSERVED },
    { "mean_lower", MWA_BY(MWA_DECIMAL, mean_lower), .unknown = NO_BOUNDS },
    { "mean_upper", MWA_BY(MWA_DECIMAL, mean_upper), .unknown = NO_BOUNDS },
    { "rate_per_s", MWA_BY(MWA_REAL, rate), .unknown = NO_RATE },
    { "rate_min_per_s", MWA_BY(MWA_REAL, rate_min), .unknown = NO_RATE },
    { "rate_max_per_s", MWA_BY(MWA_REAL, rate_max), .unknown = NO_RATE },
    { "rate_min_lower_per_s", MWA_BY(MWA_REAL, rate_min_lower), .unknown = NO_RATE },
    { "rate_min_upper_per_s", MWA_BY(MWA_REAL, rate_min_upper), .unknown = NO_RATE },
    { "rate_max_lower_per_s", MWA_BY(MWA_REAL, rate_max_lower), .unknown = NO_RATE },
    { "rate_max_upper_per_s", MWA_BY(MWA_REAL, rate_max_upper), .unknown = NO_RATE },
    { "windows", .table = &windows },
    { "windows_lower", .table = &windows_lower },
    { "windows_upper", .table = &windows_upper },
    { "states", .table = &states },
    { "state_names", .table = &state_names },
    { "state_ns", .table = &state_times },
    { "state_ns_lower", .table = &states_lower },
    { "state_ns_upper", .table = &states_upper },
    { "observed", COUNTER(is_observed) },
    { "samples", .unit = MWA_COUNT, COUNTER(samples) },
    { "resets", .unit = MWA_COUNT, COUNTER(resets) },
    { "wraps", .unit = MWA_COUNT, COUNTER(wraps) },
    { "implausible", .unit = MWA_COUNT, COUNTER(implausible) },
    { "unobserved_ns", .unit = MWA_NS, COUNTER(unobserved_ns) },
    { "coverage", .unit = MWA_SHARE, COUNTER(coverage), .unknown = NOT_OBSERVED },
    { "categories", MWA_BY(MWA_TEXT, categories), .unknown = MWA_NOT_SAID },
    { "total_lower", MWA_BY(MWA_MEASURED, total_lower), .unknown = NO_TOTAL },
    { "total_upper", MWA_BY(MWA_MEASURED, total_upper), .unknown = NO_END },
    { "open_end", COUNTER(is_open) },
};

const struct mwa_table mwa_counters_table = {
    MWA_COLUMNS(counter_columns),
    MWA_ROWS(struct mwa_results, counters.rows, counters.count),
    .is_shown = is_of_rank,
    .is_worth = is_no_detail,
};

/* --- single values ---------------------------------------------------------------------------- */

MWA_COUNT_BY(sample_count, track_of(parent)->count)
MWA_ROW_BY(sample_at, &track_of(parent)->samples[index])
MWA_VALUE(sample_rank, rank(cell->parent))
MWA_VALUE(sample_name, name(cell->parent))
MWA_VALUE(sample_comm, comm(cell->parent))
MWA_VALUE(sample_object, object(cell->parent))
MWA_VALUE_OF(sample_value, struct mwa_sample, measured(cell, track_of(cell->parent), row->bits))
MWA_VALUE_OF(sample_state, struct mwa_sample, item(cell, track_of(cell->parent), row->value))

/* Where the value was since the sample before. */
static struct mwa_bounds bounds_of(const struct mwa_cell *cell)
{
    const struct mwa_track *track = track_of(cell->parent);

    return mwa_track_bounds(&cell->results->tracks, track,
                            (uint64_t)((const struct mwa_sample *)cell->row - track->samples),
                            is_sum(cell->parent));
}

static struct mwa_value bound(const struct mwa_cell *cell, bool is_known,
                              const struct mwa_bound *one)
{
    return !is_known     ? mwa_nothing()
           : one->sample ? measured(cell, track_of(cell->parent), one->sample->bits)
                         : mwa_decimal(one->value);
}

static struct mwa_value sample_lower(const struct mwa_cell *cell)
{
    const struct mwa_bounds bounds = bounds_of(cell);

    return bound(cell, bounds.is_known, &bounds.lower);
}

static struct mwa_value sample_upper(const struct mwa_cell *cell)
{
    const struct mwa_bounds bounds = bounds_of(cell);

    return bound(cell, bounds.is_known, &bounds.upper);
}

static const struct mwa_column sample_columns[] = {
    { "t_ns", .unit = MWA_NS, MWA_IN(struct mwa_sample, time), .clock = MWA_TICKS_SINCE_BEGIN },
    { "value", MWA_BY(MWA_MEASURED, sample_value) },
    { "rank", MWA_BY(MWA_NUMBER, sample_rank) },
    { "name", MWA_BY(MWA_TEXT, sample_name) },
    { "comm", MWA_BY(MWA_TEXT, sample_comm), .unknown = UNBOUND },
    { "object", MWA_BY(MWA_TEXT, sample_object), .unknown = UNBOUND },
    { "state", MWA_BY(MWA_TEXT, sample_state), .unknown = "it is no state, or has no word" },
    { "lower", MWA_BY(MWA_MEASURED, sample_lower), .unknown = NO_BOUNDS },
    { "upper", MWA_BY(MWA_MEASURED, sample_upper), .unknown = NO_BOUNDS },
};

const struct mwa_table mwa_series_table = { MWA_COLUMNS(sample_columns),
                                            .above = &mwa_counters_table,
                                            .count = sample_count,
                                            .row = sample_at };

/* The same as JSON: a list for each variable, whose name need not be told with each value. */
static const struct mwa_column value_columns[] = {
    { "t_ns", .unit = MWA_NS, MWA_IN(struct mwa_sample, time), .clock = MWA_TICKS_SINCE_BEGIN },
    { "value", MWA_BY(MWA_MEASURED, sample_value) },
    { "state", MWA_BY(MWA_TEXT, sample_state), .unknown = "it is no state, or has no word" },
    { "lower", MWA_BY(MWA_MEASURED, sample_lower), .unknown = NO_BOUNDS },
    { "upper", MWA_BY(MWA_MEASURED, sample_upper), .unknown = NO_BOUNDS },
};
static const struct mwa_table values = { MWA_COLUMNS(value_columns), .count = sample_count,
                                         .row = sample_at };

static const struct mwa_column series_columns[] = {
    { "name", MWA_BY(MWA_TEXT, name) },
    { "class", MWA_BY(MWA_TEXT, declared) },
    { "effective_class", MWA_BY(MWA_TEXT, effective) },
    { "unit", COUNTER(unit), .unknown = MWA_NOT_SAID },
    { "rank", MWA_BY(MWA_NUMBER, rank) },
    BOUND_COLUMNS,
    { "values", .table = &values },
};
static const struct mwa_table series = {
    MWA_COLUMNS(series_columns),
    MWA_ROWS(struct mwa_results, counters.rows, counters.count),
    .is_shown = is_of_rank,
};
static const struct mwa_column series_document[] = { { "series", .table = &series } };

const struct mwa_table mwa_series_document = { .shape = MWA_ROW,
                                               .schema = "mpiwatch-series/1",
                                               MWA_COLUMNS(series_document) };

/* --- control variables that somebody set, and values of ranks that have another one --------- */

static const struct mwa_metrics *metrics_of(const struct mwa_cell *cell)
{
    return &cell->results->trace->metrics;
}

MWA_COUNT_BY(cvar_count, metrics_of(parent)->listed_cvars)

static const void *set_at(const struct mwa_cell *parent, uint64_t index)
{
    const struct mwa_cvar *cvar = &metrics_of(parent)->cvars[index];

    return cvar->rank == MWA_NONE ? cvar : NULL;
}

static const void *difference_at(const struct mwa_cell *parent, uint64_t index)
{
    const struct mwa_cvar *cvar = &metrics_of(parent)->cvars[index];

    return cvar->rank != MWA_NONE ? cvar : NULL;
}

MWA_VALUE(all_cvars, mwa_number(metrics_of(cell)->cvar_count))
MWA_VALUE(note, mwa_text(metrics_of(cell)->note))

/* Not known of archives that don't tell. */
static struct mwa_value of_recorder(const struct mwa_cell *cell, uint64_t number)
{
    return metrics_of(cell)->own_traffic.calls > 0 ? mwa_number(number) : mwa_nothing();
}

MWA_VALUE(recorder_calls, of_recorder(cell, metrics_of(cell)->own_traffic.calls))
MWA_VALUE(recorder_sent, of_recorder(cell, metrics_of(cell)->own_traffic.sent))
MWA_VALUE(recorder_received, of_recorder(cell, metrics_of(cell)->own_traffic.received))

static const struct mwa_column set_columns[] = { { "name", MWA_IN(struct mwa_cvar, name) },
                                                 { "value", MWA_IN(struct mwa_cvar, value),
      .unknown = MWA_NOT_SAID },
                                                 { "scope", MWA_IN(struct mwa_cvar, scope),
      .unknown = MWA_NOT_SAID } };
static const struct mwa_column difference_columns[] = {
    { "name", MWA_IN(struct mwa_cvar, name) },
    { "value", MWA_IN(struct mwa_cvar, value), .unknown = MWA_NOT_SAID },
    { "scope", MWA_IN(struct mwa_cvar, scope), .unknown = MWA_NOT_SAID },
    { "rank", MWA_IN(struct mwa_cvar, rank) }
};
static const struct mwa_table cvars_set = {
    MWA_COLUMNS(set_columns), .count = cvar_count, .row = set_at
};
static const struct mwa_table cvar_differences = {
    MWA_COLUMNS(difference_columns), .count = cvar_count, .row = difference_at
};

static const struct mwa_column counters_document[] = {
    { "note", MWA_BY(MWA_TEXT, note), .unknown = "there is nothing to note" },
    { "window_ns", .unit = MWA_NS, MWA_IN(struct mwa_results, counters.window_ns) },
    { "recorder_calls", .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, recorder_calls),
      .unknown = NO_TRAFFIC },
    { "recorder_bytes_sent", .unit = MWA_BYTES, MWA_BY(MWA_NUMBER, recorder_sent),
      .unknown = NO_TRAFFIC },
    { "recorder_bytes_received", .unit = MWA_BYTES, MWA_BY(MWA_NUMBER, recorder_received),
      .unknown = NO_TRAFFIC },
    { "cvars", .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, all_cvars) },
    { "cvars_set", .table = &cvars_set },
    { "cvar_differences", .table = &cvar_differences },
    { "pvars", .table = &mwa_counters_table },
};

const struct mwa_table mwa_counters_document = { .shape = MWA_ROW,
                                                 .schema = "mpiwatch-counters/1",
                                                 MWA_COLUMNS(counters_document) };

/* --- watermarks --------------------------------------------------------------------------- */

static const struct mwa_mark *mark_of(const struct mwa_cell *cell)
{
    return cell->row;
}


static struct mwa_value mark_call(const struct mwa_cell *cell)
{
    const uint32_t call = mark_of(cell)->call;

    return mwa_text(call == MWA_NONE ? NULL : cell->results->trace->regions[call].name);
}

MWA_VALUE(lower, mark_of(cell)->has_lower ? mwa_decimal(mark_of(cell)->lower) : mwa_nothing())
MWA_VALUE(upper, mark_of(cell)->has_upper ? mwa_decimal(mark_of(cell)->upper) : mwa_nothing())

static const struct mwa_column mark_columns[] = {
    { "value", .kind = MWA_DECIMAL, .offset = offsetof(struct mwa_mark, value) },
    { "t_ns", .unit = MWA_NS, MWA_IN(struct mwa_mark, time), .clock = MWA_TICKS_SINCE_BEGIN },
    { "call", MWA_BY(MWA_TEXT, mark_call), .unknown = "it was outside of MPI calls" },
    { "exact", MWA_IN(struct mwa_mark, exact) },
    { "lower", MWA_BY(MWA_DECIMAL, lower), .unknown = "there is no bound on this side" },
    { "upper", MWA_BY(MWA_DECIMAL, upper), .unknown = "there is no bound on this side" },
    { "why", MWA_IN(struct mwa_mark, why), .unknown = "it is exact" },
};

static const struct mwa_table high = { .shape = MWA_ROW,
                                       MWA_COLUMNS(mark_columns),
                                       .rows_at = offsetof(struct mwa_watermark_row, high) };
static const struct mwa_table low = { .shape = MWA_ROW,
                                      MWA_COLUMNS(mark_columns),
                                      .rows_at = offsetof(struct mwa_watermark_row, low) };

MWA_VALUE(source, mwa_text(track_of(cell)->metric == MWA_NONE ? "events" : "pvar"))

static const struct mwa_column watermark_columns[] = {
    { "name", MWA_BY(MWA_TEXT, name) },
    { "source", MWA_BY(MWA_TEXT, source) },
    { "rank", MWA_BY(MWA_NUMBER, rank) },
    BOUND_COLUMNS,
    { "high", .table = &high },
    { "low", .table = &low },
    { "relation", MWA_IN(struct mwa_watermark_row, relation),
      .unknown = "no other row is of the same thing" },
};

const struct mwa_table mwa_watermarks_table = {
    MWA_COLUMNS(watermark_columns),
    MWA_ROWS(struct mwa_results, watermarks.rows, watermarks.count),
    .is_shown = is_of_rank,
    .is_worth = is_no_detail,
};


#define SUM_DECIMAL(member)                                                                        \
    .kind = MWA_DECIMAL, .offset = offsetof(struct mwa_watermark_sum, member)

static const struct mwa_column sum_columns[] = {
    { "name", MWA_BY(MWA_TEXT, name) },
    BOUND_COLUMNS,
    { "ranks", MWA_IN(struct mwa_watermark_sum, ranks) },
    { "peak_of_sum", SUM_DECIMAL(peak_of_sum) },
    { "peak_t_ns", .unit = MWA_NS, MWA_IN(struct mwa_watermark_sum, peak_time),
      .clock = MWA_TICKS_SINCE_BEGIN },
    { "sum_of_peaks", SUM_DECIMAL(sum_of_peaks) },
};

const struct mwa_table mwa_across_ranks_table = {
    MWA_COLUMNS(sum_columns),
    MWA_ROWS(struct mwa_results, watermarks.sums, watermarks.sum_count),
    .is_worth = is_no_detail,
};

MWA_COUNT_BY(unknown_count, parent->results->watermarks.unknown_count)
MWA_ROW_BY(unknown_at, &parent->results->watermarks.unknown[index])

static const struct mwa_column unknown_columns[] = {
    { "name", MWA_IN(struct mwa_level_unknown, name) },
    { "why", MWA_IN(struct mwa_level_unknown, why) },
};
static const struct mwa_table unknown_levels = {
    MWA_COLUMNS(unknown_columns), .count = unknown_count, .row = unknown_at
};

static const struct mwa_column watermarks_document[] = {
    { "watermarks", .table = &mwa_watermarks_table },
    { "across_ranks", .table = &mwa_across_ranks_table },
    { "not_known", .table = &unknown_levels },
};

const struct mwa_table mwa_watermarks_document = { .shape = MWA_ROW,
                                                   .schema = "mpiwatch-watermarks/1",
                                                   MWA_COLUMNS(watermarks_document) };
