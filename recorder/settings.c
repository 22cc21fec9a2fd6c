#include "recorder/settings.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/calls.h"
#include "recorder/variables/schedule.h"
#include "recorder/variables/selection.h"

/* How a value is read into and written from its member of struct mwr_settings. */
struct mwr_setting_type {
    bool (*read)(const struct mwr_setting_type *type, const char *value, void *member);
    void (*write)(const struct mwr_setting_type *type, const void *member, char *text,
                  size_t size);
    const char *expected;     /* "VALUE is not " this */
    const char *const *words; /* of a choice: names of 0, 1, … up to a null */
};

/* --- the types --------------------------------------------------------------- */

static bool read_path(const struct mwr_setting_type *type, const char *value, void *member)
{
    (void)type;
    if (strlen(value) >= MWR_SETTING_PATH_BYTES) {
        return false;
    }
    memcpy(member, value, strlen(value) + 1);
    return true;
}

static void write_path(const struct mwr_setting_type *type, const void *member, char *text,
                       size_t size)
{
    (void)type;
    snprintf(text, size, "%s", (const char *)member);
}

static bool read_flag(const struct mwr_setting_type *type, const char *value, void *member)
{
    static const char *const words[] = {"0", "1", "no", "yes", "false", "true", "off", "on"};

    (void)type;
    for (unsigned word = 0; word < sizeof words / sizeof words[0]; word++) {
        if (strcmp(value, words[word]) == 0) {
            *(bool *)member = word % 2 == 1;
            return true;
        }
    }
    return false;
}

static void write_flag(const struct mwr_setting_type *type, const void *member, char *text,
                       size_t size)
{
    (void)type;
    snprintf(text, size, "%d", *(const bool *)member);
}

/* Enumerations have the size of unsigned in every ABI that mpiwatch is built for. */
_Static_assert(sizeof(enum mw_archive_format) == sizeof(unsigned),
               "choices are stored as unsigned");
_Static_assert(sizeof(enum mwr_on_full) == sizeof(unsigned), "choices are stored as unsigned");
_Static_assert(sizeof(enum mwr_mpi) == sizeof(unsigned), "choices are stored as unsigned");

static bool read_choice(const struct mwr_setting_type *type, const char *value, void *member)
{
    for (unsigned word = 0; type->words[word]; word++) {
        if (strcmp(value, type->words[word]) == 0) {
            memcpy(member, &word, sizeof word);
            return true;
        }
    }
    return false;
}

static void write_choice(const struct mwr_setting_type *type, const void *member, char *text,
                         size_t size)
{
    unsigned word;

    memcpy(&word, member, sizeof word);
    snprintf(text, size, "%s", type->words[word]);
}

static bool read_level(const struct mwr_setting_type *type, const char *value, void *member)
{
    (void)type;
    if (value[0] < '0' || value[0] > '9' || value[1] != '\0') {
        return false;
    }
    *(uint32_t *)member = (uint32_t)(value[0] - '0');
    return true;
}

static void write_level(const struct mwr_setting_type *type, const void *member, char *text,
                        size_t size)
{
    (void)type;
    snprintf(text, size, "%" PRIu32, *(const uint32_t *)member);
}

/* The power of two that a suffix means: "" 0, "k" or "KiB" 10, … -1 when unknown. */
static int shift_of_suffix(const char *suffix)
{
    static const char letters[] = "kmgt";
    const char *letter;

    if (suffix[0] == '\0' || strcmp(suffix, "B") == 0) {
        return 0;
    }
    letter = strchr(letters, tolower((unsigned char)suffix[0]));
    suffix++;
    if (!letter || (suffix[0] && strcmp(suffix, "iB") != 0 && strcmp(suffix, "B") != 0)) {
        return -1;
    }
    return 10 * (int)(letter - letters + 1);
}

