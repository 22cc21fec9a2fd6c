/*
 * Reads the baselines, if any, and then the archive that is judged; of each what the limits are
 * about and what a comparison needs is kept.
 */
#include "analyzer/cli/command.h"

#include "analyzer/cli/limits.h"
#include "analyzer/cli/print.h"
#include "analyzer/cli/processes.h"
#include "analyzer/cli/read_archive.h"
#include "analyzer/export/output.h"
#include "analyzer/model/shortage.h"
#include "analyzer/report/gate.h"
#include "analyzer/report/junit.h"
#include "analyzer/report/paths.h"
#include "analyzer/table/tables.h"

/* What the limits are about, to be released; null without memory. */
static json_t *report_of(const struct mwa_results *results, struct mw_diagnostic *diagnostic)
{
    json_t *report;

    mwa_shortage_watch();
    report = mwa_document_json(&mwa_report_document, results);
    if (!report || mwa_shortage_seen()) {
        (void)mw_no_memory(diagnostic, NULL, "for the report");
        json_decref(report);
        report = NULL;
    }
    return report;
}

/* Looks all keys up. */
static enum mw_status look_up(struct mwa_gate *gate, const struct mwa_results *results,
                              uint64_t archive, struct mw_diagnostic *diagnostic)
{
    json_t *report = report_of(results, diagnostic);
    enum mw_status status = report ? MW_OK : MW_ERROR_MEMORY;

    for (uint64_t i = 0; i < gate->limit_count && status == MW_OK; i++) {
        status = mwa_limit_look_up(&gate->limits[i], report, archive, diagnostic);
    }
    if (status == MW_ERROR_USAGE) {
        snprintf(diagnostic->where, sizeof diagnostic->where, "%s", gate->archives[archive]);
    }
    json_decref(report);
    return status;
}

/* Prints what keys there are. */
static enum mw_status put_keys(const struct mwa_options *options, struct mwa_processes *processes,
                               FILE *out, bool *complete, struct mw_diagnostic *diagnostic)
{
    struct mwa_read_archive archive;
    enum mw_status status = mwa_read_archive(options, processes, options->archives[0], &archive,
                                             complete, diagnostic);
    json_t *report = NULL;

    mwa_processes_end(processes);
    if (status == MW_OK && processes->is_first) {
        report = report_of(&archive.results, diagnostic);
        status = report ? MW_OK : MW_ERROR_MEMORY;
    }
    if (report) {
        mwa_put_paths(report, out);
        json_decref(report);
    }
    mwa_read_archive_fini(&archive);
    return status;
}

/* Takes what the limits are about out of the results of an archive, by the first process. */
static enum mw_status take(struct mwa_gate *gate, const struct mwa_results *results,
                           uint64_t index, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = look_up(gate, results, index, diagnostic);

    if (status == MW_OK && mwa_gate_has_baseline(gate) &&
        mwa_comparison_add(&gate->comparison, gate->archives[index], results) != MW_OK) {
        status = mw_no_memory(diagnostic, NULL, "for the runs");
    }
    return status;
}

static enum mw_status add_one(const struct mwa_options *options,
                              const struct mwa_processes *processes, uint64_t index,
                              struct mwa_gate *gate, bool *complete,
                              struct mw_diagnostic *diagnostic)
{
    struct mwa_read_archive archive;
    enum mw_status status = mwa_read_archive(options, processes, gate->archives[index], &archive,
                                             complete, diagnostic);

    if (status == MW_OK && processes->is_first) {
        status = take(gate, &archive.results, index, diagnostic);
    }
    mwa_read_archive_fini(&archive);
    return mwa_processes_all(processes, status, diagnostic);
}

/* What the first process is to look for, and room for it. */
static enum mw_status begin(const struct mwa_options *options, struct mwa_limits *limits,
                            struct mwa_gate *gate, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = mwa_limits_read(options, limits, diagnostic);

    gate->limits = limits->list;
    gate->limit_count = limits->count;
    if (status == MW_OK &&
        mwa_comparison_init(&gate->comparison, gate->archive_count, false) != MW_OK) {
        status = mw_no_memory(diagnostic, NULL, "for the runs");
    }
    for (uint64_t i = 0; i < limits->count && status == MW_OK; i++) {
        status = mwa_limit_init(&limits->list[i], gate->archive_count) == MW_OK
                     ? MW_OK
                     : mw_no_memory(diagnostic, NULL, "for the limits");
    }
    return status;
}

static enum mw_status write_junit(const struct mwa_options *options, const struct mwa_gate *gate,
                                  struct mw_diagnostic *diagnostic)
{
    struct mwa_output output;
    enum mw_status status = mwa_output_open(&output, options->junit, MWA_OUTPUT_JUNIT,
                                            options->force, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    mwa_junit_gate(gate, output.file);
    return mwa_output_close(&output, status, diagnostic);
}

static enum mw_status print(const struct mwa_options *options, const struct mwa_gate *gate,
                            FILE *out, struct mw_diagnostic *diagnostic)
{
    const struct mwa_cell cell = { .row = gate };
    enum mw_status status;

    mwa_shortage_watch();
    status = options->junit ? write_junit(options, gate, diagnostic) : MW_OK;
    if (status == MW_OK && options->json) {
        status = mwa_print_json(mwa_table_json(&mwa_check_document, &cell), out, diagnostic);
    } else if (status == MW_OK) {
        mwa_text_gate(gate, out);
        if (options->github) {
            mwa_github_gate(gate, out);
        }
    }
    return status == MW_OK && gate->breaches > 0 ? MW_END : status;
}

enum mw_status mwa_examine_check(const struct mwa_options *options,
                                 struct mwa_processes *processes, FILE *out,
                                 bool *complete, struct mw_diagnostic *diagnostic)
{
    struct mwa_gate gate = { .archives = options->archives,
                             .archive_count = options->archive_count,
                             .tolerance = options->tolerance };
    struct mwa_limits limits = { .count = 0 };
    enum mw_status status;

    *complete = true;
    if (options->keys) {
        return put_keys(options, processes, out, complete, diagnostic);
    }
    status = processes->is_first ? begin(options, &limits, &gate, diagnostic) : MW_OK;
    status = mwa_processes_all(processes, status, diagnostic);
    for (uint64_t i = 0; i < gate.archive_count && status == MW_OK; i++) {
        status = add_one(options, processes, i, &gate, complete, diagnostic);
    }
    mwa_processes_end(processes);
    if (status == MW_OK && processes->is_first) {
        status = mwa_gate_judge(&gate, diagnostic);
        status = status == MW_OK ? print(options, &gate, out, diagnostic) : status;
    }
    mwa_comparison_fini(&gate.comparison);
    mwa_limits_fini(&limits);
    return status;
}
