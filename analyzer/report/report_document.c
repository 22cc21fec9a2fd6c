/* The report: what all commands say, under their names, and the verdict. */
#include <string.h>

#include "analyzer/analysis/causes/busy_function.h"
#include "analyzer/analysis/time/library_calls.h"
#include "analyzer/report/cause_text.h"
#include "analyzer/report/verdict.h"
#include "analyzer/table/tables.h"

static struct mwa_value verdict(const struct mwa_cell *cell)
{
    char text[MWA_VERDICT_BYTES];

    return mwa_owned_text(strdup(mwa_verdict(cell->results, text)));
}

/* Why nothing else can be judged; null: there is no such reason. */
static struct mwa_value doubt(const struct mwa_cell *cell)
{
    const struct mwa_cause *cause = mwa_cause_of_class(cell->results, MWA_CAUSE_DOUBT);
    char text[MWA_CAUSE_BYTES];

    return cause ? mwa_owned_text(strdup(mwa_cause_sentence(cell->results, cause, text)))
                 : mwa_nothing();
}

static struct mwa_value advice(const struct mwa_cell *cell)
{
    char text[MWA_VERDICT_BYTES];
    const char *known = mwa_advice(cell->results, text);

    return mwa_owned_text(known ? strdup(known) : NULL);
}

static struct mwa_value hang(const struct mwa_cell *cell)
{
    const struct mwa_hang *known = &cell->results->hang;

    return mwa_text(known->sentence_count > 0 ? known->sentences[0] : NULL);
}

/* --- causes --------------------------------------------------------------------------------- */

static const struct mwa_cause_rule *rule_of(const struct mwa_cell *cell)
{
    return mwa_cause_rule(((const struct mwa_cause *)cell->row)->rule);
}

static const struct mwa_site *site_at(const struct mwa_cell *cell, uint32_t site)
{
    return site == MWA_NONE ? NULL : &cell->results->trace->sites[site];
}

static const struct mwa_site *site_of(const struct mwa_cell *cell)
{
    return site_at(cell, ((const struct mwa_cause *)cell->row)->site);
}

/* The function that the site calls, or the one that the cause is about. */
static struct mwa_value cause_call(const struct mwa_cell *cell)
{
    const struct mwa_trace *trace = cell->results->trace;
    const struct mwa_site *site = site_of(cell);
    const uint32_t region = site ? site->region : ((const struct mwa_cause *)cell->row)->region;

    return region == MWA_NONE ? mwa_nothing() : mwa_text(trace->regions[region].name);
}

static struct mwa_value file_of(const struct mwa_site *site)
{
    return site && site->file[0] ? mwa_text(site->file) : mwa_nothing();
}

static struct mwa_value line_of(const struct mwa_site *site)
{
    return mwa_number_if(site && site->line > 0, site ? site->line : 0);
}

static struct mwa_value cause_sentence(const struct mwa_cell *cell)
{
    char text[MWA_CAUSE_BYTES];

    return mwa_owned_text(strdup(mwa_cause_sentence(cell->results, cell->row, text)));
}

static struct mwa_value cause_advice(const struct mwa_cell *cell)
{
    char text[MWA_CAUSE_BYTES];
    const char *known = mwa_cause_advice(cell->results, cell->row, text);

    return mwa_owned_text(known ? strdup(known) : NULL);
}

MWA_VALUE(cause_id, mwa_text(rule_of(cell)->id))
MWA_VALUE(cause_command, mwa_text(rule_of(cell)->command))
MWA_VALUE(cause_file, file_of(site_of(cell)))
MWA_VALUE(cause_line, line_of(site_of(cell)))
MWA_VALUE_OF(cause_is_doubtful, struct mwa_cause, mwa_flag(row->is_doubtful))
MWA_VALUE_OF(cause_cost, struct mwa_cause, mwa_number(row->short_ns + row->long_ns))
MWA_VALUE_OF(cause_up_to, struct mwa_cause,
             mwa_number_if(row->up_to_ns > 0 || row->is_little, row->up_to_ns))

MWA_VALUE_OF(cause_gain, struct mwa_cause, mwa_number_if(row->has_gain, row->gain_ns))

