/*
 * mpiwatch-record: checks a program, sets the environment that preloads the recorder,
 * and becomes the program.
 */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "formats/base/command_line.h"
#include "formats/base/launched_job.h"
#include "formats/base/printable.h"
#include "formats/base/printed.h"
#include "formats/base/status.h"
#include "recorder/launched.h"
#include "recorder/launcher/once.h"
#include "recorder/launcher/preload.h"
#include "recorder/launcher/target.h"
#include "recorder/output_pattern.h"
#include "recorder/settings.h"

enum { EXIT_OURS = 125, EXIT_NOT_EXECUTABLE = 126, EXIT_NOT_FOUND = 127 };

struct launch {
    struct mwr_settings settings;
    struct mwr_warnings warnings;
    bool given[MWR_SETTINGS_MAX]; /* on the command line */
    char *const *command;     /* null when there is none */
    struct mwr_target target;
    enum mwr_mpi mpi;
    const char *reason; /* what mpi was decided by */
    char library[PATH_MAX];
    char *preload; /* LD_PRELOAD to be */
    char *asan_options; /* ASAN_OPTIONS to be; null: it stays */
    bool is_first_only; /* what it fails for the other ranks do not see */
};

/* --- the command line -------------------------------------------------------- */

/* -q and -v: the later one wins, also over the other's variable. */
static void settle_words(struct launch *launch, const struct mwr_setting *setting)
{
    bool quiet = strcmp(setting->name, "quiet") == 0;

    for (unsigned row = 0; mwr_setting_at(row); row++) {
        const char *name = mwr_setting_at(row)->name;

        launch->given[row] |= strcmp(name, "quiet") == 0 || strcmp(name, "verbose") == 0;
    }
    launch->settings.quiet = quiet;
    launch->settings.verbose = !quiet;
}

static bool take_setting(const struct mw_option *option, const char *value, void *member,
                         char *expected)
{
    const struct mwr_setting *setting = mwr_setting_find(option->name);
    struct launch *launch = member;
    struct mw_diagnostic diagnostic;

    if (mwr_setting_set(&launch->settings, setting, value ? value : "1", &diagnostic) != MW_OK) {
        snprintf(expected, MW_EXPECTED_BYTES, "%s", mwr_setting_expected(setting));
        return false;
    }
    launch->given[setting - mwr_setting_at(0)] = true;
    if (setting->key == 'q' || setting->key == 'v') {
        settle_words(launch, setting);
    }
    return true;
}

/* A row for each setting, and one before each group with its title. */
static void make_options(struct mw_option *options)
{
    static const char *const titles[] = {
        [MWR_SETTINGS_OUTPUT] = "The archive:",
        [MWR_SETTINGS_EVENTS] = "What is recorded:",
        [MWR_SETTINGS_VARIABLES] = "The MPI's own variables:",
        [MWR_SETTINGS_SPOOL] = "Room during the run:",
        [MWR_SETTINGS_LAUNCH] = "The launch:",
    };
    unsigned group = 0;

    for (unsigned row = 0; mwr_setting_at(row); row++) {
        const struct mwr_setting *setting = mwr_setting_at(row);

        if (setting->group != group) {
            group = setting->group;
            *options++ = (struct mw_option){.help = titles[group]};
        }
        *options++ = (struct mw_option){.name = setting->name,
                                        .letter = setting->key,
                                        .argument = setting->argument,
                                        .help = setting->help,
                                        .offers = setting->offers,
                                        .take = take_setting};
    }
}

static int read_command_line(struct launch *launch, int count, char **words)
{
    struct mw_option options[MWR_SETTINGS_MAX + MWR_SETTINGS_LAUNCH + 1] = {{0}};
    const struct mw_program program = {
        .name = "mpiwatch-record",
        .words = "[--] PROGRAM [ARGUMENT...]",
        .help = "Records what an MPI program does into one OTF2 archive.\v"
                "The launcher comes first: mpirun -n 4 mpiwatch-record ./app. Every option is "
                "also a variable: --max-spool is MPIWATCH_MAX_SPOOL. The status is the "
                "program's; 125: mpiwatch-record failed; 126: PROGRAM can't be executed; 127: "
                "there is none. See mpiwatch-record(1) and mpiwatch(7).",
        .options = options,
        .runs_a_program = true,
        .usage = EXIT_OURS,
    };
    char *said = NULL;
    size_t bytes = 0;
    FILE *memory = open_memstream(&said, &bytes);
    struct mw_command_line line = {
        .program = &program, .out = stdout, .err = memory ? memory : stderr};
    int code;

    make_options(options);
    code = mw_command_line_read(&line, count, words, launch);
    if (memory && fclose(memory) == 0 && bytes > 0) {
        if (mwr_once_of_host(said)) {
            fputs(said, stderr);
        }
        mwr_once_linger();
    }
    free(said);
    launch->command = code == MW_COMMAND_LINE_GO_ON && line.words[0] ? line.words : NULL;
    return code;
}

