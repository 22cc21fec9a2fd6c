/* What is on the critical path, and on which ranks it is. */
#include "analyzer/analysis/results.h"
#include "analyzer/table/tables.h"
#include "formats/base/order.h"

MWA_VALUE(of_path, mwa_share(((const struct mwa_path_row *)cell->row)->path_ns,
          cell->results->critical_path.length_ns))
MWA_VALUE(rank_ns, mwa_number(*(const uint64_t *)cell->row))
MWA_VALUE(rank_share, mwa_share(*(const uint64_t *)cell->row,
          cell->results->critical_path.length_ns))
MWA_VALUE(rank, mwa_number(cell->index))
MWA_WHETHER(is_on_path, *(const uint64_t *)cell->row > 0)

static int by_time(const void *one, const void *other)
{
    const uint64_t a = *(const uint64_t *)one;
    const uint64_t b = *(const uint64_t *)other;

    return mw_order(b, a);
}

MWA_VALUE_OF(label, struct mwa_path_row, mwa_region_label(row->name, row->region))
MWA_VALUE_OF(file, struct mwa_path_row, mwa_region_file(row->region))
MWA_VALUE_OF(line, struct mwa_path_row, mwa_region_line(row->region))

static const struct mwa_column columns[] = {
    { "name", MWA_IN(struct mwa_path_row, name) },
    { NULL, "in", 0, MWA_PLAIN, MWA_BY(MWA_TEXT, label), .place = MWA_ON_PAGE },
    { "mpi", MWA_IN(struct mwa_path_row, is_mpi) },
    { "path_ns", "on path", 9, MWA_NS, MWA_IN(struct mwa_path_row, path_ns) },
    { NULL, "share", 6, MWA_SHARE, MWA_BY(MWA_REAL, of_path) },
    { "average_ns", "average", 9, MWA_NS, MWA_IN(struct mwa_path_row, average_ns) },
    { "imbalance_ns", "imbalance", 9, MWA_NS, MWA_IN(struct mwa_path_row, imbalance_ns) },
    { "file", MWA_BY(MWA_TEXT, file), .unknown = MWA_NO_PLACE },
    { "line", MWA_BY(MWA_NUMBER, line), .unknown = MWA_NO_PLACE },
    { NULL, "in", 0, MWA_PLAIN, MWA_BY(MWA_TEXT, label), .place = MWA_ON_SCREEN },
};

const struct mwa_table mwa_critical_path_table = {
    MWA_COLUMNS(columns),
    MWA_ROWS(struct mwa_results, critical_path.rows, critical_path.row_count),
    .note = "average is over all ranks; imbalance is what the path has above it",
};

static const struct mwa_column rank_columns[] = {
    { "rank", "rank", 6, MWA_PLAIN, MWA_BY(MWA_NUMBER, rank) },
    { "path_ns", "on path", 9, MWA_NS, MWA_BY(MWA_NUMBER, rank_ns) },
    { NULL, "share", 6, MWA_SHARE, MWA_BY(MWA_REAL, rank_share) },
};

const struct mwa_table mwa_critical_path_ranks_table = {
    MWA_COLUMNS(rank_columns),
    MWA_ROWS(struct mwa_results, critical_path.per_rank_ns, critical_path.rank_count),
    .is_shown = is_on_path,
    .order = by_time,
};

static const struct mwa_table per_rank = {
    .shape = MWA_VALUES,
    MWA_COLUMNS(mwa_ns_column),
    MWA_ROWS(struct mwa_results, critical_path.per_rank_ns, critical_path.rank_count),
};

/* --- the document ------------------------------------------------------------------------- */

static struct mwa_value length(const struct mwa_cell *cell)
{
    const struct mwa_critical_path *path = &cell->results->critical_path;

    return mwa_number_if(path->known, path->length_ns);
}

static struct mwa_value hops(const struct mwa_cell *cell)
{
    const struct mwa_critical_path *path = &cell->results->critical_path;

    return mwa_number_if(path->known, path->hops);
}

static struct mwa_value end_rank(const struct mwa_cell *cell)
{
    const struct mwa_critical_path *path = &cell->results->critical_path;

    return mwa_number_if(path->known, path->end_rank);
}

#define NO_PATH "there is none: see note"

static const struct mwa_column document[] = {
    { "length_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, length), .unknown = NO_PATH },
    { "hops", .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, hops), .unknown = NO_PATH },
    { "end_rank", MWA_BY(MWA_NUMBER, end_rank), .unknown = NO_PATH },
    { "rows", .table = &mwa_critical_path_table },
    { "per_rank_ns", .table = &per_rank },
    { "note", MWA_IN(struct mwa_results, critical_path.note), .unknown = "nothing limits it" },
};

const struct mwa_table mwa_critical_path_document = { .shape = MWA_ROW,
                                                      .schema = "mpiwatch-critical-path/1",
                                                      MWA_COLUMNS(document) };
