/*
 * getopt reads, since what it takes is what people expect of a command line; argp prints, since
 * it lays out help well. What is said of mistakes is our own: both know one list of options, and
 * here it depends on the command.
 */
#include "formats/base/command_line.h"

#include <argp.h>
#include <ctype.h>
#include <getopt.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "formats/base/help_layout.h"
#include "formats/base/nearest.h"
#include "formats/base/printable.h"

#define KEY_OF_ROW 0x100 /* key of an option without letter: this and its row */
#define NONE       MW_COMMAND_LINE_ROWS

/* What all programs have. */
static const struct mw_option common[] = {
    { "help", 'h', NULL, "Give this help", .take = NULL },
    { "usage", 0, NULL, "List the options in short", .take = NULL },
    { "version", 'V', NULL, "Print the version", .take = NULL },
    { .name = NULL },
};

/* --- rows ------------------------------------------------------------------------- */

/* The program's rows, and behind them what all programs have. */
static void collect_rows(struct mw_command_line *line)
{
    const struct mw_option *const tables[] = { line->program->options, common };

    line->row_count = 0;
    for (unsigned i = 0; i < 2; i++) {
        for (const struct mw_option *row = tables[i];
             (row->name || row->help) && line->row_count < MW_COMMAND_LINE_ROWS; row++) {
            line->rows[line->row_count++] = row;
        }
    }
}

/* NONE stands for no command: then all options are taken. */
static bool takes(unsigned command, const struct mw_option *option)
{
    return command == NONE || !option->commands || option->commands >> command & 1;
}

/* The row that an option's name means to the command: of several the one that it takes, if any. */
static unsigned row_called(const struct mw_command_line *line, const char *name, unsigned command)
{
    unsigned found = NONE;

    for (unsigned row = 0; row < line->row_count; row++) {
        if (line->rows[row]->name && strcmp(line->rows[row]->name, name) == 0 &&
            (found == NONE || !takes(command, line->rows[found]))) {
            found = row;
        }
    }
    return found;
}

static unsigned command_called(const struct mw_program *program, const char *name)
{
    for (unsigned i = 0; program->commands && program->commands[i].name; i++) {
        if (strcmp(program->commands[i].name, name) == 0) {
            return i;
        }
    }
    return NONE;
}

/* Goes over a list of names with blanks between; false at its end. */
static bool next_name(const char **list, char *name, size_t size)
{
    size_t length = *list ? strcspn(*list, " ") : 0;

    if (length > 0) {
        snprintf(name, size, "%.*s", (int)length, *list);
        *list += length + strspn(*list + length, " ");
    }
    return length > 0;
}

#define HELP_BYTES 320u

/* Of no command "dump, waits: only rank N", of "Only rank N"; or "all but" those that don't. */
static void prefix_commands(const struct mw_program *program, unsigned command,
                            const struct mw_option *option, char *text)
{
    unsigned all = 0;
    unsigned taking = 0;
    const char *between = "";
    size_t used = 0;

    for (; command == NONE && program->commands && program->commands[all].name; all++) {
        taking += takes(all, option);
    }
    if (taking == all) {
        snprintf(text, HELP_BYTES, "%s", option->help);
        return;
    }
    used = (size_t)snprintf(text, HELP_BYTES, "%s", 2 * taking > all ? "all but " : "");
    for (unsigned i = 0; i < all && used < HELP_BYTES; i++) {
        if (takes(i, option) == (2 * taking <= all)) {
            used += (size_t)snprintf(text + used, HELP_BYTES - used, "%s%s", between,
                                     program->commands[i].name);
            between = ", ";
        }
    }
    if (used < HELP_BYTES) {
        bool is_word = islower((unsigned char)option->help[1]); /* and no "JSON" */

        snprintf(text + used, HELP_BYTES - used, ": %c%s",
                 is_word ? tolower((unsigned char)option->help[0]) : option->help[0],
                 option->help + 1);
    }
}