/* --- the checks -------------------------------------------------------------- */

/* A path stays what it is when the program changes its directory before MPI_Init. */
static enum mw_status make_absolute(char *path, struct mw_diagnostic *diagnostic)
{
    char relative[MWR_SETTING_PATH_BYTES];
    char *here;
    int length;

    if (!path[0] || path[0] == '/') {
        return MW_OK;
    }
    memcpy(relative, path, sizeof relative);
    here = getcwd(NULL, 0);
    length = snprintf(path, sizeof relative, "%s/%s", here ? here : ".", relative);
    free(here);
    return length < (int)sizeof relative
               ? MW_OK
               : mw_fail(diagnostic, MW_ERROR_USAGE, relative, MW_DIAGNOSTIC_OFFSET_NONE,
                         "is too long with the current directory before it");
}

static enum mw_status check_directory(const char *directory, struct mw_diagnostic *diagnostic)
{
    return access(directory, W_OK | X_OK) == 0
               ? MW_OK
               : mw_fail(diagnostic, MW_ERROR_USAGE, directory, MW_DIAGNOSTIC_OFFSET_NONE,
                         "can't be written to: %s", strerror(errno));
}

/* As the program will call itself. */
static const char *program_name(const struct launch *launch)
{
    const char *path = launch->target.program.path;
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* The output is rank 0's; the spool is everybody's. */
static enum mw_status check_places(struct launch *launch, struct mw_diagnostic *diagnostic)
{
    char directory[MWR_SETTING_PATH_BYTES];
    enum mw_status status = make_absolute(launch->settings.output, diagnostic);

    if (status == MW_OK) {
        status = make_absolute(launch->settings.spool, diagnostic);
    }
    if (status == MW_OK) {
        status = check_directory(launch->settings.spool, diagnostic);
    }
    if (status != MW_OK || !mw_launched_first() || !launch->settings.output[0]) {
        return status;
    }
    mwr_output_expand(launch->settings.output, program_name(launch), directory, sizeof directory);
    *strrchr(directory, '/') = '\0';
    status = check_directory(directory[0] ? directory : "/", diagnostic);
    launch->is_first_only = status != MW_OK;
    return status;
}

static bool is_unreadable(const struct launch *launch)
{
    return launch->target.inner.kind == MWR_PROGRAM_UNREADABLE;
}

static enum mw_status decide_mpi(struct launch *launch, struct mw_diagnostic *diagnostic)
{
    const struct mwr_linked *linked = &launch->target.linked;
    enum mwr_mpi said = launch->settings.mpi;

    if (linked->library[0] && linked->mpi == MWR_MPI_UNKNOWN && !said) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, launch->target.program.path,
                       MW_DIAGNOSTIC_OFFSET_NONE,
                       linked->several ? "is linked with several MPIs, %s among them; say which "
                                         "one it uses with --mpi"
                                       : "is linked with %s, which mpiwatch is not built for",
                       linked->library);
    }
    if (said && linked->mpi && said != linked->mpi) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, launch->target.program.path,
                       MW_DIAGNOSTIC_OFFSET_NONE, "is linked with %s: --mpi %s would crash it",
                       linked->library, mwr_mpi_words[said]);
    }
    launch->mpi = said ? said : linked->mpi;
    launch->reason = said ? "--mpi" : linked->library;
    if (!launch->mpi) {
        launch->mpi = mwr_preload_mpi_of_environment();
        launch->reason = "the launcher's environment";
    }
    return launch->mpi
               ? MW_OK
               : mw_fail(diagnostic, MW_ERROR_USAGE, launch->target.program.path,
                         MW_DIAGNOSTIC_OFFSET_NONE, "%s",
                         is_unreadable(launch)
                             ? "can't be read, so that it is not known what MPI it is linked with; "
                               "say which with --mpi openmpi, mpich or abi, or start it with mpirun"
                             : "is linked with no MPI; if it loads one when it runs, or starts "
                               "mpirun itself, say which with --mpi openmpi, mpich or abi; else "
                               "start it with mpirun");
}

