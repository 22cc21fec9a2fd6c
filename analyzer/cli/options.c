#include "analyzer/cli/options.h"

#include <argp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/cli/argument.h"
#include "analyzer/cli/option_rules.h"
#include "config.h"

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
    KEY_FORCE,
    KEY_HELP = '?',
    KEY_VERSION = 'V'
};

static const struct argp_option option_list[] = {
    { "json", KEY_JSON, NULL, 0, "Print JSON", 1 },
    { "csv", KEY_CSV, "DIR", OPTION_ARG_OPTIONAL,
      "Print a table as comma-separated values; export: all tables to directory DIR", 1 },
    { "output", 'o', "FILE", 0, "Write to FILE instead of standard output (-)", 1 },
    { "force", KEY_FORCE, NULL, 0, "Replace files that are no former output of the same kind", 1 },
    { "color", KEY_COLOR, "WHEN", 0, "Colour: auto (the default), always or never", 1 },
    { "rank", KEY_RANK, "N", 0, "dump, counters, watermarks, timeline, waits: only rank N", 1 },
    { "from", KEY_FROM, "TIME", 0,
      "watermarks, timeline, waits, export: only from TIME on, such as 1.5s or 20ms", 1 },
    { "to", KEY_TO, "TIME", 0, "watermarks, timeline, waits, export: only up to TIME", 1 },
    { "top", KEY_TOP, "N", 0, "waits: show the N longest", 1 },
    { "bins", KEY_BINS, "N", 0, "timeline: in N equal parts", 1 },
    { "comm", KEY_COMM, "NAME", 0,
      "report, calls, ranks, messages, waits, comms, timeline, export --csv: only on communicators "
      "with this name or uid, or these (* and ?); may be repeated", 1 },
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
    } else if (!options->command && access(options->archive, F_OK) != 0) {
        argp_error(state, "\"%s\" is neither a command nor an archive that is there",
                   options->archive);
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

/* Where the value of an option belongs that is taken as it is, or null. */
static const char **place_of(int key, struct mwa_options *options)
{
    const struct {
        int key;
        const char **place;
    } places[] = { { KEY_NAME, &options->comm_name }, { KEY_UID, &options->comm_uid },
                   { KEY_HTML, &options->html },      { KEY_PNG, &options->png },
                   { KEY_CHROME, &options->chrome },  { KEY_PERFETTO, &options->perfetto },
                   { KEY_OTF2, &options->otf2 },      { KEY_RANKS, &options->ranks } };

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (places[i].key == key) {
            return places[i].place;
        }
    }
    return NULL;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct parsing *parsing = state->input;
    struct mwa_options *options = &parsing->options;
    const char **place = place_of(key, options);

    if (place) {
        *place = value;
        return 0;
    }
    switch (key) {
    case KEY_JSON:
        options->json = true;
        return 0;
    case KEY_CSV:
        take_csv(value, state, parsing);
        return 0;
    case 'o':
        options->output = strcmp(value, "-") == 0 ? NULL : value;
        return 0;
    case KEY_FORCE:
        options->force = true;
        return 0;
    case KEY_COLOR:
        parsing->color = value;
        return 0;
    case KEY_RANK:
        mwa_argument_number("--rank", value, MWA_NONE, state, &options->rank);
        return 0;
    case KEY_BINS:
        mwa_argument_number("--bins", value, BINS_LIMIT, state, &options->bins);
        if (options->bins == 0) {
            argp_error(state, "--bins needs at least 1");
        }
        return 0;
    case KEY_TOP:
        mwa_argument_number("--top", value, 1000, state, &options->top);
        return 0;
    case KEY_COMM:
        add_comm(value, state, options);
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
    case KEY_MAX:
    case KEY_MIN:
        options->limits[options->limit_count++] = (struct mwa_limit){ value, key == KEY_MAX };
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
    return MWA_EXIT_USAGE;
}

/* The cores that this process may use; 1 when that is not known. */
static uint32_t core_count(void)
{
    cpu_set_t cores;

    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? (uint32_t)CPU_COUNT(&cores) : 1;
}

/* True when something is named that only export writes. */
static bool wants_export(const struct mwa_options *options)
{
    return options->perfetto || options->chrome || options->csv_directory || options->otf2;
}

/* What goes with what: MWA_OPTIONS_GO_ON, or an exit status after a sentence. */
static int check_together(const struct mwa_options *options)
{
    const char *fault = mwa_option_not_taken(options);
    const char *overwrites = mwa_option_overwrites(options);
    const char *clash = mwa_option_outputs_clash(options);

    if (options->csv && options->json) {
        return usage_error("--json and --csv exclude each other", "");
    }
    if (options->csv && !options->command->table && !options->command->runs_csv) {
        return usage_error("there is no --csv of ", options->command->name);
    }
    if (wants_export(options) != (options->command == &mwa_command_export)) {
        return usage_error("export goes with --perfetto, --chrome, --otf2 or --csv DIR, and they "
                           "with it",
                           "");
    }
    if (options->html && (options->command != &mwa_command_report || options->json)) {
        return usage_error("--html goes with report, and not with --json", "");
    }
    if (fault) {
        fprintf(stderr, "mpiwatch-analyze: %s does not take %s\n", options->command->name, fault);
        return MWA_EXIT_USAGE;
    }
    if (overwrites) {
        return usage_error("the archive would be written over by ", overwrites);
    }
    if (clash) {
        return usage_error(clash, "");
    }
    return options->from_ns > options->to_ns ? usage_error("--to is before --from", "")
                                             : MWA_OPTIONS_GO_ON;
}

static int parse(int argc, char **argv, struct parsing *parsing)
{
    static const struct argp argp = { option_list, parse_option, "[COMMAND] ARCHIVE", general_doc,
                                      NULL, NULL, NULL };
    struct mwa_options *options = &parsing->options;
    char name[] = "mpiwatch-analyze";
    bool valid;

    argp_err_exit_status = MWA_EXIT_USAGE;
    if (argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, parsing) != 0) {
        return MWA_EXIT_USAGE;
    }
    if (parsing->help) {
        print_help(options->command, name);
        return MWA_EXIT_FINE;
    }
    if (parsing->version) {
        printf("mpiwatch-analyze %s\n", PACKAGE_VERSION);
        return MWA_EXIT_FINE;
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
    return check_together(options);
}

int mwa_options_parse(int argc, char **argv, struct mwa_options *options)
{
    struct parsing parsing = {
        .options = { .rank = MWA_NONE, .to_ns = UINT64_MAX, .jobs = core_count() }
    };
    int code = MWA_EXIT_CORRUPT;

    parsing.options.archives = calloc((size_t)argc + 1, sizeof(char *));
    parsing.options.limits = calloc((size_t)argc + 1, sizeof *parsing.options.limits);
    if (parsing.options.archives && parsing.options.limits) {
        code = parse(argc, argv, &parsing);
    } else {
        fputs("mpiwatch-analyze: no memory for the command line\n", stderr);
    }
    *options = parsing.options;
    return code;
}

void mwa_options_fini(struct mwa_options *options)
{
    free(options->archives);
    free(options->limits);
}