/* --- sentences ---------------------------------------------------------------------- */

int mw_command_line_refuse(const struct mw_command_line *line, const char *meant,
                           const char *format, ...)
{
    const char *command = line->is_named ? line->program->commands[line->command].name : "";
    const char *blank = line->is_named ? " " : "";
    const char *program = line->program->name;
    char text[1024];
    char shown[4 * sizeof text];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(line->err, "%s: %s", program, mw_printable(text, shown, sizeof shown));
    if (meant) {
        fprintf(line->err, "; did you mean %s?", meant);
    }
    fprintf(line->err, "\nTry %s %s%s--help\n", program, command, blank);
    return line->program->usage;
}

const char *mw_command_line_nearest(const struct mw_command_line *line, const char *word)
{
    struct mw_nearest nearest = { .word = word };

    for (unsigned i = 0; line->program->commands && line->program->commands[i].name; i++) {
        mw_nearest_try(&nearest, line->program->commands[i].name);
    }
    return nearest.name;
}

/* "--a, --b or --c" of a list of names. */
static const char *names_text(const char *list, char *text, size_t size)
{
    char name[64];
    size_t used = 0;

    text[0] = '\0';
    while (next_name(&list, name, sizeof name) && used < size) {
        used += (size_t)snprintf(text + used, size - used, "%s--%s",
                                 used == 0 ? "" : *list ? ", " : " or ", name);
    }
    return text;
}

/* With those that take it: people mix up commands, and options with commands. */
static int not_taken(const struct mw_command_line *line, const struct mw_option *option)
{
    char text[HELP_BYTES];

    prefix_commands(line->program, NONE, option, text);
    return mw_command_line_refuse(line, NULL, "%s does not take --%s (%s)",
                                  line->program->commands[line->command].name, option->name, text);
}

/* What getopt does not know: "--nmae=x", or "--ra", with which several begin. */
static int refuse_word(const struct mw_command_line *line, const char *word)
{
    int length = (int)strcspn(word, "=");
    char name[64];
    struct mw_nearest nearest = { .word = name };
    char several[256] = "";
    char meant[64];
    size_t used = 0;

    snprintf(name, sizeof name, "%.*s", length - 2, word + 2);
    if (row_called(line, name, line->command) != NONE) {
        return not_taken(line, line->rows[row_called(line, name, line->command)]);
    }
    for (unsigned row = 0; row < line->row_count; row++) {
        const struct mw_option *option = line->rows[row];

        if (!option->name || !takes(line->command, option)) {
            continue;
        }
        mw_nearest_try(&nearest, option->name);
        if (strncmp(option->name, name, strlen(name)) == 0 && used < sizeof several) {
            used += (size_t)snprintf(several + used, sizeof several - used, "%s--%s",
                                     used > 0 ? ", " : "", option->name);
        }
    }
    if (strchr(several, ',')) {
        return mw_command_line_refuse(line, NULL, "--%s may be any of %s", name, several);
    }
    snprintf(meant, sizeof meant, "%s%.60s", used > 0 ? "" : "--",
             used > 0 ? several : nearest.name ? nearest.name : "");
    return mw_command_line_refuse(line, used > 0 || nearest.name ? meant : NULL,
                                  "there is no option --%s", name);
}

/* --- help ----------------------------------------------------------------------------- */

/* As argp wants them: those of a command, or all, with the commands that take them. */
static void make_options(const struct mw_command_line *line, unsigned command,
                         struct argp_option *options, char (*help)[HELP_BYTES])
{
    int group = 0;

    for (unsigned row = 0; row < line->row_count; row++) {
        const struct mw_option *option = line->rows[row];

        if (!takes(command, option)) {
            continue;
        }
        group = option == common ? -1 : group + !option->name;
        prefix_commands(line->program, command, option, help[row]);
        *options++ = (struct argp_option){ .name = option->name,
                                           .key = !option->name    ? 0
                                                  : option->letter ? option->letter
                                                                   : KEY_OF_ROW + (int)row,
                                           .arg = option->argument,
                                           .doc = help[row],
                                           .group = group };
    }
    *options = (struct argp_option){ 0 };
}

