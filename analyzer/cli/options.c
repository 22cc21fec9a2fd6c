/*
 * A row per option, with the commands that take it: what --help and completion list, what a
 * command refuses and where a value goes all follow from it.
 */
#include "analyzer/cli/options.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/cli/argument.h"
#include "analyzer/cli/option_rules.h"
#include "analyzer/export/export_records.h"
#include "formats/base/launched_job.h"
#include "formats/base/option_value.h"

_Static_assert(MWA_COMMANDS < 32, "a row of an option has a bit for each command");

#define TOLERANCE  0.05  /* without --tolerance */
#define PICTURE_MM 180.0 /* two columns of most papers */

#define BY(name)      (1u << MWA_COMMAND_##name)
#define USE_THE_CACHE                                                                             \
    (BY(calls) | BY(check) | BY(comms) | BY(compare) | BY(critical_path) | BY(dump) |             \
     BY(export) | BY(info) | BY(messages) | BY(mistakes) | BY(pop) | BY(ranks) | BY(report) |     \
     BY(sites) | BY(timeline) | BY(waits) | BY(watermarks))
#define BUT_BY(names) ((1u << MWA_COMMANDS) - 1 - (names))

#define MEMBER(member)               .offset = offsetof(struct mwa_options, member)
#define FLAG(member)                 .take = mw_take_flag, MEMBER(member)
#define TEXT(member)                 .take = mw_take_text, MEMBER(member)
#define TIME(member)                 .take = mwa_take_time, MEMBER(member)
#define NUMBER(member, first, last)                                                              \
    .take = mw_take_number, MEMBER(member), .least = (first), .most = (last)

