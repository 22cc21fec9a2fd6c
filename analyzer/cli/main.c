/* mpiwatch-analyze: options, the command they name, and its exit code. */
#include <argp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "analyzer/analysis/collect.h"
#include "analyzer/cli/argument.h"
#include "analyzer/cli/comm_options.h"
#include "analyzer/cli/command.h"
#include "analyzer/cli/memory.h"
#include "analyzer/cli/progress.h"
#include "analyzer/page/page.h"
#include "analyzer/render/summary.h"
#include "analyzer/render/units.h"
#include "analyzer/validate/defined.h"
#include "config.h"

enum exit_code {
    EXIT_FINE = 0,
    EXIT_BREACH = 1,
    EXIT_USAGE = 2,
    EXIT_CORRUPT = 3,
    EXIT_INCOMPLETE = 4
};

#define JOBS_LIMIT 256u
#define BINS_LIMIT 100001ul

enum option_key {
    KEY_JSON = 0x100,
    KEY_CSV,
    KEY_COLOR,
    KEY_RANK,
    KEY_FROM,
    KEY_TO,
    KEY_SERIES,
    KEY_COMMS,
    KEY_COMM,
    KEY_NAME,
    KEY_UID,
    KEY_BINS,
    KEY_TOP,
    KEY_HTML,
    KEY_PERFETTO,
    KEY_CHROME,
    KEY_OTF2,
    KEY_RANKS,
    KEY_MAX_MEMORY,
    KEY_MAX,
    KEY_MIN,
    KEY_WEAK,
    KEY_PNG,
    KEY_HELP = '?',
    KEY_VERSION = 'V'
};

const struct mwa_command *const mwa_commands[] = {
    &mwa_command_report,   &mwa_command_info,  &mwa_command_calls, &mwa_command_ranks,
    &mwa_command_messages, &mwa_command_comms, &mwa_command_dump,
    &mwa_command_export,   &mwa_command_pop,   &mwa_command_imbalance,
    &mwa_command_critical_path,
    &mwa_command_timeline,
    &mwa_command_waits,
    &mwa_command_counters, &mwa_command_watermarks, &mwa_command_compare,
    &mwa_command_check,    &mwa_command_validate, NULL
};

static const struct argp_option option_list[] = {
    { "json", KEY_JSON, NULL, 0, "Print JSON", 1 },
    { "csv", KEY_CSV, "DIR", OPTION_ARG_OPTIONAL,
      "Print a table as comma-separated values; export: all tables to directory DIR", 1 },
    { "output", 'o', "FILE", 0, "Write to FILE instead of standard output", 1 },
    { "color", KEY_COLOR, "WHEN", 0, "Colour: auto (the default), always or never", 1 },
    { "rank", KEY_RANK, "N", 0, "dump, counters, watermarks, timeline, waits: only rank N", 1 },
    { "from", KEY_FROM, "TIME", 0,
      "watermarks, timeline, waits, export: only from TIME on, such as 1.5s or 20ms", 1 },
    { "to", KEY_TO, "TIME", 0, "watermarks, timeline, waits, export: only up to TIME", 1 },
    { "top", KEY_TOP, "N", 0, "waits: show the N longest", 1 },
    { "bins", KEY_BINS, "N", 0, "timeline: in N equal parts", 1 },
    { "comm", KEY_COMM, "NAME", 0,
      "report, calls, ranks, messages, waits, comms, timeline: only on communicators with this "
      "name or uid, or these (* and ?); may be repeated", 1 },
    { "name", KEY_NAME, "NAME", 0, "comms, timeline: communicators with this name (* and ?)", 1 },
    { "uid", KEY_UID, "UID", 0, "comms, timeline: the communicator with this uid (* and ?)", 1 },
    { "comms", KEY_COMMS, NULL, 0, "timeline: lives of communicators", 1 },
    { "series", KEY_SERIES, NULL, 0, "counters: every value with its time", 1 },
    { "jobs", 'j', "N", 0, "Read with N threads (default: as many as there are cores)", 1 },
    { "html", KEY_HTML, "FILE", 0, "report: write it to FILE as one HTML page", 1 },
    { "perfetto", KEY_PERFETTO, "FILE", 0, "export: a trace for ui.perfetto.dev", 1 },
    { "chrome", KEY_CHROME, "FILE", 0, "export: JSON trace events", 1 },
    { "otf2", KEY_OTF2, "FILE", 0, "export: a smaller archive, FILE.zip or a directory", 1 },
    { "ranks", KEY_RANKS, "LIST", 0, "export: only these ranks, such as 0-3,8", 1 },
    { "max", KEY_MAX, "KEY=NUMBER", 0, "check: a number of the report is at most NUMBER", 1 },
    { "min", KEY_MIN, "KEY=NUMBER", 0, "check: a number of the report is at least NUMBER", 1 },
    { "png", KEY_PNG, "FILE", 0, "timeline: also as a picture", 1 },
    { "weak", KEY_WEAK, NULL, 0, "compare: the work grows with the ranks", 1 },
    { "max-memory", KEY_MAX_MEMORY, "SIZE", 0,
      "Give up rather than take more memory: bytes, or with K, M, G (default: half the machine)",
      1 },
    { "quiet", 'q', NULL, 0, "Say nothing on standard error but errors", 1 },
    { "help", KEY_HELP, NULL, 0, "Explain mpiwatch-analyze, or the command that is named", 2 },
    { "version", KEY_VERSION, NULL, 0, "Print the version", 2 },
    { 0 }
};

