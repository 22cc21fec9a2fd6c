/* MPI functions, by time. */
#include "analyzer/analysis/summary.h"
#include "analyzer/table/tables.h"

static const struct mwa_region *region_of(const struct mwa_cell *cell)
{
    return ((const struct mwa_call_row *)cell->row)->region;
}

MWA_VALUE(name, mwa_text(region_of(cell)->name))
MWA_VALUE(group, mwa_text(region_of(cell)->group))

/* Of the calls in the run. */
MWA_VALUE_OF(share, struct mwa_call_row, row->region->kind == MWA_REGION_MPI ?
             mwa_share(row->time_ns, mwa_calls_time_ns(&cell->results->profile)) : mwa_nothing())
MWA_VALUE_OF(mean, struct mwa_call_row, mwa_number_if(row->count > 0, row->count > 0 ? row->time_ns
             / row->count : 0))

static struct mwa_value hottest(const struct mwa_cell *cell)
{
    const struct mwa_results *results = cell->results;
    const struct mwa_place_row *place =
        mwa_hottest_place(results->trace, &results->sites,
                          (uint32_t)(region_of(cell) - results->trace->regions));

    return place ? mwa_main_place_value(cell, place->sum.site) : mwa_nothing();
}

static bool is_call(const char *name)
{
    return mw_call_find(name) != MW_CALL_COUNT;
}

/* Of calls alone, and with the places of each. */
#define CALL_COLUMNS                                                                               \
    { "name", "call", 28, MWA_PLAIN, MWA_BY(MWA_TEXT, name) },                                     \
    { "group", "group", 5, MWA_PLAIN, MWA_BY(MWA_TEXT, group), .aside = 8 },                       \
    { "count", "count", 8, MWA_COUNT, MWA_IN(struct mwa_call_row, count) },                        \
    { "time_ns", "time", 9, MWA_NS, MWA_IN(struct mwa_call_row, time_ns) },                        \
    { NULL, "share", 6, MWA_SHARE, MWA_BY(MWA_REAL, share) },                                      \
    { NULL, "mean", 9, MWA_NS, MWA_BY(MWA_NUMBER, mean), .place = MWA_ON_PAGE },                   \
    { "min_ns", "min", 9, MWA_NS, MWA_IN(struct mwa_call_row, min_ns), .aside = 6 },               \
    { "max_ns", "max", 9, MWA_NS, MWA_IN(struct mwa_call_row, max_ns), .aside = 3 },               \
    { "bytes_sent", "sent", 9, MWA_BYTES, MWA_IN(struct mwa_call_row, bytes_sent), .aside = 4 },   \
    { "bytes_received", "received", 9, MWA_BYTES, MWA_IN(struct mwa_call_row, bytes_received),     \
      .aside = 5 },                                                                                \
    { "rank_min_ns", "rank least", 9, MWA_NS, MWA_IN(struct mwa_call_row, rank_min_ns),            \
      .place = MWA_ON_PAGE },                                                                      \
    { "rank_max_ns", "rank most", 9, MWA_NS, MWA_IN(struct mwa_call_row, rank_max_ns),             \
      .place = MWA_ON_PAGE },                                                                      \
    { "rank_max", "rank", 6, MWA_PLAIN, MWA_IN(struct mwa_call_row, rank_max),                     \
      .place = MWA_ON_PAGE, .unknown = "no rank with events was in it" },                          \
    { "hottest_place", "mostly at", 0, MWA_PLAIN, MWA_BY(MWA_TEXT, hottest), .nothing = "",        \
      .unknown = MWA_NOT_SAID }

static const struct mwa_column columns[] = { CALL_COLUMNS };

const struct mwa_table mwa_calls_table = {
    MWA_COLUMNS(columns),
    MWA_ROWS(struct mwa_results, profile.calls, profile.call_count),
    .is_zero_without = is_call,
    .none = "no MPI call was recorded",
    .note = "share is of the time in MPI calls between MPI_Init and MPI_Finalize; min and max are "
            "of one call",
};

static const struct mwa_column document[] = { { "calls", .table = &mwa_calls_table } };

const struct mwa_table mwa_calls_document = { .shape = MWA_ROW,
                                              .schema = "mpiwatch-calls/1",
                                              MWA_COLUMNS(document) };

static const struct mwa_column columns_and_sites[] = {
    CALL_COLUMNS, { "sites", .table = &mwa_call_sites_table }
};

static const struct mwa_table calls_and_sites = {
    MWA_COLUMNS(columns_and_sites),
    MWA_ROWS(struct mwa_results, profile.calls, profile.call_count),
};

static const struct mwa_column sites_document[] = { { "calls", .table = &calls_and_sites } };

const struct mwa_table mwa_call_sites_document = { .shape = MWA_ROW,
                                                   .schema = "mpiwatch-call-sites/1",
                                                   MWA_COLUMNS(sites_document) };