static const struct mw_option rows[] = {
    { "json", 0, NULL, "Print JSON", BUT_BY(BY(export) | BY(schema)), FLAG(json),
      .excludes = "csv" },
    { "csv", 0, NULL, "Print a table as comma-separated values",
      BUT_BY(BY(report) | BY(info) | BY(dump) | BY(export) | BY(check) | BY(validate) |
             BY(schema)),
      FLAG(csv) },
    { "csv", 0, "DIR", "All tables, to directory DIR", BY(export), TEXT(csv_directory) },
    { "output", 'o', "FILE", "Write to FILE instead of standard output (-)", BUT_BY(BY(export)),
      .take = mwa_take_output, MEMBER(output) },
    { "force", 0, NULL, "Replace files that are no former output of the same kind", 0,
      FLAG(force) },
    { "color", 0, "auto|always|never", "Colour (default: auto)", BY(report) | BY(timeline),
      .take = mw_take_choice, MEMBER(color_when) },
    { "width", 0, "N", "Lay text out for N columns (default: the screen's, else 80)",
      BUT_BY(BY(dump) | BY(export) | BY(schema)), NUMBER(width, 40, 10000) },
    { "rank", 0, "N", "Only rank N",
      BY(comms) | BY(dump) | BY(functions) | BY(timeline) | BY(waits) | BY(counters) |
          BY(watermarks),
      NUMBER(rank, 0, MWA_NONE - 1) },
    { "from", 0, "TIME", "Only from TIME on, such as 1.5s or 20ms",
      BY(dump) | BY(export) | BY(timeline) | BY(waits) | BY(watermarks), TIME(from_ns) },
    { "to", 0, "TIME", "Only up to TIME",
      BY(dump) | BY(export) | BY(timeline) | BY(waits) | BY(watermarks), TIME(to_ns) },
    { "from", 0, "TIME", "Only what is from TIME on: calls are cut there", BY(calls) | BY(ranks),
      TIME(from_ns), .excludes = "comm sites" },
    { "to", 0, "TIME", "Only what is up to TIME: calls are cut there", BY(calls) | BY(ranks),
      TIME(to_ns), .excludes = "comm sites" },
    { "top", 0, "N", "Show the N longest, or first", BY(mistakes) | BY(waits),
      NUMBER(top, 0, 999) },
    { "all-ranks", 0, NULL, "A line for each rank also where there are more than 64",
      BY(ranks) | BY(imbalance) | BY(hang) | BY(timeline) | BY(counters) | BY(watermarks),
      FLAG(all_ranks) },
    { "bins", 0, "N", "In N equal parts", BY(timeline), NUMBER(bins, 1, 100000) },
    { "locations", 0, "some|all|main", "Lines for threads and streams (default: some, 64)",
      BY(timeline), .take = mw_take_choice, MEMBER(locations) },
    { "comm", 0, "NAME",
      "Only on communicators with this name or uid, or these (* and ?); may be repeated",
      BY(report) | BY(calls) | BY(ranks) | BY(messages) | BY(comms) | BY(export) | BY(timeline) |
          BY(waits),
      .take = mwa_take_comm, .excludes = "perfetto chrome paraver otf2" },
    { "name", 0, "NAME", "Communicators with this name (* and ?)", BY(comms) | BY(timeline),
      TEXT(comm_name) },
    { "uid", 0, "UID", "The communicator with this uid (* and ?)", BY(comms) | BY(timeline),
      TEXT(comm_uid) },
    { "comms", 0, NULL, "Lives of communicators", BY(timeline), FLAG(comms) },
    { "series", 0, NULL, "Every value with its time", BY(counters), FLAG(series) },
    { "full", 0, NULL, "Read all events: count calls, match messages, compare clocks", BY(info),
      FLAG(full), .excludes = "sizes" },
    { "sizes", 0, NULL, "What the archive's bytes are, by kind of event", BY(info), FLAG(sizes) },
    { "sites", 0, NULL, "Each call by the lines that make it", BY(calls), FLAG(sites) },
    { "stacks", 0, NULL, "By who calls the function that makes the call", BY(sites),
      FLAG(stacks) },
    { "now", 0, NULL, "The run goes on: say since when its ranks are where they are", BY(hang),
      FLAG(now) },
    { "jobs", 'j', "N", "Read with N threads (default: as many as there are cores)", 0,
      NUMBER(jobs, 0, 255) },
    { "mpi", 0, "auto|off|openmpi|mpich|abi",
      "Processes that mpirun started read together (default: auto), or each by itself (off)", 0,
      .take = mw_take_choice, MEMBER(mpi) },
    { "html", 0, "FILE", "Write it to FILE as one HTML page", BY(report) | BY(compare),
      TEXT(html), .excludes = "json csv output" },
    { "perfetto", 0, "FILE", "A trace for ui.perfetto.dev", BY(export), TEXT(perfetto) },
    { "chrome", 0, "FILE", "JSON trace events", BY(export), TEXT(chrome) },
    { "folded", 0, "FILE", "Stacks with their time in MPI, for flamegraph.pl and its like",
      BY(export), TEXT(folded), .excludes = "from to ranks" },
    { "folded-waits", 0, "FILE", "The same with the time that they wait", BY(export),
      TEXT(folded_waits), .excludes = "from to ranks" },
    { "paraver", 0, "FILE.prv", "A trace for Paraver, with FILE.pcf and FILE.row", BY(export),
      TEXT(paraver) },
    { "otf2", 0, "FILE", "A smaller archive, FILE.zip or a directory", BY(export), TEXT(otf2) },
    { "max-rows", 0, "N", "At most N rows of single calls and messages (default: 1000000; 0: none)",
      BY(export), NUMBER(max_rows, 0, 100000000) },
    { "ranks", 0, "LIST", "Only these ranks, such as 0-3,8", BY(export), TEXT(ranks) },
    { "max", 0, "KEY=NUMBER", "A number of the report is at most NUMBER", BY(check),
      .take = mwa_take_limit },
    { "min", 0, "KEY=NUMBER", "A number of the report is at least NUMBER", BY(check),
      .take = mwa_take_limit },
    { "limits", 0, "FILE", "Limits, a line each: max KEY=NUMBER or min KEY=NUMBER", BY(check),
      TEXT(limits_file) },
    { "keys", 0, NULL, "Print the keys that limits can have, and no more", BY(check), FLAG(keys),
      .excludes = "max min limits baseline tolerance json junit github" },
    { "baseline", 0, "FILE", "A run to hold it against; more may follow, or be repeated",
      BY(check), .take = mwa_take_baseline },
    { "tolerance", 0, "PERCENT", "What may be more than in the baselines (default: 5%)",
      BY(check), .take = mwa_take_tolerance, MEMBER(tolerance) },
    { "junit", 0, "FILE", "Also as JUnit XML", BY(check), TEXT(junit) },
    { "github", 0, NULL, "Also as annotations of GitHub", BY(check), FLAG(github),
      .excludes = "json" },
    { "png", 0, "FILE", "Also as a picture of 300 dots an inch", BY(timeline), TEXT(png),
      .excludes = "comms" },
    { "svg", 0, "FILE", "Also as a picture of lines and letters, for papers", BY(timeline),
      TEXT(svg), .excludes = "comms" },
    { "size", 0, "WIDTH", "How wide the picture is, such as 85mm (default: 180mm)", BY(timeline),
      .take = mwa_take_length, MEMBER(picture_mm), .offers = "85mm 180mm" },
    { "title", 0, "TEXT", "What stands above the picture (default: the program)", BY(timeline),
      TEXT(title) },
    { "weak", 0, NULL, "The work grows with the ranks", BY(compare), FLAG(weak) },
    { "debug-dir", 0, "DIR", "Look up lines that were not known in programs and debug files in DIR",
      BUT_BY(BY(compare) | BY(check) | BY(validate) | BY(schema)), TEXT(debug_directory) },
    { "clc", 0, NULL,
      "Move times where clocks disagree, so that nothing is received before it is sent",
      BUT_BY(BY(validate) | BY(schema)), FLAG(clc) },
    { "no-cache", 0, NULL, "Neither use nor write what is kept of archives in the user's cache",
      BUT_BY(BY(schema)), FLAG(no_cache) },
    { "forget", 0, NULL, "As --no-cache, and remove what is kept of this archive",
      USE_THE_CACHE, FLAG(forget) },
    { "max-memory", 0, "SIZE",
      "Give up rather than take more memory: bytes, or with K, M, G (default: half the machine)",
      0, .take = mwa_take_memory, MEMBER(max_memory) },
    { "quiet", 'q', NULL, "Say nothing on standard error but errors", 0, FLAG(quiet) },
    { .name = NULL },
};

