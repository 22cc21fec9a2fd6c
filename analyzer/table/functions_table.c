/* Functions of the program that ranks compute in, as samples tell. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/results.h"
#include "analyzer/model/sampled_name.h"
#include "analyzer/table/tables.h"

#define NAME_BYTES 64
#define NO_LINE    "the line of the code is not known"
#define NO_CALL    "no call of MPI followed, or it was not recorded"
#define NO_SAMPLES "nothing was to be sampled (mpiwatch-record --functions=97), or it is wrong"
#define ALL_RIGHT  "what the archive says of samples fits together, or it says nothing"
#define NOT_TAKEN  "ranks were sampled, or were not to be"

static const struct mwa_functions *others_of(const struct mwa_cell *cell)
{
    return &cell->results->other_functions;
}

static const struct mwa_functions *all_of(const struct mwa_cell *cell)
{
    return &cell->results->functions;
}

static const struct mwa_function_row *row_of(const struct mwa_cell *cell)
{
    return cell->row;
}

static const struct mwa_site *site_of(const struct mwa_cell *cell)
{
    return &cell->results->trace->sites[row_of(cell)->site];
}

static bool has_call(const struct mwa_cell *cell)
{
    return row_of(cell)->site != MWA_NONE;
}

static struct mwa_value share_text(const struct mwa_cell *cell)
{
    const uint64_t all = row_of(cell)->whole;
    const uint64_t own = row_of(cell)->count;
    char *text = NULL;

    return asprintf(&text, "%.0f%% +-%.0f%%", 100 * (double)own / (double)all,
                    100 * mwa_sampled_error(own, all)) < 0
               ? mwa_nothing()
               : mwa_owned_text(text);
}

static struct mwa_value name_text(const struct mwa_cell *cell)
{
    char text[NAME_BYTES];

    return mwa_owned_text(strdup(mwa_sampled_name(&cell->results->trace->sampled,
                                                  row_of(cell)->function, text, sizeof text)));
}

/* The line without the file's directories. */
static struct mwa_value line_text(const struct mwa_cell *cell)
{
    const struct mwa_function_row *row = cell->row;
    const char *base = row->file ? strrchr(row->file, '/') : NULL;
    char *text = NULL;

    if (!row->file || row->line == 0) {
        return mwa_nothing();
    }
    return asprintf(&text, "%s:%u", base ? base + 1 : row->file, row->line) < 0
               ? mwa_nothing()
               : mwa_owned_text(text);
}

/* The call as people see it; where most of the samples have it. */
static struct mwa_value before_text(const struct mwa_cell *cell)
{
    return mwa_call_at_value(cell, row_of(cell)->site);
}

MWA_VALUE_OF(line, struct mwa_function_row, mwa_number_if(row->line > 0, row->line))
MWA_VALUE_OF(share, struct mwa_function_row, mwa_share(row->count, row->whole))
MWA_VALUE_OF(error, struct mwa_function_row,
             mwa_real(mwa_sampled_error(row->count, row->whole)))
MWA_VALUE_OF(time_ns, struct mwa_function_row,
             mwa_number(mwa_sampled_ns(cell->results->trace, row->count)))
MWA_VALUE_OF(over, struct mwa_function_row,
             mwa_real(mwa_function_over_average(row)))
MWA_VALUE(call, has_call(cell)
          ? mwa_text(cell->results->trace->regions[site_of(cell)->region].name)
          : mwa_nothing())
MWA_VALUE(call_file, mwa_text(has_call(cell) && *site_of(cell)->file ? site_of(cell)->file : NULL))
MWA_VALUE(call_line, mwa_number_if(has_call(cell) && site_of(cell)->line > 0,
                                   has_call(cell) ? site_of(cell)->line : 0))

#define ROW(member) MWA_IN(struct mwa_function_row, member)

static const struct mwa_column before_columns[] = {
    { "call", MWA_BY(MWA_TEXT, call), .unknown = NO_CALL },
    { "file", MWA_BY(MWA_TEXT, call_file), .unknown = MWA_NOT_SAID },
    { "line", MWA_BY(MWA_NUMBER, call_line), .unknown = MWA_NOT_SAID },
    { "samples", .unit = MWA_COUNT, ROW(site_count) },
};

/* Of the row itself. */
static const struct mwa_table before = { .shape = MWA_ROW,
                                         MWA_COLUMNS(before_columns),
                                         .rows_at = 0 };

