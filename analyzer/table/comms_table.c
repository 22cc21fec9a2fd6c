/* Communicators: what they are, when they lived, what happened on them, and what is wrong. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/model/ranges.h"
#include "analyzer/analysis/comms/comm_label.h"
#include "analyzer/analysis/results.h"
#include "analyzer/table/tables.h"
#include "formats/archive/archive_words.h"
#include "formats/base/order.h"

/* Why something is not known. */
#define NO_PARENT   "it has none, or none is known"
#define NO_CREATION "it is predefined, or the archive does not say"
#define NOT_SEEN    "it is predefined, or was made while nothing was recorded"
#define NOT_FREED   "it was never freed, or while nothing was recorded"
#define NO_RATE     "a finding of this kind has none"

static const struct mwa_comm_row *row_of(const struct mwa_cell *cell)
{
    return cell->row;
}

static const struct mwa_comm *comm_of(const struct mwa_cell *cell)
{
    return &cell->results->trace->comms[row_of(cell)->comm];
}

/* --- what it is --------------------------------------------------------------------------- */


MWA_VALUE(uid, mwa_comm_uid(cell, row_of(cell)->comm))

static struct mwa_value label(const struct mwa_cell *cell)
{
    char text[MWA_COMM_LABEL_BYTES];

    return mwa_owned_text(strdup(mwa_comm_label(cell->results->trace, row_of(cell)->comm, text)));
}

MWA_VALUE(size, mwa_number(mwa_trace_comm_total(cell->results->trace, row_of(cell)->comm)))

static struct mwa_value local_size(const struct mwa_cell *cell)
{
    uint64_t local;

    mwa_trace_members(cell->results->trace, row_of(cell)->comm, 0, &local);
    return comm_of(cell)->inter ? mwa_number(local) : size(cell);
}

MWA_VALUE(parent_uid, mwa_comm_uid(cell, comm_of(cell)->parent))
MWA_VALUE(ranges, mwa_owned_text(mwa_ranges_of_comm(cell->results->trace, row_of(cell)->comm, 0)))

static struct mwa_value lifetime(const struct mwa_cell *cell)
{
    const struct mwa_comm_row *row = cell->row;
    bool known = row->has_created && row->has_freed && row->freed_ns >= row->created_ns;

    return mwa_signed_if(known, known ? row->freed_ns - row->created_ns : 0);
}

MWA_VALUE(created, mwa_signed_if(row_of(cell)->has_created, row_of(cell)->created_ns))
MWA_VALUE(freed, mwa_signed_if(row_of(cell)->has_freed, row_of(cell)->freed_ns))
MWA_VALUE(share, mwa_share(row_of(cell)->time_ns, cell->results->comms.mpi_ns))

static bool is_selected(const struct mwa_cell *cell)
{
    const bool *selected = cell->results->selected_comms;

    return !selected || selected[row_of(cell)->comm];
}

static int by_time(const void *one, const void *other)
{
    const struct mwa_comm_row *a = one;
    const struct mwa_comm_row *b = other;

    return mw_order(b->time_ns, a->time_ns);
}

/* --- lists in it: members, names, registrations --------------------------------------------- */

MWA_COUNT_BY(member_count, mwa_trace_comm_total(parent->results->trace, row_of(parent)->comm))

/* Of intercommunicators both groups, one behind the other. */
static const void *member_at(const struct mwa_cell *parent, uint64_t index)
{
    uint64_t count;
    const uint32_t *members = mwa_trace_members(parent->results->trace, row_of(parent)->comm, 0,
                                                &count);

    if (index >= count) {
        index -= count;
        members = mwa_trace_members(parent->results->trace, row_of(parent)->comm, 1, &count);
    }
    return &members[index];
}

static const struct mwa_column member_columns[] = {
    { .kind = MWA_NUMBER, .size = sizeof(uint32_t), .unknown = "it is of another job" }
};

static const struct mwa_table members = {
    .shape = MWA_VALUES, MWA_COLUMNS(member_columns), .count = member_count, .row = member_at
};

MWA_COUNT_BY(name_count, comm_of(parent)->name_count)
MWA_ROW_BY(name_at, &comm_of(parent)->names[index])
MWA_VALUE(name_source, mwa_text(mw_name_source_word(((const struct mwa_comm_name
          *)cell->row)->source)))
MWA_VALUE_OF(name_time, struct mwa_comm_name, mwa_signed_if(row->time != UINT64_MAX,
             mwa_trace_since_begin(cell->results->trace, row->time)))
MWA_VALUE(uid_above, uid(cell->parent))