/* Whether colour is wanted. Open MPI's launcher gives each process a terminal of its own, whatever
 * becomes of what is written to it. */
static bool wants_color(const struct mwa_options *options)
{
    return options->color_when == MWA_COLOR_ALWAYS ||
           (options->color_when == MWA_COLOR_AUTO && !options->output && isatty(STDOUT_FILENO) &&
            !mw_launched_for_mpi() && !getenv("NO_COLOR"));
}

/* The cores that this process may use; 1 when that is not known. */
static uint32_t core_count(void)
{
    cpu_set_t cores;

    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? (uint32_t)CPU_COUNT(&cores) : 1;
}

/* Which of the words of the command line, as it was, text is in. */
static int position_of(const char *text, char *const *words)
{
    for (int i = 0; words[i]; i++) {
        for (const char *at = words[i]; at == text || *at; at++) {
            if (at == text) {
                return i;
            }
        }
    }
    return 0;
}

/* The words behind --baseline are baselines, too, but for the last one: so a shell's * does. */
static int take_baselines(const struct mw_command_line *line, struct mwa_options *options,
                          char *const *words)
{
    uint32_t count = options->baseline_count;

    if (options->archive_count > 1 &&
        position_of(options->archives[0], words) < position_of(options->baselines[0], words)) {
        return mw_command_line_refuse(line, NULL, "the archive that is checked comes last: check "
                                                  "--baseline OLD OLD NEW");
    }
    memcpy(options->all_archives, options->baselines, count * sizeof *options->all_archives);
    memcpy(options->all_archives + count, options->archives,
           options->archive_count * sizeof *options->all_archives);
    options->archives = options->all_archives;
    options->archive_count += count;
    options->archive = options->archives[options->archive_count - 1];
    return MW_COMMAND_LINE_GO_ON;
}

