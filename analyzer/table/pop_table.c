/* The efficiencies of the POP project, of the run and of regions of the program. */
#include "analyzer/analysis/results.h"
#include "analyzer/table/tables.h"

/* --- rows: the factors, of the run or of a region ------------------------------------------ */

MWA_ROW_BY(region_at, &parent->results->pop.regions[index].factors)
MWA_COUNT_BY(region_count, parent->results->pop.region_count)

static const struct mwa_region *region_of(const struct mwa_cell *cell)
{
    return cell->results->pop.regions[cell->index].region;
}

MWA_VALUE(region_name, mwa_text(region_of(cell)->name))
MWA_VALUE(region_label, mwa_region_label(region_of(cell)->name, region_of(cell)))
MWA_VALUE(region_file, mwa_region_file(region_of(cell)))
MWA_VALUE(region_line, mwa_region_line(region_of(cell)))

/* The run comes first, under a name that is none of a region's. */
MWA_ROW_BY(run_or_region_at, index == 0 ? &parent->results->pop.run : region_at(parent, index - 1))
MWA_COUNT_BY(run_and_region_count, 1 + region_count(parent))

static const struct mwa_region *run_or_region_of(const struct mwa_cell *cell)
{
    return cell->index == 0 ? NULL : cell->results->pop.regions[cell->index - 1].region;
}

MWA_VALUE(run_or_region_name, mwa_text(cell->index == 0 ? "(run)" : run_or_region_of(cell)->name))
MWA_VALUE(run_or_region_file, mwa_region_file(run_or_region_of(cell)))
MWA_VALUE(run_or_region_line, mwa_region_line(run_or_region_of(cell)))

#define FACTORS(member) MWA_IN(struct mwa_pop_factors, member)
#define FACTOR(member)  FACTORS(member), .unknown = MWA_NO_RUN
#define IDEAL(member)   FACTORS(member), .unknown = MWA_NO_IDEAL

/* Which time factors use. */
MWA_VALUE_OF(useful_is, struct mwa_pop_factors,
             mwa_text(row->is_on_core ? "outside of MPI, on a core" : "outside of MPI"))

#define FACTOR_COLUMNS                                                                             \
    { "parallel_efficiency", "parallel", 8, MWA_RATIO, FACTOR(parallel_efficiency) },              \
    { "load_balance", "balance", 7, MWA_RATIO, FACTOR(load_balance) },                             \
    { "communication_efficiency", "communication", 13, MWA_RATIO,                                  \
      FACTOR(communication_efficiency) },                                                          \
    { "serialisation_efficiency", "serialisation", 13, MWA_RATIO,                                  \
      IDEAL(serialisation_efficiency) },                                                           \
    { "transfer_efficiency", "transfer", 8, MWA_RATIO, IDEAL(transfer_efficiency) },               \
    { "runtime_ns", "time", 8, MWA_NS, FACTORS(runtime_ns) },                                      \
    { "ranks", "ranks", 6, MWA_PLAIN, FACTORS(ranks), .aside = 6 },                                \
    { "useful_total_ns", "useful", 8, MWA_NS, FACTORS(useful_total_ns), .aside = 7 },              \
    { "useful_max_ns", .unit = MWA_NS, FACTORS(useful_max_ns) },                                   \
    { "useful_rank_max", FACTORS(useful_rank_max) },                                               \
    { "ideal_runtime_ns", .unit = MWA_NS, IDEAL(ideal_ns) },                                       \
    { "running_efficiency", .unit = MWA_RATIO, FACTORS(running_efficiency),                        \
      .unknown = MWA_NO_CORE },                                                                    \
    { "outside_total_ns", .unit = MWA_NS, FACTORS(outside_total_ns) },                             \
    { "outside_max_ns", .unit = MWA_NS, FACTORS(outside_max_ns) },                                 \
    { "useful_is", MWA_BY(MWA_TEXT, useful_is) }

static const struct mwa_column run_columns[] = {
    FACTOR_COLUMNS,
    { "between_polls_ns", .unit = MWA_NS, FACTORS(between_polls_ns) },
};
static const struct mwa_column region_columns[] = {
    { "name", MWA_BY(MWA_TEXT, region_name) },
    { NULL, "region", 0, MWA_PLAIN, MWA_BY(MWA_TEXT, region_label), .place = MWA_ON_PAGE },
    FACTOR_COLUMNS,
    { "file", MWA_BY(MWA_TEXT, region_file), .unknown = MWA_NO_PLACE },
    { "line", MWA_BY(MWA_NUMBER, region_line), .unknown = MWA_NO_PLACE },
    { NULL, "region", 0, MWA_PLAIN, MWA_BY(MWA_TEXT, region_label), .place = MWA_ON_SCREEN },
};
static const struct mwa_column pop_columns[] = {
    { "name", MWA_BY(MWA_TEXT, run_or_region_name) },
    FACTOR_COLUMNS,
    { "file", MWA_BY(MWA_TEXT, run_or_region_file), .unknown = MWA_NO_PLACE },
    { "line", MWA_BY(MWA_NUMBER, run_or_region_line), .unknown = MWA_NO_PLACE },
};

static const struct mwa_table run = { .shape = MWA_ROW,
                                      MWA_COLUMNS(run_columns),
                                      .rows_at = offsetof(struct mwa_results, pop.run) };

const struct mwa_table mwa_pop_regions_table = { MWA_COLUMNS(region_columns),
                                                 .count = region_count,
                                                 .row = region_at };

const struct mwa_table mwa_pop_table = { MWA_COLUMNS(pop_columns),
                                         .count = run_and_region_count,
                                         .row = run_or_region_at };

/* --- the document ------------------------------------------------------------------------- */

static const struct mwa_column useful_columns[] = {
    { .unit = MWA_NS, MWA_IN(struct mwa_rank_row, useful_ns) }
};

static const struct mwa_table useful = {
    .shape = MWA_VALUES,
    MWA_COLUMNS(useful_columns),
    MWA_ROWS(struct mwa_results, profile.ranks, profile.rank_count),
};

static const struct mwa_column document[] = {
    { .table = &run },
    { "useful_ns", .table = &useful },
    { "ideal_unknown", MWA_IN(struct mwa_results, pop.ideal_unknown), .unknown = "it is known" },
    { "regions", .table = &mwa_pop_regions_table },
};

const struct mwa_table mwa_pop_document = { .shape = MWA_ROW,
                                            .schema = "mpiwatch-pop/1",
                                            MWA_COLUMNS(document) };
