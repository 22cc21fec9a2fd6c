/* mpiwatch-analyze: runs the command that the options name. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "analyzer/analysis/chosen_window.h"
#include "analyzer/analysis/clocks/controlled_clock.h"
#include "analyzer/analysis/collect.h"
#include "analyzer/analysis/summary.h"
#include "analyzer/cli/comm_options.h"
#include "analyzer/cli/command.h"
#include "analyzer/cli/kept_states.h"
#include "analyzer/cli/memory.h"
#include "analyzer/cli/option_rules.h"
#include "analyzer/cli/options.h"
#include "analyzer/cli/print.h"
#include "analyzer/cli/progress.h"
#include "analyzer/cli/screen.h"
#include "analyzer/cli/wrong_file.h"
#include "analyzer/export/output.h"
#include "analyzer/page/page.h"
#include "analyzer/table/clean.h"
#include "analyzer/table/table.h"
#include "analyzer/validate/defined.h"

/* Directories have a file per location: as many as are allowed may be open. */
static void raise_open_files(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* Draws what the command shows; a path of null: nothing is to be. */
static enum mw_status draw(const struct mwa_options *options, const struct mwa_results *results,
                           const char *path, enum mwa_output_kind kind,
                           struct mw_diagnostic *diagnostic)
{
    const struct mwa_picture picture = { kind == MWA_OUTPUT_SVG ? &mwa_canvas_svg : mwa_canvas_png,
                                         options->picture_mm, options->title };
    struct mwa_output output;
    enum mw_status status = MW_OK;

    if (path) {
        status = mwa_output_open(&output, path, kind, options->force, diagnostic);
    }
    if (!path || status != MW_OK) {
        return status;
    }
    if (options->command->picture(results, &picture, output.file) != MW_OK) {
        status = mw_no_memory(diagnostic, NULL, "for the picture");
    }
    return mwa_output_close(&output, status, diagnostic);
}

/* Parts of the window, of which a picture has more than text has columns. */
static bool has_finer_bins(const struct mwa_options *options)
{
    return options->bins == 0 && (options->png || options->svg);
}

static enum mw_status print_text(const struct mwa_options *options,
                                 const struct mwa_results *results, FILE *out,
                                 struct mw_diagnostic *diagnostic)
{
    const struct mwa_screen screen = {
        .columns = mwa_screen_columns(options),
        .color = options->color,
        .top = options->top,
        .all_ranks = options->all_ranks,
        .bins = has_finer_bins(options) ? MWA_PICTURE_BINS / MWA_WINDOW_BINS : 1,
    };
    const struct mwa_cell root = { .results = results, .row = results };
    struct mwa_screen_text text;
    enum mw_status status = mwa_screen_open(&text, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    mwa_comm_options_put(options, text.file);
    if (options->command->text) {
        options->command->text(results, &screen, text.file);
    } else {
        mwa_table_text(options->command->table, &root, UINT64_MAX, NULL, text.file);
    }
    return mwa_screen_close(&text, screen.columns, out, diagnostic);
}

static enum mw_status print_results(const struct mwa_options *options,
                                    const struct mwa_results *results, FILE *out,
                                    struct mw_diagnostic *diagnostic)
{
    const struct mwa_cell root = { .results = results, .row = results };
    enum mw_status status;

    if (options->html) {
        status = mwa_page_write_file(results, options->html, options->force, diagnostic);
        if (status == MW_OK) {
            mwa_say_page(options);
        }
        return status;
    }
    status = draw(options, results, options->png, MWA_OUTPUT_PICTURE, diagnostic);
    if (status == MW_OK) {
        status = draw(options, results, options->svg, MWA_OUTPUT_SVG, diagnostic);
    }
    if (status != MW_OK) {
        return status;
    }
    if (options->json) {
        return mwa_print_json(mwa_document_json(options->command->document, results), out,
                              diagnostic);
    }
    if (options->csv) {
        mwa_table_csv(options->command->table, &root, out);
        return MW_OK;
    }
    return print_text(options, results, out, diagnostic);
}

static enum mw_status open_output(const struct mwa_options *options, struct mwa_output *output,
                                  struct mw_diagnostic *diagnostic)
{
    return mwa_output_open(output, options->output, mwa_option_printed_kind(options),
                           options->force, diagnostic);
}

/* What is worth keeping of what was printed is kept. */
static enum mw_status close_output(struct mwa_output *output, bool is_kept,
                                   enum mw_status status, struct mw_diagnostic *diagnostic)
{
    struct mw_diagnostic closing = { 0 };
    enum mw_status closed = mwa_output_close(output, is_kept ? MW_OK : status,
                                             is_kept ? &closing : diagnostic);

    if (is_kept && closed != MW_OK) {
        *diagnostic = closing;
        return closed;
    }
    return status;
}

/* What a command prints that opens archives itself: data as they are, text laid out. */
static enum mw_status print_examined(const struct mwa_options *options, FILE *out, bool *complete,
                                     struct mw_diagnostic *diagnostic)
{
    struct mw_diagnostic laying = { 0 };
    struct mwa_screen_text text;
    enum mw_status status;

    if (options->json || options->csv || options->command->is_json) {
        return options->command->examine(options, out, complete, diagnostic);
    }
    status = mwa_screen_open(&text, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    status = options->command->examine(options, text.file, complete, diagnostic);
    if (mwa_screen_close(&text, mwa_screen_columns(options), out, &laying) != MW_OK) {
        *diagnostic = laying;
        status = MW_ERROR_MEMORY;
    }
    return status;
}

/* A command that opens the archive itself: its list is printed also if that is corrupt. */
static enum mw_status examine(const struct mwa_options *options, bool *complete,
                              struct mw_diagnostic *diagnostic)
{
    struct mwa_output output;
    enum mw_status status = open_output(options, &output, diagnostic);

    if (status == MW_OK) {
        status = print_examined(options, output.file, complete, diagnostic);
        status = close_output(&output,
                              status == MW_OK || status == MW_END ||
                                  (status == MW_ERROR_FORMAT && options->command->lists_faults),
                              status, diagnostic);
    }
    return status;
}

/* On the terminal, where a line about progress would be in the way. */
static bool prints_while_reading(const struct mwa_options *options)
{
    return options->command->run && !options->output && isatty(STDOUT_FILENO);
}

/*
 * What to compute: the page and the JSON report hold more than the screen, and a glance shows what
 * there is without. Clocks can't be moved without reading.
 */
static uint64_t needs_of(const struct mwa_options *options)
{
    if (options->command->has_glance && !options->full && !options->json && !options->clc) {
        return 0;
    }
    if (options->html) {
        return MWA_NEED_PAGE;
    }
    return options->command == &mwa_commands[MWA_COMMAND_report] && options->json
               ? MWA_NEED_REPORT_JSON
               : options->command->needs;
}

/* Opens one archive, or several as one. */
static enum mw_status open_archives(const struct mwa_options *options, struct mwa_input **input,
                                    struct mw_diagnostic *diagnostic)
{
    struct mwa_input **inputs = calloc(options->archive_count, sizeof(struct mwa_input *));
    enum mw_status status = inputs ? MW_OK : mw_no_memory(diagnostic, NULL, "to open archives");

    for (uint32_t i = 0; status == MW_OK && i < options->archive_count; i++) {
        status = mwa_input_open(options->archives[i], &inputs[i], diagnostic);
        if (status == MW_OK && options->debug_directory) {
            status = mwa_input_find_lines(inputs[i], options->debug_directory, diagnostic);
        }
        if (status == MW_OK) {
            status = mwa_require_definitions(inputs[i], diagnostic);
        }
    }
    if (status == MW_OK && options->archive_count == 1) {
        *input = inputs[0];
    } else if (status == MW_OK) {
        status = mwa_input_join(inputs, options->archive_count, input, diagnostic);
    }
    for (uint32_t i = 0; status != MW_OK && inputs && i < options->archive_count; i++) {
        mwa_input_close(inputs[i]);
    }
    free(inputs);
    return status;
}

/* What the analyses of a command are of that is cut; *is_cut: it is not everything. */
static enum mw_status choose_span(const struct mwa_options *options, const struct mwa_trace *trace,
                                  struct mwa_span *span, bool *is_cut,
                                  struct mw_diagnostic *diagnostic)
{
    *span = (struct mwa_span){ mwa_trace_first_at(trace, options->from_ns),
                               mwa_trace_last_at(trace, options->to_ns) };
    *is_cut = options->command->is_cut &&
              (options->from_ns != MWA_FIRST_NS || options->to_ns != MWA_LAST_NS);
    return *is_cut && span->to < span->from
               ? mw_fail(diagnostic, MW_ERROR_USAGE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                         "there is nothing from --from to --to")
               : MW_OK;
}

/* Runs the analyses of the command. */
static enum mw_status collect(const struct mwa_options *options, struct mwa_input *input,
                              const bool *selected, struct mwa_results *results,
                              struct mw_diagnostic *diagnostic)
{
    struct mwa_scope scope = { .rank = options->rank,
                               .goes_on = options->now,
                               .comms = selected,
                               .from = options->from_ns,
                               .to = options->to_ns,
                               .bins = options->html             ? MWA_PAGE_BINS
                                       : has_finer_bins(options) ? MWA_PICTURE_BINS
                                                                 : options->bins,
                               .locations = options->locations };
    struct mwa_block_states *known = NULL;
    struct mwa_span span;
    bool is_cut;
    enum mw_status status =
        choose_span(options, mwa_input_trace(input), &span, &is_cut, diagnostic);

    if (status == MW_OK && options->command->is_cut) {
        known = mwa_kept_states(input, options, is_cut ? span.from : 0);
    }
    if (status == MW_OK) {
        scope.until = options->command->stops && options->to_ns != MWA_LAST_NS ? span.to : 0;
        scope.span = is_cut ? &span : NULL;
        scope.known = known;
        status = mwa_collect(input, options->archive, needs_of(options), &scope, results,
                             diagnostic);
    }
    mwa_block_states_close(known);
    return status;
}

/* Reads the archive and prints what the command prints; *complete: nothing is missing. */
static enum mw_status analyze(const struct mwa_options *options, bool *complete,
                              struct mw_diagnostic *diagnostic)
{
    struct mwa_results results = { 0 };
    struct mwa_progress_line progress = { 0 };
    struct mwa_input *input = NULL;
    struct mwa_logical_clocks clocks = { 0 };
    bool *selected = NULL;
    struct mwa_output output = { 0 };
    enum mw_status status = mwa_option_outputs_check(options, diagnostic);

    for (uint32_t i = 0; status == MW_OK && i < options->archive_count; i++) {
        status = mwa_wrong_file(options->archives[i], diagnostic);
    }
    if (status != MW_OK) {
        return status;
    }
    if (options->command->examine) {
        return examine(options, complete, diagnostic);
    }
    status = open_archives(options, &input, diagnostic);
    if (status == MW_OK) {
        mwa_input_set_threads(input, options->jobs);
        if (!options->quiet && !prints_while_reading(options)) {
            mwa_progress_begin(&progress, input);
        }
        status = mwa_option_rank_exists(options, mwa_input_trace(input), diagnostic);
    }
    if (status == MW_OK && options->clc) {
        status = mwa_controlled_clock_make(input, &clocks, diagnostic);
    }
    if (status == MW_OK) {
        status = mwa_comm_options_select(mwa_input_trace(input), options, &selected, diagnostic);
    }
    if (status == MW_OK && !options->command->run) {
        status = collect(options, input, selected, &results, diagnostic);
        mwa_progress_end(&progress);
    }
    if (status == MW_OK) {
        status = open_output(options, &output, diagnostic);
    }
    if (status == MW_OK) {
        *complete = options->command->run ? mwa_says_complete(mwa_input_trace(input))
                                          : mwa_is_complete(&results);
        status = options->command->run
                     ? options->command->run(input, options, output.file, diagnostic)
                     : print_results(options, &results, output.file, diagnostic);
        status = close_output(&output, status == MW_OK, status, diagnostic);
    }
    mwa_progress_end(&progress);
    mwa_results_fini(&results);
    mwa_input_close(input);
    mwa_logical_clocks_fini(&clocks);
    free(selected);
    return status;
}

static int run(const struct mwa_options *options)
{
    struct mw_diagnostic diagnostic = { 0 };
    bool complete = false;
    char text[2048];
    enum mw_status status = analyze(options, &complete, &diagnostic);

    if (status == MW_END) {
        return MWA_EXIT_BREACH;
    }
    if (status != MW_OK) {
        /* Names in it may come from the archive. */
        fputs("mpiwatch-analyze: ", stderr);
        mwa_put_clean(mw_diagnostic_text(&diagnostic, text, sizeof text), stderr);
        fputs(status == MW_ERROR_MEMORY ? " (see --max-memory)\n" : "\n", stderr);
        return status == MW_ERROR_USAGE ? MWA_EXIT_USAGE : MWA_EXIT_CORRUPT;
    }
    if (!complete && (options->archive_count == 1 || !options->command->examine)) {
        mwa_say_incomplete(options, options->archive_count == 1 ? options->archive
                                                                : "one of the archives");
    }
    return complete ? MWA_EXIT_FINE : MWA_EXIT_INCOMPLETE;
}

int main(int argc, char **argv)
{
    struct mwa_options options;
    int code = mwa_options_parse(argc, argv, &options);

    if (code == MW_COMMAND_LINE_GO_ON) {
        raise_open_files();
        mwa_memory_limit(options.max_memory);
        options.command = mwa_meant_command(&options);
        code = run(&options);
    }
    mwa_options_fini(&options);
    return code;
}
