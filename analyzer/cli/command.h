#ifndef MWA_CLI_COMMAND_H
#define MWA_CLI_COMMAND_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "analyzer/analysis/collect.h"
#include "analyzer/analysis/results.h"
#include "analyzer/export/timeline_picture.h"
#include "analyzer/load/input.h"
#include "analyzer/report/text.h"
#include "analyzer/table/table.h"
#include "formats/base/status.h"

/* --max, --min of check: KEY=NUMBER. */
struct mwa_limit_option {
    const char *text;
    bool is_max;
};

#define MWA_COMM_PATTERNS 64u

/* --mpi: by what processes speak that were started together. */
enum mwa_mpi { MWA_MPI_AUTO, MWA_MPI_OFF, MWA_MPI_OPENMPI, MWA_MPI_MPICH, MWA_MPI_ABI };

enum mwa_color { MWA_COLOR_AUTO, MWA_COLOR_ALWAYS, MWA_COLOR_NEVER };

/* What the user asked for; options.c has the rows of the options. */
struct mwa_options {
    const struct mwa_command *command;
    const char *archive; /* the first one of archives */
    char **archives;     /* all that are named, for commands that take several; of check the
                            baselines first, and archive is the last one */
    uint32_t archive_count;
    const char *output; /* null: standard output */
    bool json;
    bool csv;
    bool quiet;
    enum mwa_color color_when;
    bool color;         /* what that comes to */
    uint32_t width;     /* columns of the screen; 0: not said */
    uint32_t rank;      /* MWA_NONE: all */
    int64_t from_ns;    /* --from, --to: a window, as mwa_trace_since_begin has it; */
    int64_t to_ns;      /* MWA_FIRST_NS, MWA_LAST_NS: all of it */
    bool series;        /* single values */
    bool full;          /* also what takes reading all events */
    bool sizes;         /* what an archive's bytes are */
    bool sites;         /* calls by the lines that make them */
    bool stacks;        /* by who calls the function that makes a call */
    bool now;           /* the run goes on at this moment */
    const char *comm_patterns[MWA_COMM_PATTERNS]; /* --comm, comm_pattern_count of them */
    uint32_t comm_pattern_count;
    const char *comm_name; /* --name, null: any */
    const char *comm_uid;  /* --uid, null: any */
    bool comms;            /* lives of communicators */
    uint32_t top;          /* rows of what is worst, 0: the default */
    bool all_ranks;        /* a line for each, however many */
    enum mwa_locations locations; /* that have lines of their own */
    uint32_t bins;         /* equal parts of the run, 0: the default */
    uint32_t jobs;         /* threads to read with, 1 or more */
    bool jobs_are_said;    /* --jobs: not what there are cores */
    enum mwa_mpi mpi;
    const char *perfetto;  /* what export writes; null: not that */
    const char *chrome;
    const char *folded;
    const char *folded_waits;
    const char *paraver;
    const char *otf2;
    const char *csv_directory;
    const char *ranks;        /* a list, null: all */
    uint32_t max_rows;        /* of call_records.csv and message_records.csv each */
    const char *html;         /* where the page goes, null: there is none */
    struct mwa_limit_option *limits; /* --max, --min */
    uint32_t limit_count;
    const char *limits_file;  /* null: none */
    const char **baselines;   /* --baseline */
    uint32_t baseline_count;
    char **all_archives;      /* where archives is, if it is not in the command line */
    char **words;             /* of the command line, as it was */
    double tolerance;         /* of 1 */
    const char *junit;        /* where JUnit XML goes, null: nowhere */
    bool github;              /* annotations as well */
    bool keys;                /* instead: what limits can be about */
    const char *debug_directory; /* where lines are looked up; null: nowhere */
    const char *png;     /* where timeline draws; null: nowhere */
    const char *svg;
    double picture_mm;   /* how wide */
    const char *title;   /* of the picture; null: the program */
    bool clc;            /* times are moved by the controlled logical clock */
    bool force;          /* replace what is no former output */
    bool no_cache;       /* read nothing of the user's cache, and write nothing to it */
    bool forget;         /* the same, and remove what is there of the archives */
    bool weak;           /* compare runs whose work grows with their ranks */
    uint64_t max_memory; /* bytes, 0: the default share of the machine */
};

struct mwa_processes;

/*
 * A command that opens archives itself. MW_ERROR_FORMAT when one is corrupt, also after printing;
 * MW_END when all went well, but what was to be checked is not so; *complete: nothing is missing.
 * With needs processes read them together: those that are not first have no out, and are done when
 * they have (mwa_processes_end).
 */
typedef enum mw_status mwa_examine(const struct mwa_options *options,
                                   struct mwa_processes *processes, FILE *out, bool *complete,
                                   struct mw_diagnostic *diagnostic);

/* A subcommand: a row of analyzer/analysis/analyses.def. */
struct mwa_command {
    const char *name;
    const char *summary; /* a line for the list of commands */
    const char *help;    /* what --help says of it */
    uint64_t needs;      /* enum mwa_need */
    bool has_glance;     /* its text needs nothing of that, and no events, without --full */
    const char *needs_one_of; /* options, with blanks between; null: none */
    const char *words;        /* instead of an archive, one that may be left out; null: ARCHIVE */
    bool is_json;        /* what it prints is JSON anyway */
    bool is_cut;         /* what it is of is cut to --from and --to (analysis/span_cut.h) */
    bool stops;          /* its results are of nothing behind --to */
    bool lists_comms;    /* --comm, --name, --uid and --rank choose what is listed */

    /* What is printed for people; null: the table. */
    void (*text)(const struct mwa_results *results, const struct mwa_screen *screen, FILE *out);
    /* --png, --svg; or null. */
    enum mw_status (*picture)(const struct mwa_results *results,
                              const struct mwa_picture *picture, FILE *out);
    const struct mwa_table *document; /* what it says as JSON */
    const struct mwa_table *table;    /* as CSV; of those that take --csv */
    const struct mwa_command *variant; /* it with --comms, --series, --sizes, --sites or --stacks;
                                          null: takes none */

    /* Instead of the above: reads and prints by itself. Null for most. */
    enum mw_status (*run)(struct mwa_input *input, const struct mwa_options *options, FILE *out,
                          struct mw_diagnostic *diagnostic);
    bool several;  /* takes more than one archive; if it does not open them itself, as one */

    /* Instead of all the above. Null for most. */
    mwa_examine *examine;
    bool lists_faults; /* what it prints of a corrupt archive is a result */
};

/* The command with an option that makes it another one; only those that take it have one. */
static inline const struct mwa_command *mwa_meant_command(const struct mwa_options *options)
{
    bool is_variant = options->comms || options->series || options->sizes || options->sites ||
                      options->stacks;

    return is_variant ? options->command->variant : options->command;
}

enum {
#define COMMAND(name, ...) MWA_COMMAND_##name,
#include "analyzer/analysis/analyses.def"
    MWA_COMMANDS
};

/* All of them, the default first, in the order of --help. */
extern const struct mwa_command mwa_commands[MWA_COMMANDS];

/* Those that read and print by themselves, as run and examine of struct mwa_command. */
enum mw_status mwa_run_dump(struct mwa_input *input, const struct mwa_options *options, FILE *out,
                            struct mw_diagnostic *diagnostic);
enum mw_status mwa_run_export(struct mwa_input *input, const struct mwa_options *options,
                              FILE *out, struct mw_diagnostic *diagnostic);
mwa_examine mwa_examine_check, mwa_examine_compare, mwa_examine_schema, mwa_examine_validate;

#endif
