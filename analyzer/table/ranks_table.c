/* A row for each rank. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/analysis/results.h"
#include "analyzer/model/text_stream.h"
#include "analyzer/table/tables.h"

static const struct mwa_rank *rank_of(const struct mwa_cell *cell)
{
    return &cell->results->trace->ranks[cell->index];
}

MWA_VALUE(host, mwa_text(rank_of(cell)->host))
MWA_VALUE(pid, mwa_number_if(rank_of(cell)->pid >= 0, (uint64_t)rank_of(cell)->pid))
MWA_VALUE_OF(mpi_share, struct mwa_rank_row, mwa_share(row->mpi_ns, row->run_ns))
MWA_VALUE(locations, mwa_number(rank_of(cell)->locations))
MWA_VALUE(lost, mwa_number(rank_of(cell)->lost))
MWA_WHETHER(has_events, ((const struct mwa_rank_row *)cell->row)->has_events)
MWA_VALUE(complete, mwa_flag(!rank_of(cell)->incomplete && has_events(cell)))

static const char *missing(const struct mwa_cell *cell)
{
    return !has_events(cell) ? "no events" : rank_of(cell)->incomplete ? "incomplete" : NULL;
}

/* "at 0,2 of grid", for each topology that the rank is in. */
static void put_coordinates(const struct mwa_cell *cell, FILE *out)
{
    const struct mwa_trace *trace = cell->results->trace;

    for (uint64_t i = 0; i < trace->topology_count; i++) {
        const struct mwa_topology *topology = &trace->topologies[i];
        const struct mwa_coordinates *place =
            mwa_trace_coordinates(topology, (uint32_t)cell->index);

        for (uint32_t k = 0; place && k < topology->dimension_count; k++) {
            fprintf(out, "%s%" PRIu32, k > 0 ? "," : ftell(out) > 0 ? "; at " : "at ",
                    place->at[k]);
        }
        if (place && *topology->name) {
            fprintf(out, " of %s", topology->name);
        }
    }
}

/* What is missing of the rank, and where it is. */
static struct mwa_value note(const struct mwa_cell *cell)
{
    const char *lack = missing(cell);
    char *text = NULL;
    size_t length = 0;
    FILE *out = cell->results->trace->topology_count > 0 ? mwa_open_text(&text, &length) : NULL;

    if (!out) {
        return mwa_text(lack);
    }
    fputs(lack ? lack : "", out);
    put_coordinates(cell, out);
    if (fclose(out) == 0 && length > 0) {
        return mwa_owned_text(text);
    }
    free(text);
    return mwa_nothing();
}

/* Where the archive tells whether ranks ran. */
#define RUNNING(name, member)                                                                      \
    MWA_VALUE_OF(name, struct mwa_rank_row,                                                        \
                 mwa_number_if(row->running.is_known, row->running.member))
RUNNING(off_core, outside_ns)
RUNNING(no_core, outside_no_core_ns)
RUNNING(mpi_off_core, inside_ns)
RUNNING(mpi_no_core, inside_no_core_ns)
RUNNING(voluntary, voluntary)
RUNNING(involuntary, involuntary)
RUNNING(minor_faults, minor_faults)
RUNNING(major_faults, major_faults)
MWA_VALUE_OF(threads, struct mwa_rank_row,
             mwa_number_if(row->running.tells_threads, row->running.threads_ns))
MWA_VALUE_OF(written, struct mwa_rank_row,
             mwa_number_if(row->running.tells_written, row->running.written))
MWA_VALUE_OF(writing, struct mwa_rank_row,
             mwa_number_if(row->running.tells_written, row->running.writing_ns))
MWA_VALUE_OF(writing_most, struct mwa_rank_row,
             mwa_number_if(row->running.tells_written, row->running.writing_most_ns))
MWA_VALUE_OF(write_bytes, struct mwa_rank_row,
             mwa_number_if(row->running.tells_written, row->running.write_bytes))
MWA_VALUE_OF(write_calls, struct mwa_rank_row,
             mwa_number_if(row->running.tells_written, row->running.write_calls))
MWA_VALUE_OF(read, struct mwa_rank_row,
             mwa_number_if(row->running.tells_read, row->running.read))