static const struct mwa_column columns[] = {
    { "function", MWA_IN(struct mwa_function_row, function) },
    { "file", MWA_IN(struct mwa_function_row, file), .unknown = NO_LINE },
    { "line", MWA_BY(MWA_NUMBER, line), .unknown = NO_LINE },
    { "line_samples", .unit = MWA_COUNT, ROW(line_count) },
    { "samples", "samples", 8, MWA_COUNT, ROW(count), .aside = 6 },
    { "share", .unit = MWA_SHARE, MWA_BY(MWA_REAL, share) },
    { "share_error", .unit = MWA_SHARE, MWA_BY(MWA_REAL, error) },
    { NULL, "share", 10, MWA_PLAIN, MWA_BY(MWA_TEXT, share_text) },
    { "time_ns", "about", 9, MWA_NS, MWA_BY(MWA_NUMBER, time_ns) },
    { "most_rank", "rank", 6, MWA_PLAIN, ROW(rank) },
    { "most_rank_samples", .unit = MWA_COUNT, ROW(rank_count) },
    { "over_average", "x avg", 5, MWA_RATIO, MWA_BY(MWA_REAL, over) },
    { NULL, "function", 22, MWA_PLAIN, MWA_BY(MWA_TEXT, name_text) },
    { NULL, "line", 20, MWA_PLAIN, MWA_BY(MWA_TEXT, line_text), .nothing = "?" },
    { "before", .table = &before },
    { NULL, "mostly before", 28, MWA_PLAIN, MWA_BY(MWA_TEXT, before_text), .nothing = "?" },
};

const struct mwa_table mwa_functions_table = {
    MWA_COLUMNS(columns),
    MWA_ROWS(struct mwa_results, functions.rows, functions.count),
    .none = "there are no samples outside of MPI",
    .note = "share: of all samples outside of MPI, +- its standard error; about: CPU time of "
            "threads that call MPI; rank: with most samples, x avg: times the average of sampled "
            "ranks; of n samples any such number is known to about sqrt(n)"
};

const struct mwa_table mwa_other_functions_table = {
    MWA_COLUMNS(columns),
    MWA_ROWS(struct mwa_results, other_functions.rows, other_functions.count),
    .none = "there are no samples of other threads outside of MPI",
    .note = "share: of the samples while main threads are outside of MPI, whose next call it is"
};

/* Threads that call no MPI. */

MWA_WHETHER(has_others, others_of(cell)->threads > 0 || others_of(cell)->refused > 0)
MWA_VALUE(threads, mwa_number(others_of(cell)->threads))
MWA_VALUE(threads_refused, mwa_number(others_of(cell)->refused))
MWA_VALUE(there, mwa_number(others_of(cell)->there_ns))
MWA_VALUE(others_outside, mwa_number(others_of(cell)->outside))
MWA_VALUE(others_inside, mwa_number(others_of(cell)->inside))
MWA_VALUE(others_lost, mwa_number(others_of(cell)->lost))
MWA_VALUE(others_in_openmp, mwa_number(others_of(cell)->in_openmp))

static const struct mwa_column others_columns[] = {
    { "threads", .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, threads) },
    { "threads_refused", .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, threads_refused) },
    { "there_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, there) },
    { "samples_outside", .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, others_outside) },
    { "samples_in_openmp", .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, others_in_openmp) },
    { "samples_inside", .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, others_inside) },
    { "samples_lost", .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, others_lost) },
    { "functions", .table = &mwa_other_functions_table },
};

static const struct mwa_table others = { .shape = MWA_ROW,
                                         MWA_COLUMNS(others_columns),
                                         .is_known = has_others,
                                         .unknown = "no other threads were seen to compute" };

MWA_WHETHER(was_to, cell->results->trace->sampled.rate_hz > 0)
MWA_VALUE(rate, mwa_number_if(was_to(cell), cell->results->trace->sampled.rate_hz))
MWA_VALUE(outside, mwa_number_if(was_to(cell), all_of(cell)->outside))
MWA_VALUE(inside, mwa_number_if(was_to(cell), all_of(cell)->inside))
MWA_VALUE(lost, mwa_number_if(was_to(cell), all_of(cell)->lost))
MWA_VALUE(ranks, mwa_number_if(was_to(cell), all_of(cell)->ranks))
MWA_VALUE(refused, mwa_number_if(was_to(cell), all_of(cell)->refused))
MWA_VALUE(reason, all_of(cell)->refused > 0
          ? mwa_text(cell->results->trace->sampled.ranks[all_of(cell)->refused_first].refused)
          : mwa_nothing())

MWA_VALUE(wrong, mwa_text(cell->results->trace->sampled.wrong))

#define SUM(key, function)                                                                         \
    {                                                                                              \
        key, .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, function), .unknown = NO_SAMPLES                \
    }

static const struct mwa_column document[] = {
    { "rate_hz", MWA_BY(MWA_NUMBER, rate), .unknown = NO_SAMPLES },
    SUM("samples_outside", outside),
    SUM("samples_inside", inside),
    SUM("samples_lost", lost),
    SUM("ranks_sampled", ranks),
    SUM("ranks_refused", refused),
    { "refused", MWA_BY(MWA_TEXT, reason), .unknown = NOT_TAKEN },
    { "wrong", MWA_BY(MWA_TEXT, wrong), .unknown = ALL_RIGHT },
    { "functions", .table = &mwa_functions_table },
    { "other_threads", .table = &others },
};

const struct mwa_table mwa_functions_document = { .shape = MWA_ROW,
                                                  .schema = "mpiwatch-functions/1",
                                                  MWA_COLUMNS(document) };
