#include "recorder/settings.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/nearest.h"
#include "recorder/launched.h"
#include "recorder/setting_types.h"

/* --- the table --------------------------------------------------------------- */

#define MEMBER(member) .offset = offsetof(struct mwr_settings, member)

static const struct mwr_setting table[] = {
    {"output", 'o', "FILE", MWR_SETTINGS_OUTPUT, "",
     "Write the archive to FILE, in which %x is the job's name, %j its number (default: "
     "PROGRAM-DATE-TIME-PID.otf2.zip)", &mwr_path_type,
     MEMBER(output)},
    {"force", 0, NULL, MWR_SETTINGS_OUTPUT, "0",
     "Replace an archive that exists (default: take the next free name)", &mwr_flag_type,
     MEMBER(force)},
    {"format", 0, "zip|directory", MWR_SETTINGS_OUTPUT, "zip",
     "One compressed file, or a directory of plain OTF2 files (default: zip)", &mwr_format_type,
     MEMBER(format)},
    {"compress", 'z', "LEVEL", MWR_SETTINGS_OUTPUT, "1",
     "Level of compression from 0 (none) to 9 (smallest; default: 1)", &mwr_level_type,
     MEMBER(compress),
     .offers = "0 1 2 3 4 5 6 7 8 9"},
    {"io-hints", 0, "LIST", MWR_SETTINGS_OUTPUT, "",
     "Hints of MPI-IO with which the archive is written: KEY=VALUE, with ; between",
     &mwr_hints_type, MEMBER(io_hints)},
    {"time-unit", 0, "UNIT", MWR_SETTINGS_OUTPUT, "1ns",
     "Tell times in 1ns, 2ns, 4ns, 8ns, 16ns, 32ns or 64ns: the coarser, the smaller the "
     "archive (default: 1ns)",
     &mwr_time_unit_type, MEMBER(time_unit),
     .offers = "1ns 2ns 4ns 8ns 16ns 32ns 64ns"},
    {"quiet", 'q', NULL, MWR_SETTINGS_OUTPUT, "0", "Say nothing unless there is trouble",
     &mwr_flag_type, MEMBER(quiet)},
    {"verbose", 'v', NULL, MWR_SETTINGS_OUTPUT, "0", "Also say when and how recording starts",
     &mwr_flag_type, MEMBER(verbose)},
    {"events", 'e', "LIST", MWR_SETTINGS_EVENTS, "default",
     "Groups of calls to record: p2p, coll, comm, topo, rma, io (the default), env, type, "
     "attr, err, info, group, conv, tool, or all; -NAME leaves one out",
     &mwr_events_type, MEMBER(events),
     .offers = "p2p coll comm topo rma io env type attr err info group conv tool all default"},
    {"interpose-pmpi", 0, "yes|no", MWR_SETTINGS_EVENTS, "1",
     "Also see the program's calls of PMPI_ functions (default: yes)", &mwr_flag_type,
     MEMBER(interpose_pmpi)},
    {"comms", 0, "LIST", MWR_SETTINGS_EVENTS, "all",
     "Record calls on these communicators, and only count others: world, registered (by the "
     "program, mpiwatch.h(3)), all, or names with * (default: all)",
     &mwr_comms_type, MEMBER(comms),
     .offers = "all world registered"},
    {"no-world", 0, NULL, MWR_SETTINGS_EVENTS, "0",
     "Only count calls on MPI_COMM_WORLD, unless the program registers it", &mwr_flag_type,
     MEMBER(no_world)},
    {"mpmd", 0, NULL, MWR_SETTINGS_EVENTS, "0",
     "The job has several programs, and all of them run under mpiwatch-record", &mwr_flag_type,
     MEMBER(mpmd)},
    {"start-paused", 0, NULL, MWR_SETTINGS_EVENTS, "0",
     "Record nothing until the program calls MPI_Pcontrol(1)", &mwr_flag_type,
     MEMBER(start_paused)},
    {"signals", 0, NULL, MWR_SETTINGS_EVENTS, "0",
     "SIGUSR1 pauses recording in a process, SIGUSR2 resumes it (default: signals are the "
     "program's)",
     &mwr_flag_type, MEMBER(signals)},
    {"on-term", 0, "say|finish|off", MWR_SETTINGS_EVENTS, "say",
     "When the run is ended before MPI_Finalize: say on SIGTERM how its archive is made; make it "
     "at once, also when it is ended otherwise; or neither (default: say)",
     &mwr_on_term_type, MEMBER(on_term)},
    {"hang", 0, "TIME[:kill]|off", MWR_SETTINGS_EVENTS, "off",
     "After TIME without progress say why, and with :kill end the run if it is a deadlock that is "
     "proved (default: off)",
     &mwr_hang_type, MEMBER(hang),
     .offers = "30s 60s 300s 60s:kill off"},
    {"stuck", 0, "TIME:kill|off", MWR_SETTINGS_EVENTS, "off",
     "After TIME without progress end the run, whatever the reason (default: off)",
     &mwr_stuck_type, MEMBER(stuck),
     .offers = "300s:kill off"},
    {"clock", 0, "auto|monotonic", MWR_SETTINGS_EVENTS, "auto",
     "Read the time by the processor's counter where the kernel does so, too (auto, the default), "
     "or from the kernel for each call",
     &mwr_clock_type, MEMBER(clock)},
    {"sites", 0, "auto|line|stack[:N]|off", MWR_SETTINGS_EVENTS, "auto",
     "Record from which line of the program each call comes, of calls by libraries and by wrappers "
     "(my_MPI_Send) also by which functions, up to the program's (default), or of all calls by "
     "which: the N innermost, from 1 to 64 (16, if not said)",
     &mwr_sites_type, MEMBER(sites),
     .offers = "auto line stack stack: off"},
    {"paths", 0, "full|relative|base", MWR_SETTINGS_EVENTS, "full",
     "Name files of the source with all directories (default), as seen from the directory that "
     "they were compiled in, or without directories",
     &mwr_paths_type, MEMBER(paths)},
    {"site-form", 0, "region|attribute", MWR_SETTINGS_EVENTS, "region",
     "Tell the line of a call by the region of its events (default), or by an attribute beside "
     "it, so that other tools see one region for each MPI function",
     &mwr_site_form_type, MEMBER(site_form)},
    {"cpu", 0, "on|off", MWR_SETTINGS_EVENTS, "1",
     "Record when threads are on no core or in the kernel, what they write to files and read "
     "beside MPI-IO, and how much memory processes have (default: on)",
     &mwr_flag_type, MEMBER(cpu),
     .offers = "on off"},
    {"functions", 0, "RATE|off", MWR_SETTINGS_EVENTS, "off",
     "Find out in which functions ranks compute between calls of MPI, by RATE notes, 1 to 1000, in "
     "each second that they do, which the kernel takes (default: off)",
     &mwr_rate_type, MEMBER(functions),
     .offers = "100 off"},
    {"tools", 0, "LIST", MWR_SETTINGS_EVENTS, "",
     "Chain of QMPI tools, outermost first; mpiwatch is the recorder, -mpiwatch leaves it out "
     "(default: $MPIR_CVAR_QMPI_TOOL_LIST or $QMPI_TOOL_LIST)",
     &mwr_list_type, MEMBER(tools)},
    {"tools-path", 0, "FILES", MWR_SETTINGS_EVENTS, "",
     "Libraries of QMPI tools to load, with colons between", &mwr_list_type, MEMBER(tools_path)},
    {"pvars", 0, "LIST", MWR_SETTINGS_VARIABLES, "default",
     "Performance variables of the MPI to record: names with *, class:CLASS, cat:NAME, "
     "verb<=LEVEL, !NAME, all, none, with ; between (default: lengths of message queues, "
     "monitoring)",
     &mwr_selection_type, MEMBER(pvars),
     .offers = "default all none"},
    {"pvar-when", 0, "LIST", MWR_SETTINGS_VARIABLES, "exit",
     "Read them at exit, enter or both ends of calls, every calls=N, interval=TIME, by a "
     "thread=TIME, at a phase (MPI_Pcontrol), when a comm is made or freed, or where the user "
     "says (default: exit)",
     &mwr_schedule_type, MEMBER(pvar_when),
     .offers = "exit enter both calls= interval= thread= phase comm user"},
    {"pvar-interval", 0, "TIME", MWR_SETTINGS_VARIABLES, "1ms",
     "Write new extremes at once and other changes after TIME, or all with 0 (default: 1ms)",
     &mwr_duration_type, MEMBER(pvar_interval)},
    {"pvar-delta", 0, "yes|no", MWR_SETTINGS_VARIABLES, "1",
     "Each time write only variables that have changed, or with no all of them (default: yes)",
     &mwr_flag_type, MEMBER(pvar_delta)},
    {"pvar-keyframe", 0, "TIME", MWR_SETTINGS_VARIABLES, "1s",
     "Write all variables, changed or not, after TIME, or never with 0 (default: 1s)",
     &mwr_duration_type, MEMBER(pvar_keyframe)},
    {"pvar-array", 0, "stats|sum|full|top:N", MWR_SETTINGS_VARIABLES, "stats",
     "Of variables with a value for each peer, write sum, greatest, its peer, and how many are "
     "not 0; the sum; all values; the N greatest (default: stats)",
     &mwr_array_type, MEMBER(pvar_array)},
    {"pvar-objects", 0, "N", MWR_SETTINGS_VARIABLES, "64",
     "Record variables of at most N communicators, windows and files at a time (default: 64)",
     &mwr_objects_type, MEMBER(pvar_objects)},
    {"pvar-class", 0, "LIST", MWR_SETTINGS_VARIABLES, "",
     "Take variables for another class than the MPI says: NAME*=CLASS, with ; between",
     &mwr_classes_type, MEMBER(pvar_class)},
    {"pvar-start", 0, NULL, MWR_SETTINGS_VARIABLES, "0",
     "Start variables that stand still until they are started (default: start nothing)",
     &mwr_flag_type, MEMBER(pvar_start)},
    {"pvar-probe", 0, "auto|fork|off", MWR_SETTINGS_VARIABLES, "auto",
     "Read unknown variables in a child process first, and leave out those that crash it: not "
     "on hosts with RDMA devices (default: auto), anyway, or never",
     &mwr_probe_type, MEMBER(pvar_probe)},
    {"mpit-events", 0, "LIST", MWR_SETTINGS_VARIABLES, "none",
     "Events of the MPI to record (MPI_T events of MPI 4.0), each with its elements; * for all "
     "(default: none)",
     &mwr_selection_type, MEMBER(mpit_events),
     .offers = "all none"},
    {"cvars", 0, "LIST", MWR_SETTINGS_VARIABLES, "none",
     "Control variables of the MPI to keep in the archive; * for all (default: none)",
     &mwr_selection_type, MEMBER(cvars),
     .offers = "all none"},
    {"spool", 0, "DIR", MWR_SETTINGS_SPOOL, "",
     "Keep records in DIR during the run; must be on this host (default: $TMPDIR or /tmp)",
     &mwr_path_type, MEMBER(spool)},
    {"max-spool", 0, "SIZE", MWR_SETTINGS_SPOOL, "0",
     "Stop recording at SIZE bytes a process, with K, M, G or T (default: a share of the free "
     "space)",
     &mwr_size_type, MEMBER(max_spool)},
    {"on-full", 0, "stop|wrap", MWR_SETTINGS_SPOOL, "stop",
     "When the spool may not grow any more: stop recording (default), or go on and keep the "
     "latest calls",
     &mwr_on_full_type, MEMBER(on_full)},
    {"mpi", 0, "openmpi|mpich|abi", MWR_SETTINGS_LAUNCH, "auto",
     "The MPI that the program uses (default: look into the program)", &mwr_mpi_type, MEMBER(mpi)},
    {"libdir", 0, "DIR", MWR_SETTINGS_LAUNCH, "",
     "Take the library to preload from DIR (default: where mpiwatch is installed)", &mwr_path_type,
     MEMBER(libdir)},
    {"dry-run", 'n', NULL, MWR_SETTINGS_LAUNCH, "0",
     "Check the program and print what would be done", &mwr_flag_type, MEMBER(dry_run)},
    {"env", 0, NULL, MWR_SETTINGS_LAUNCH, "0",
     "Print the variables that would be set, as commands of a shell", &mwr_flag_type, MEMBER(env)},
};