MWA_VALUE_OF(reading, struct mwa_rank_row,
             mwa_number_if(row->running.tells_read, row->running.reading_ns))
MWA_VALUE_OF(in_kernel, struct mwa_rank_row,
             mwa_number_if(row->running.tells_system, row->running.system_ns))
MWA_VALUE_OF(resident, struct mwa_rank_row,
             mwa_number_if(row->running.resident > 0, row->running.resident))

/* The call before which it was off its core most, and where that is made. */
static const struct mwa_rank_running *off(const struct mwa_cell *cell)
{
    return &((const struct mwa_rank_row *)cell->row)->running;
}

static struct mwa_value off_core_before(const struct mwa_cell *cell)
{
    const struct mwa_trace *trace = cell->results->trace;

    return mwa_text(off(cell)->before_ns > 0
                        ? trace->regions[trace->sites[off(cell)->before].region].name
                        : NULL);
}

MWA_VALUE(off_core_place, off(cell)->before_ns > 0 ? mwa_main_place_value(cell, off(cell)->before)
          : mwa_nothing())

#define NOT_TOLD MWA_NO_CORE ", or it is a part of the run"
#define NOT_READ "the archive does not say what ranks read, or it is a part of the run"
#define NOT_WRITTEN "the archive does not say what ranks write, or it is a part of the run"

static const struct mwa_column columns[] = {
    { "rank", "rank", 6, MWA_PLAIN, MWA_IN(struct mwa_rank_row, rank) },
    { "host", "host", 24, MWA_PLAIN, MWA_BY(MWA_TEXT, host) },
    { "pid", "pid", 8, MWA_PLAIN, MWA_BY(MWA_NUMBER, pid), .place = MWA_ON_SCREEN,
      .unknown = MWA_NOT_SAID, .aside = 7 },
    { "mpi_ns", "mpi", 9, MWA_NS, MWA_IN(struct mwa_rank_row, mpi_ns) },
    { NULL, "of run", 6, MWA_SHARE, MWA_BY(MWA_REAL, mpi_share) },
    { "useful_ns", "useful", 9, MWA_NS, MWA_IN(struct mwa_rank_row, useful_ns) },
    { "calls", "calls", 7, MWA_COUNT, MWA_IN(struct mwa_rank_row, calls), .aside = 6 },
    { "bytes_sent", "sent", 8, MWA_BYTES, MWA_IN(struct mwa_rank_row, bytes_sent), .aside = 4 },
    { "bytes_received", "received", 8, MWA_BYTES, MWA_IN(struct mwa_rank_row, bytes_received),
      .aside = 5 },
    { "run_ns", "run", 9, MWA_NS, MWA_IN(struct mwa_rank_row, run_ns), .place = MWA_ON_PAGE },
    { "locations", .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, locations) },
    { "lost", .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, lost) },
    { "complete", MWA_BY(MWA_FLAG, complete) },
    { "outside_ns", .unit = MWA_NS, MWA_IN(struct mwa_rank_row, outside_ns) },
    { "off_core_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, off_core),
      .unknown = NOT_TOLD },
    { "no_core_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, no_core),
      .unknown = NOT_TOLD },
    { "mpi_off_core_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, mpi_off_core),
      .unknown = NOT_TOLD },
    { "mpi_no_core_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, mpi_no_core),
      .unknown = NOT_TOLD },
    { "off_core_before", MWA_BY(MWA_TEXT, off_core_before),
      .unknown = "it always ran, or the archive does not say" },
    { "off_core_place", MWA_BY(MWA_TEXT, off_core_place),
      .unknown = "it always ran, or the archive does not say where" },
    { "voluntary_switches", .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, voluntary),
      .unknown = NOT_TOLD },
    { "involuntary_switches", .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, involuntary),
      .unknown = NOT_TOLD },
    { "minor_faults", .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, minor_faults),
      .unknown = NOT_TOLD },
    { "major_faults", .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, major_faults),
      .unknown = NOT_TOLD },
    { "resident_bytes", .unit = MWA_BYTES, MWA_BY(MWA_NUMBER, resident),
      .unknown = NOT_TOLD },
    { "other_threads_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, threads),
      .unknown = "the archive does not say how long other threads ran, or it is a part of the "
                 "run" },
    { "written_bytes", .unit = MWA_BYTES, MWA_BY(MWA_NUMBER, written), .unknown = NOT_WRITTEN },
    { "writing_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, writing), .unknown = NOT_WRITTEN },
    { "writing_most_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, writing_most),
      .unknown = NOT_WRITTEN },
    { "process_write_bytes", .unit = MWA_BYTES, MWA_BY(MWA_NUMBER, write_bytes),
      .unknown = NOT_WRITTEN },
    { "process_write_calls", .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, write_calls),
      .unknown = NOT_WRITTEN },
    { "system_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, in_kernel),
      .unknown = "the archive does not say when ranks are in the kernel, or it is a part of the "
                 "run" },
    { "read_bytes", .unit = MWA_BYTES, MWA_BY(MWA_NUMBER, read), .unknown = NOT_READ },
    { "reading_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, reading), .unknown = NOT_READ },
    { "io_ns", .unit = MWA_NS, MWA_IN(struct mwa_rank_row, io_ns),
      .unknown = "communicators are selected" },
    { "with_other_jobs_ns", .unit = MWA_NS, MWA_IN(struct mwa_rank_row, across_ns) },
    { NULL, "", MWA_BY(MWA_TEXT, note), .nothing = "" },
};

