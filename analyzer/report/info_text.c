/* What an archive is, line by line: there is one of each, so that it is no table. */
#include "analyzer/report/text.h"

#include <inttypes.h>
#include <string.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/model/logical_clock.h"
#include "analyzer/report/recorded_on.h"
#include "analyzer/report/settings_text.h"
#include "analyzer/report/trust_line.h"
#include "analyzer/table/clean.h"
#include "analyzer/table/tables.h"
#include "analyzer/table/units.h"

/* Of several lines of a kind the others may have no name. */
static void info_line(const char *name, const char *value, FILE *out)
{
    fprintf(out, "%-20s ", name);
    mwa_put_clean(value, out);
    putc('\n', out);
}

static void info_text(const char *name, const char *value, FILE *out)
{
    if (value && value[0]) {
        info_line(name, value, out);
    }
}

static void info_number(const char *name, uint64_t value, FILE *out)
{
    fprintf(out, "%-20s %" PRIu64 "\n", name, value);
}

/* "12 (3 paused, 9 unknown)" */
static void info_unmatched(const char *name, uint64_t total, const uint64_t *counts, FILE *out)
{
    const char *before = " (";

    fprintf(out, "%-20s %" PRIu64, name, total);
    for (unsigned i = 0; i < MWA_UNMATCHED_REASONS; i++) {
        if (counts[i] > 0) {
            fprintf(out, "%s%" PRIu64 " %s", before, counts[i], mwa_unmatched_reason_name(i));
            before = ", ";
        }
    }
    fprintf(out, "%s\n", before[0] == ',' ? ")" : "");
}

static void info_matching(const struct mwa_results *results, FILE *out)
{
    const struct mwa_matching_result *matching = &results->matching;
    char text[MWA_UNITS_BYTES];

    info_number("messages", matching->sends, out);
    info_unmatched("unmatched sends", matching->unmatched_sends, matching->sends_without, out);
    info_unmatched("unmatched receives", matching->unmatched_receives, matching->receives_without,
                   out);
    if (matching->other_job_sends + matching->other_job_receives > 0) {
        info_number("sent to other jobs", matching->other_job_sends, out);
        info_number("received from others", matching->other_job_receives, out);
    }
    info_number("pending receives", matching->pending_receives, out);
    info_number("cancelled", matching->cancelled, out);
    fprintf(out, "%-20s %" PRIu64, "clock violations", matching->clock_violations);
    if (matching->clock_violations > 0) {
        fprintf(out, " (up to %s%s)", mwa_time_text(matching->clock_violation_max_ns, text),
                mwa_or_mismatched(results));
    }
    putc('\n', out);
    if (matching->size_mismatches > 0) {
        info_number("size mismatches", matching->size_mismatches, out);
    }
}

static void info_clock(const struct mwa_trace *trace, FILE *out)
{
    char text[MWA_UNITS_BYTES];

    if (trace->clock) {
        fprintf(out, "%-20s ", "clock");
        mwa_put_clean(trace->clock, out);
        if (trace->clock_error_ns > 0) {
            fprintf(out, ", within %s of CLOCK_MONOTONIC",
                    mwa_time_text(trace->clock_error_ns, text));
        }
        if (mwa_trace_time_unit(trace) > 1) {
            fprintf(out, ", told in units of %s", mwa_time_text(mwa_trace_time_unit(trace), text));
        }
        putc('\n', out);
    }
    if (trace->hosts_clock_error_ns > 0) {
        fprintf(out, "%-20s within %s of rank 0's\n", "hosts' clocks",
                mwa_time_text(trace->hosts_clock_error_ns, text));
    }
}

static void info_shift(const char *what, const struct mwa_host_shift *shift, FILE *out)
{
    char text[3][MWA_UNITS_BYTES];

    fprintf(out, "%-20s ", what);
    mwa_put_clean(shift->host ? shift->host : "", out);
    fprintf(out, "%s%" PRIu64 " events by %s on average, %s at most, intervals by %s",
            shift->host ? ": " : "", shift->events, mwa_time_text(shift->mean_ns, text[0]),
            mwa_time_text(shift->max_ns, text[1]), mwa_time_text(shift->interval_max_ns, text[2]));
    if (shift->offset_ns > 0 && shift->host) {
        fprintf(out, "; throughout by %s", mwa_time_text(shift->offset_ns, text[0]));
    }
    putc('\n', out);
}

static void info_too_early(const char *what, uint64_t before, uint64_t by_ns, uint64_t after,
                           FILE *out)
{
    char text[MWA_UNITS_BYTES];

    fprintf(out, "%-20s %" PRIu64, what, before);
    if (before > 0) {
        fprintf(out, " (up to %s), with --clc %" PRIu64, mwa_time_text(by_ns, text), after);
    }
    putc('\n', out);
}

/* What the controlled logical clock changed. */
static void info_clocks(const struct mwa_logical_clocks *clocks, FILE *out)
{
    info_too_early("received too early", clocks->before.messages, clocks->before.messages_max_ns,
                   clocks->after.messages, out);
    if (clocks->before.probes > 0) {
        info_too_early("probes left so", clocks->before.probes, clocks->before.probes_max_ns,
                       clocks->after.probes, out);
    }
    info_too_early("collectives left so", clocks->before.collectives,
                   clocks->before.collectives_max_ns, clocks->after.collectives, out);
    info_shift("moved", &clocks->all, out);
    for (uint64_t i = 0; clocks->host_count > 1 && i < clocks->host_count; i++) {
        if (clocks->hosts[i].events > 0) {
            info_shift("moved on", &clocks->hosts[i], out);
        }
    }
}