/* What parsing leaves beside the options. */
struct parsing {
    struct mwa_options options;
    const char *color;
    const char *behind_csv; /* the word behind --csv */
    bool help;
    bool version;
};

static const struct mwa_command *command_called(const char *name)
{
    for (unsigned i = 0; mwa_commands[i]; i++) {
        if (strcmp(mwa_commands[i]->name, name) == 0) {
            return mwa_commands[i];
        }
    }
    return NULL;
}

static void add_comm(const char *pattern, struct argp_state *state, struct mwa_options *options)
{
    if (options->comm_pattern_count == MWA_COMM_PATTERNS) {
        argp_error(state, "--comm can be given %u times", MWA_COMM_PATTERNS);
        return;
    }
    options->comm_patterns[options->comm_pattern_count++] = pattern;
}

static void parse_word(const char *word, struct argp_state *state, struct parsing *parsing)
{
    struct mwa_options *options = &parsing->options;
    const struct mwa_command *command = command_called(word);

    if (!options->command && command) {
        options->command = command;
    } else if (options->command == &mwa_command_export && word == parsing->behind_csv) {
        options->csv_directory = word;
    } else if (!options->archive || (options->command && options->command->several)) {
        options->archive = options->archive ? options->archive : word;
        options->archives[options->archive_count++] = word;
    } else {
        argp_error(state, "\"%s\" is one word too many; the archive is \"%s\"", word,
                   options->archive);
    }
}