static bool read_size(const struct mwr_setting_type *type, const char *value, void *member)
{
    char *suffix;
    unsigned long long number;
    int shift;

    (void)type;
    if (!isdigit((unsigned char)value[0])) {
        return false; /* strtoull would take "-1" and " 1" */
    }
    errno = 0;
    number = strtoull(value, &suffix, 10);
    shift = shift_of_suffix(suffix);
    if (errno || shift < 0 || number > UINT64_MAX >> shift) {
        return false;
    }
    *(uint64_t *)member = (uint64_t)number << shift;
    return true;
}

static void write_size(const struct mwr_setting_type *type, const void *member, char *text,
                       size_t size)
{
    (void)type;
    snprintf(text, size, "%" PRIu64, *(const uint64_t *)member);
}

static bool read_events(const struct mwr_setting_type *type, const char *value, void *member)
{
    const char *unknown;

    (void)type;
    return mw_groups_parse(value, (uint32_t *)member, &unknown);
}

static void write_events(const struct mwr_setting_type *type, const void *member, char *text,
                         size_t size)
{
    uint32_t groups = *(const uint32_t *)member;
    size_t used = 0;

    (void)type;
    text[0] = '\0';
    for (unsigned group = 0; group < MW_GROUP_COUNT && used < size; group++) {
        if (groups & 1u << group) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "," : "",
                                     mw_group_name(group));
        }
    }
}

static void write_text(const struct mwr_setting_type *type, const void *member, char *text,
                       size_t size)
{
    (void)type;
    snprintf(text, size, "%s", (const char *)member);
}

static bool keep_text(const char *value, void *member)
{
    if (strlen(value) >= MWR_SETTING_TEXT_BYTES) {
        return false;
    }
    memcpy(member, value, strlen(value) + 1);
    return true;
}

static bool read_selection(const struct mwr_setting_type *type, const char *value, void *member)
{
    struct mwr_selection selection;

    (void)type;
    return mwr_selection_parse(&selection, value, NULL) == MW_OK && keep_text(value, member);
}

/* Words and names, with commas between. */
static bool read_comms(const struct mwr_setting_type *type, const char *value, void *member)
{
    size_t length = strlen(value);

    (void)type;
    return length > 0 && value[0] != ',' && value[length - 1] != ',' && !strstr(value, ",,") &&
           keep_text(value, member);
}

static bool read_schedule(const struct mwr_setting_type *type, const char *value, void *member)
{
    struct mwr_schedule schedule;

    (void)type;
    return mwr_schedule_parse(&schedule, value) && keep_text(value, member);
}

static bool read_classes(const struct mwr_setting_type *type, const char *value, void *member)
{
    (void)type;
    return mwr_class_overrides_are_valid(value) && keep_text(value, member);
}

static bool read_duration(const struct mwr_setting_type *type, const char *value, void *member)
{
    (void)type;
    return mwr_duration_parse(value, strlen(value), member);
}

static void write_duration(const struct mwr_setting_type *type, const void *member, char *text,
                           size_t size)
{
    (void)type;
    mwr_duration_print(*(const uint64_t *)member, text, size);
}

static bool read_objects(const struct mwr_setting_type *type, const char *value, void *member)
{
    char *end;
    unsigned long number = strtoul(value, &end, 10);

    (void)type;
    if (value[0] < '0' || value[0] > '9' || *end || number < 1 || number > 100000) {
        return false;
    }
    *(uint32_t *)member = (uint32_t)number;
    return true;
}

static void write_objects(const struct mwr_setting_type *type, const void *member, char *text,
                          size_t size)
{
    (void)type;
    snprintf(text, size, "%" PRIu32, *(const uint32_t *)member);
}

static bool read_array(const struct mwr_setting_type *type, const char *value, void *member)
{
    (void)type;
    return mwr_array_parse(member, value);
}

static void write_array(const struct mwr_setting_type *type, const void *member, char *text,
                        size_t size)
{
    (void)type;
    mwr_array_print(*(const struct mwr_array *)member, text, size);
}