static void print_commands(const struct mw_program *program, FILE *out)
{
    fprintf(out, "\nCommands (without one: %s):\n", program->commands[0].name);
    for (const struct mw_command *command = program->commands; command->name; command++) {
        fprintf(out, "  %-13s  %s\n", command->name, command->summary);
    }
    fprintf(out, "  %-13s  %s\n\n", "help", "what a command does, and its options");
}

/* Of the command, or with NONE of the program; in short: no more than how it is called. */
static void print_help(const struct mw_command_line *line, unsigned command, bool in_short)
{
    const struct mw_program *program = line->program;
    struct argp_option options[MW_COMMAND_LINE_ROWS + 1];
    char help[MW_COMMAND_LINE_ROWS][HELP_BYTES];
    const struct mw_command *about = command == NONE ? NULL : &program->commands[command];
    struct argp argp = { .options = options, .args_doc = program->words, .doc = program->help };
    char words[128];
    char name[64];

    snprintf(name, sizeof name, "%s", program->name);
    make_options(line, command, options, help);
    if (about) {
        snprintf(words, sizeof words, "%s %s", about->name, about->words);
        argp.args_doc = words;
        argp.doc = about->help;
    }
    if (in_short) {
        argp_help(&argp, line->out, ARGP_HELP_USAGE, name);
        return;
    }
    argp_help(&argp, line->out, ARGP_HELP_SHORT_USAGE | ARGP_HELP_PRE_DOC, name);
    mw_help_print_options(&argp, name, line->out);
    if (!about && program->commands) {
        print_commands(program, line->out);
    }
    argp_help(&argp, line->out, ARGP_HELP_POST_DOC, name);
}

/* A line for the program, for each command, and for each option that one of them takes. */
static void print_rows(const struct mw_command_line *line)
{
    const struct mw_program *program = line->program;
    FILE *out = line->out;
    unsigned command = 0;

    fprintf(out, "program\t%s\t%s\t%s\n", program->name, program->files ? program->files : "",
            program->runs_a_program ? "runs" : "");
    do {
        const struct mw_command *about = program->commands ? &program->commands[command] : NULL;

        if (about) {
            fprintf(out, "command\t%s\t%s\t%s\t%s\n", about->name, about->summary, about->words,
                    about->help);
        }
        for (unsigned row = 0; row < line->row_count; row++) {
            const struct mw_option *option = line->rows[row];

            if (option->name && (!about || takes(command, option))) {
                fprintf(out, "option\t%s\t%s\t%c\t%s\t%s\t%s\n", about ? about->name : "",
                        option->name, option->letter ? option->letter : ' ',
                        option->argument ? option->argument : "",
                        option->offers ? option->offers : "", option->help);
            }
        }
    } while (program->commands && program->commands[++command].name);
}

/* --- reading ------------------------------------------------------------------------- */

/* Whether one that the command takes begins with its name, or has it: who types another command's
 * --max does not mean --max-memory. */
static bool is_beginning(const struct mw_command_line *line, unsigned command,
                         const struct mw_option *option)
{
    bool is_one = false;

    for (unsigned row = 0; row < line->row_count && option->name; row++) {
        const struct mw_option *other = line->rows[row];

        is_one |= other->name && takes(command, other) &&
                  strncmp(other->name, option->name, strlen(option->name)) == 0;
    }
    return is_one;
}

/* What getopt wants. */
struct getopt_table {
    char letters[2 * MW_COMMAND_LINE_ROWS + 4];
    struct option longs[MW_COMMAND_LINE_ROWS + 1];
};

/* As long as no command is known, of rows with one name the first stands for all. */
static void make_table(const struct mw_command_line *line, unsigned command,
                       struct getopt_table *table)
{
    char *letter = table->letters;
    struct option *next = table->longs;

