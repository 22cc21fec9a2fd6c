/* How evenly threads and streams share what they do, and how much of their time they are idle. */
#include "analyzer/analysis/results.h"
#include "analyzer/table/tables.h"

#define NOT_TOLD "nothing tells what these threads do outside of MPI, or they have no time"

/* --- regions by type -------------------------------------------------------------------------- */

static struct mwa_value kind(const struct mwa_cell *cell)
{
#define NAME(constant, name) name,
    static const char *const names[] = { MWA_IMBALANCE_KINDS(NAME) };
#undef NAME

    return mwa_text(names[((const struct mwa_location_imbalance_row *)cell->row)->row.kind]);
}

MWA_VALUE_OF(row_type, struct mwa_location_imbalance_row,
             mwa_text(mwa_location_kind_name(row->type)))
MWA_VALUE_OF(least, struct mwa_location_imbalance_row, mwa_location_value(cell, row->row.rank_min))
MWA_VALUE_OF(greatest, struct mwa_location_imbalance_row,
             mwa_location_value(cell, row->row.rank_max))
MWA_VALUE_OF(what, struct mwa_location_imbalance_row,
             mwa_region_label(row->row.name, row->row.region))
MWA_VALUE_OF(file, struct mwa_location_imbalance_row, mwa_region_file(row->row.region))
MWA_VALUE_OF(line, struct mwa_location_imbalance_row, mwa_region_line(row->row.region))

#define OF(member) MWA_IN(struct mwa_location_imbalance_row, row.member)

static const struct mwa_column row_columns[] = {
    { "type", "type", 6, MWA_PLAIN, MWA_BY(MWA_TEXT, row_type) },
    { "kind", MWA_BY(MWA_TEXT, kind) },
    { "name", OF(name) },
    { "locations", "n", 6, MWA_PLAIN, OF(participants) },
    { "absent", OF(absent) },
    { "total_ns", .unit = MWA_NS, OF(total_ns) },
    { "min_ns", "min", 8, MWA_NS, OF(min_ns) },
    { "average_ns", "average", 8, MWA_NS, OF(average_ns) },
    { "max_ns", "max", 8, MWA_NS, OF(max_ns) },
    { "location_min", MWA_BY(MWA_TEXT, least) },
    { "location_max", "of", 6, MWA_PLAIN, MWA_BY(MWA_TEXT, greatest) },
    { "load_balance", "LB", 5, MWA_RATIO, OF(load_balance) },
    { "cov", "COV", 5, MWA_RATIO, OF(cov) },
    { "overload_ns", "overload", 8, MWA_NS, OF(overload_ns) },
    { "underload_ns", .unit = MWA_NS, OF(underload_ns) },
    { "file", MWA_BY(MWA_TEXT, file), .unknown = MWA_NO_PLACE },
    { "line", MWA_BY(MWA_NUMBER, line), .unknown = MWA_NO_PLACE },
    { NULL, "of what", 0, MWA_PLAIN, MWA_BY(MWA_TEXT, what) },
};

const struct mwa_table mwa_location_imbalance_table = {
    MWA_COLUMNS(row_columns),
    MWA_ROWS(struct mwa_results, location_imbalance.rows, location_imbalance.count),
    .note = "n threads, main threads among them, or streams that visit the region"
};

/* --- states by rank and type ------------------------------------------------------------------ */

static uint64_t mpi_of(const struct mwa_location_group *group)
{
    return group->ns[MWA_STATE_P2P] + group->ns[MWA_STATE_COLLECTIVE] + group->ns[MWA_STATE_IO] +
           group->ns[MWA_STATE_OTHER];
}

MWA_VALUE_OF(group_type, struct mwa_location_group, mwa_text(mwa_location_kind_name(row->type)))
MWA_VALUE_OF(mpi, struct mwa_location_group, mwa_number(mpi_of(row)))
MWA_VALUE_OF(idle, struct mwa_location_group,
             mwa_number_if(row->tells_idle, row->ns[MWA_LOCATION_IDLE]))
MWA_VALUE_OF(share, struct mwa_location_group,
             row->tells_idle ? mwa_share(row->ns[MWA_LOCATION_IDLE], row->total_ns)
                             : mwa_nothing())

static const struct mwa_column group_columns[] = {
    { "rank", "rank", 6, MWA_PLAIN, MWA_IN(struct mwa_location_group, rank) },
    { "type", "type", 6, MWA_PLAIN, MWA_BY(MWA_TEXT, group_type) },
    { "locations", "n", 6, MWA_PLAIN, MWA_IN(struct mwa_location_group, locations) },
    { "total_ns", .unit = MWA_NS, MWA_IN(struct mwa_location_group, total_ns) },
    { "useful_ns", "useful", 8, MWA_NS, MWA_IN(struct mwa_location_group, ns[MWA_STATE_USEFUL]) },
    { "mpi_ns", "MPI", 8, MWA_NS, MWA_BY(MWA_NUMBER, mpi) },
    { "sync_ns", "sync", 8, MWA_NS, MWA_IN(struct mwa_location_group, ns[MWA_LOCATION_SYNC]) },
    { "transfer_ns", "transfer", 8, MWA_NS,
      MWA_IN(struct mwa_location_group, ns[MWA_LOCATION_TRANSFER]) },
    { "idle_ns", "idle", 8, MWA_NS, MWA_BY(MWA_NUMBER, idle), .unknown = NOT_TOLD },
    { "idle_share", "idle", 6, MWA_SHARE, MWA_BY(MWA_REAL, share), .unknown = NOT_TOLD },
};

const struct mwa_table mwa_location_times_table = {
    MWA_COLUMNS(group_columns),
    MWA_ROWS(struct mwa_results, location_imbalance.groups, location_imbalance.group_count),
    .note = "n threads without main threads, or streams; idle is the time in no region"
};
