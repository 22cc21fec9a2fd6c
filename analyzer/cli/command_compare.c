#include "analyzer/cli/command.h"

#include "analyzer/analysis/summary.h"
#include "analyzer/cli/print.h"
#include "analyzer/report/compare.h"
#include "analyzer/table/csv.h"
#include "analyzer/table/tables.h"
#include "analyzer/validate/defined.h"

/* Reads one archive; *report is its JSON. */
static enum mw_status read_one(const char *path, json_t **report, bool *complete,
                               struct mw_diagnostic *diagnostic)
{
    struct mwa_results results = { 0 };
    struct mwa_input *input = NULL;
    enum mw_status status = mwa_input_open(path, &input, diagnostic);

    if (status == MW_OK) {
        status = mwa_require_definitions(input, diagnostic);
    }
    if (status == MW_OK) {
        status = mwa_collect(input, path, MWA_NEED_REPORT, NULL, &results, diagnostic);
    }
    if (status == MW_OK) {
        *report = mwa_document_json(&mwa_report_document, &results);
        json_object_set_new(*report, "archive", json_string(path));
        *complete &= mwa_is_complete(&results);
    }
    mwa_results_fini(&results);
    mwa_input_close(input);
    return status;
}

enum mw_status mwa_examine_compare(const struct mwa_options *options, FILE *out, bool *complete,
                                   struct mw_diagnostic *diagnostic)
{
    json_t *reports = json_array();
    json_t *comparison = NULL;
    enum mw_status status = MW_OK;

    *complete = true;
    if (options->archive_count < 2) {
        status = mw_fail(diagnostic, MW_ERROR_USAGE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                         "compare needs two archives or more");
    }
    for (uint32_t i = 0; i < options->archive_count && status == MW_OK; i++) {
        json_t *report = NULL;

        status = read_one(options->archives[i], &report, complete, diagnostic);
        if (status == MW_OK && json_array_append_new(reports, report) != 0) {
            status = mw_no_memory(diagnostic, NULL, "for the runs");
        }
    }
    if (status == MW_OK) {
        comparison = mwa_json_compare(reports, options->weak);
    }
    if (status == MW_OK && options->json) {
        status = mwa_print_json(json_incref(comparison), out, diagnostic);
    } else if (status == MW_OK && options->csv) {
        mwa_csv_table(json_incref(comparison), "runs", out);
    } else if (status == MW_OK) {
        mwa_text_compare(comparison, out);
    }
    json_decref(comparison);
    json_decref(reports);
    return status;
}