const struct mwa_table mwa_ranks_table = {
    MWA_COLUMNS(columns),
    MWA_ROWS(struct mwa_results, profile.ranks, profile.rank_count),
    .none = "no MPI ranks: the archive defines no process",
    .note = "mpi is of the rank's run, from MPI_Init to MPI_Finalize on its main thread",
};

/* What the system tells of them: these numbers stand beside variables, too. */
static const struct mwa_column system_columns[] = {
    { NULL, "rank", 6, MWA_PLAIN, MWA_IN(struct mwa_rank_row, rank) },
    { NULL, "off core", 9, MWA_NS, MWA_BY(MWA_NUMBER, off_core) },
    { NULL, "no core", 9, MWA_NS, MWA_BY(MWA_NUMBER, no_core) },
    { NULL, "in kernel", 9, MWA_NS, MWA_BY(MWA_NUMBER, in_kernel) },
    { NULL, "switches, own", 9, MWA_COUNT, MWA_BY(MWA_NUMBER, voluntary) },
    { NULL, "forced", 9, MWA_COUNT, MWA_BY(MWA_NUMBER, involuntary) },
    { NULL, "minor faults", 9, MWA_COUNT, MWA_BY(MWA_NUMBER, minor_faults) },
    { NULL, "major", 9, MWA_COUNT, MWA_BY(MWA_NUMBER, major_faults) },
    { NULL, "memory", 9, MWA_BYTES, MWA_BY(MWA_NUMBER, resident) },
    { NULL, "written", 9, MWA_BYTES, MWA_BY(MWA_NUMBER, written) },
    { NULL, "for about", 9, MWA_NS, MWA_BY(MWA_NUMBER, writing) },
    { NULL, "at most", 9, MWA_NS, MWA_BY(MWA_NUMBER, writing_most) },
    { NULL, "read", 9, MWA_BYTES, MWA_BY(MWA_NUMBER, read) },
    { NULL, "for about", 9, MWA_NS, MWA_BY(MWA_NUMBER, reading) },
};

const struct mwa_table mwa_ranks_system_table = {
    MWA_COLUMNS(system_columns),
    MWA_ROWS(struct mwa_results, profile.ranks, profile.rank_count),
};

/* When they were off their cores, for the screen. */
MWA_VALUE_OF(asleep, struct mwa_rank_row,
             mwa_number_if(row->running.is_known, mwa_asleep_ns(&row->running)))
MWA_VALUE_OF(mpi_asleep, struct mwa_rank_row,
             mwa_number_if(row->running.is_known, mwa_mpi_asleep_ns(&row->running)))
MWA_VALUE(off_core_call,
          off(cell)->before_ns > 0 ? mwa_main_call_at_value(cell, off(cell)->before)
          : mwa_nothing())