/* What is meant by a word that is neither a command nor an archive: a command with nearly that
 * name, or a program of its own. */
static const char *meant_by(const struct mw_command_line *line, const char *word)
{
    static const char *const programs[] = { "mpiwatch-record", "mpiwatch-recover", "mpiwatch-top",
                                            "mpiwatch-vars", "mpiwatch-view" };

    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        if (strcmp(programs[i] + strlen("mpiwatch-"), word) == 0) {
            return programs[i];
        }
    }
    return mw_command_line_nearest(line, word);
}

/* The words behind the command: as many archives as it takes; words as the command line was. */
static int take_archives(const struct mw_command_line *line, struct mwa_options *options,
                         char *const *words)
{
    const char *nearest, *taking, *taken;
    bool is_neither, is_more;

    options->archives = line->words;
    options->archive = line->words[0];
    while (line->words[options->archive_count]) {
        options->archive_count++;
    }
    if (options->archive_count == 0 && options->command->words) {
        return MW_COMMAND_LINE_GO_ON;
    }
    taking = options->archive_count == 0 ? mwa_option_took(options, &taken) : NULL;
    if (taking) {
        return mw_command_line_refuse(line, NULL, "no archive is named: %s takes the file that it "
                                                  "writes, and has \"%s\"", taking, taken);
    }
    if (options->archive_count == 0) {
        return mw_command_line_refuse(line, NULL, "no archive is named");
    }
    is_neither = !line->is_named && access(options->archive, F_OK) != 0;
    is_more = options->archive_count > 1 && !options->command->several;
    nearest = is_neither ? meant_by(line, options->archive) : NULL;
    if (nearest || (is_neither && is_more)) {
        return mw_command_line_refuse(line, nearest,
                                      "\"%s\" is neither a command nor an archive that is there",
                                      options->archive);
    }
    if (options->baseline_count > 0) {
        return take_baselines(line, options, words);
    }
    if (is_more) {
        return mw_command_line_refuse(line, NULL,
                                      "\"%s\" is one word too many; the archive is \"%s\"",
                                      line->words[1], options->archive);
    }
    return MW_COMMAND_LINE_GO_ON;
}

/* What goes with what, beyond what rows can say. */
static int check_together(const struct mw_command_line *line, const struct mwa_options *options)
{
    const struct mwa_command *variant = options->command->variant;
    bool names_comms = options->comm_pattern_count > 0 || options->comm_name || options->comm_uid;
    const char *overwrites = mwa_option_overwrites(options);
    const char *clash = mwa_option_outputs_clash(options);

    if (names_comms && variant && variant->lists_comms && !options->comms) {
        return mw_command_line_refuse(line, NULL, "%s takes --comm, --name and --uid with --comms",
                                      options->command->name);
    }
    if (options->command->examine == mwa_examine_compare && options->archive_count < 2) {
        return mw_command_line_refuse(line, NULL, "compare needs two archives or more");
    }
    if (overwrites) {
        return mw_command_line_refuse(line, NULL, "the archive would be written over by %s",
                                      overwrites);
    }
    if (clash) {
        return mw_command_line_refuse(line, NULL, "%s", clash);
    }
    if (mw_command_line_has(line, "tolerance") && options->baseline_count == 0) {
        return mw_command_line_refuse(line, NULL, "--tolerance is of a --baseline, and there is "
                                                  "none");
    }
    if (!options->png && !options->svg &&
        (mw_command_line_has(line, "size") || mw_command_line_has(line, "title"))) {
        return mw_command_line_refuse(line, NULL, "--size and --title are of a picture: --svg or "
                                                  "--png names its file");
    }
    if (options->png && !mwa_canvas_png) {
        return mw_command_line_refuse(line, NULL, "--png needs cairo, which this program was built "
                                                  "without; --svg needs nothing");
    }
    return options->from_ns > options->to_ns
               ? mw_command_line_refuse(line, NULL, "--to is before --from")
               : MW_COMMAND_LINE_GO_ON;
}

