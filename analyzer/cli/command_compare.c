/* Reads one archive after the other; what is compared of them is kept. */
#include "analyzer/cli/command.h"

#include "analyzer/cli/print.h"
#include "analyzer/cli/read_archive.h"
#include "analyzer/model/shortage.h"
#include "analyzer/page/compare_page.h"
#include "analyzer/report/compare_text.h"
#include "analyzer/table/tables.h"

static enum mw_status add_one(const struct mwa_options *options, const char *path,
                              struct mwa_comparison *comparison, bool *complete,
                              struct mw_diagnostic *diagnostic)
{
    struct mwa_read_archive archive;
    enum mw_status status = mwa_read_archive(options, path, MWA_NEED_COMPARE, &archive, complete,
                                             diagnostic);

    if (status == MW_OK && mwa_comparison_add(comparison, path, &archive.results) != MW_OK) {
        status = mw_no_memory(diagnostic, NULL, "for the runs");
    }
    mwa_read_archive_fini(&archive);
    return status;
}

enum mw_status mwa_examine_compare(const struct mwa_options *options, FILE *out, bool *complete,
                                   struct mw_diagnostic *diagnostic)
{
    struct mwa_comparison comparison;
    const struct mwa_cell root = { .row = &comparison };
    enum mw_status status = MW_OK;

    *complete = true;
    if (mwa_comparison_init(&comparison, options->archive_count, options->weak) != MW_OK) {
        status = mw_no_memory(diagnostic, NULL, "for the runs");
    }
    for (uint32_t i = 0; i < options->archive_count && status == MW_OK; i++) {
        status = add_one(options, options->archives[i], &comparison, complete, diagnostic);
    }
    if (status == MW_OK && mwa_comparison_sort(&comparison) != MW_OK) {
        status = mw_no_memory(diagnostic, NULL, "for the runs");
    }
    mwa_shortage_watch();
    if (status == MW_OK && options->html) {
        status = mwa_compare_page_write_file(&comparison, options->html, options->force,
                                             diagnostic);
        if (status == MW_OK) {
            mwa_say_page(options);
        }
    } else if (status == MW_OK && options->json) {
        status = mwa_print_json(mwa_table_json(&mwa_compare_document, &root), out, diagnostic);
    } else if (status == MW_OK && options->csv) {
        mwa_table_csv(&mwa_compare_table, &root, out);
    } else if (status == MW_OK) {
        mwa_text_compare(&comparison, out);
    }
    mwa_comparison_fini(&comparison);
    return status;
}
