#include "analyzer/validate/validate.h"

#include "analyzer/analysis/collect.h"
#include "analyzer/analysis/summary.h"
#include "analyzer/validate/comm_lives.h"
#include "analyzer/validate/container.h"
#include "analyzer/validate/defined.h"
#include "analyzer/validate/described.h"
#include "analyzer/validate/events.h"

/* The files, opened by themselves: the definitions may be unreadable. */
static bool check_files(const char *path, struct mwa_findings *findings,
                        struct mwa_validated *validated)
{
    struct mw_diagnostic diagnostic = { 0 };
    struct mwa_files *files = NULL;

    if (mwa_files_open(path, &files, &diagnostic) != MW_OK) {
        mwa_findings_add_failure(findings, &diagnostic);
        return false;
    }
    mwa_files_place(files, "", findings->root, sizeof findings->root);
    validated->members = mwa_files_zip(files) ? mwa_zip_count(mwa_files_zip(files)) : 0;
    mwa_check_container(files, findings);
    mwa_files_close(files);
    return true;
}

/* What the archive says of its own gaps. */
static void tell_gaps(const struct mwa_results *results, struct mwa_findings *findings)
{
    const struct mwa_trace *trace = results->trace;
    const char *json = trace->has_metadata ? "mpiwatch.json" : "";

    for (uint64_t i = 0; i < trace->rank_count; i++) {
        if (trace->ranks[i].incomplete) {
            mwa_findings_add(findings, MWA_INCOMPLETE, json, MW_DIAGNOSTIC_OFFSET_NONE,
                             "rank %llu is incomplete", (unsigned long long)i);
        } else if (!results->profile.ranks[i].has_events) {
            mwa_findings_add(findings, MWA_INCOMPLETE, json, MW_DIAGNOSTIC_OFFSET_NONE,
                             "rank %llu has no events", (unsigned long long)i);
        }
        if (trace->ranks[i].lost > 0) {
            mwa_findings_add(findings, MWA_INCOMPLETE, json, MW_DIAGNOSTIC_OFFSET_NONE,
                             "rank %llu lost %llu events", (unsigned long long)i,
                             (unsigned long long)trace->ranks[i].lost);
        }
    }
    if (trace->ranks_expected > trace->rank_count) {
        mwa_findings_add(findings, MWA_INCOMPLETE, json, MW_DIAGNOSTIC_OFFSET_NONE,
                         "%llu of %llu ranks are in it", (unsigned long long)trace->rank_count,
                         (unsigned long long)trace->ranks_expected);
    }
    if (results->profile.open_calls > 0) {
        mwa_findings_add(findings, MWA_INCOMPLETE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                         "locations that end inside an MPI call: %llu",
                         (unsigned long long)results->profile.open_calls);
    }
    if (findings->by_severity[MWA_INCOMPLETE] == 0 && !mwa_is_complete(results)) {
        mwa_findings_add(findings, MWA_INCOMPLETE, json, MW_DIAGNOSTIC_OFFSET_NONE,
                         "the archive says that it is incomplete");
    }
}

/* Messages may be without a partner in the best of archives: that is the program's doing. */
static void tell_matching(const struct mwa_matching_result *matching,
                          struct mwa_findings *findings)
{
    for (unsigned i = 0; i < MWA_UNMATCHED_REASONS; i++) {
        if (matching->sends_without[i] + matching->receives_without[i] > 0) {
            mwa_findings_add(findings, MWA_NOTE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                             "%llu sends and %llu receives have no partner (%s)",
                             (unsigned long long)matching->sends_without[i],
                             (unsigned long long)matching->receives_without[i],
                             mwa_unmatched_reason_name(i));
        }
    }
    if (matching->size_mismatches > 0) {
        mwa_findings_add(findings, MWA_NOTE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                         "%llu messages have another size at each end",
                         (unsigned long long)matching->size_mismatches);
    }
    if (matching->clock_violations > 0) {
        mwa_findings_add(findings, MWA_NOTE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                         "%llu messages were received before they were sent, by up to %llu ns",
                         (unsigned long long)matching->clock_violations,
                         (unsigned long long)matching->clock_violation_max_ns);
    }
}

/*
 * Opens the archive anew: libotf2 reads local definitions once. By one thread: those that read
 * ahead of what is read in order take more time than they save where nothing else is computed.
 */
static void check_together(const char *path, struct mwa_findings *findings,
                           struct mwa_validated *validated)
{
    struct mw_diagnostic diagnostic = { 0 };
    struct mwa_results results = { 0 };
    struct mwa_input *input = NULL;
    enum mw_status status = mwa_input_open(path, &input, &diagnostic);

    if (status == MW_OK) {
        status = mwa_collect(input, path, MWA_NEED_PROFILE | MWA_NEED_MATCHING, NULL, &results,
                             &diagnostic);
    }
    if (status == MW_OK) {
        validated->events = results.pass.events;
        validated->messages = results.matching.matched;
        tell_gaps(&results, findings);
        tell_matching(&results.matching, findings);
    } else {
        mwa_findings_add_failure(findings, &diagnostic);
    }
    mwa_results_fini(&results);
    mwa_input_close(input);
}

/* Definitions and events; true when all could be read. */
static bool check_contents(const char *path, uint32_t threads, struct mwa_findings *findings,
                           struct mwa_validated *validated)
{
    struct mw_diagnostic diagnostic = { 0 };
    struct mwa_defined defined = { 0 };
    struct mwa_input *input = NULL;
    bool fine = false;

    if (mwa_input_open(path, &input, &diagnostic) != MW_OK ||
        mwa_check_definitions(input, &defined, findings, &diagnostic) != MW_OK) {
        mwa_findings_add_failure(findings, &diagnostic);
    } else {
        validated->locations = mwa_input_trace(input)->location_count;
        mwa_input_set_threads(input, threads);
        mwa_check_described(input, findings);
        fine = mwa_check_events(input, &defined, findings);
    }
    mwa_defined_fini(&defined);
    mwa_input_close(input);
    return fine;
}

void mwa_validate(const char *path, uint32_t threads, struct mwa_findings *findings,
                  struct mwa_validated *validated)
{
    findings->archive = path;
    *validated = (struct mwa_validated){ 0 };
    if (check_files(path, findings, validated) &&
        check_contents(path, threads, findings, validated) &&
        findings->by_severity[MWA_CORRUPT] == 0) {
        check_together(path, findings, validated);
        mwa_check_comm_lives(path, threads, findings);
    }
}