static int parse(int argc, char **argv, char *const *words, struct mwa_options *options)
{
    struct mw_command known[MWA_COMMANDS + 1] = { { .name = NULL } };
    const struct mw_program program = {
        .name = "mpiwatch-analyze",
        .words = "[COMMAND] ARCHIVE",
        .help = "Explains an archive that mpiwatch-record wrote, or an OTF2 archive of another "
                "tool. ARCHIVE is a .otf2.zip file, a directory, or the anchor file traces.otf2 "
                "in it."
                "\vExit status: 0 fine, 1 a limit of check is not kept, 2 wrong usage, 3 the "
                "archive can't be read or is corrupt, 4 it was read, but is incomplete or has "
                "losses.",
        .options = rows,
        .commands = known,
        .files = "*.otf2.zip *.otf2",
        .usage = MWA_EXIT_USAGE,
    };
    struct mw_command_line line = { .program = &program, .out = stdout, .err = stderr };
    int code;

    for (unsigned i = 0; i < MWA_COMMANDS; i++) {
        known[i] = (struct mw_command){ mwa_commands[i].name,
                                        mwa_commands[i].words     ? mwa_commands[i].words
                                        : mwa_commands[i].several ? "ARCHIVE..."
                                                               : "ARCHIVE",
                                        mwa_commands[i].summary, mwa_commands[i].help,
                                        mwa_commands[i].needs_one_of };
    }
    code = mw_command_line_read(&line, argc, argv, options);
    if (code != MW_COMMAND_LINE_GO_ON) {
        return code;
    }
    options->command = &mwa_commands[line.command];
    options->color = wants_color(options);
    options->jobs_are_said = mw_command_line_has(&line, "jobs");
    code = take_archives(&line, options, words);
    return code == MW_COMMAND_LINE_GO_ON ? check_together(&line, options) : code;
}

/* False without memory. */
static bool give_room(size_t count, struct mwa_options_room *room, struct mwa_options *options)
{
    const bool is_typed = count <= MWA_WORDS_TYPED;

    options->limits = is_typed ? room->limits : calloc(count, sizeof *options->limits);
    options->baselines = is_typed ? room->baselines : calloc(count, sizeof *options->baselines);
    options->all_archives = is_typed ? room->all_archives
                                     : calloc(2 * count, sizeof *options->all_archives);
    options->words = is_typed ? room->words : calloc(count, sizeof *options->words);
    return options->limits && options->baselines && options->all_archives && options->words;
}

int mwa_options_parse(int argc, char **argv, struct mwa_options_room *room,
                      struct mwa_options *options)
{
    int code = MWA_EXIT_CORRUPT;

    *options = (struct mwa_options){ .rank = MWA_NONE,
                                     .from_ns = MWA_FIRST_NS,
                                     .to_ns = MWA_LAST_NS,
                                     .jobs = core_count(),
                                     .max_rows = MWA_RECORDS_MOST,
                                     .tolerance = TOLERANCE,
                                     .picture_mm = PICTURE_MM };
    if (give_room((size_t)argc + 1, room, options)) {
        memcpy(options->words, argv, (size_t)argc * sizeof *options->words);
        code = parse(argc, argv, options->words, options);
    }
    return code;
}

void mwa_options_fini(struct mwa_options *options, const struct mwa_options_room *room)
{
    if (options->words != room->words) {
        free(options->limits);
        free(options->baselines);
        free(options->all_archives);
        free(options->words);
    }
}