    *letter++ = '-'; /* words come in their place */
    *letter++ = ':'; /* a value that is not there is told from an unknown option */
    for (unsigned row = 0; row < line->row_count; row++) {
        const struct mw_option *option = line->rows[row];

        if (!is_beginning(line, command, option) ||
            row_called(line, option->name, command) != row) {
            continue;
        }
        *next++ = (struct option){ option->name,
                                   option->argument ? required_argument : no_argument,
                                   NULL, KEY_OF_ROW + (int)row };
        if (option->letter && takes(command, option)) {
            *letter++ = (char)option->letter;
            *letter++ = ':';
            letter -= !option->argument;
        }
    }
    *letter = '\0';
    *next = (struct option){ 0 };
}

/* The row of what getopt returns; NONE: none. */
static unsigned row_of_key(const struct mw_command_line *line, int key)
{
    unsigned row = 0;

    while (row < line->row_count && key != KEY_OF_ROW + (int)row &&
           (!line->rows[row]->letter || key != line->rows[row]->letter)) {
        row++;
    }
    return row < line->row_count ? row : NONE;
}

/*
 * The command is the first word that is the name of one, wherever it stands: what the options
 * mean depends on it. An archive may be called like a command: the only word is one if it is there.
 */
static void find_command(struct mw_command_line *line, int argc, char **argv)
{
    struct getopt_table table;
    const char *name = NULL;
    unsigned words = 0;
    int key;

    make_table(line, NONE, &table);
    optind = 0;
    while ((key = getopt_long(argc, argv, table.letters, table.longs, NULL)) != -1) {
        if (key == 1 && !name && command_called(line->program, optarg) != NONE) {
            name = optarg;
        }
        words += key == 1;
    }
    words += (unsigned)(argc - optind);
    for (; optind < argc && !name; optind++) {
        name = command_called(line->program, argv[optind]) != NONE ? argv[optind] : NULL;
    }
    line->is_named = name && (words > 1 || access(name, F_OK) != 0);
    line->command = line->is_named ? command_called(line->program, name) : 0;
}

static int refuse_option(const struct mw_command_line *line, int key, const char *word)
{
    unsigned row = row_of_key(line, optopt);
    const struct mw_option *option = row == NONE ? NULL : line->rows[row];

    if (key == ':' && option) {
        return mw_command_line_refuse(line, NULL, "--%s needs %s", option->name, option->argument);
    }
    if (option && !takes(line->command, option)) {
        return not_taken(line, option);
    }
    return option   ? mw_command_line_refuse(line, NULL, "--%s takes no value", option->name)
           : optopt ? mw_command_line_refuse(line, NULL, "there is no option -%c", optopt)
                    : refuse_word(line, word);
}

/* An option that all have, or one of the program's. */
static int take_option(struct mw_command_line *line, unsigned row, const char *value, void *into)
{
    const struct mw_option *option = line->rows[row];
    char expected[MW_EXPECTED_BYTES] = "";

    if (!takes(line->command, option)) {
        return not_taken(line, option);
    }
    line->given |= (uint64_t)1 << row;
    return !option->take || option->take(option, value, (char *)into + option->offset, expected)
               ? MW_COMMAND_LINE_GO_ON
               : mw_command_line_refuse(line, NULL, "--%s: \"%s\" is not %s", option->name, value,
                                        expected);
}