static const char *const format_words[] = {
    [MW_ARCHIVE_ZIP] = "zip", [MW_ARCHIVE_DIRECTORY] = "directory", NULL};
static const char *const on_full_words[] = {
    [MWR_ON_FULL_STOP] = "stop", [MWR_ON_FULL_WRAP] = "wrap", NULL};
static const char *const mpi_words[] = {
    [MWR_MPI_UNKNOWN] = "auto", [MWR_MPI_OPENMPI] = "openmpi", [MWR_MPI_MPICH] = "mpich", NULL};

static const struct mwr_setting_type path_type = {
    read_path, write_path, "a path of less than 4096 bytes", NULL};
static const struct mwr_setting_type list_type = {
    read_path, write_path, "a list of less than 4096 bytes", NULL};
static const struct mwr_setting_type flag_type = {
    read_flag, write_flag, "0 or 1 (no or yes)", NULL};
static const struct mwr_setting_type level_type = {
    read_level, write_level, "a level from 0 to 9", NULL};
static const struct mwr_setting_type size_type = {
    read_size, write_size, "a size such as 512M or 2G", NULL};
static const struct mwr_setting_type events_type = {
    read_events, write_events,
    "a list of p2p, coll, comm, topo, rma, io, env, type, attr, err, info, group, conv, tool, "
    "all, default",
    NULL};
static const struct mwr_setting_type format_type = {
    read_choice, write_choice, "zip or directory", format_words};
static const struct mwr_setting_type on_full_type = {
    read_choice, write_choice, "stop or wrap", on_full_words};
static const struct mwr_setting_type mpi_type = {
    read_choice, write_choice, "auto, openmpi or mpich", mpi_words};

static const struct mwr_setting_type selection_type = {
    read_selection, write_text,
    "a selection such as \"default; class:COUNTER; !mpool*\" (see mpiwatch-record(1))", NULL};
static const struct mwr_setting_type comms_type = {
    read_comms, write_text, "a list of world, registered, all, and names with *", NULL};
static const struct mwr_setting_type schedule_type = {
    read_schedule, write_text,
    "a list of exit, enter, both, calls=N, interval=TIME, thread=TIME, phase, comm, user", NULL};
static const struct mwr_setting_type classes_type = {
    read_classes, write_text, "a list of NAME*=CLASS or NAME*=CLASS,read_resets", NULL};
static const struct mwr_setting_type duration_type = {
    read_duration, write_duration, "a time such as 250us or 1ms", NULL};
static const struct mwr_setting_type objects_type = {
    read_objects, write_objects, "a number from 1 to 100000", NULL};
static const struct mwr_setting_type array_type = {
    read_array, write_array, "stats, sum, full or top:N, N from 1 to 127", NULL};

/* --- the table --------------------------------------------------------------- */

#define MEMBER(member) .offset = offsetof(struct mwr_settings, member)

