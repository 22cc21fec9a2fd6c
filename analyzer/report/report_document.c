/* The report: what all commands say, under their names, and the verdict. */
#include <string.h>

#include "analyzer/report/off_core.h"
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
    char text[MWA_VERDICT_BYTES];

    return mwa_say_doubt(cell->results, text, sizeof text) > 0 ? mwa_owned_text(strdup(text))
                                                               : mwa_nothing();
}

static struct mwa_value advice(const struct mwa_cell *cell)
{
    char text[MWA_VERDICT_BYTES];
    const char *known = mwa_advice(cell->results, text);

    return mwa_owned_text(known ? strdup(known) : NULL);
}

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

/* --- what is not in every report -------------------------------------------------------------- */

MWA_WHETHER(has_waits, mwa_has(cell->results, MWA_NEED_WAITS))
MWA_WHETHER(has_tracks, mwa_has(cell->results, MWA_NEED_COUNTERS))
MWA_WHETHER(has_levels, mwa_has(cell->results, MWA_NEED_WATERMARKS))

static const struct mwa_column waits_columns[] = { { "waits", .table = &mwa_waits_document } };
static const struct mwa_column tracks_columns[] = {
    { "counters", .table = &mwa_counters_document }
};
static const struct mwa_column levels_columns[] = {
    { "watermarks", .table = &mwa_watermarks_document }
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
    { "info", .table = &mwa_info_document },
    { "calls", .table = &mwa_calls_document },
    { "sites", .table = &mwa_sites_document },
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
