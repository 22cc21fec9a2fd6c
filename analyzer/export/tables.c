#include "analyzer/export/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>

#include "analyzer/export/output.h"
#include "analyzer/render/comms.h"
#include "analyzer/render/csv.h"
#include "analyzer/render/imbalance.h"
#include "analyzer/render/tracks.h"
#include "analyzer/render/waits.h"
#include "analyzer/render/wildcards.h"
#include "formats/file.h"

#define PATH_BYTES 4096

static void put_counters(const struct mwa_results *results, FILE *out)
{
    mwa_csv_counters(results->trace, &results->counters, MWA_NONE, out);
}

static void put_watermarks(const struct mwa_results *results, FILE *out)
{
    mwa_csv_watermarks(results->trace, &results->watermarks, MWA_NONE, out);
}

static void put_across_ranks(const struct mwa_results *results, FILE *out)
{
    mwa_csv_across_ranks(results->trace, &results->watermarks, out);
}

/* A line for each row of ranks and bin that has anything. */
static void put_timeline(const struct mwa_results *results, FILE *out)
{
    const struct mwa_timeline *timeline = &results->timeline;
    const struct mwa_window *window = &timeline->window;

    fputs("rank,from_ns", out);
    for (unsigned state = 0; state < MWA_STATES; state++) {
        fprintf(out, ",%s", mwa_state_name(state));
    }
    fputs(",waiting", out);
    putc('\n', out);
    for (uint32_t row = 0; row < timeline->rows; row++) {
        for (uint32_t bin = 0; bin < window->bins; bin++) {
            fprintf(out, "%" PRIu32 ",%" PRIu64, row * timeline->ranks_per_row,
                    mwa_trace_since_begin(results->trace, mwa_window_edge(window, bin)));
            for (unsigned state = 0; state < MWA_TIMELINE_STATES; state++) {
                fprintf(out, ",%.4g", (double)mwa_timeline_at(timeline, row, bin)[state]);
            }
            putc('\n', out);
        }
    }
}

static const struct table {
    const char *name;
    void (*put)(const struct mwa_results *results, FILE *out);
} tables[] = { { "across_ranks", put_across_ranks },
               { "calls", mwa_csv_calls },         { "comms", mwa_csv_comms },
               { "counters", put_counters },       { "imbalance", mwa_csv_imbalance },
               { "messages", mwa_csv_messages },   { "ranks", mwa_csv_ranks },
               { "sizes", mwa_csv_sizes },         { "timeline", put_timeline },
               { "waits", mwa_csv_waits },         { "watermarks", put_watermarks },
               { "wildcards", mwa_csv_wildcards } };

static enum mw_status path_of(const struct table *table, const char *directory, char *path,
                              struct mw_diagnostic *diagnostic)
{
    int length = snprintf(path, PATH_BYTES, "%s/%s.csv", directory, table->name);

    return length >= 0 && length < PATH_BYTES
               ? MW_OK
               : mw_fail(diagnostic, MW_ERROR_USAGE, directory, MW_DIAGNOSTIC_OFFSET_NONE,
                         "the path is too long");
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
    for (size_t i = 0; i < sizeof tables / sizeof tables[0] && status == MW_OK; i++) {
        char path[PATH_BYTES];

        status = path_of(&tables[i], directory, path, diagnostic);
        if (status == MW_OK) {
            status = mwa_output_check(path, MWA_OUTPUT_TABLE, force, diagnostic);
        }
    }
    return status;
}

enum mw_status mwa_export_tables(const struct mwa_results *results, const char *directory,
                                 bool force, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = mwa_export_tables_check(directory, force, diagnostic);

    if (status == MW_OK && mkdir(directory, 0777) != 0 && errno != EEXIST) {
        return mw_fail(diagnostic, mw_file_write_error(), directory, MW_DIAGNOSTIC_OFFSET_NONE,
                       "cannot make the directory");
    }
    for (size_t i = 0; i < sizeof tables / sizeof tables[0] && status == MW_OK; i++) {
        struct mwa_output output;
        char path[PATH_BYTES];

        status = path_of(&tables[i], directory, path, diagnostic);
        if (status == MW_OK) {
            status = mwa_output_open(&output, path, MWA_OUTPUT_TABLE, force, diagnostic);
        }
        if (status == MW_OK) {
            tables[i].put(results, output.file);
            status = mwa_output_close(&output, MW_OK, diagnostic);
        }
    }
    return status;
}
