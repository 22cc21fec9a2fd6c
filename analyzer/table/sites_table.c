/* Places in the program that call MPI, by time. */
#include <string.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/table/tables.h"

static const struct mwa_site *site_of(const struct mwa_cell *cell)
{
    return &cell->results->trace->sites[((const struct mwa_site_row *)cell->row)->site];
}

static const struct mwa_region *region_of(const struct mwa_cell *cell)
{
    return &cell->results->trace->regions[site_of(cell)->region];
}

/* Of the patterns that count. */
static uint64_t wait_of(const struct mwa_cell *cell)
{
    const uint32_t site = ((const struct mwa_site_row *)cell->row)->site;
    uint64_t wait = 0;

    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        const struct mwa_wait_row *row = &cell->results->waits.rows[i];

        if (mwa_wait_role(i) == MWA_WAIT_COUNTS && row->site_ns) {
            wait += row->site_ns[site];
        }
    }
    return wait;
}

static struct mwa_value file_of(const struct mwa_cell *cell)
{
    return mwa_text(*site_of(cell)->file ? site_of(cell)->file : NULL);
}

MWA_VALUE(call, mwa_text(region_of(cell)->name))
MWA_VALUE(line, mwa_number_if(site_of(cell)->line > 0, site_of(cell)->line))
MWA_VALUE(function, mwa_text(*site_of(cell)->function ? site_of(cell)->function : NULL))
MWA_VALUE(where, mwa_place_value(cell, ((const struct mwa_site_row *)cell->row)->site))
MWA_VALUE(waits, mwa_number(wait_of(cell)))
MWA_VALUE_OF(share, struct mwa_site_row, region_of(cell)->kind == MWA_REGION_MPI ?
             mwa_share(row->time_ns, mwa_calls_time_ns(&cell->results->profile)) : mwa_nothing())

static const struct mwa_column columns[] = {
    { "call", "call", 20, MWA_PLAIN, MWA_BY(MWA_TEXT, call) },
    { NULL, "place", 31, MWA_PLAIN, MWA_BY(MWA_TEXT, where), .nothing = "?" },
    { "file", MWA_BY(MWA_TEXT, file_of), .unknown = MWA_NOT_SAID },
    { "line", MWA_BY(MWA_NUMBER, line), .unknown = MWA_NOT_SAID },
    { "function", "function", 16, MWA_PLAIN, MWA_BY(MWA_TEXT, function), .place = MWA_ON_PAGE,
      .unknown = MWA_NOT_SAID },
    { "count", "count", 8, MWA_COUNT, MWA_IN(struct mwa_site_row, count) },
    { "time_ns", "time", 9, MWA_NS, MWA_IN(struct mwa_site_row, time_ns) },
    { NULL, "share", 6, MWA_SHARE, MWA_BY(MWA_REAL, share) },
    { "wait_ns", "waiting", 9, MWA_NS, MWA_BY(MWA_NUMBER, waits) },
    { "max_ns", "max", 9, MWA_NS, MWA_IN(struct mwa_site_row, max_ns), .place = MWA_ON_PAGE },
    { "bytes_sent", "sent", 9, MWA_BYTES, MWA_IN(struct mwa_site_row, bytes_sent) },
    { "bytes_received", "received", 9, MWA_BYTES, MWA_IN(struct mwa_site_row, bytes_received),
      .place = MWA_ON_PAGE },
};

/* Without places there are only calls, which are a table of their own. */
MWA_COUNT_BY(site_count, parent->results->trace->has_sites ? parent->results->sites.count : 0)
MWA_ROW_BY(site_at, &parent->results->sites.rows[index])

const struct mwa_table mwa_sites_table = {
    MWA_COLUMNS(columns),
    .count = site_count,
    .row = site_at,
    .none = "the archive does not say where calls were made",
    .note = "share is of the time in MPI calls between MPI_Init and MPI_Finalize, waiting is of "
            "the time",
};

static const struct mwa_column document[] = { { "sites", .table = &mwa_sites_table } };

const struct mwa_table mwa_sites_document = { .shape = MWA_ROW,
                                              .schema = "mpiwatch-sites/1",
                                              MWA_COLUMNS(document) };
