/*
 * All files are checked before the first is written, so that a set is not refused
 * when half of it is there.
 */
#include "analyzer/export/export_tables.h"

#include <errno.h>
#include <sys/stat.h>

#include "analyzer/export/output.h"
#include "analyzer/table/records.h"
#include "analyzer/table/tables.h"
#include "formats/base/file.h"

#define PATH_BYTES 4096

static enum mw_status path_of(const char *name, const char *directory, char *path,
                              struct mw_diagnostic *diagnostic)
{
    int length = snprintf(path, PATH_BYTES, "%s/%s.csv", directory, name);

    return length >= 0 && length < PATH_BYTES
               ? MW_OK
               : mw_fail(diagnostic, MW_ERROR_USAGE, directory, MW_DIAGNOSTIC_OFFSET_NONE,
                         "the path is too long");
}

static enum mw_status check(const char *name, const char *directory, bool force,
                            struct mw_diagnostic *diagnostic)
{
    char path[PATH_BYTES];
    enum mw_status status = path_of(name, directory, path, diagnostic);

    return status == MW_OK ? mwa_output_check(path, MWA_OUTPUT_TABLE, force, diagnostic) : status;
}

enum mw_status mwa_export_tables_check(const char *directory, bool force,
                                       struct mw_diagnostic *diagnostic)
{
    struct stat about;
    enum mw_status status = MW_OK;

    if (stat(directory, &about) == 0 && !S_ISDIR(about.st_mode)) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, directory, MW_DIAGNOSTIC_OFFSET_NONE,
                       "it is no directory");
    }
    for (size_t i = 0; mwa_tables[i].name && status == MW_OK; i++) {
        status = check(mwa_tables[i].name, directory, force, diagnostic);
    }
    for (size_t i = 0; mwa_record_tables[i].name && status == MW_OK; i++) {
        status = check(mwa_record_tables[i].name, directory, force, diagnostic);
    }
    return status;
}

enum mw_status mwa_export_table(const char *name, const struct mwa_table *table,
                                const struct mwa_cell *root, const char *directory, bool force,
                                struct mw_diagnostic *diagnostic)
{
    struct mwa_output output;
    char path[PATH_BYTES];
    enum mw_status status = path_of(name, directory, path, diagnostic);

    if (status == MW_OK) {
        status = mwa_output_open(&output, path, MWA_OUTPUT_TABLE, force, diagnostic);
    }
    if (status != MW_OK) {
        return status;
    }
    mwa_table_csv(table, root, output.file);
    return mwa_output_close(&output, MW_OK, diagnostic);
}

enum mw_status mwa_export_tables(const struct mwa_results *results, const char *directory,
                                 bool force, struct mw_diagnostic *diagnostic)
{
    const struct mwa_cell root = { .results = results, .row = results };
    enum mw_status status = mwa_export_tables_check(directory, force, diagnostic);

    if (status == MW_OK && mkdir(directory, 0777) != 0 && errno != EEXIST) {
        return mw_fail(diagnostic, mw_file_write_error(), directory, MW_DIAGNOSTIC_OFFSET_NONE,
                       "cannot make the directory");
    }
    for (size_t i = 0; mwa_tables[i].name && status == MW_OK; i++) {
        status = mwa_export_table(mwa_tables[i].name, mwa_tables[i].rows, &root, directory, force,
                                  diagnostic);
    }
    return status;
}
