#ifndef MWR_RECORDER_SETTINGS_H
#define MWR_RECORDER_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/archive/archive.h"
#include "formats/base/status.h"
#include "recorder/mpis.h"
#include "recorder/variables/schedule.h"

/*
 * What a user can say to the recorder: one table for mpiwatch-record's options, for
 * the environment variables that the preloaded library reads, for the archive, which
 * keeps the settings in effect, and for the manual's test.
 *
 * The option --max-spool is the variable MPIWATCH_MAX_SPOOL. The command line counts
 * more than the environment, the environment more than the default; an empty
 * variable is as good as none. mpiwatch-record turns options into variables, so that
 * the library knows nothing but variables.
 *
 * Nothing here allocates, prints, or keeps state. All functions are thread-safe on
 * distinct arguments as long as nobody changes the environment meanwhile.
 */

#define MWR_SETTINGS_PREFIX "MPIWATCH_"
#define MWR_SETTINGS_TEST_PREFIX "MPIWATCH_TEST_" /* no settings, and no warning */
#define MWR_SETTING_PATH_BYTES 4096u
#define MWR_SETTING_NAME_BYTES 32u

#define MWR_SETTINGS_MAX 64u /* rows of the table at most */
#define MWR_SETTING_TEXT_BYTES 1024u

/* What a spool does that may not grow any more: keep its beginning, or its end. */
enum mwr_on_full { MWR_ON_FULL_STOP, MWR_ON_FULL_WRAP };

/* What is done when a launcher or batch system ends the run. */
enum mwr_on_term { MWR_ON_TERM_SAY, MWR_ON_TERM_FINISH, MWR_ON_TERM_OFF };

/* Whether variables that nobody knows are tried out in a child process (variables/trial.h). */
enum mwr_probe_mode { MWR_PROBE_AUTO, MWR_PROBE_FORK, MWR_PROBE_OFF };

/* How CLOCK_MONOTONIC is read: by the processor's counter where it can be trusted, or as it is. */
enum mwr_clock_way { MWR_CLOCK_AUTO, MWR_CLOCK_MONOTONIC };

/* What the archive says of where calls come from: nothing, lines, lines and of calls by libraries
 * stacks, or stacks. */
enum mwr_site_way { MWR_SITES_OFF, MWR_SITES_LINE, MWR_SITES_AUTO, MWR_SITES_STACK };

struct mwr_site_setting {
    enum mwr_site_way way;
    uint32_t frames; /* of a stack, at most; else 0 */
};

/* How long nothing may go on before it is said, or ended; after 0: however long. */
struct mwr_hang_setting {
    uint64_t after; /* ns */
    bool kills;
};

/* Plain data; a member per row of the table. */
struct mwr_settings {
    /* where it goes */
    char output[MWR_SETTING_PATH_BYTES]; /* as the user wrote it; "": named after the program */
    bool force;                          /* replace an output that exists */
    enum mw_archive_format format;
    uint32_t compress; /* level of deflate, 0 to 9 */
    char io_hints[MWR_SETTING_TEXT_BYTES]; /* of MPI-IO, for the archive (recorder/io_hints.h) */
    uint64_t time_unit; /* ns, as in struct mw_clock_scale */
    bool quiet;        /* nothing on stderr but trouble; counts more than verbose */
    bool verbose;
    /* what is recorded */
    uint32_t events; /* set of 1 << enum mw_group */
    bool interpose_pmpi;
    char comms[MWR_SETTING_TEXT_BYTES]; /* a list (state/filter.h) */
    bool no_world;
    bool mpmd; /* all application contexts of the job run the recorder */
    bool start_paused;
    enum mwr_clock_way clock;
    struct mwr_site_setting sites;
    enum mw_source_paths paths;
    enum mw_site_form site_form;
    bool cpu; /* whether threads run is sampled */
    uint32_t functions; /* how often a second it is noted where threads compute; 0: it is not */
    bool signals; /* SIGUSR1 pauses, SIGUSR2 resumes */
    enum mwr_on_term on_term;
    struct mwr_hang_setting hang;  /* kills what is proved to be a deadlock */
    struct mwr_hang_setting stuck; /* kills whatever it is */
    char tools[MWR_SETTING_PATH_BYTES]; /* the chain's list (dispatch/tools.h) */
    char tools_path[MWR_SETTING_PATH_BYTES]; /* libraries, ':' between */
    /* the MPI's own variables (recorder/variables/) */
    char pvars[MWR_SETTING_TEXT_BYTES]; /* a selection */
    char pvar_when[MWR_SETTING_TEXT_BYTES]; /* a schedule */
    uint64_t pvar_interval; /* ns between writes of changes that are no new extremes */
    bool pvar_delta;        /* only what changed */
    uint64_t pvar_keyframe; /* ns between samples of everything; 0: none */
    struct mwr_array pvar_array;
    uint32_t pvar_objects; /* communicators, windows and files whose variables are recorded */
    bool pvar_start; /* start variables that stand still otherwise */
    char pvar_class[MWR_SETTING_TEXT_BYTES]; /* classes against their declaration */
    enum mwr_probe_mode pvar_probe;
    char mpit_events[MWR_SETTING_TEXT_BYTES]; /* a selection */
    char cvars[MWR_SETTING_TEXT_BYTES];      /* a selection */
    /* the room it may take */
    char spool[MWR_SETTING_PATH_BYTES]; /* never "" after mwr_settings_from_environment */
    uint64_t max_spool;                 /* bytes a process; 0: a share of the free space */
    enum mwr_on_full on_full;
    /* mpiwatch-record only */
    enum mwr_mpi mpi; /* what --mpi says */
    char libdir[MWR_SETTING_PATH_BYTES]; /* "": where mpiwatch was installed or built */
    bool dry_run;
    bool env;
};