static const struct mwr_setting table[] = {
    {"output", 'o', "FILE", MWR_SETTINGS_OUTPUT, "",
     "Write the archive to FILE (default: PROGRAM-DATE-TIME-PID.otf2.zip)", &path_type,
     MEMBER(output)},
    {"force", 0, NULL, MWR_SETTINGS_OUTPUT, "0",
     "Replace an archive that exists (default: take the next free name)", &flag_type,
     MEMBER(force)},
    {"format", 0, "zip|directory", MWR_SETTINGS_OUTPUT, "zip",
     "One compressed file, or a directory of plain OTF2 files (default: zip)", &format_type,
     MEMBER(format)},
    {"compress", 'z', "LEVEL", MWR_SETTINGS_OUTPUT, "1",
     "Level of compression from 0 (none) to 9 (smallest; default: 1)", &level_type,
     MEMBER(compress)},
    {"quiet", 'q', NULL, MWR_SETTINGS_OUTPUT, "0", "Say nothing unless there is trouble",
     &flag_type, MEMBER(quiet)},
    {"verbose", 'v', NULL, MWR_SETTINGS_OUTPUT, "0", "Also say when and how recording starts",
     &flag_type, MEMBER(verbose)},
    {"events", 'e', "LIST", MWR_SETTINGS_EVENTS, "default",
     "Groups of calls to record: p2p, coll, comm, topo, rma, io (the default), env, type, "
     "attr, err, info, group, conv, tool, or all; -NAME leaves one out",
     &events_type, MEMBER(events)},
    {"interpose-pmpi", 0, "yes|no", MWR_SETTINGS_EVENTS, "1",
     "Also see the program's calls of PMPI_ functions (default: yes)", &flag_type,
     MEMBER(interpose_pmpi)},
    {"comms", 0, "LIST", MWR_SETTINGS_EVENTS, "all",
     "Record calls on these communicators, and only count others: world, registered (by the "
     "program, mpiwatch.h(3)), all, or names with * (default: all)",
     &comms_type, MEMBER(comms)},
    {"no-world", 0, NULL, MWR_SETTINGS_EVENTS, "0",
     "Only count calls on MPI_COMM_WORLD, unless the program registers it", &flag_type,
     MEMBER(no_world)},
    {"mpmd", 0, NULL, MWR_SETTINGS_EVENTS, "0",
     "The job has several programs, and all of them run under mpiwatch-record", &flag_type,
     MEMBER(mpmd)},
    {"start-paused", 0, NULL, MWR_SETTINGS_EVENTS, "0",
     "Record nothing until the program calls MPI_Pcontrol(1)", &flag_type,
     MEMBER(start_paused)},
    {"signals", 0, NULL, MWR_SETTINGS_EVENTS, "0",
     "SIGUSR1 pauses recording in a process, SIGUSR2 resumes it (default: signals are the "
     "program's)",
     &flag_type, MEMBER(signals)},
    {"tools", 0, "LIST", MWR_SETTINGS_EVENTS, "",
     "Chain of QMPI tools, outermost first; mpiwatch is the recorder, -mpiwatch leaves it out "
     "(default: $MPIR_CVAR_QMPI_TOOL_LIST or $QMPI_TOOL_LIST)",
     &list_type, MEMBER(tools)},
    {"tools-path", 0, "FILES", MWR_SETTINGS_EVENTS, "",
     "Libraries of QMPI tools to load, with colons between", &list_type, MEMBER(tools_path)},
    {"pvars", 0, "LIST", MWR_SETTINGS_VARIABLES, "default",
     "Performance variables of the MPI to record: names with *, class:CLASS, cat:NAME, "
     "verb<=LEVEL, !NAME, all, none, with ; between (default: lengths of message queues, "
     "monitoring)",
     &selection_type, MEMBER(pvars)},
    {"pvar-when", 0, "LIST", MWR_SETTINGS_VARIABLES, "exit",
     "Read them at exit, enter or both ends of calls, every calls=N, interval=TIME, by a "
     "thread=TIME, at a phase (MPI_Pcontrol), when a comm is made or freed, or where the user "
     "says (default: exit)",
     &schedule_type, MEMBER(pvar_when)},
    {"pvar-interval", 0, "TIME", MWR_SETTINGS_VARIABLES, "1ms",
     "Write new extremes at once and other changes after TIME, or all with 0 (default: 1ms)",
     &duration_type, MEMBER(pvar_interval)},
    {"pvar-array", 0, "stats|sum|full|top:N", MWR_SETTINGS_VARIABLES, "stats",
     "Of variables with a value for each peer, write sum, greatest, its peer, and how many are "
     "not 0; the sum; all values; the N greatest (default: stats)",
     &array_type, MEMBER(pvar_array)},
    {"pvar-objects", 0, "N", MWR_SETTINGS_VARIABLES, "64",
     "Record variables of at most N communicators, windows and files at a time (default: 64)",
     &objects_type, MEMBER(pvar_objects)},
    {"pvar-class", 0, "LIST", MWR_SETTINGS_VARIABLES, "",
     "Take variables for another class than the MPI says: NAME*=CLASS, with ; between",
     &classes_type, MEMBER(pvar_class)},
    {"pvar-start", 0, NULL, MWR_SETTINGS_VARIABLES, "0",
     "Start variables that stand still until they are started (default: start nothing)",
     &flag_type, MEMBER(pvar_start)},
    {"cvars", 0, "LIST", MWR_SETTINGS_VARIABLES, "none",
     "Control variables of the MPI to keep in the archive; * for all (default: none)",
     &selection_type, MEMBER(cvars)},
    {"spool", 0, "DIR", MWR_SETTINGS_SPOOL, "",
     "Keep records in DIR during the run; must be on this host (default: $TMPDIR or /tmp)",
     &path_type, MEMBER(spool)},
    {"max-spool", 0, "SIZE", MWR_SETTINGS_SPOOL, "0",
     "Stop recording at SIZE bytes a process, with K, M, G or T (default: a share of the free "
     "space)",
     &size_type, MEMBER(max_spool)},
    {"on-full", 0, "stop|wrap", MWR_SETTINGS_SPOOL, "stop",
     "When the spool may not grow any more: stop recording (default), or go on and keep the "
     "latest calls",
     &on_full_type, MEMBER(on_full)},
    {"mpi", 0, "openmpi|mpich", MWR_SETTINGS_LAUNCH, "auto",
     "The MPI that the program uses (default: look into the program)", &mpi_type, MEMBER(mpi)},
    {"libdir", 0, "DIR", MWR_SETTINGS_LAUNCH, "",
     "Take the library to preload from DIR (default: where mpiwatch is installed)", &path_type,
     MEMBER(libdir)},
    {"dry-run", 'n', NULL, MWR_SETTINGS_LAUNCH, "0",
     "Check the program and print what would be done", &flag_type, MEMBER(dry_run)},
    {"env", 0, NULL, MWR_SETTINGS_LAUNCH, "0",
     "Print the variables that would be set, as commands of a shell", &flag_type, MEMBER(env)},
};