MWA_COUNT_BY(cause_ranks, ((const struct mwa_cause *)parent->row)->listed)
MWA_ROW_BY(cause_rank_at, &((const struct mwa_cause *)parent->row)->ranks[index])

static const struct mwa_column rank_columns[] = {
    { "rank", .kind = MWA_NUMBER, .size = sizeof(uint32_t) }
};
static const struct mwa_table ranks_of_cause = {
    .shape = MWA_VALUES, MWA_COLUMNS(rank_columns), .count = cause_ranks, .row = cause_rank_at
};

/* The places of its sentence: the call that it is about, another one behind it, and those that are
 * named with it. */
static uint64_t place_count(const struct mwa_cell *parent)
{
    const struct mwa_cause *cause = parent->row;

    return cause->site == MWA_NONE
               ? 0
               : 1 + (cause->behind != MWA_NONE) + (uint64_t)cause->beside_count;
}

static const void *place_row(const struct mwa_cell *parent, uint64_t index)
{
    const struct mwa_cause *cause = parent->row;

    if (index == 0) {
        return &cause->site;
    }
    if (cause->behind == MWA_NONE) {
        return &cause->besides[index - 1];
    }
    return index == 1 ? &cause->behind : &cause->besides[index - 2];
}

static const struct mwa_site *site_in(const struct mwa_cell *cell)
{
    return site_at(cell, *(const uint32_t *)cell->row);
}

MWA_VALUE(place_call, mwa_text(cell->results->trace->regions[site_in(cell)->region].name))
/* Only the first of them may be of one caller. */
static bool is_of_caller(const struct mwa_cell *place)
{
    const struct mwa_cause *cause = place->parent->row;

    return place->row == &cause->site && cause->is_of_caller;
}

static struct mwa_value place_text(const struct mwa_cell *cell)
{
    const uint32_t site = *(const uint32_t *)cell->row;

    return is_of_caller(cell) ? mwa_place_value(cell, site) : mwa_main_place_value(cell, site);
}

MWA_VALUE(place_file, file_of(site_in(cell)))
MWA_VALUE(place_line, line_of(site_in(cell)))

/* One of several callers is told in words alone. */
static bool is_led(const struct mwa_cell *cell, uint32_t site, bool is_of_one)
{
    return mwa_is_mostly_called_from(cell, site) &&
           !(is_of_one && !mwa_is_all_called_from(cell, site));
}

MWA_WHETHER(is_place_led, is_led(cell, *(const uint32_t *)cell->row, is_of_caller(cell)))
MWA_WHETHER(is_cause_led, is_led(cell, ((const struct mwa_cause *)cell->row)->site,
                                 ((const struct mwa_cause *)cell->row)->is_of_caller))

struct place {
    uint32_t site;
};
MWA_CALLED_FROM(place_called_from, "called_from", mwa_mostly_called_from, struct place, site,
                is_place_led)
MWA_CALLED_FROM(cause_called_from, "called_from", mwa_mostly_called_from, struct mwa_cause, site,
                is_cause_led)

static const struct mwa_column place_columns[] = {
    { "call", MWA_BY(MWA_TEXT, place_call) },
    { "place", MWA_BY(MWA_TEXT, place_text), .unknown = MWA_NOT_SAID },
    { "file", MWA_BY(MWA_TEXT, place_file), .unknown = MWA_NOT_SAID },
    { "line", MWA_BY(MWA_NUMBER, place_line), .unknown = MWA_NOT_SAID },
    { NULL, .table = &place_called_from },
};
static const struct mwa_table places_of_cause = {
    MWA_COLUMNS(place_columns), .count = place_count, .row = place_row
};

/* The function that ranks compute in; of one that samples do not tell nothing is asked. */
static struct mwa_busy_function busy_of(const struct mwa_cell *cell)
{
    struct mwa_busy_function busy = { .spot = 0 };

    (void)mwa_busy_function_of(cell->results, cell->row, &busy);
    return busy;
}

static const struct mwa_sampled_spot *busy_spot(const struct mwa_cell *cell)
{
    return &cell->results->trace->sampled.spots[busy_of(cell).spot];
}