static const struct mwa_column off_core_columns[] = {
    { NULL, "rank", 6, MWA_PLAIN, MWA_IN(struct mwa_rank_row, rank) },
    { NULL, "asleep", 9, MWA_NS, MWA_BY(MWA_NUMBER, asleep) },
    { NULL, "no core", 9, MWA_NS, MWA_BY(MWA_NUMBER, no_core) },
    { NULL, "mpi: asleep", 11, MWA_NS, MWA_BY(MWA_NUMBER, mpi_asleep) },
    { NULL, "no core", 9, MWA_NS, MWA_BY(MWA_NUMBER, mpi_no_core) },
    { NULL, "outside mostly before", .kind = MWA_TEXT, .value = off_core_call },
};

const struct mwa_table mwa_ranks_off_core_table = {
    MWA_COLUMNS(off_core_columns),
    MWA_ROWS(struct mwa_results, profile.ranks, profile.rank_count),
    .note = "asleep, or without a core: outside of mpi and inside",
};

/* What they wrote to files, for the screen. */
MWA_VALUE(writing_call,
          off(cell)->written_before > 0 ? mwa_main_call_at_value(cell, off(cell)->writing_before)
          : mwa_nothing())

static const struct mwa_column written_columns[] = {
    { NULL, "rank", 6, MWA_PLAIN, MWA_IN(struct mwa_rank_row, rank) },
    { NULL, "written", 9, MWA_BYTES, MWA_BY(MWA_NUMBER, written) },
    { NULL, "for about", 9, MWA_NS, MWA_BY(MWA_NUMBER, writing) },
    { NULL, "at most", 9, MWA_NS, MWA_BY(MWA_NUMBER, writing_most) },
    { NULL, "mostly before", .kind = MWA_TEXT, .value = writing_call },
};

const struct mwa_table mwa_ranks_written_table = {
    MWA_COLUMNS(written_columns),
    MWA_ROWS(struct mwa_results, profile.ranks, profile.rank_count),
    .note = "to files, outside of mpi: from copied as it is to made text",
};

/* What they read, for the screen. */
MWA_VALUE(reading_call,
          off(cell)->read_before > 0 ? mwa_main_call_at_value(cell, off(cell)->reading_before)
          : mwa_nothing())

static const struct mwa_column read_columns[] = {
    { NULL, "rank", 6, MWA_PLAIN, MWA_IN(struct mwa_rank_row, rank) },
    { NULL, "read", 9, MWA_BYTES, MWA_BY(MWA_NUMBER, read) },
    { NULL, "for about", 9, MWA_NS, MWA_BY(MWA_NUMBER, reading) },
    { NULL, "mostly before", .kind = MWA_TEXT, .value = reading_call },
};

const struct mwa_table mwa_ranks_read_table = {
    MWA_COLUMNS(read_columns),
    MWA_ROWS(struct mwa_results, profile.ranks, profile.rank_count),
    .note = "from files, outside of mpi: if what was read in small pieces was text",
};

/* What they did in the kernel, for the screen. */
MWA_VALUE(kernel_call,
          off(cell)->system_before_ns > 0
              ? mwa_main_call_at_value(cell, off(cell)->system_before)
              : mwa_nothing())

static const struct mwa_column kernel_columns[] = {
    { NULL, "rank", 6, MWA_PLAIN, MWA_IN(struct mwa_rank_row, rank) },
    { NULL, "in kernel", 9, MWA_NS, MWA_BY(MWA_NUMBER, in_kernel) },
    { NULL, "faults", 9, MWA_COUNT, MWA_BY(MWA_NUMBER, minor_faults) },
    { NULL, "major", 9, MWA_COUNT, MWA_BY(MWA_NUMBER, major_faults) },
    { NULL, "mostly before", .kind = MWA_TEXT, .value = kernel_call },
};

const struct mwa_table mwa_ranks_kernel_table = {
    MWA_COLUMNS(kernel_columns),
    MWA_ROWS(struct mwa_results, profile.ranks, profile.rank_count),
    .note = "in the kernel on a core, outside of mpi, about; page faults of all the record",
};

static const struct mwa_column document[] = {
    { "ranks", .table = &mwa_ranks_table },
    { "hosts", .table = &mwa_hosts_table },
    { "clusters", .table = &mwa_clusters_table },
};

const struct mwa_table mwa_ranks_document = { .shape = MWA_ROW,
                                              .schema = "mpiwatch-ranks/1",
                                              MWA_COLUMNS(document) };