static const unsigned table_rows = sizeof table / sizeof table[0];

const struct mwr_setting *mwr_setting_at(unsigned index)
{
    return index < table_rows ? &table[index] : NULL;
}

const struct mwr_setting *mwr_setting_find(const char *name)
{
    for (unsigned row = 0; row < table_rows; row++) {
        if (strcmp(table[row].name, name) == 0) {
            return &table[row];
        }
    }
    return NULL;
}

const char *mwr_setting_variable(const struct mwr_setting *setting, char *text, size_t size)
{
    snprintf(text, size, MWR_SETTINGS_PREFIX "%s", setting->name);
    for (char *letter = text; *letter; letter++) {
        *letter = *letter == '-' ? '_' : (char)toupper((unsigned char)*letter);
    }
    return text;
}

const char *mwr_setting_value(const struct mwr_settings *settings,
                              const struct mwr_setting *setting, char *text, size_t size)
{
    setting->type->write(setting->type, (const char *)settings + setting->offset, text, size);
    return text;
}

enum mw_status mwr_setting_set(struct mwr_settings *settings, const struct mwr_setting *setting,
                               const char *value, struct mw_diagnostic *diagnostic)
{
    if (!setting->type->read(setting->type, value, (char *)settings + setting->offset)) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "\"%.100s\" is not %s", value, setting->type->expected);
    }
    return MW_OK;
}

/* --- the environment --------------------------------------------------------- */

static void warn(struct mwr_warnings *warnings, const char *format, ...) MW_PRINTF(2, 3);

static void warn(struct mwr_warnings *warnings, const char *format, ...)
{
    va_list arguments;

    if (warnings->count < MWR_WARNINGS_MAX) {
        va_start(arguments, format);
        vsnprintf(warnings->text[warnings->count], sizeof warnings->text[0], format, arguments);
        va_end(arguments);
    }
    warnings->count++;
}