#define NAME_COLUMNS                                                                               \
    { "name", MWA_IN(struct mwa_comm_name, text) },                                                \
        { "source", MWA_BY(MWA_TEXT, name_source) },                                               \
        { "rank", MWA_IN(struct mwa_comm_name, rank), .unknown = MWA_NOT_SAID },                   \
    {                                                                                              \
        "time_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, name_time), .unknown = MWA_NOT_SAID          \
    }

static const struct mwa_column name_columns[] = { NAME_COLUMNS };
static const struct mwa_column names_columns[] = { { "uid", MWA_BY(MWA_TEXT, uid_above) },
                                                   NAME_COLUMNS };
static const struct mwa_table names = {
    MWA_COLUMNS(name_columns), .count = name_count, .row = name_at
};
const struct mwa_table mwa_comm_names_table = { MWA_COLUMNS(names_columns),
                                                .above = &mwa_comms_table,
                                                .count = name_count,
                                                .row = name_at };

MWA_COUNT_BY(registration_count, row_of(parent)->registration_count)
MWA_ROW_BY(registration_at,
           &parent->results->comms.registrations[row_of(parent)->first_registration + index])
MWA_VALUE_OF(registered_to, struct mwa_registration, mwa_signed_if(row->has_end, row->to_ns))

#define REGISTRATION_COLUMNS                                                                       \
    { "rank", MWA_IN(struct mwa_registration, rank) },                                             \
        { "name", MWA_IN(struct mwa_registration, name) },                                         \
        { "from_ns", .unit = MWA_NS, MWA_IN(struct mwa_registration, from_ns) },                   \
    {                                                                                              \
        "to_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, registered_to), .unknown = NOT_FREED           \
    }

static const struct mwa_column registration_columns[] = { REGISTRATION_COLUMNS };
static const struct mwa_column registrations_columns[] = { { "uid", MWA_BY(MWA_TEXT, uid_above) },
                                                           REGISTRATION_COLUMNS };
static const struct mwa_table registered = { MWA_COLUMNS(registration_columns),
                                             .count = registration_count,
                                             .row = registration_at };
const struct mwa_table mwa_registrations_table = { MWA_COLUMNS(registrations_columns),
                                                   .above = &mwa_comms_table,
                                                   .count = registration_count,
                                                   .row = registration_at };

/* --- the table ------------------------------------------------------------------------------ */

#define ROW(member)  MWA_IN(struct mwa_comm_row, member)

MWA_VALUE(name, mwa_text(comm_of(cell)->name))
MWA_VALUE(created_by, mwa_text(comm_of(cell)->created_by))
MWA_VALUE(default_name, mwa_text(comm_of(cell)->default_name))
MWA_VALUE(inter, mwa_flag(comm_of(cell)->inter))
MWA_VALUE(predefined, mwa_flag(comm_of(cell)->predefined))
MWA_VALUE(foreign, mwa_flag(comm_of(cell)->foreign))

static const struct mwa_column columns[] = {
    { NULL, "communicator", 0, MWA_PLAIN, MWA_BY(MWA_TEXT, label), .place = MWA_ON_PAGE },
    { "uid", MWA_BY(MWA_TEXT, uid) },
    { "name", MWA_BY(MWA_TEXT, name) },
    { "size", "ranks", 6, MWA_PLAIN, MWA_BY(MWA_NUMBER, size) },
    { "members", .table = &members },
    { "member_ranges", MWA_BY(MWA_TEXT, ranges) },
    { "parent", MWA_BY(MWA_TEXT, parent_uid), .unknown = NO_PARENT },
    { "created_by", "made by", 20, MWA_PLAIN, MWA_BY(MWA_TEXT, created_by), .nothing = "",
      .unknown = NO_CREATION },
    { "default_name", MWA_BY(MWA_TEXT, default_name), .unknown = NO_CREATION },
    { "created_ns", "created", 8, MWA_NS, MWA_BY(MWA_NUMBER, created), .unknown = NOT_SEEN },
    { "freed_ns", "freed", 8, MWA_NS, MWA_BY(MWA_NUMBER, freed), .unknown = NOT_FREED },
    { "lifetime_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, lifetime),
      .unknown = "created_ns or freed_ns is not known, or the one is after the other" },
    { "inter", MWA_BY(MWA_FLAG, inter) },
    { "messages", "messages", 8, MWA_COUNT, ROW(messages) },
    { "bytes", "bytes", 8, MWA_BYTES, ROW(bytes) },
    { "collectives", "collectives", 8, MWA_COUNT, ROW(collectives) },
    { "time_ns", "MPI time", 8, MWA_NS, ROW(time_ns) },
    { "share", "of MPI time", 6, MWA_SHARE, MWA_BY(MWA_REAL, share),
      .unknown = "there is no time in MPI calls" },
    { "collective_bytes", "bytes in collectives", 8, MWA_BYTES, ROW(collective_bytes) },
    { "calls", .unit = MWA_COUNT, ROW(calls) },
    { "filtered_calls", .unit = MWA_COUNT, ROW(filtered_calls) },
    { "filtered_bytes", .unit = MWA_BYTES, ROW(filtered_bytes) },
    { "local_size", MWA_BY(MWA_NUMBER, local_size) },
    { "predefined", MWA_BY(MWA_FLAG, predefined) },
    { "foreign", MWA_BY(MWA_FLAG, foreign) },
    { "names", .table = &names },
    { "registered", .table = &registered },
};

const struct mwa_table mwa_comms_table = {
    MWA_COLUMNS(columns),
    MWA_ROWS(struct mwa_results, comms.rows, comms.count),
    .is_shown = is_selected,
    .order = by_time,
};

/* --- what is wrong ---------------------------------------------------------------------------- */

static const struct mwa_comm_finding *finding_of(const struct mwa_cell *cell)
{
    return cell->row;
}

MWA_COUNT_BY(finding_count, parent->results->comm_findings.count)
MWA_ROW_BY(finding_at, &parent->results->comm_findings.list[index])
MWA_COUNT_BY(found_count, finding_of(parent)->count)
MWA_ROW_BY(found_at, &finding_of(parent)->comms[index])
MWA_VALUE(found_uid, mwa_comm_uid(cell, *(const uint32_t *)cell->row))

static const struct mwa_column found_columns[] = { { MWA_BY(MWA_TEXT, found_uid) } };
static const struct mwa_table found = {
    .shape = MWA_VALUES, MWA_COLUMNS(found_columns), .count = found_count, .row = found_at
};

MWA_VALUE(finding_kind, mwa_text(mwa_comm_finding_name(finding_of(cell)->kind)))

static struct mwa_value finding_text(const struct mwa_cell *cell)
{
    char text[MWA_COMM_FINDING_BYTES];

    return mwa_owned_text(
        strdup(mwa_comm_finding_text(cell->results->trace, finding_of(cell), text)));
}

MWA_WHETHER(is_rate, finding_of(cell)->kind == MWA_COMM_CREATED_FAST)
MWA_VALUE(finding_rank, mwa_number_if(is_rate(cell), finding_of(cell)->rank))
MWA_VALUE(finding_creations, mwa_number_if(is_rate(cell), finding_of(cell)->creations))
MWA_VALUE(finding_from, mwa_signed_if(is_rate(cell), finding_of(cell)->from_ns))

static const struct mwa_column finding_columns[] = {
    { "kind", MWA_BY(MWA_TEXT, finding_kind) },
    { "text", MWA_BY(MWA_TEXT, finding_text) },
    { "communicators", .table = &found },
    { "rank", MWA_BY(MWA_NUMBER, finding_rank), .unknown = NO_RATE },
    { "creations", .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, finding_creations), .unknown = NO_RATE },
    { "from_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, finding_from), .unknown = NO_RATE },
};

const struct mwa_table mwa_comm_findings_table = { MWA_COLUMNS(finding_columns),
                                                   .count = finding_count,
                                                   .row = finding_at };

MWA_VALUE(none_share, mwa_share(cell->results->comms.none_ns, cell->results->comms.mpi_ns))

static const struct mwa_column document[] = {
    { "communicators", .table = &mwa_comms_table },
    { "alive_max", .unit = MWA_COUNT, MWA_IN(struct mwa_results, comms.alive_max) },
    { "filtered_calls", .unit = MWA_COUNT, MWA_IN(struct mwa_results, comms.filtered_calls) },
    { "filtered_bytes", .unit = MWA_BYTES, MWA_IN(struct mwa_results, comms.filtered_bytes) },
    { "findings", .table = &mwa_comm_findings_table },
    { "created", .unit = MWA_COUNT, MWA_IN(struct mwa_results, comms.created) },
    { "mpi_ns", .unit = MWA_NS, MWA_IN(struct mwa_results, comms.mpi_ns) },
    { "none_ns", .unit = MWA_NS, MWA_IN(struct mwa_results, comms.none_ns) },
    { "none_share", .unit = MWA_SHARE, MWA_BY(MWA_REAL, none_share),
      .unknown = "there is no time in MPI calls" },
};

const struct mwa_table mwa_comms_document = { .shape = MWA_ROW,
                                              .schema = "mpiwatch-comms/1",
                                              MWA_COLUMNS(document) };

/* --- in parts of the run ------------------------------------------------------------------ */

/* A lane's row is its communicator's. */
static const struct mwa_comm_lane *lane_of(const struct mwa_cell *cell)
{
    return &cell->results->comm_timeline.lanes[cell->index];
}

MWA_COUNT_BY(lane_count, parent->results->comm_timeline.count)
MWA_ROW_BY(lane_at, parent->results->comm_timeline.lanes[index].row)
MWA_COUNT_BY(life_count, row_of(parent)->life_count)
MWA_ROW_BY(life_at, &parent->results->comms.lives[row_of(parent)->first_life + index])
MWA_VALUE_OF(life_created, struct mwa_comm_life, mwa_signed_if(row->has_created, row->created_ns))
MWA_VALUE_OF(life_freed, struct mwa_comm_life, mwa_signed_if(row->has_freed, row->freed_ns))
MWA_COUNT_BY(part_count, lane_of(parent)->cell_count)
MWA_ROW_BY(part_at, &lane_of(parent)->cells[index])
MWA_VALUE(name_above, name(cell->parent))
MWA_VALUE(part_from, mwa_edge(cell, ((const struct mwa_comm_cell *)cell->row)->bin))
MWA_VALUE(part_to, mwa_edge(cell, ((const struct mwa_comm_cell *)cell->row)->bin + UINT64_C(1)))

static const struct mwa_column life_columns[] = {
    { "rank", MWA_IN(struct mwa_comm_life, rank) },
    { "created_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, life_created), .unknown = NOT_SEEN },
    { "freed_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, life_freed), .unknown = NOT_FREED },
};
static const struct mwa_table lives = {
    MWA_COLUMNS(life_columns), .count = life_count, .row = life_at
};

#define PART(member) MWA_IN(struct mwa_comm_cell, member)
#define WHAT_HAPPENS                                                                               \
    { "calls", .unit = MWA_COUNT, PART(calls) }, { "bytes", .unit = MWA_BYTES, PART(bytes) },      \
    {                                                                                              \
        "time_ns", .unit = MWA_NS, PART(time_ns)                                                   \
    }

static const struct mwa_column activity_columns[] = { { "bin", PART(bin) }, WHAT_HAPPENS };
static const struct mwa_table activity = {
    MWA_COLUMNS(activity_columns), .count = part_count, .row = part_at
};

static const struct mwa_column lane_columns[] = {
    { "uid", MWA_BY(MWA_TEXT, uid) },
    { "name", MWA_BY(MWA_TEXT, name) },
    { "parent", MWA_BY(MWA_TEXT, parent_uid), .unknown = NO_PARENT },
    { "created_by", MWA_BY(MWA_TEXT, created_by), .unknown = NO_CREATION },
    { "members", .table = &members },
    { "intervals", .table = &lives },
    { "registered", .table = &registered },
    { "activity", .table = &activity },
};
static const struct mwa_table lanes = {
    MWA_COLUMNS(lane_columns), .count = lane_count, .row = lane_at
};

static const struct mwa_column part_columns[] = {
    { "uid", MWA_BY(MWA_TEXT, uid_above) },
    { "name", MWA_BY(MWA_TEXT, name_above) },
    { "bin", PART(bin) },
    { "from_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, part_from) },
    { "to_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, part_to) },
    WHAT_HAPPENS,
};

const struct mwa_table mwa_comm_timeline_table = {
    MWA_COLUMNS(part_columns), .above = &lanes, .count = part_count, .row = part_at
};

MWA_COUNT_BY(bin_count, parent->results->window.bins)
MWA_ROW_BY(bin_at, &parent->results->window)
MWA_VALUE(bin_from, mwa_edge(cell, cell->index))
MWA_VALUE(bin_to, mwa_edge(cell, cell->index + 1))

static const struct mwa_column bin_columns[] = {
    { "from_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, bin_from) },
    { "to_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, bin_to) },
};
static const struct mwa_table bins = {
    MWA_COLUMNS(bin_columns), .count = bin_count, .row = bin_at
};

static const struct mwa_column alive_columns[] = {
    { .unit = MWA_NS, MWA_IN(struct mwa_alive, t_ns) },
    { .unit = MWA_COUNT, MWA_IN(struct mwa_alive, count) },
};
static const struct mwa_table alive = {
    .shape = MWA_VALUES,
    MWA_COLUMNS(alive_columns),
    MWA_ROWS(struct mwa_results, comm_timeline.alive, comm_timeline.alive_count)
};

static const struct mwa_column timeline_document[] = {
    { "bins", .table = &bins },
    { "communicators", .table = &lanes },
    { "alive", .table = &alive },
};

const struct mwa_table mwa_comm_timeline_document = { .shape = MWA_ROW,
                                                      .schema = "mpiwatch-comm-timeline/1",
                                                      MWA_COLUMNS(timeline_document) };