/* Words are put together in front, where getopt has been already. */
static int read_words(struct mw_command_line *line, int argc, char **argv, void *into)
{
    const struct mw_program *program = line->program;
    int code = MW_COMMAND_LINE_GO_ON;
    bool seen = !line->is_named;
    struct getopt_table table;
    unsigned count = 0;
    unsigned kept = 0;
    int key;

    make_table(line, line->command, &table);
    line->words = argv + 1;
    optind = 0;
    while (code == MW_COMMAND_LINE_GO_ON &&
           (key = getopt_long(argc, argv, table.letters, table.longs, NULL)) != -1) {
        if (key == 1 && program->runs_a_program) {
            line->words = argv + optind - 1;
            return code;
        }
        if (key == 1) {
            line->words[count++] = optarg;
        } else if (key == '?' && optopt == '?') {
            line->given |= (uint64_t)1 << row_called(line, "help", line->command);
        } else if (key == '?' || key == ':') {
            code = refuse_option(line, key, argv[optind - 1]);
        } else {
            code = take_option(line, row_of_key(line, key), optarg, into);
        }
    }
    while (optind < argc && code == MW_COMMAND_LINE_GO_ON) {
        line->words[count++] = argv[optind++];
    }
    for (unsigned i = 0; i < count; i++) {
        bool is_command = !seen && command_called(program, line->words[i]) == line->command;

        seen |= is_command;
        line->words[kept] = line->words[i];
        kept += !is_command;
    }
    line->words[kept] = NULL;
    return code;
}

bool mw_command_line_has(const struct mw_command_line *line, const char *name)
{
    return line->given >> row_called(line, name, line->command) & 1;
}

/* What excludes each other, and what a command can't do without. */
static int check_together(const struct mw_command_line *line)
{
    const struct mw_program *program = line->program;
    const char *needs = program->commands ? program->commands[line->command].needs : NULL;
    char text[256];
    char name[64];

    for (unsigned row = 0; row < line->row_count; row++) {
        const char *list = line->given >> row & 1 ? line->rows[row]->excludes : NULL;

        while (next_name(&list, name, sizeof name)) {
            if (mw_command_line_has(line, name)) {
                return mw_command_line_refuse(line, NULL, "--%s and --%s exclude each other",
                                              line->rows[row]->name, name);
            }
        }
    }
    for (const char *list = needs; next_name(&list, name, sizeof name);) {
        if (mw_command_line_has(line, name)) {
            needs = NULL;
        }
    }
    return needs ? mw_command_line_refuse(line, NULL, "%s needs %s",
                                          program->commands[line->command].name,
                                          names_text(needs, text, sizeof text))
                 : MW_COMMAND_LINE_GO_ON;
}

/* help, or help COMMAND. */
static int explain(struct mw_command_line *line, const char *name)
{
    unsigned command = name ? command_called(line->program, name) : NONE;

    if (name && strcmp(name, "help") == 0) {
        fprintf(line->out,
                "Usage: %s help [COMMAND]\n"
                "Says what COMMAND does and which options it takes; without it, which commands and "
                "options\nthere are.\n",
                line->program->name);
        return 0;
    }
    if (name && command == NONE) {
        return mw_command_line_refuse(line, mw_command_line_nearest(line, name),
                                      "there is no command \"%s\"", name);
    }
    print_help(line, command, false);
    return 0;
}

int mw_command_line_read(struct mw_command_line *line, int argc, char **argv, void *into)
{
    const struct mw_program *program = line->program;
    int code;

    opterr = 0;
    collect_rows(line);
    if (argc == 2 && strcmp(argv[1], "--print-options") == 0) {
        print_rows(line);
        return 0;
    }
    if (argc > 1 && program->commands && strcmp(argv[1], "help") == 0 &&
        (argc > 2 || access(argv[1], F_OK) != 0)) {
        return explain(line, argv[2] && argv[2][0] != '-' ? argv[2] : NULL);
    }
    line->command = NONE;
    if (program->commands) {
        find_command(line, argc, argv);
    }
    code = read_words(line, argc, argv, into);
    if (code != MW_COMMAND_LINE_GO_ON) {
        return code;
    }
    if (mw_command_line_has(line, "help") || mw_command_line_has(line, "usage")) {
        print_help(line, line->is_named ? line->command : NONE,
                   !mw_command_line_has(line, "help"));
        return 0;
    }
    if (mw_command_line_has(line, "version")) {
        fprintf(line->out, "%s %s\n", program->name, PACKAGE_VERSION);
        return 0;
    }
    return check_together(line);
}
