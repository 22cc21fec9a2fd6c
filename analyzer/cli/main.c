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
#include "analyzer/analysis/time/location_activity.h"
#include "analyzer/cli/comm_options.h"
#include "analyzer/cli/command.h"
#include "analyzer/cli/kept_states.h"
#include "analyzer/cli/memory.h"
#include "analyzer/cli/option_rules.h"
#include "analyzer/cli/options.h"
#include "analyzer/cli/print.h"
#include "analyzer/cli/processes.h"
#include "analyzer/cli/progress.h"
#include "analyzer/cli/screen.h"
#include "analyzer/cli/wrong_file.h"
#include "analyzer/export/output.h"
#include "analyzer/load/reading_start.h"
#include "analyzer/model/huge_pages.h"
#include "analyzer/model/shortage.h"
#include "analyzer/page/page.h"
#include "analyzer/table/clean.h"
#include "analyzer/table/table.h"
#include "analyzer/validate/defined.h"
#include "formats/base/standard_streams.h"

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

/* Examines, if all processes came so far. */
static enum mw_status examine_together(const struct mwa_options *options,
                                       struct mwa_processes *processes, enum mw_status status,
                                       FILE *out, bool *complete, struct mw_diagnostic *diagnostic)
{
    status = mwa_processes_all(processes, status, diagnostic);
    if (status == MW_OK) {
        status = options->command->examine(options, processes, out, complete, diagnostic);
    }
    mwa_processes_end(processes);
    return status;
}

/* What a command prints that opens archives itself: data as they are, text laid out. */
static enum mw_status print_examined(const struct mwa_options *options,
                                     struct mwa_processes *processes, FILE *out, bool *complete,
                                     struct mw_diagnostic *diagnostic)
{
    struct mw_diagnostic laying = { 0 };
    struct mwa_screen_text text;
    enum mw_status status;

    if (options->json || options->csv || options->command->is_json) {
        return examine_together(options, processes, MW_OK, out, complete, diagnostic);
    }
    status = mwa_screen_open(&text, diagnostic);
    if (status != MW_OK) {
        return mwa_processes_all(processes, status, diagnostic);
    }
    status = examine_together(options, processes, status, text.file, complete, diagnostic);
    if (mwa_screen_close(&text, mwa_screen_columns(options), out, &laying) != MW_OK) {
        *diagnostic = laying;
        status = MW_ERROR_MEMORY;
    }
    return status;
}

/* A command that opens archives itself: its list is printed also if one is corrupt, by the first
 * process. status: whether it may begin. */
static enum mw_status examine(const struct mwa_options *options, struct mwa_processes *processes,
                              enum mw_status status, bool *complete,
                              struct mw_diagnostic *diagnostic)
{
    struct mwa_output output;

