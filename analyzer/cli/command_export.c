/* Each output is written by itself, from a reading of its own where it needs events. */
#include "analyzer/cli/command.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "analyzer/cli/comm_options.h"
#include "analyzer/cli/kept_states.h"
#include "analyzer/export/chrome.h"
#include "analyzer/export/cut.h"
#include "analyzer/export/export_records.h"
#include "analyzer/export/export_tables.h"
#include "analyzer/export/folded.h"
#include "analyzer/export/output.h"
#include "analyzer/export/paraver.h"
#include "analyzer/export/perfetto.h"

/* A writer of one file. */
typedef enum mw_status (*export_writer)(const struct mwa_trace *trace, const char *path,
                                        const struct mwa_selection *selection, FILE *out,
                                        struct mw_diagnostic *diagnostic);

static enum mw_status write_file(const struct mwa_trace *trace, const struct mwa_options *options,
                                 const struct mwa_selection *selection, const char *path,
                                 enum mwa_output_kind kind, export_writer write,
                                 struct mw_diagnostic *diagnostic)
{
    struct mwa_output output;
    enum mw_status status;

    if (!path) {
        return MW_OK;
    }
    status = mwa_output_open(&output, path, kind, options->force, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    status = write(trace, options->archive, selection, output.file, diagnostic);
    return mwa_output_close(&output, status, diagnostic);
}

/* More than this its viewer, which runs in a browser, does not take. */
#define PERFETTO_BYTES_MAX 500000000

static void warn_of_size(const char *path, const struct mwa_options *options)
{
    struct stat about;

    if (path && !options->quiet && stat(path, &about) == 0 &&
        about.st_size > PERFETTO_BYTES_MAX) {
        fprintf(stderr,
                "mpiwatch-analyze: %s has %lld MB, more than Perfetto's viewer takes: --from, --to "
                "and --ranks choose a part\n",
                path, (long long)about.st_size / 1000000);
    }
}

static enum mw_status write_folded(const struct mwa_results *results,
                                   const struct mwa_options *options, const char *path, bool waits,
                                   struct mw_diagnostic *diagnostic)
{
    struct mwa_output output;
    enum mw_status status;

    if (!path) {
        return MW_OK;
    }
    status = mwa_output_open(&output, path, MWA_OUTPUT_FOLDED, options->force, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    status = mwa_export_folded(results, waits, output.file, diagnostic);
    return mwa_output_close(&output, status, diagnostic);
}

static void warn_of_rows(const char *name, uint64_t rows, uint64_t all,
                         const struct mwa_options *options)
{
    if (rows < all && !options->quiet) {
        fprintf(stderr,
                "mpiwatch-analyze: %s/%s.csv has the first %" PRIu64 " of %" PRIu64
                ": --max-rows, --from, --to and --ranks choose others\n",
                options->csv_directory, name, rows, all);
    }
}

/* Single calls and messages, into the directory of tables. */
static enum mw_status write_records(const struct mwa_trace *trace,
                                    const struct mwa_options *options,
                                    const struct mwa_selection *selection, const bool *comms,
                                    struct mw_diagnostic *diagnostic)
{
    struct mwa_records_told told;
    enum mw_status status;

    if (!options->csv_directory || options->max_rows == 0) {
        return MW_OK;
    }
    status = mwa_export_records(trace, options->archive, selection, comms, options->max_rows,
                                options->csv_directory, options->force, &told, diagnostic);
    if (status == MW_OK) {
        warn_of_rows("call_records", told.call_rows, told.calls, options);
        warn_of_rows("message_records", told.message_rows, told.messages, options);
    }
    return status;
}

/* All that is made of results. */
static enum mw_status write_results(struct mwa_input *input, const struct mwa_options *options,
                                    const struct mwa_selection *selection,
                                    struct mw_diagnostic *diagnostic)
{
    struct mwa_results results = { 0 };
    uint64_t needs = (options->csv_directory ? MWA_NEED_TABLES : 0) |
                     (options->folded || options->folded_waits ? MWA_NEED_FLAME : 0);
    bool *selected = NULL;
    enum mw_status status;

    if (needs == 0) {
        return MW_OK;
    }
    status = mwa_comm_options_select(mwa_input_trace(input), options, &selected, diagnostic);
    if (status == MW_OK) {
        const struct mwa_scope scope = { MWA_ALL_OF_IT,
                                         .locations = MWA_LOCATIONS_ALL,
                                         .comms = selected };

        status = mwa_collect(input, options->archive, needs, &scope, &results, diagnostic);
    }
    if (status == MW_OK) {
        status = write_folded(&results, options, options->folded, false, diagnostic);
    }
    if (status == MW_OK) {
        status = write_folded(&results, options, options->folded_waits, true, diagnostic);
    }
    if (status == MW_OK && options->csv_directory) {
        status = mwa_export_tables(&results, options->csv_directory, options->force,
                                   diagnostic);
    }
    if (status == MW_OK) {
        status = write_records(mwa_input_trace(input), options, selection, selected, diagnostic);
    }
    mwa_results_fini(&results);
    free(selected);
    return status;
}

enum mw_status mwa_run_export(struct mwa_input *input, const struct mwa_options *options,
                              FILE *out, struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    struct mwa_selection selection = { 0 };
    struct mwa_block_states *known = NULL;
    struct mwa_reading_start *start = NULL;
    enum mw_status status;

    status = mwa_selection_init(&selection, trace, options->from_ns,
                                options->to_ns, options->ranks, diagnostic);
    if (status == MW_OK) {
        status = mwa_kept_states(input, options, NULL, selection.from, &known, diagnostic);
    }
    if (status == MW_OK) {
        selection.known = known;
        selection.start = start = mwa_reading_start_find(input, known, selection.from);
        status = write_file(trace, options, &selection, options->perfetto,
                            MWA_OUTPUT_PERFETTO, mwa_export_perfetto, diagnostic);
    }
    if (status == MW_OK) {
        warn_of_size(options->perfetto, options);
        status = write_file(trace, options, &selection, options->chrome,
                            MWA_OUTPUT_CHROME, mwa_export_chrome, diagnostic);
    }
    if (status == MW_OK && options->paraver) {
        status = mwa_export_paraver(trace, options->archive, &selection, options->paraver,
                                    options->force, diagnostic);
    }
    if (status == MW_OK) {
        status = write_results(input, options, &selection, diagnostic);
    }
    if (status == MW_OK && options->otf2) {
        status = mwa_export_otf2(trace, options->archive, &selection, options->otf2, options->force,
                                 diagnostic);
    }
    mwa_reading_start_free(start);
    mwa_block_states_close(known);
    mwa_selection_fini(&selection);
    return status;
}