/* "grid: x 2 (periodic), y 3; of MPI_COMM_WORLD" */
static void info_topology(const struct mwa_trace *trace, const struct mwa_topology *topology,
                          FILE *out)
{
    const char *comm = trace->comms[topology->comm].name;

    fprintf(out, "%-20s ", "topology");
    mwa_put_clean(topology->name, out);
    for (uint32_t i = 0; i < topology->dimension_count; i++) {
        const struct mwa_dimension *dimension = &topology->dimensions[i];

        fputs(i > 0 ? ", " : *topology->name ? ": " : "", out);
        mwa_put_clean(dimension->name, out);
        fprintf(out, "%s%" PRIu32 "%s", *dimension->name ? " " : "", dimension->size,
                dimension->is_periodic ? " (periodic)" : "");
    }
    fputs(*comm ? "; of " : "", out);
    mwa_put_clean(comm, out);
    putc('\n', out);
}

/* Those that are as by default are counted: their values, and their list, are in the JSON. */
static void info_settings(const struct mwa_trace *trace, FILE *out)
{
    uint64_t defaults = 0;

    for (uint64_t i = 0; i + 1 < trace->setting_count; i += 2) {
        if (mwa_setting_is_default(trace, trace->settings[i])) {
            defaults++;
        } else if (strcmp(trace->settings[i], "defaults") != 0) {
            fprintf(out, "%-20s ", "setting");
            mwa_put_clean(trace->settings[i], out);
            putc('=', out);
            mwa_put_clean(trace->settings[i + 1], out);
            putc('\n', out);
        }
    }
    if (defaults > 0) {
        fprintf(out, "%-20s %" PRIu64 " more, as by default: info --json\n", "setting", defaults);
    }
}

void mwa_text_info(const struct mwa_results *results, const struct mwa_screen *screen,
                   FILE *out)
{
    const struct mwa_trace *trace = results->trace;
    const bool is_read = mwa_has(results, MWA_NEED_PROFILE);
    char text[MWA_UNITS_BYTES];
    char started[MWA_STARTED_BYTES];
    struct mwa_line ended = { .length = 0 };

    info_text("archive", results->path, out);
    info_text("program", trace->program, out);
    info_text("started", mwa_started(trace, started), out);
    info_text("written by", trace->creator, out);
    info_text("MPI", trace->mpi_library, out);
    mwa_add_ended(results, &ended);
    info_text("ended", ended.text, out);
    info_text("spawned by", mwa_trace_setting(trace, "parent"), out);
    info_number("ranks", trace->rank_count, out);
    info_number("hosts", trace->host_count, out);
    info_number("locations", trace->location_count, out);
    info_number("communicators", trace->comm_count, out);
    for (uint64_t i = 0; i < trace->topology_count; i++) {
        info_topology(trace, &trace->topologies[i], out);
    }
    if (mwa_knows_duration(results)) {
        info_text("duration", mwa_time_text(mwa_duration_ns(results), text), out);
    }
    info_clock(trace, out);
    info_number("events", results->pass.events, out);
    if (is_read) {
        info_number("MPI calls", results->profile.mpi_calls, out);
    }
    info_number("lost events", trace->lost_events, out);
    if (mwa_has(results, MWA_NEED_MATCHING)) {
        info_matching(results, out);
    }
    if (trace->clocks) {
        info_clocks(trace->clocks, out);
    }
    if (is_read) {
        info_number("open calls", results->profile.open_calls, out);
    }
    info_text("complete",
              !mwa_is_complete(results) ? "no"
              : is_read                 ? "yes"
                                        : "yes, by its definitions; its events were not read", out);
    mwa_recorded_on(trace, info_line, out);
    info_settings(trace, out);
    if (!is_read) {
        info_text("not read", "MPI calls, messages, clock violations: info --full", out);
    }
}

static void put_files(const char *what, uint64_t bytes, uint64_t stored, FILE *out)
{
    char text[2][MWA_UNITS_BYTES];

    fprintf(out, "%-12s %10s, %10s in the archive\n", what, mwa_bytes_text(bytes, text[0]),
            mwa_bytes_text(stored, text[1]));
}

void mwa_text_record_sizes(const struct mwa_results *results, const struct mwa_screen *screen,
                           FILE *out)
{
    const struct mwa_record_sizes *sizes = &results->record_sizes;
    const struct mwa_cell root = { .results = results, .row = results };
    char text[MWA_UNITS_BYTES];

    put_files("events", sizes->event_bytes, sizes->event_stored_bytes, out);
    put_files("the rest", sizes->other_bytes, sizes->other_stored_bytes, out);
    putc('\n', out);
    mwa_table_text(&mwa_record_sizes_table, &root, UINT64_MAX, NULL, out);
    fprintf(out, "bytes before they are compressed; %s are heads of chunks and their unused ends\n",
            mwa_bytes_text(sizes->rest_bytes, text));
}