static const unsigned table_rows = sizeof table / sizeof table[0];

_Static_assert(sizeof table / sizeof table[0] <= MWR_SETTINGS_MAX, "mpiwatch-record has room");

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

bool mwr_setting_is_default(const struct mwr_settings *settings,
                            const struct mwr_setting *setting)
{
    struct mwr_settings *unsaid = calloc(1, sizeof *unsaid);
    char *said = malloc(MWR_SETTING_PATH_BYTES);
    char *fallback = malloc(MWR_SETTING_PATH_BYTES);
    bool is_default = unsaid && said && fallback &&
                      mwr_setting_set(unsaid, setting, setting->fallback, NULL) == MW_OK;

    is_default = is_default &&
                 strcmp(mwr_setting_value(settings, setting, said, MWR_SETTING_PATH_BYTES),
                        mwr_setting_value(unsaid, setting, fallback,
                                          MWR_SETTING_PATH_BYTES)) == 0;
    free(unsaid);
    free(said);
    free(fallback);
    return is_default;
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

const char *mwr_setting_expected(const struct mwr_setting *setting)
{
    return setting->type->expected;
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

static void warn_of_unknown(const char *name, struct mwr_warnings *warnings)
{
    char variables[MWR_SETTINGS_MAX][48];
    struct mw_nearest nearest = {.word = name};

    for (unsigned row = 0; row < table_rows; row++) {
        mw_nearest_try(&nearest, mwr_setting_variable(&table[row], variables[row],
                                                      sizeof variables[row]));
    }
    if (nearest.name) {
        warn(warnings, "%.64s is not a variable of mpiwatch; did you mean %s?", name,
             nearest.name);
    } else {
        warn(warnings, "%.64s is not a variable of mpiwatch; see mpiwatch-record --help", name);
    }
}

/* Other names of variables. */
static const char *real_name(const char *name)
{
    return strcmp(name, "MPIWATCH_PVAR_MIN_INTERVAL") == 0 ? "MPIWATCH_PVAR_INTERVAL"
           : strcmp(name, "MPIWATCH_PVAR_MAXCOMMS") == 0   ? "MPIWATCH_PVAR_OBJECTS"
                                                           : name;
}

static void read_variable(struct mwr_settings *settings, const char *name, const char *value,
                          struct mwr_warnings *warnings)
{
    struct mw_diagnostic diagnostic;

    for (unsigned row = 0; row < table_rows; row++) {
        char variable[48];

        if (strcmp(mwr_setting_variable(&table[row], variable, sizeof variable),
                   real_name(name)) != 0) {
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
        if (strncmp(name, MWR_SETTINGS_TEST_PREFIX, strlen(MWR_SETTINGS_TEST_PREFIX)) == 0 ||
            strcmp(name, MWR_LAUNCHED_VARIABLE) == 0) {
            continue; /* of our own tests, and of mpiwatch-record */
        }
        if (strncmp(name, MWR_SETTINGS_PREFIX, strlen(MWR_SETTINGS_PREFIX)) == 0) {
            read_variable(settings, name, equals + 1, warnings);
        } else if (strcmp(name, "TMPDIR") == 0 && equals[1]) {
            temporary = equals + 1;
        }
    }
    if (!settings->spool[0] && !mwr_path_type.read(&mwr_path_type, temporary, settings->spool)) {
        mwr_path_type.read(&mwr_path_type, "/tmp", settings->spool);
    }
}
