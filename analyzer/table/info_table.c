/* What an archive is, and how far it can be trusted. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/model/logical_clock.h"
#include "analyzer/table/tables.h"

/* --- of the trace ------------------------------------------------------------------------- */

MWA_ROW_BY(trace_of, parent->results->trace)

static struct mwa_value started(const struct mwa_cell *cell)
{
    char text[MWA_STARTED_BYTES];
    const char *known = mwa_started(cell->results->trace, text);

    return mwa_owned_text(known ? strdup(known) : NULL);
}

MWA_VALUE(clock_error, mwa_number_if(cell->results->trace->clock,
                                     cell->results->trace->clock_error_ns))
MWA_VALUE(hosts_clock_error, mwa_number_if(cell->results->trace->hosts_clock_error_ns,
                                           cell->results->trace->hosts_clock_error_ns))
MWA_VALUE(told_from, mwa_signed_if(cell->results->trace->begun > 0,
                                   mwa_trace_since_begin(cell->results->trace,
                                                         cell->results->trace->begun)))
MWA_VALUE(origin, mwa_text(cell->results->trace->begins_in_init ? "MPI_Init" : "first event"))
MWA_VALUE(origin_timestamp, mwa_number(mwa_trace_origin(cell->results->trace)))
MWA_VALUE(resolution, mwa_number(mwa_trace_resolution(cell->results->trace)))
MWA_VALUE(time_unit, mwa_number_if(mwa_trace_time_unit(cell->results->trace),
                                   mwa_trace_time_unit(cell->results->trace)))
MWA_VALUE(parent_job, mwa_text(mwa_trace_setting(cell->results->trace, "parent")))
MWA_COUNT_BY(setting_count, parent->results->trace->setting_count / 2)
MWA_ROW_BY(setting_at, &parent->results->trace->settings[2 * index])
MWA_COUNT_BY(circumstance_count, parent->results->trace->circumstance_count / 2)
MWA_ROW_BY(circumstance_at, &parent->results->trace->circumstances[2 * index])
MWA_VALUE(setting_name, mwa_text(((const char *const *)cell->row)[0]))
MWA_VALUE(setting_value, mwa_text(((const char *const *)cell->row)[1]))

static const struct mwa_column setting_columns[] = { { MWA_BY(MWA_TEXT, setting_name) },
                                                     { MWA_BY(MWA_TEXT, setting_value) } };
static const struct mwa_table settings = { .shape = MWA_MAP,
                                           MWA_COLUMNS(setting_columns),
                                           .count = setting_count,
                                           .row = setting_at };

static const struct mwa_table circumstances = { .shape = MWA_MAP,
                                                MWA_COLUMNS(setting_columns),
                                                .count = circumstance_count,
                                                .row = circumstance_at };

/* --- Cartesian topologies ------------------------------------------------------------------- */

static const struct mwa_topology *topology_of(const struct mwa_cell *cell)
{
    return cell->row;
}

MWA_COUNT_BY(topology_count, parent->results->trace->topology_count)
MWA_ROW_BY(topology_at, &parent->results->trace->topologies[index])
MWA_COUNT_BY(dimension_count, topology_of(parent)->dimension_count)
MWA_ROW_BY(dimension_at, &topology_of(parent)->dimensions[index])
MWA_COUNT_BY(place_count, topology_of(parent)->place_count)
MWA_ROW_BY(place_at, &topology_of(parent)->places[index])
MWA_COUNT_BY(coordinate_count, topology_of(parent->parent)->dimension_count)
MWA_ROW_BY(coordinate_at, &((const struct mwa_coordinates *)parent->row)->at[index])
MWA_VALUE(coordinate, mwa_number(*(const uint32_t *)cell->row))
MWA_VALUE(size, mwa_number(((const struct mwa_dimension *)cell->row)->size))
MWA_VALUE(comm, mwa_text(cell->results->trace->comms[topology_of(cell)->comm].name))
MWA_VALUE(comm_uid, mwa_comm_uid(cell, topology_of(cell)->comm))

static const struct mwa_column coordinate_columns[] = { { MWA_BY(MWA_NUMBER, coordinate) } };
static const struct mwa_table coordinates = { .shape = MWA_VALUES,
                                              MWA_COLUMNS(coordinate_columns),
                                              .count = coordinate_count,
                                              .row = coordinate_at };
static const struct mwa_column place_columns[] = {
    { "rank", MWA_IN(struct mwa_coordinates, rank) },
    { "coordinates", .table = &coordinates },
};
static const struct mwa_table places = {
    MWA_COLUMNS(place_columns), .count = place_count, .row = place_at
};
static const struct mwa_column dimension_columns[] = {
    { "name", MWA_IN(struct mwa_dimension, name) },
    { "size", MWA_BY(MWA_NUMBER, size) },
    { "periodic", MWA_IN(struct mwa_dimension, is_periodic) },
};
static const struct mwa_table dimensions = {
    MWA_COLUMNS(dimension_columns), .count = dimension_count, .row = dimension_at
};
static const struct mwa_column topology_columns[] = {
    { "name", MWA_IN(struct mwa_topology, name) },
    { "comm", MWA_BY(MWA_TEXT, comm) },
    { "comm_uid", MWA_BY(MWA_TEXT, comm_uid) },
    { "dimensions", .table = &dimensions },
    { "ranks", .table = &places },
};
static const struct mwa_table topologies = {
    MWA_COLUMNS(topology_columns), .count = topology_count, .row = topology_at
};

