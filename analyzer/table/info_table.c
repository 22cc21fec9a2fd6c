/* What an archive is, and how far it can be trusted. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/table/tables.h"

/* --- of the trace ------------------------------------------------------------------------- */

static const void *trace_of(const struct mwa_cell *parent, uint64_t index)
{
    (void)index;
    return parent->results->trace;
}

static struct mwa_value started(const struct mwa_cell *cell)
{
    char text[MWA_STARTED_BYTES];
    const char *known = mwa_started(cell->results->trace, text);

    return mwa_owned_text(known ? strdup(known) : NULL);
}

static struct mwa_value parent_job(const struct mwa_cell *cell)
{
    return mwa_text(mwa_trace_setting(cell->results->trace, "parent"));
}

static uint64_t setting_count(const struct mwa_cell *parent)
{
    return parent->results->trace->setting_count / 2;
}

static const void *setting_at(const struct mwa_cell *parent, uint64_t index)
{
    return &parent->results->trace->settings[2 * index];
}

static struct mwa_value setting_name(const struct mwa_cell *cell)
{
    return mwa_text(((const char *const *)cell->row)[0]);
}

static struct mwa_value setting_value(const struct mwa_cell *cell)
{
    return mwa_text(((const char *const *)cell->row)[1]);
}

static const struct mwa_column setting_columns[] = { { MWA_BY(MWA_TEXT, setting_name) },
                                                     { MWA_BY(MWA_TEXT, setting_value) } };
static const struct mwa_sheet settings = { .shape = MWA_MAP,
                                           MWA_COLUMNS(setting_columns),
                                           .count = setting_count,
                                           .row = setting_at };

static const struct mwa_column trace_columns[] = {
    { "program", MWA_IN(struct mwa_trace, program) },
    { "ranks", MWA_IN(struct mwa_trace, rank_count) },
    { "locations", MWA_IN(struct mwa_trace, location_count) },
    { "hosts", MWA_IN(struct mwa_trace, host_count) },
    { "communicators", MWA_IN(struct mwa_trace, comm_count) },
    { "lost_events", .unit = MWA_COUNT, MWA_IN(struct mwa_trace, lost_events) },
    { "creator", MWA_IN(struct mwa_trace, creator) },
    { "mpi_library", MWA_IN(struct mwa_trace, mpi_library) },
    { "ended", MWA_IN(struct mwa_trace, ended) },
    { "started", MWA_BY(MWA_TEXT, started) },
    { "settings", .table = &settings },
    { "parent", MWA_BY(MWA_TEXT, parent_job) },
};

static const struct mwa_sheet trace_object = { .shape = MWA_ROW,
                                               MWA_COLUMNS(trace_columns),
                                               .row = trace_of };

/* --- of the matching ---------------------------------------------------------------------- */

static bool is_matched(const struct mwa_cell *parent)
{
    return mwa_has(parent->results, MWA_NEED_MATCHING);
}

static uint64_t reason_count(const struct mwa_cell *parent)
{
    (void)parent;
    return MWA_UNMATCHED_REASONS;
}

static const void *send_reason(const struct mwa_cell *parent, uint64_t index)
{
    return &parent->results->matching.sends_without[index];
}

static const void *receive_reason(const struct mwa_cell *parent, uint64_t index)
{
    return &parent->results->matching.receives_without[index];
}

static struct mwa_value reason_name(const struct mwa_cell *cell)
{
    return mwa_text(mwa_unmatched_reason_name((unsigned)cell->index));
}

static struct mwa_value reason_messages(const struct mwa_cell *cell)
{
    return mwa_number(*(const uint64_t *)cell->row);
}

static const struct mwa_column reason_columns[] = {
    { MWA_BY(MWA_TEXT, reason_name) }, { .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, reason_messages) }
};
static const struct mwa_sheet send_reasons = {
    .shape = MWA_MAP, MWA_COLUMNS(reason_columns), .count = reason_count, .row = send_reason
};
static const struct mwa_sheet receive_reasons = {
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

static const struct mwa_sheet matching_object = { .shape = MWA_ROW,
                                                  MWA_COLUMNS(matching_columns),
                                                  .rows_at = offsetof(struct mwa_results, matching),
                                                  .is_known = is_matched };

/* --- the document ------------------------------------------------------------------------- */

static struct mwa_value complete(const struct mwa_cell *cell)
{
    return mwa_flag(mwa_is_complete(cell->results));
}

static struct mwa_value duration(const struct mwa_cell *cell)
{
    return mwa_number(mwa_duration_ns(cell->results));
}

static const struct mwa_column document[] = {
    { .table = &trace_object },
    { "events", .unit = MWA_COUNT, MWA_IN(struct mwa_results, pass.events) },
    { "complete", MWA_BY(MWA_FLAG, complete) },
    { "duration_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, duration) },
    { "mpi_calls", .unit = MWA_COUNT, MWA_IN(struct mwa_results, profile.mpi_calls) },
    { "open_calls", .unit = MWA_COUNT, MWA_IN(struct mwa_results, profile.open_calls) },
    { .table = &matching_object },
};

const struct mwa_sheet mwa_info_document = { .shape = MWA_ROW,
                                             .schema = "mpiwatch-info/1",
                                             MWA_COLUMNS(document) };