static unsigned least_of_three(unsigned first, unsigned second, unsigned third)
{
    unsigned least = first < second ? first : second;

    return least < third ? least : third;
}

/* Levenshtein's distance; both strings are shorter than 48 bytes. */
static unsigned distance(const char *one, const char *other)
{
    unsigned row[48];
    unsigned length = (unsigned)strlen(other);

    for (unsigned column = 0; column <= length; column++) {
        row[column] = column;
    }
    for (unsigned line = 1; *one; one++, line++) {
        unsigned diagonal = row[0];

        row[0] = line;
        for (unsigned column = 1; column <= length; column++) {
            unsigned above = row[column];

            row[column] = least_of_three(above + 1, row[column - 1] + 1,
                                         diagonal + (*one != other[column - 1]));
            diagonal = above;
        }
    }
    return row[length];
}

/* Writes the variable nearest to name; false when none is near enough to be meant. */
static bool nearest_variable(const char *name, char *nearest, size_t size)
{
    unsigned best = 4;
    const struct mwr_setting *found = NULL;

    for (unsigned row = 0; row < table_rows && strlen(name) < 48; row++) {
        char variable[48];
        unsigned far = distance(name, mwr_setting_variable(&table[row], variable, sizeof variable));

        if (far < best) {
            best = far;
            found = &table[row];
        }
    }
    if (found) {
        mwr_setting_variable(found, nearest, size);
    }
    return found != NULL;
}

static void warn_of_unknown(const char *name, struct mwr_warnings *warnings)
{
    char nearest[48];

    if (nearest_variable(name, nearest, sizeof nearest)) {
        warn(warnings, "%.64s is not a variable of mpiwatch; did you mean %s?", name, nearest);
    } else {
        warn(warnings, "%.64s is not a variable of mpiwatch; see mpiwatch-record --help", name);
    }
}

static void read_variable(struct mwr_settings *settings, const char *name, const char *value,
                          struct mwr_warnings *warnings)
{
    struct mw_diagnostic diagnostic;

    for (unsigned row = 0; row < table_rows; row++) {
        char variable[48];

        if (strcmp(mwr_setting_variable(&table[row], variable, sizeof variable), name) != 0) {
            continue;
        }
        if (*value && mwr_setting_set(settings, &table[row], value, &diagnostic) != MW_OK) {
            warn(warnings, "%s: %s; it stays at \"%s\"", name, diagnostic.what,
                 table[row].fallback);
        }
        return;
    }
    warn_of_unknown(name, warnings);
}

static void set_defaults(struct mwr_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    for (unsigned row = 0; row < table_rows; row++) {
        const struct mwr_setting_type *type = table[row].type;

        type->read(type, table[row].fallback, (char *)settings + table[row].offset);
    }
}

void mwr_settings_from_environment(struct mwr_settings *settings, char *const *environment,
                                   struct mwr_warnings *warnings)
{
    const char *temporary = "/tmp";

    warnings->count = 0;
    set_defaults(settings);
    for (; *environment; environment++) {
        const char *equals = strchr(*environment, '=');
        char name[64];

        if (!equals) {
            continue;
        }
        snprintf(name, sizeof name, "%.*s", (int)(equals - *environment), *environment);
        if (strncmp(name, MWR_SETTINGS_TEST_PREFIX, strlen(MWR_SETTINGS_TEST_PREFIX)) == 0) {
            continue; /* of our own tests */
        }
        if (strncmp(name, MWR_SETTINGS_PREFIX, strlen(MWR_SETTINGS_PREFIX)) == 0) {
            read_variable(settings, name, equals + 1, warnings);
        } else if (strcmp(name, "TMPDIR") == 0 && equals[1]) {
            temporary = equals + 1;
        }
    }
    if (!settings->spool[0] && !read_path(&path_type, temporary, settings->spool)) {
        read_path(&path_type, "/tmp", settings->spool);
    }
}