    if (!processes->is_first) {
        return examine_together(options, processes, status, NULL, complete, diagnostic);
    }
    status = status == MW_OK ? open_output(options, &output, diagnostic) : status;
    if (status != MW_OK) {
        return mwa_processes_all(processes, status, diagnostic);
    }
    status = print_examined(options, processes, output.file, complete, diagnostic);
    return close_output(&output,
                        status == MW_OK || status == MW_END ||
                            (status == MW_ERROR_FORMAT && options->command->lists_faults),
                        status, diagnostic);
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

/* Whether it says what the archive has, and nothing that is made of it. */
static bool tells_all(const struct mwa_command *command)
{
    return command->has_glance || command == &mwa_commands[MWA_COMMAND_dump];
}

/* Opens one archive, or several as one, of which the first process forgets what is kept. */
static enum mw_status open_archives(const struct mwa_options *options, bool is_first,
                                    struct mwa_input **input, struct mw_diagnostic *diagnostic)
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
        if (status == MW_OK && options->archive_count == 1 && !tells_all(options->command)) {
            status = mwa_input_begin_together(inputs[i], diagnostic);
        }
    }
    if (status == MW_OK && options->archive_count == 1) {
        *input = inputs[0];
    } else if (status == MW_OK) {
        for (uint32_t i = 0; is_first && i < options->archive_count; i++) {
            mwa_forget_kept(inputs[i], options);
        }
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

/* Whether nothing before span matters, or each location is cut to it (is_cut). */
static bool may_begin_late(const struct mwa_options *options, const struct mwa_trace *trace,
                           const struct mwa_span *span, bool is_cut)
{
    const bool is_of_span = options->command->stops && options->from_ns != MWA_FIRST_NS &&
                            span->from <= span->to &&
                            (!(needs_of(options) & MWA_NEED_LOCATION_STATES) ||
                             mwa_activity_needs_no_past(trace));

    return is_cut || is_of_span;
}

/*
 * Where reading may begin for what the command wants of span: each location by itself, as *known
 * says, if it is cut to that (is_cut); all together, as *start says, if nothing before span
 * matters. Both are to be freed.
 */
static enum mw_status choose_start(const struct mwa_options *options,
                                   const struct mwa_processes *processes, struct mwa_input *input,
                                   const struct mwa_span *span, bool is_cut,
                                   struct mwa_block_states **known,
                                   struct mwa_reading_start **start,
                                   struct mw_diagnostic *diagnostic)
{
    const bool is_late = may_begin_late(options, mwa_input_trace(input), span, is_cut);
    const struct mwa_team *team = mwa_processes_team(processes);
    enum mw_status status =
        is_late
            ? mwa_kept_states(input, options, team, span->from, known, diagnostic)
            : mwa_kept_chapters(input, options, team, needs_of(options), known, diagnostic);

    if (status == MW_OK && !*known && processes->is_first &&
        needs_of(options) & MWA_NEED_CLOSEUPS) {
        *known = mwa_found_states(input, options, UINT64_MAX);
    }
    if (status == MW_OK && options->command->stops && is_late) {
        *start = mwa_reading_start_find(input, *known, span->from);
        mwa_input_begin_at(input, *start);
    }
    return status;
}

/* An archive that is open, and what goes with it. All zero is none. */
struct session {
    struct mwa_input *input;
    struct mwa_progress_line progress;
    struct mwa_logical_clocks clocks;
    struct mwa_results results;
    bool *selected;
};

/* Runs the analyses of the command. */
static enum mw_status collect(const struct mwa_options *options,
                              const struct mwa_processes *processes, struct session *session,
                              struct mw_diagnostic *diagnostic)
{
    struct mwa_input *input = session->input;
    struct mwa_results *results = &session->results;
    struct mwa_scope scope = { .rank = options->rank,
                               .goes_on = options->now,
                               .comms = session->selected,
                               .from = options->from_ns,
                               .to = options->to_ns,
                               .bins = options->html             ? MWA_PAGE_BINS
                                       : has_finer_bins(options) ? MWA_PICTURE_BINS
                                                                 : options->bins,
                               .locations = options->locations,
                               .team = mwa_processes_team(processes) };
    struct mwa_reading_start *start = NULL;
    struct mwa_block_states *known = NULL;
    struct mwa_span span;
    bool is_cut;
    enum mw_status status =
        choose_span(options, mwa_input_trace(input), &span, &is_cut, diagnostic);

    if (status == MW_OK) {
        status = choose_start(options, processes, input, &span, is_cut, &known, &start,
                              diagnostic);
    }
    if (status == MW_OK) {
        scope.until = options->command->stops && options->to_ns != MWA_LAST_NS ? span.to : 0;
        scope.span = is_cut ? &span : NULL;
        scope.known = known;
        status = mwa_collect(input, options->archive, needs_of(options), &scope, results,
                             diagnostic);
    }
    mwa_progress_end(&session->progress);
    if (status == MW_OK) {
        mwa_processes_say_whole(processes, options, input, known, results);
    }
    mwa_input_begin_at(input, NULL);
    mwa_reading_start_free(start);
    mwa_block_states_close(known);
    return status;
}

/* Opens what is to be analyzed, and looks whether the options fit it. */
static enum mw_status open_session(const struct mwa_options *options,
                                   const struct mwa_processes *processes, struct session *session,
                                   struct mw_diagnostic *diagnostic)
{
    const struct mwa_team *team = mwa_processes_team(processes);
    enum mw_status status =
        open_archives(options, processes->is_first, &session->input, diagnostic);

    if (status == MW_OK) {
        mwa_input_set_threads(session->input, mwa_processes_threads(processes, options));
        if (!options->quiet && processes->is_first && !prints_while_reading(options)) {
            mwa_progress_begin(&session->progress, session->input);
            session->progress.all /= team ? team->transport.size : 1;
        }
        status = mwa_option_rank_exists(options, mwa_input_trace(session->input), diagnostic);
    }
    if (status == MW_OK && options->clc) {
        status = mwa_controlled_clock_make(session->input, &session->clocks, diagnostic);
    }
    if (status == MW_OK) {
        status = mwa_option_from_exists(options, session->input, diagnostic);
    }
    if (status == MW_OK) {
        status = mwa_comm_options_select(mwa_input_trace(session->input), options,
                                         &session->selected, diagnostic);
    }
    return status;
}

/* Opens and reads, with the other processes if there are any. */
static enum mw_status read_session(const struct mwa_options *options,
                                   const struct mwa_processes *processes, enum mw_status status,
                                   struct session *session, struct mw_diagnostic *diagnostic)
{
    if (status == MW_OK) {
        status = open_session(options, processes, session, diagnostic);
    }
    status = mwa_processes_agree(processes, session->input ? mwa_input_trace(session->input) : NULL,
                                 status, diagnostic);
    if (status == MW_OK && !options->command->run) {
        status = collect(options, processes, session, diagnostic);
    }
    return status;
}

static enum mw_status print_session(const struct mwa_options *options, struct session *session,
                                    bool *complete, struct mw_diagnostic *diagnostic)
{
    struct mwa_output output = { 0 };
    enum mw_status status = open_output(options, &output, diagnostic);

    mwa_shortage_watch();
    if (status == MW_OK) {
        *complete = options->command->run ? mwa_says_complete(mwa_input_trace(session->input))
                                          : mwa_is_complete(&session->results);
        status = options->command->run
                     ? options->command->run(session->input, options, output.file, diagnostic)
                     : print_results(options, &session->results, output.file, diagnostic);
        status = close_output(&output, status == MW_OK, status, diagnostic);
    }
    return status;
}

/* Reads the archive and prints what the command prints; *complete: nothing is missing. */
static enum mw_status analyze(const struct mwa_options *options, struct mwa_processes *processes,
                              bool *complete, struct mw_diagnostic *diagnostic)
{
    struct session session = { 0 };
    enum mw_status status =
        processes->is_first ? mwa_option_outputs_check(options, diagnostic) : MW_OK;

    for (uint32_t i = 0; status == MW_OK && i < options->archive_count; i++) {
        status = mwa_wrong_file(options->archives[i], diagnostic);
    }
    if (options->command->examine) {
        status = examine(options, processes, status, complete, diagnostic);
        mwa_processes_end(processes);
        return status;
    }
    status = read_session(options, processes, status, &session, diagnostic);
    mwa_processes_end(processes);
    if (status == MW_OK && processes->is_first) {
        status = print_session(options, &session, complete, diagnostic);
    }
    mwa_progress_end(&session.progress);
    mwa_results_fini(&session.results);
    mwa_input_close(session.input);
    mwa_logical_clocks_fini(&session.clocks);
    free(session.selected);
    return status;
}

/* Whether processes that were started together may read the archive together. */
static bool may_share(const struct mwa_options *options)
{
    const bool is_part = options->from_ns != MWA_FIRST_NS || options->to_ns != MWA_LAST_NS;

    /* Who follows messages of a part of the run does not read all that the others would. */
    return !options->command->run && !options->clc &&
           !(options->command->stops && is_part) && mwa_may_be_shared(needs_of(options));
}

static int complain(const struct mw_diagnostic *diagnostic, enum mw_status status)
{
    char text[2048];

    /* Names in it may come from the archive. */
    fputs("mpiwatch-analyze: ", stderr);
    mwa_put_clean(mw_diagnostic_text(diagnostic, text, sizeof text), stderr);
    fputs(status == MW_ERROR_MEMORY ? " (see --max-memory)\n" : "\n", stderr);
    return status == MW_ERROR_USAGE ? MWA_EXIT_USAGE : MWA_EXIT_CORRUPT;
}

/* An MPI that gets no memory while it begins ends its process, and can say nothing of it: the limit
 * is for what comes behind it. taken: what the process had before. */
static void limit_memory(const struct mwa_options *options, uint64_t taken)
{
    const uint64_t now = mwa_memory_taken();

    mwa_memory_limit(options->max_memory, now > taken ? now - taken : 0);
    mwa_huge_pages_begin();
}

static int run(const struct mwa_options *options)
{
    struct mw_diagnostic diagnostic = { 0 };
    struct mwa_processes processes;
    bool complete = false;
    const uint64_t taken = mwa_memory_taken();
    enum mw_status status =
        mwa_processes_begin(options, may_share(options), &processes, &diagnostic);

    limit_memory(options, taken);
    if (status == MW_OK && (processes.is_first || mwa_processes_team(&processes))) {
        status = analyze(options, &processes, &complete, &diagnostic);
    }
    if (!processes.is_first && !processes.is_stranded) {
        return MWA_EXIT_FINE;
    }
    if (status == MW_END) {
        return MWA_EXIT_BREACH;
    }
    if (status != MW_OK) {
        return complain(&diagnostic, status);
    }
    if (!complete && (options->archive_count == 1 || !options->command->examine)) {
        mwa_say_incomplete(options, options->archive_count == 1 ? options->archive
                                                                : "one of the archives");
    }
    return complete ? MWA_EXIT_FINE : MWA_EXIT_INCOMPLETE;
}

/* Help that can't be written is an error, as any output. */
static int check_help(int code)
{
    struct mw_diagnostic diagnostic = { 0 };

    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return code;
    }
    return complain(&diagnostic, mwa_output_fail("", &diagnostic));
}

int main(int argc, char **argv)
{
    struct mwa_options_room room = { .words = { NULL } };
    struct mwa_options options;
    struct mwa_hush hush;
    bool is_other, lacks_memory;
    int code;

    mw_standard_streams_hold();
    is_other = mwa_hush_begin(&hush);
    code = mwa_options_parse(argc, argv, &room, &options);
    lacks_memory = code == MWA_EXIT_CORRUPT;
    if (code != MW_COMMAND_LINE_GO_ON && !lacks_memory) {
        code = check_help(code);
    }
    mwa_shortage_note_json();
    mwa_hush_end(&hush);
    if (lacks_memory) {
        fputs("mpiwatch-analyze: no memory for the command line\n", stderr);
    }
    if (code == MW_COMMAND_LINE_GO_ON) {
        raise_open_files();
        options.command = mwa_meant_command(&options);
        code = run(&options);
    } else if (is_other && options.mpi != MWA_MPI_OFF && !lacks_memory) {
        code = MWA_EXIT_FINE; /* the first one says what there is to be said */
    }
    mwa_options_fini(&options, &room);
    return code;
}