/*
 * The recorder's library brings the MPI that it was linked with into the program: another file
 * than the program's own would be a second MPI in one process. Only for MPICH's ABI are there
 * several of the same kind.
 */
static enum mw_status refuse_second_mpi(const struct launch *launch,
                                        struct mw_diagnostic *diagnostic)
{
    const struct mwr_linked *own = &launch->target.linked;
    struct mwr_linked both;
    enum mw_status status;

    if (!own->library[0] || own->mpi != MWR_MPI_MPICH) {
        return MW_OK;
    }
    status = mwr_linked_with(&launch->target.inner, launch->library, &both, diagnostic);
    if (status == MW_OK && both.copies > own->copies) {
        status = mw_fail(diagnostic, MW_ERROR_USAGE, launch->target.program.path,
                         MW_DIAGNOSTIC_OFFSET_NONE,
                         "is linked with %s (%s), and mpiwatch was built with another MPI of the "
                         "same ABI: both would be in the process; build mpiwatch with the "
                         "program's MPI",
                         own->library, own->path);
    }
    return status;
}

/* The variables that let the recorder's library be the first in the program. */
static enum mw_status put_first(struct launch *launch, struct mw_diagnostic *diagnostic)
{
    const char *others = getenv("LD_PRELOAD");
    const bool has_asan = launch->target.linked.has_asan ||
                          (others && mwr_preload_has_asan(others));

    launch->preload = mwr_preload_variable(launch->library);
    launch->asan_options = has_asan ? mwr_preload_asan_options() : NULL;
    return launch->preload && (launch->asan_options || !has_asan)
               ? MW_OK
               : mw_fail(diagnostic, MW_ERROR_MEMORY, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                         "out of memory");
}

static enum mw_status prepare(struct launch *launch, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    if (launch->command) {
        status = mwr_target_inspect(launch->command, &launch->target, diagnostic);
    } else if (!launch->settings.env) {
        status = mw_fail(diagnostic, MW_ERROR_USAGE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                         "no program to record: mpirun -n 4 mpiwatch-record PROGRAM");
    }
    if (status == MW_OK) {
        status = decide_mpi(launch, diagnostic);
    }
    if (status == MW_OK) {
        status = mwr_preload_find(launch->mpi, launch->settings.libdir, launch->library,
                                  sizeof launch->library, diagnostic);
    }
    if (status == MW_OK) {
        status = refuse_second_mpi(launch, diagnostic);
    }
    if (status == MW_OK) {
        status = check_places(launch, diagnostic);
    }
    return status == MW_OK ? put_first(launch, diagnostic) : status;
}

/* --- what comes of it ---------------------------------------------------------- */

typedef void variable_function(const char *name, const char *value);

/* Calls function for every variable that the command line asks for, LD_PRELOAD last. */
static void each_variable(const struct launch *launch, variable_function *function)
{
    char value[MWR_SETTING_PATH_BYTES];
    char name[48];

    for (unsigned row = 0; mwr_setting_at(row); row++) {
        const struct mwr_setting *setting = mwr_setting_at(row);

        if (launch->given[row] && setting->group != MWR_SETTINGS_LAUNCH) {
            function(mwr_setting_variable(setting, name, sizeof name),
                     mwr_setting_value(&launch->settings, setting, value, sizeof value));
        }
    }
    if (launch->asan_options) {
        function("ASAN_OPTIONS", launch->asan_options);
    }
    function("LD_PRELOAD", launch->preload);
}

static void set_variable(const char *name, const char *value)
{
    setenv(name, value, 1);
}

static void print_variable(const char *name, const char *value)
{
    char shown[2 * MWR_SETTING_PATH_BYTES];

    printf("  set       %s=%s\n", name, mw_printable(value, shown, sizeof shown));
}

/* As a command of a POSIX shell; a quote in the value becomes '\''. */
static void print_export(const char *name, const char *value)
{
    printf("export %s='", name);
    for (; *value; value++) {
        if (*value == '\'') {
            printf("'\\''");
        } else {
            putchar(*value);
        }
    }
    printf("'\n");
}