MWA_WHETHER(is_busy_told, mwa_busy_function_of(cell->results, cell->row,
                                               &(struct mwa_busy_function){ .spot = 0 }))
MWA_VALUE(busy_function, mwa_text(busy_spot(cell)->function))
MWA_VALUE(busy_file, mwa_text(*busy_spot(cell)->file ? busy_spot(cell)->file : NULL))
MWA_VALUE(busy_line, mwa_number_if(busy_spot(cell)->line > 0, busy_spot(cell)->line))
MWA_VALUE(busy_share, mwa_real(busy_of(cell).share))
MWA_VALUE(busy_error, mwa_real(busy_of(cell).error))

static const struct mwa_column busy_columns[] = {
    { "function", MWA_BY(MWA_TEXT, busy_function) },
    { "file", MWA_BY(MWA_TEXT, busy_file), .unknown = MWA_NOT_SAID },
    { "line", MWA_BY(MWA_NUMBER, busy_line), .unknown = MWA_NOT_SAID },
    { "share", .unit = MWA_SHARE, MWA_BY(MWA_REAL, busy_share) },
    { "share_error", .unit = MWA_SHARE, MWA_BY(MWA_REAL, busy_error) },
};
static const struct mwa_table busy_row = { .shape = MWA_ROW, MWA_COLUMNS(busy_columns),
                                           .rows_at = 0 };
static const struct mwa_column busy_key[] = { { "computes_in", .table = &busy_row } };
static const struct mwa_table computes_in = { .shape = MWA_ROW, MWA_COLUMNS(busy_key),
                                              .rows_at = 0, .is_known = is_busy_told };

#define NO_CALL "the cause is not one call, or the archive does not say"

static const struct mwa_column cause_columns[] = {
    { "id", MWA_BY(MWA_TEXT, cause_id) },
    { "sentence", MWA_BY(MWA_TEXT, cause_sentence) },
    { "is_doubtful", MWA_BY(MWA_FLAG, cause_is_doubtful) },
    { "advice", MWA_BY(MWA_TEXT, cause_advice), .unknown = "there is nothing to advise" },
    { "command", MWA_BY(MWA_TEXT, cause_command) },
    { "ranks", .table = &ranks_of_cause },
    { "rank_count", .unit = MWA_COUNT, MWA_IN(struct mwa_cause, rank_count) },
    { "call", MWA_BY(MWA_TEXT, cause_call), .unknown = NO_CALL },
    { "file", MWA_BY(MWA_TEXT, cause_file), .unknown = NO_CALL },
    { "line", MWA_BY(MWA_NUMBER, cause_line), .unknown = NO_CALL },
    { NULL, .table = &cause_called_from },
    { NULL, .table = &computes_in },
    { "places", .table = &places_of_cause },
    { "cost_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, cause_cost) },
    { "short_term_ns", .unit = MWA_NS, MWA_IN(struct mwa_cause, short_ns) },
    { "long_term_ns", .unit = MWA_NS, MWA_IN(struct mwa_cause, long_ns) },
    { "up_to_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, cause_up_to),
      .unknown = "how much shorter the run could be is not known" },
    { "gain_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, cause_gain),
      .unknown = "the cause is neither an imbalance nor a chain of messages, or replaying the run "
                 "as it was does not take as long, or can't be done" },
};

MWA_COUNT_BY(cause_count, parent->results->causes.count)
MWA_ROW_BY(cause_at, &parent->results->causes.list[index])

static const struct mwa_table causes = {
    MWA_COLUMNS(cause_columns), .count = cause_count, .row = cause_at
};

/* --- markers -------------------------------------------------------------------------------- */

static const struct mwa_column marker_columns[] = {
    { "rank", "rank", 6, MWA_PLAIN, MWA_IN(struct mwa_marker, rank) },
    { "time_ns", "at", 9, MWA_NS, MWA_IN(struct mwa_marker, time),
      .clock = MWA_TICKS_SINCE_BEGIN },
    { "text", "marker", 0, MWA_PLAIN, MWA_IN(struct mwa_marker, text) },
};

const struct mwa_table mwa_markers_table = {
    MWA_COLUMNS(marker_columns),
    MWA_ROWS(struct mwa_results, markers.list, markers.count),
};

MWA_WHETHER(are_markers_left_out, cell->results->markers.total > cell->results->markers.count)
MWA_VALUE(markers_left_out, mwa_number(cell->results->markers.total -
          cell->results->markers.count))

static const struct mwa_column left_out_columns[] = {
    { "markers_left_out", .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, markers_left_out) }
};
static const struct mwa_table left_out = {
    .shape = MWA_ROW, MWA_COLUMNS(left_out_columns), .is_known = are_markers_left_out
};