/* The sections of --help. */
enum mwr_setting_group {
    MWR_SETTINGS_OUTPUT = 1,
    MWR_SETTINGS_EVENTS,
    MWR_SETTINGS_VARIABLES,
    MWR_SETTINGS_SPOOL,
    MWR_SETTINGS_LAUNCH /* of no interest to the library, nor to the archive */
};

struct mwr_setting_type; /* private: how a value is read and written */

/* A row of the table; all strings are static. */
struct mwr_setting {
    const char *name;     /* "max-spool" */
    int key;              /* 'o' for -o, 0 where there is no short option */
    const char *argument; /* "SIZE"; null for an option without argument, which means 1 */
    enum mwr_setting_group group;
    const char *fallback; /* the default, as a user would write it */
    const char *help;
    const struct mwr_setting_type *type;
    size_t offset; /* of the member in struct mwr_settings */
    const char *offers; /* words for completion, with blanks between; null: see argument */
};

/* The row at index, in the order of --help; null from the table's end on. */
const struct mwr_setting *mwr_setting_at(unsigned index);

/* The row called name ("max-spool"), or null. */
const struct mwr_setting *mwr_setting_find(const char *name);

/* Writes "MPIWATCH_MAX_SPOOL" to text (size: 48 is enough for all). \return text. */
const char *mwr_setting_variable(const struct mwr_setting *setting, char *text, size_t size);

/*
 * Writes the setting's value as a user would write it (MWR_SETTING_PATH_BYTES is
 * enough for all). Reading it again gives the same value.
 *
 * \return text.
 */
const char *mwr_setting_value(const struct mwr_settings *settings,
                              const struct mwr_setting *setting, char *text, size_t size);

/*
 * Whether the setting is what it is when nothing is said. (Of spool, whose default is $TMPDIR's
 * or /tmp, false.) Also false without memory.
 */
bool mwr_setting_is_default(const struct mwr_settings *settings,
                            const struct mwr_setting *setting) MW_MUST_CHECK;

/*
 * Sets one setting from what the user wrote.
 *
 * \return MW_OK.
 * \return MW_ERROR_USAGE, the setting unchanged, and a sentence that names the value
 * and what would be right, but not the option or variable.
 */
enum mw_status mwr_setting_set(struct mwr_settings *settings, const struct mwr_setting *setting,
                               const char *value, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* What its value has to be: "a size such as 512M or 2G". */
const char *mwr_setting_expected(const struct mwr_setting *setting);

#define MWR_WARNINGS_MAX 8u

/* Sentences for the user; more than fit are counted only. */
struct mwr_warnings {
    unsigned count; /* may be more than MWR_WARNINGS_MAX */
    char text[MWR_WARNINGS_MAX][320];
};

/*
 * Fills settings from the defaults and from environment (as environ(7)), with spool
 * falling back to TMPDIR and to /tmp. It can't fail: a value that can't be read is a
 * warning and the default stays; a variable MPIWATCH_… that nobody reads is a warning
 * with the nearest name. The warnings are the caller's to print, once per run: in
 * the library that is rank 0's task after MPI_Init; mpiwatch-record prints them only
 * when it does not start the program (--dry-run, --env).
 */
void mwr_settings_from_environment(struct mwr_settings *settings, char *const *environment,
                                   struct mwr_warnings *warnings);

#endif