static void print_settings(const struct mwr_settings *settings)
{
    char value[MWR_SETTING_PATH_BYTES];
    char shown[2 * MWR_SETTING_PATH_BYTES];

    printf("settings in effect\n");
    for (unsigned row = 0; mwr_setting_at(row)->group != MWR_SETTINGS_LAUNCH; row++) {
        const struct mwr_setting *setting = mwr_setting_at(row);

        printf("  %-14s  %s\n", setting->name,
               mw_printable(mwr_setting_value(settings, setting, value, sizeof value), shown,
                            sizeof shown));
    }
}

static void print_plan(const struct launch *launch)
{
    char shown[2 * PATH_MAX];

    printf("would run   %s",
           mw_printable(launch->target.program.path, shown, sizeof shown));
    for (char *const *word = launch->command + 1; *word; word++) {
        printf(" %s", mw_printable(*word, shown, sizeof shown));
    }
    printf("\n  MPI       %s (by %s)\n", mwr_mpi_title(launch->mpi), launch->reason);
    each_variable(launch, print_variable);
    print_settings(&launch->settings);
}

static void warn(const char *text)
{
    char shown[4096];

    fprintf(stderr, "mpiwatch-record: %s\n", mw_printable(text, shown, sizeof shown));
}

static void print_warnings(const struct mwr_warnings *warnings)
{
    for (unsigned index = 0; index < warnings->count && index < MWR_WARNINGS_MAX; index++) {
        warn(warnings->text[index]);
    }
}

static int complain(const struct mw_diagnostic *diagnostic)
{
    char text[2048];

    mw_diagnostic_text(diagnostic, text, sizeof text);
    if (mwr_once_of_host(text)) {
        warn(text);
    }
    mwr_once_linger();
    if (diagnostic->status != MW_ERROR_SYSTEM) {
        return EXIT_OURS;
    }
    return diagnostic->error_number == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

/*
 * The other ranks run, and wait in MPI_Init for this one. Open MPI's launcher and Slurm's end a job
 * of which a process fails; MPICH's does not before MPI_Init, unless it is told to (PMI-1).
 */
static void end_others(int code)
{
    const char *word = getenv("PMI_FD");
    char *end = NULL;
    const long file = word ? strtol(word, &end, 10) : -1;
    char text[64];

    if (file >= 0 && file <= INT_MAX && end != word && !*end) {
        snprintf(text, sizeof text, "cmd=abort exitcode=%d\n", code);
        (void)!send((int)file, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT);
    }
}

/* Of a program that nobody may look into: a static one would run unrecorded without a word. */
static void say_what_is_taken_for_granted(const struct launch *launch)
{
    char text[PATH_MAX + 256];

    snprintf(text, sizeof text,
             "%s: can't be read; taken for a program that is linked dynamically with %s, by %s",
             launch->target.inner.path, mwr_mpi_title(launch->mpi), launch->reason);
    warn(text);
}

static int run(const struct launch *launch)
{
    struct mw_diagnostic diagnostic;

    if (is_unreadable(launch) && !launch->settings.quiet && mw_launched_first()) {
        say_what_is_taken_for_granted(launch);
    }
    each_variable(launch, set_variable);
    if (mw_launched_first()) {
        mwr_launched_becomes(launch->target.linked.library);
    }
    execvp(launch->command[0], launch->command);
    (void)mw_fail(&diagnostic, MW_ERROR_SYSTEM, launch->command[0], MW_DIAGNOSTIC_OFFSET_NONE,
                  "can't be run");
    return complain(&diagnostic);
}

int main(int count, char **words)
{
    static struct launch launch;
    struct mw_diagnostic diagnostic;
    int code;

    mwr_settings_from_environment(&launch.settings, environ, &launch.warnings);
    code = read_command_line(&launch, count, words);
    if (code != MW_COMMAND_LINE_GO_ON) {
        return mw_printed(stdout, stderr, "mpiwatch-record", code, EXIT_OURS);
    }
    if (prepare(&launch, &diagnostic) != MW_OK) {
        code = complain(&diagnostic);
        if (launch.is_first_only && !launch.settings.env && !launch.settings.dry_run) {
            end_others(code);
        }
        return code;
    }
    if (!launch.settings.env && !launch.settings.dry_run) {
        return run(&launch);
    }
    if (mw_launched_first()) {
        print_warnings(&launch.warnings);
    }
    if (launch.settings.env) { /* for each rank: one without variables makes the others wait */
        each_variable(&launch, print_export);
    } else if (mw_launched_first()) {
        print_plan(&launch);
    }
    free(launch.preload);
    free(launch.asan_options);
    return mw_printed(stdout, stderr, "mpiwatch-record", EXIT_SUCCESS, EXIT_OURS);
}
