/* How evenly ranks share the useful time, each call and each region. */
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/analysis/results.h"
#include "analyzer/table/tables.h"

static struct mwa_value kind(const struct mwa_cell *cell)
{
#define NAME(constant, name) name,
    static const char *const names[] = { MWA_IMBALANCE_KINDS(NAME) };
#undef NAME

    return mwa_text(names[((const struct mwa_imbalance_row *)cell->row)->kind]);
}

static struct mwa_value what(const struct mwa_cell *cell)
{
    const struct mwa_imbalance_row *row = cell->row;

    const struct mwa_value label = mwa_region_label(row->name, row->region);
    bool is_alone = row->participants == 1 && row->absent > 0;
    char *text = NULL;

    if (!is_alone || label.kind == MWA_NOTHING) {
        return label;
    }
    if (asprintf(&text, "%s (one rank alone)", label.text) < 0) {
        text = NULL;
    }
    free(label.owned);
    return mwa_owned_text(text);
}

MWA_VALUE_OF(file, struct mwa_imbalance_row, mwa_region_file(row->region))
MWA_VALUE_OF(line, struct mwa_imbalance_row, mwa_region_line(row->region))

MWA_COUNT_BY(rank_count, parent->results->imbalance.rank_count)
MWA_ROW_BY(rank_ns, &((const struct mwa_imbalance_row *)parent->row)->per_rank_ns[index])

static const struct mwa_table per_rank = { .shape = MWA_VALUES,
                                           MWA_COLUMNS(mwa_ns_column),
                                           .count = rank_count,
                                           .row = rank_ns };

static const struct mwa_column columns[] = {
    { "kind", "kind", 6, MWA_PLAIN, MWA_BY(MWA_TEXT, kind), .aside = 8 },
    { "name", MWA_IN(struct mwa_imbalance_row, name) },
    { "ranks", "ranks", 6, MWA_PLAIN, MWA_IN(struct mwa_imbalance_row, participants) },
    { "absent", MWA_IN(struct mwa_imbalance_row, absent) },
    { "total_ns", .unit = MWA_NS, MWA_IN(struct mwa_imbalance_row, total_ns) },
    { "min_ns", "min", 8, MWA_NS, MWA_IN(struct mwa_imbalance_row, min_ns), .aside = 6 },
    { "average_ns", "average", 8, MWA_NS, MWA_IN(struct mwa_imbalance_row, average_ns) },
    { "max_ns", "max", 8, MWA_NS, MWA_IN(struct mwa_imbalance_row, max_ns) },
    { "rank_min", MWA_IN(struct mwa_imbalance_row, rank_min) },
    { "rank_max", "rank", 6, MWA_PLAIN, MWA_IN(struct mwa_imbalance_row, rank_max) },
    { "load_balance", "LB", 5, MWA_RATIO, MWA_IN(struct mwa_imbalance_row, load_balance) },
    { "cov", "COV", 5, MWA_RATIO, MWA_IN(struct mwa_imbalance_row, cov), .aside = 7 },
    { "overload_ns", "overload", 8, MWA_NS, MWA_IN(struct mwa_imbalance_row, overload_ns),
      .aside = 5 },
    { "underload_ns", .unit = MWA_NS, MWA_IN(struct mwa_imbalance_row, underload_ns) },
    { "per_rank_ns", .table = &per_rank },
    { "file", MWA_BY(MWA_TEXT, file), .unknown = MWA_NO_PLACE },
    { "line", MWA_BY(MWA_NUMBER, line), .unknown = MWA_NO_PLACE },
    { NULL, "of what", 0, MWA_PLAIN, MWA_BY(MWA_TEXT, what) },
};

const struct mwa_table mwa_imbalance_table = {
    MWA_COLUMNS(columns),
    MWA_ROWS(struct mwa_results, imbalance.rows, imbalance.count),
    .none = "nothing to compare: no rank has events",
    .note = "LB is average / max, COV standard deviation / average; overload is the time above "
            "average",
};

static const struct mwa_column document[] = {
    { "rows", .table = &mwa_imbalance_table },
    { "locations", .table = &mwa_location_imbalance_table },
    { "location_times", .table = &mwa_location_times_table },
};

const struct mwa_table mwa_imbalance_document = { .shape = MWA_ROW,
                                                  .schema = "mpiwatch-imbalance/1",
                                                  MWA_COLUMNS(document) };