/* For export, the word behind --csv is its value, if it has none: see parse_word. */
static void take_csv(const char *value, struct argp_state *state, struct parsing *parsing)
{
    parsing->options.csv = true;
    parsing->options.csv_directory = value;
    if (!value && state->next < state->argc) {
        parsing->behind_csv = state->argv[state->next];
    }
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct parsing *parsing = state->input;
    struct mwa_options *options = &parsing->options;

    switch (key) {
    case KEY_JSON:
        options->json = true;
        return 0;
    case KEY_CSV:
        take_csv(value, state, parsing);
        return 0;
    case 'o':
        options->output = value;
        return 0;
    case KEY_COLOR:
        parsing->color = value;
        return 0;
    case KEY_RANK:
        mwa_argument_number("--rank", value, MWA_NONE, state, &options->rank);
        return 0;
    case KEY_BINS:
        mwa_argument_number("--bins", value, BINS_LIMIT, state, &options->bins);
        return 0;
    case KEY_TOP:
        mwa_argument_number("--top", value, 1000, state, &options->top);
        return 0;
    case KEY_COMM:
        add_comm(value, state, options);
        return 0;
    case KEY_NAME:
        options->comm_name = value;
        return 0;
    case KEY_UID:
        options->comm_uid = value;
        return 0;
    case KEY_COMMS:
        options->comms = true;
        return 0;
    case KEY_FROM:
        mwa_argument_time(value, state, &options->from_ns);
        return 0;
    case KEY_TO:
        mwa_argument_time(value, state, &options->to_ns);
        return 0;
    case KEY_SERIES:
        options->series = true;
        return 0;
    case 'j':
        mwa_argument_number("--jobs", value, JOBS_LIMIT, state, &options->jobs);
        return 0;
    case KEY_HTML:
        options->html = value;
        return 0;
    case KEY_PERFETTO:
        options->perfetto = value;
        return 0;
    case KEY_CHROME:
        options->chrome = value;
        return 0;
    case KEY_OTF2:
        options->otf2 = value;
        return 0;
    case KEY_RANKS:
        options->ranks = value;
        return 0;
    case KEY_MAX:
    case KEY_MIN:
        options->limits[options->limit_count++] = (struct mwa_limit){ value, key == KEY_MAX };
        return 0;
    case KEY_PNG:
        options->png = value;
        return 0;
    case KEY_WEAK:
        options->weak = true;
        return 0;
    case KEY_MAX_MEMORY:
        mwa_argument_memory(value, state, &options->max_memory);
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    case KEY_HELP:
        parsing->help = true;
        return 0;
    case KEY_VERSION:
        parsing->version = true;
        return 0;
    case ARGP_KEY_ARG:
        parse_word(value, state, parsing);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char general_doc[] =
    "Explains an archive that mpiwatch-record wrote, or an OTF2 archive of another tool. "
    "ARCHIVE is a .otf2.zip file, a directory, or the anchor file traces.otf2 in it."
    "\vExit status: 0 fine, 1 a limit of check is not kept, 2 wrong usage, 3 the archive can't be "
    "read or is corrupt, 4 it was read, but is incomplete or has losses.";

/* Prints --help of the command, or of the program with the list of commands. */
static void print_help(const struct mwa_command *command, char *program)
{
    char arguments[64];
    struct argp argp = { option_list, NULL, "[COMMAND] ARCHIVE", general_doc, NULL, NULL, NULL };

    if (command) {
        snprintf(arguments, sizeof arguments, "%s ARCHIVE", command->name);
        argp.args_doc = arguments;
        argp.doc = command->help;
    }
    argp_help(&argp, stdout, ARGP_HELP_USAGE | ARGP_HELP_PRE_DOC | ARGP_HELP_LONG, program);
    if (command) {
        return;
    }
    printf("\nCommands (without one: %s):\n", mwa_commands[0]->name);
    for (unsigned i = 0; mwa_commands[i]; i++) {
        printf("  %-10s %s\n", mwa_commands[i]->name, mwa_commands[i]->summary);
    }
    printf("\n");
    argp_help(&argp, stdout, ARGP_HELP_POST_DOC, program);
}

/* True when colour is wanted; false in *valid when --color says something else. */
static bool choose_color(const struct parsing *parsing, bool *valid)
{
    const char *color = parsing->color ? parsing->color : "auto";

    *valid = true;
    if (strcmp(color, "always") == 0) {
        return true;
    }
    if (strcmp(color, "auto") == 0) {
        return !parsing->options.output && isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
    }
    *valid = strcmp(color, "never") == 0;
    return false;
}

/* An archive may be called like a command: the only word is one if it is there. */
static void take_command_for_archive(struct mwa_options *options)
{
    if (options->command && !options->archive && access(options->command->name, F_OK) == 0) {
        options->archive = options->command->name;
        options->command = NULL;
    }
}

static int usage_error(const char *what, const char *detail)
{
    fprintf(stderr, "mpiwatch-analyze: %s%s\nTry mpiwatch-analyze --help\n", what, detail);
    return EXIT_USAGE;
}

/* Directories have a file per location: as many as are allowed may be open. */
static void raise_open_files(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static enum mw_status print_json(const struct mwa_command *command,
                                 const struct mwa_results *results, FILE *out,
                                 struct mw_diagnostic *diagnostic)
{
    json_t *object = command->json(results);
    int code = object ? json_dumpf(object, out, JSON_INDENT(1)) : -1;

    json_decref(object);
    putc('\n', out);
    return code == 0 ? MW_OK
                     : mw_fail(diagnostic, MW_ERROR_MEMORY, "", MW_DIAGNOSTIC_OFFSET_NONE,
                               "cannot print JSON");
}

static enum mw_status print_results(const struct mwa_options *options,
                                    const struct mwa_results *results, FILE *out,
                                    struct mw_diagnostic *diagnostic)
{
    if (options->html) {
        return mwa_page_write_file(results, options->html, diagnostic);
    }
    if (options->json) {
        return print_json(options->command, results, out, diagnostic);
    }
    if (options->csv) {
        options->command->csv(results, out);
    } else {
        mwa_comm_options_put(options, out);
        options->command->text(results, options, out);
    }
    return MW_OK;
}

static enum mw_status close_output(const struct mwa_options *options, FILE *out,
                                   struct mw_diagnostic *diagnostic)
{
    bool failed = fflush(out) != 0 || ferror(out);

    if (options->output && fclose(out) != 0) {
        failed = true;
    }
    return failed ? mw_fail(diagnostic, MW_ERROR_SYSTEM, options->output ? options->output : "",
                            MW_DIAGNOSTIC_OFFSET_NONE, "cannot write the output")
                  : MW_OK;
}

/* *out is standard output if the user names no file, or it can't be written. */
static enum mw_status open_output(const struct mwa_options *options, FILE **out,
                                  struct mw_diagnostic *diagnostic)
{
    FILE *file = options->output ? fopen(options->output, "w") : stdout;

    *out = file ? file : stdout;
    return file ? MW_OK
                : mw_fail(diagnostic, MW_ERROR_SYSTEM, options->output,
                          MW_DIAGNOSTIC_OFFSET_NONE, "cannot write");
}

/* A command that opens the archive itself: its list is printed also if that is corrupt. */
static enum mw_status examine(const struct mwa_options *options, bool *complete,
                              struct mw_diagnostic *diagnostic)
{
    struct mw_diagnostic closing = { 0 };
    FILE *out;
    enum mw_status status = open_output(options, &out, diagnostic);

    if (status == MW_OK) {
        status = options->command->examine(options, out, complete, diagnostic);
        if (close_output(options, out, &closing) != MW_OK) {
            *diagnostic = closing;
            status = closing.status;
        }
    }
    return status;
}

/* On the terminal, where a line about progress would be in the way. */
static bool prints_while_reading(const struct mwa_options *options)
{
    return options->command->run && !options->output && isatty(STDOUT_FILENO);
}

/* What to compute: the page and the JSON report hold more than the screen. */
static unsigned needs_of(const struct mwa_options *options)
{
    if (options->html) {
        return MWA_NEED_PAGE;
    }
    return options->command == &mwa_command_report && options->json
               ? options->command->needs | MWA_NEED_TRACKS
               : options->command->needs;
}

/* Reads the archive and prints what the command prints; *complete: nothing is missing. */
static enum mw_status analyze(const struct mwa_options *options, bool *complete,
                              struct mw_diagnostic *diagnostic)
{
    struct mwa_results results = { 0 };
    struct mwa_progress_line progress = { 0 };
    struct mwa_input *input = NULL;
    bool *selected = NULL;
    FILE *out = stdout;
    enum mw_status status;

    if (options->command->examine) {
        return examine(options, complete, diagnostic);
    }
    status = mwa_input_open(options->archive, &input, diagnostic);
    if (status == MW_OK) {
        mwa_input_set_threads(input, options->jobs);
        if (!options->quiet && !prints_while_reading(options)) {
            mwa_progress_begin(&progress, input);
        }
        status = mwa_require_definitions(input, diagnostic);
    }
    if (status == MW_OK) {
        status = mwa_comm_options_select(mwa_input_trace(input), options, &selected, diagnostic);
    }
    if (status == MW_OK && !options->command->run) {
        const struct mwa_waits_selection selection = { .rank = options->rank,
                                                       .comms = selected,
                                                       .from = options->from_ns,
                                                       .to = options->to_ns };

        status = mwa_collect_selected(input, options->archive,
                                      needs_of(options),
                                      options->command->selects || selected ? &selection
                                                                            : NULL,
                                      selected,
                                      &results, diagnostic);
        mwa_progress_end(&progress);
    }
    if (status == MW_OK) {
        status = open_output(options, &out, diagnostic);
    }
    if (status == MW_OK) {
        *complete = options->command->run ? !mwa_input_trace(input)->incomplete
                                          : mwa_is_complete(&results);
        status = options->command->run
                     ? options->command->run(input, options, out, diagnostic)
                     : print_results(options, &results, out, diagnostic);
        if (status == MW_OK || status == MW_END) {
            enum mw_status closed = close_output(options, out, diagnostic);

            status = closed == MW_OK ? status : closed;
        }
    }
    mwa_progress_end(&progress);
    mwa_results_fini(&results);
    mwa_input_close(input);
    free(selected);
    return status;
}

/* The cores that this process may use; 1 when that is not known. */
static uint32_t core_count(void)
{
    cpu_set_t cores;

    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? (uint32_t)CPU_COUNT(&cores) : 1;
}

static int run(const struct mwa_options *options)
{
    struct mw_diagnostic diagnostic = { 0 };
    bool complete = false;
    char text[2048];
    enum mw_status status = analyze(options, &complete, &diagnostic);

    if (status == MW_END) {
        return EXIT_BREACH;
    }
    if (status != MW_OK) {
        /* Names in it may come from the archive. */
        fputs("mpiwatch-analyze: ", stderr);
        mwa_put_clean(mw_diagnostic_text(&diagnostic, text, sizeof text), stderr);
        fputs(status == MW_ERROR_MEMORY ? " (see --max-memory)\n" : "\n", stderr);
        return status == MW_ERROR_USAGE ? EXIT_USAGE : EXIT_CORRUPT;
    }
    if (!complete && !options->quiet) {
        fprintf(stderr, "mpiwatch-analyze: %s: the archive is incomplete\n", options->archive);
    }
    return complete ? EXIT_FINE : EXIT_INCOMPLETE;
}

/* True when something is named that only export writes. */
static bool wants_export(const struct mwa_options *options)
{
    return options->perfetto || options->chrome || options->csv_directory || options->otf2;
}

static int run_command_line(int argc, char **argv, struct parsing *parsing)
{
    static const struct argp argp = { option_list, parse_option, "[COMMAND] ARCHIVE", general_doc,
                                      NULL, NULL, NULL };
    struct mwa_options *options = &parsing->options;
    char name[] = "mpiwatch-analyze";
    bool valid;

    argp_err_exit_status = EXIT_USAGE;
    if (argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, parsing) != 0) {
        return EXIT_USAGE;
    }
    if (parsing->help) {
        print_help(options->command, name);
        return EXIT_FINE;
    }
    if (parsing->version) {
        printf("mpiwatch-analyze %s\n", PACKAGE_VERSION);
        return EXIT_FINE;
    }
    options->color = choose_color(parsing, &valid);
    if (!valid) {
        return usage_error("--color is auto, always or never, not ", parsing->color);
    }
    take_command_for_archive(options);
    if (!options->archive) {
        return usage_error("no archive is named", "");
    }
    if (!options->command) {
        options->command = mwa_commands[0];
    }
    if (options->csv_directory) {
        options->csv = false;
    }
    if (options->csv &&
        (options->json ||
         !(options->command->csv || options->command->runs_csv))) {
        return usage_error(options->json ? "--json and --csv exclude each other"
                                                : "there is no --csv of ",
                           options->json ? "" : options->command->name);
    }
    if (wants_export(options) != (options->command == &mwa_command_export)) {
        return usage_error("export goes with --perfetto, --chrome, --otf2 or --csv DIR, and they "
                           "with it",
                           "");
    }
    if (options->html && (options->command != &mwa_command_report || options->json)) {
        return usage_error("--html goes with report, and not with --json", "");
    }
    if (mwa_comm_options_fault(options)) {
        return usage_error("this command does not take ",
                           mwa_comm_options_fault(options));
    }
    raise_open_files();
    mwa_memory_limit(options->max_memory);
    return run(options);
}

int main(int argc, char **argv)
{
    struct parsing parsing = {
        .options = { .rank = MWA_NONE, .to_ns = UINT64_MAX, .jobs = core_count() }
    };
    int code = EXIT_CORRUPT;

    parsing.options.archives = calloc((size_t)argc + 1, sizeof(char *));
    parsing.options.limits = calloc((size_t)argc + 1, sizeof *parsing.options.limits);
    if (parsing.options.archives && parsing.options.limits) {
        code = run_command_line(argc, argv, &parsing);
    } else {
        fputs("mpiwatch-analyze: no memory for the command line\n", stderr);
    }
    free(parsing.options.archives);
    free(parsing.options.limits);
    return code;
}