/* --- what ranks may run on: runs of ranks that are bound alike -------------------------------- */

static const void *binding_at(const struct mwa_cell *parent, uint64_t index)
{
    const struct mwa_trace *trace = parent->results->trace;
    const struct mwa_rank *rank = &trace->ranks[index];

    return rank->affinity && (index == 0 || !mwa_are_bound_alike(rank - 1, rank)) ? rank : NULL;
}

MWA_COUNT_BY(rank_count, parent->results->trace->rank_count)
MWA_VALUE(first_rank, mwa_number(cell->index))
MWA_VALUE(last_rank, mwa_number(mwa_last_bound_alike(cell->results->trace, (uint32_t)cell->index)))

static const struct mwa_column binding_columns[] = {
    { "first_rank", MWA_BY(MWA_NUMBER, first_rank) },
    { "last_rank", MWA_BY(MWA_NUMBER, last_rank) },
    { "host", MWA_IN(struct mwa_rank, host) },
    { "cores", MWA_IN(struct mwa_rank, affinity) },
};
static const struct mwa_table bindings = {
    MWA_COLUMNS(binding_columns), .count = rank_count, .row = binding_at
};

static const struct mwa_column trace_columns[] = {
    { "program", MWA_IN(struct mwa_trace, program) },
    { "ranks", MWA_IN(struct mwa_trace, rank_count) },
    { "locations", MWA_IN(struct mwa_trace, location_count) },
    { "hosts", MWA_IN(struct mwa_trace, host_count) },
    { "communicators", MWA_IN(struct mwa_trace, comm_count) },
    { "lost_events", .unit = MWA_COUNT, MWA_IN(struct mwa_trace, lost_events) },
    { "creator", MWA_IN(struct mwa_trace, creator) },
    { "mpi_library", MWA_IN(struct mwa_trace, mpi_library), .unknown = MWA_NOT_SAID },
    { "ended", MWA_IN(struct mwa_trace, ended), .unknown = MWA_NOT_SAID },
    { "started", MWA_BY(MWA_TEXT, started), .unknown = MWA_NOT_SAID },
    { "clock", MWA_IN(struct mwa_trace, clock), .unknown = MWA_NOT_SAID },
    { "clock_error_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, clock_error), .unknown = MWA_NOT_SAID },
    { "hosts_clock_error_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, hosts_clock_error),
      .unknown = "there is one host, or its recorder did not say" },
    { "told_from_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, told_from), .unknown = "all is told" },
    { "origin", MWA_BY(MWA_TEXT, origin) },
    { "origin_timestamp", MWA_BY(MWA_NUMBER, origin_timestamp) },
    { "timestamps_per_second", MWA_BY(MWA_NUMBER, resolution) },
    { "time_unit_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, time_unit), .unknown = MWA_NOT_SAID },
    { "settings", .table = &settings },
    { "parent", MWA_BY(MWA_TEXT, parent_job),
      .unknown = "no job is known to have spawned this one" },
    { "circumstances", .table = &circumstances },
    { "bindings", .table = &bindings },
    { "topologies", .table = &topologies },
};

static const struct mwa_table trace_object = { .shape = MWA_ROW,
                                               MWA_COLUMNS(trace_columns),
                                               .row = trace_of };

/* --- of the matching ---------------------------------------------------------------------- */

MWA_WHETHER(is_matched, mwa_has(cell->results, MWA_NEED_MATCHING))
MWA_COUNT_BY(reason_count, MWA_UNMATCHED_REASONS)
MWA_ROW_BY(send_reason, &parent->results->matching.sends_without[index])
MWA_ROW_BY(receive_reason, &parent->results->matching.receives_without[index])
MWA_VALUE(reason_name, mwa_text(mwa_unmatched_reason_name((unsigned)cell->index)))
MWA_VALUE(reason_messages, mwa_number(*(const uint64_t *)cell->row))

static const struct mwa_column reason_columns[] = {
    { MWA_BY(MWA_TEXT, reason_name) }, { .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, reason_messages) }
};
static const struct mwa_table send_reasons = {
    .shape = MWA_MAP, MWA_COLUMNS(reason_columns), .count = reason_count, .row = send_reason
};
static const struct mwa_table receive_reasons = {
    .shape = MWA_MAP, MWA_COLUMNS(reason_columns), .count = reason_count, .row = receive_reason
};

#define MATCHING(member) .unit = MWA_COUNT, MWA_IN(struct mwa_matching_result, member)

static const struct mwa_column matching_columns[] = {
    { "unmatched_sends", MATCHING(unmatched_sends) },
    { "unmatched_receives", MATCHING(unmatched_receives) },
    { "clock_violations", MATCHING(clock_violations) },
    { "clock_violation_max_ns", .unit = MWA_NS,
      MWA_IN(struct mwa_matching_result, clock_violation_max_ns) },
    { "unmatched_sends_by_reason", .table = &send_reasons },
    { "unmatched_receives_by_reason", .table = &receive_reasons },
    { "other_job_sends", MATCHING(other_job_sends) },
    { "other_job_receives", MATCHING(other_job_receives) },
    { "pending_receives", MATCHING(pending_receives) },
    { "cancelled", MATCHING(cancelled) },
    { "size_mismatches", MATCHING(size_mismatches) },
};

static const struct mwa_table matching_object = { .shape = MWA_ROW,
                                                  MWA_COLUMNS(matching_columns),
                                                  .rows_at = offsetof(struct mwa_results, matching),
                                                  .is_known = is_matched };

/* --- of the controlled logical clock ------------------------------------------------------- */

MWA_WHETHER(is_moved, cell->results->trace->clocks != NULL)
MWA_ROW_BY(clocks_of, parent->results->trace->clocks)

#define SHIFT(type, of)                                                                            \
    { "offset_ns", .unit = MWA_NS, MWA_IN(type, of offset_ns) },                                   \
    { "jumps", .unit = MWA_COUNT, MWA_IN(type, of jumps) },                                        \
    { "events_moved", .unit = MWA_COUNT, MWA_IN(type, of events) },                                \
    { "shift_mean_ns", .unit = MWA_NS, MWA_IN(type, of mean_ns) },                                 \
    { "shift_max_ns", .unit = MWA_NS, MWA_IN(type, of max_ns) },                                   \
    { "interval_change_max_ns", .unit = MWA_NS, MWA_IN(type, of interval_max_ns) }

static const struct mwa_column host_columns[] = {
    { "host", MWA_IN(struct mwa_host_shift, host) }, SHIFT(struct mwa_host_shift, )
};
static const struct mwa_table moved_hosts = {
    MWA_COLUMNS(host_columns), MWA_ROWS(struct mwa_logical_clocks, hosts, host_count)
};

#define CLOCKS(member) MWA_IN(struct mwa_logical_clocks, member)

static const struct mwa_column clock_columns[] = {
    { "violations_before", .unit = MWA_COUNT, CLOCKS(before.messages) },
    { "violation_max_before_ns", .unit = MWA_NS, CLOCKS(before.messages_max_ns) },
    { "probe_violations_before", .unit = MWA_COUNT, CLOCKS(before.probes) },
    { "probe_violation_max_before_ns", .unit = MWA_NS, CLOCKS(before.probes_max_ns) },
    { "collective_violations_before", .unit = MWA_COUNT, CLOCKS(before.collectives) },
    { "collective_violation_max_before_ns", .unit = MWA_NS, CLOCKS(before.collectives_max_ns) },
    { "violations_after", .unit = MWA_COUNT, CLOCKS(after.messages) },
    { "probe_violations_after", .unit = MWA_COUNT, CLOCKS(after.probes) },
    { "collective_violations_after", .unit = MWA_COUNT, CLOCKS(after.collectives) },
    { "rounds", CLOCKS(rounds) },
    SHIFT(struct mwa_logical_clocks, all.),
    { "hosts", .table = &moved_hosts },
};

static const struct mwa_table clock_object = {
    .shape = MWA_ROW, MWA_COLUMNS(clock_columns), .row = clocks_of
};

/* Who did not ask for it reads no key. */
static const struct mwa_column clock_keys[] = { { "clc", .table = &clock_object } };
static const struct mwa_table clock_part = {
    .shape = MWA_ROW, MWA_COLUMNS(clock_keys), .row = trace_of, .is_known = is_moved
};

/* --- the document ------------------------------------------------------------------------- */

MWA_VALUE(complete, mwa_flag(mwa_is_complete(cell->results)))
MWA_VALUE(duration, mwa_number(mwa_duration_ns(cell->results)))

static const struct mwa_column document[] = {
    { .table = &trace_object },
    { "events", .unit = MWA_COUNT, MWA_IN(struct mwa_results, pass.events) },
    { "complete", MWA_BY(MWA_FLAG, complete) },
    { "duration_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, duration) },
    { "mpi_calls", .unit = MWA_COUNT, MWA_IN(struct mwa_results, profile.mpi_calls) },
    { "open_calls", .unit = MWA_COUNT, MWA_IN(struct mwa_results, profile.open_calls) },
    { .table = &matching_object },
    { .table = &clock_part },
};

const struct mwa_table mwa_info_document = { .shape = MWA_ROW,
                                             .schema = "mpiwatch-info/1",
                                             MWA_COLUMNS(document) };
