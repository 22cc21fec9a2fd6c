/* Errors that calls returned, or that ended ranks in them, by place and class. */
#include "analyzer/analysis/results.h"
#include "analyzer/model/error_class.h"
#include "analyzer/table/tables.h"

static const struct mwa_site *site_of(const struct mwa_cell *cell)
{
    return &cell->results->trace->sites[((const struct mwa_call_error *)cell->row)->place];
}

MWA_VALUE(call, mwa_text(cell->results->trace->regions[site_of(cell)->region].name))
MWA_VALUE_OF(error, struct mwa_call_error,
             mwa_text(mwa_error_class_name(cell->results->trace, row->error_class)))
MWA_VALUE_OF(rank, struct mwa_call_error, mwa_number_if(row->rank != MWA_NONE, row->rank))
MWA_VALUE(file, mwa_text(*site_of(cell)->file ? site_of(cell)->file : NULL))
MWA_VALUE(line, mwa_number_if(site_of(cell)->line > 0, site_of(cell)->line))

static const struct mwa_column columns[] = {
    { "call", "call", 20, MWA_BY(MWA_TEXT, call) },
    { "error", "error", 20, MWA_BY(MWA_TEXT, error),
      .unknown = "the MPI's classes are not known, or the program has added it" },
    { "error_class", "class", 6, MWA_IN(struct mwa_call_error, error_class) },
    { "count", "count", 8, .unit = MWA_COUNT, MWA_IN(struct mwa_call_error, count) },
    { "ranks", "ranks", 6, MWA_IN(struct mwa_call_error, ranks) },
    { "rank", "first rank", 10, MWA_BY(MWA_NUMBER, rank), .unknown = "the location is of no rank" },
    { "t_ns", "at", 9, .unit = MWA_NS, MWA_IN(struct mwa_call_error, first),
      .clock = MWA_TICKS_SINCE_BEGIN },
    { "file", "file", 0, MWA_BY(MWA_TEXT, file), .unknown = MWA_NOT_SAID },
    { "line", "line", 6, MWA_BY(MWA_NUMBER, line), .unknown = MWA_NOT_SAID },
    { "fatal", "fatal", 6, MWA_IN(struct mwa_call_error, is_fatal) },
};

const struct mwa_table mwa_call_errors_table = {
    MWA_COLUMNS(columns),
    MWA_ROWS(struct mwa_results, call_errors.list, call_errors.count),
};