/* --- whose calls they are --------------------------------------------------------------------- */

MWA_WHETHER(is_by_library, mwa_library_calls(cell->results).library != NULL)
MWA_VALUE(library, mwa_text(mwa_library_calls(cell->results).library))
MWA_VALUE(library_time, mwa_number(mwa_library_calls(cell->results).time_ns))

static const struct mwa_column library_columns[] = {
    { "library", MWA_BY(MWA_TEXT, library) },
    { "time_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, library_time) }
};
static const struct mwa_table library_calls = {
    .shape = MWA_ROW,
    MWA_COLUMNS(library_columns),
    .is_known = is_by_library,
    .unknown = "the program makes most calls itself, as far as is known, or stacks are told"
};

/* --- what is not in every report -------------------------------------------------------------- */

MWA_WHETHER(has_waits, mwa_has(cell->results, MWA_NEED_WAITS))
MWA_WHETHER(has_tracks, mwa_has(cell->results, MWA_NEED_COUNTERS))
MWA_WHETHER(has_levels, mwa_has(cell->results, MWA_NEED_WATERMARKS))

MWA_WHETHER(has_samples, mwa_has(cell->results, MWA_NEED_FUNCTIONS) &&
            cell->results->trace->sampled.rate_hz > 0)

static const struct mwa_column functions_columns[] = {
    { "functions", .table = &mwa_functions_document }
};
static const struct mwa_column waits_columns[] = { { "waits", .table = &mwa_waits_document } };
static const struct mwa_column tracks_columns[] = {
    { "counters", .table = &mwa_counters_document }
};
static const struct mwa_column levels_columns[] = {
    { "watermarks", .table = &mwa_watermarks_document }
};

static const struct mwa_table functions = {
    .shape = MWA_ROW, MWA_COLUMNS(functions_columns), .is_known = has_samples
};
static const struct mwa_table waits = {
    .shape = MWA_ROW, MWA_COLUMNS(waits_columns), .is_known = has_waits
};
static const struct mwa_table tracks = {
    .shape = MWA_ROW, MWA_COLUMNS(tracks_columns), .is_known = has_tracks
};
static const struct mwa_table levels = {
    .shape = MWA_ROW, MWA_COLUMNS(levels_columns), .is_known = has_levels
};

static const struct mwa_column document[] = {
    { "verdict", MWA_BY(MWA_TEXT, verdict) },
    { "advice", MWA_BY(MWA_TEXT, advice), .unknown = "there is nothing to advise" },
    { "doubt", MWA_BY(MWA_TEXT, doubt), .unknown = "there is no reason to doubt" },
    { "hang", MWA_BY(MWA_TEXT, hang), .unknown = "nothing hangs, as far as is known" },
    { "causes", .table = &causes },
    { "info", .table = &mwa_info_document },
    { "calls", .table = &mwa_calls_document },
    { "sites", .table = &mwa_sites_document },
    { "library_calls", .table = &library_calls },
    { .table = &functions },
    { "ranks", .table = &mwa_ranks_document },
    { "messages", .table = &mwa_messages_document },
    { "comms", .table = &mwa_comms_document },
    { "imbalance", .table = &mwa_imbalance_document },
    { "markers", .table = &mwa_markers_table },
    { .table = &left_out },
    { .table = &waits },
    { .table = &tracks },
    { .table = &levels },
    { "pop", .table = &mwa_pop_document },
    { "critical_path", .table = &mwa_critical_path_document },
};

const struct mwa_table mwa_report_document = { .shape = MWA_ROW,
                                               .schema = "mpiwatch-report/1",
                                               MWA_COLUMNS(document) };
