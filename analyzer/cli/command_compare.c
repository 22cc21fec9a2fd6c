/* Reads one archive after the other; what is compared of them is kept. */
#include "analyzer/cli/command.h"

#include "analyzer/cli/print.h"
#include "analyzer/cli/processes.h"
#include "analyzer/cli/read_archive.h"
#include "analyzer/model/shortage.h"
#include "analyzer/page/compare_page.h"
#include "analyzer/report/compare_text.h"
#include "analyzer/table/tables.h"

static enum mw_status add_one(const struct mwa_options *options,
                              const struct mwa_processes *processes, const char *path,
                              struct mwa_comparison *comparison, bool *complete,
                              struct mw_diagnostic *diagnostic)
{
    struct mwa_read_archive archive;
    enum mw_status status =
        mwa_read_archive(options, processes, path, &archive, complete, diagnostic);

    if (status == MW_OK && processes->is_first &&
        mwa_comparison_add(comparison, path, &archive.results) != MW_OK) {
        status = mw_no_memory(diagnostic, NULL, "for the runs");
    }
    mwa_read_archive_fini(&archive);
    return mwa_processes_all(processes, status, diagnostic);
}

static enum mw_status print(const struct mwa_options *options,
                            const struct mwa_comparison *comparison, FILE *out,
                            struct mw_diagnostic *diagnostic)
{
    const struct mwa_cell root = { .row = comparison };
    enum mw_status status = MW_OK;

    mwa_shortage_watch();
    if (options->html) {
        status = mwa_compare_page_write_file(comparison, options->html, options->force,
                                             diagnostic);
        if (status == MW_OK) {
            mwa_say_page(options);
        }
    } else if (options->json) {
        status = mwa_print_json(mwa_table_json(&mwa_compare_document, &root), out, diagnostic);
    } else if (options->csv) {
        mwa_table_csv(&mwa_compare_table, &root, out);
    } else {
        mwa_text_compare(comparison, out);
    }
    return status;
}

enum mw_status mwa_examine_compare(const struct mwa_options *options,
                                   struct mwa_processes *processes, FILE *out,
                                   bool *complete, struct mw_diagnostic *diagnostic)
{
    struct mwa_comparison comparison;
    enum mw_status status = MW_OK;

    *complete = true;
    if (mwa_comparison_init(&comparison, options->archive_count, options->weak) != MW_OK) {
        status = mw_no_memory(diagnostic, NULL, "for the runs");
    }
    status = mwa_processes_all(processes, status, diagnostic);
    for (uint32_t i = 0; i < options->archive_count && status == MW_OK; i++) {
        status = add_one(options, processes, options->archives[i], &comparison, complete,
                         diagnostic);
    }
    mwa_processes_end(processes);
    if (status == MW_OK && mwa_comparison_sort(&comparison) != MW_OK) {
        status = mw_no_memory(diagnostic, NULL, "for the runs");
    }
    if (status == MW_OK && processes->is_first) {
        status = print(options, &comparison, out, diagnostic);
    }
    mwa_comparison_fini(&comparison);
    return status;
}
