#ifndef MWA_CLI_COMMAND_H
#define MWA_CLI_COMMAND_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "analyzer/analysis/collect.h"
#include "analyzer/load/input.h"
#include "analyzer/render/results.h"
#include "analyzer/table/table.h"
#include "formats/status.h"

/* --max, --min of check: KEY=NUMBER. */
struct mwa_limit {
    const char *text;
    bool is_max;
};

#define MWA_COMM_PATTERNS 64u

/* What the user asked for. */
struct mwa_options {
    const struct mwa_command *command;
    const char *archive;
    const char *output; /* null: standard output */
    bool json;
    bool csv;
    bool quiet;
    bool color;
    uint32_t rank; /* --rank, MWA_NONE: all */
    uint64_t from_ns; /* --from, --to: a window, since the trace's beginning */
    uint64_t to_ns;   /* UINT64_MAX: to the end */
    bool series;      /* --series: single values */
    const char *comm_patterns[MWA_COMM_PATTERNS]; /* --comm, comm_pattern_count of them */
    uint32_t comm_pattern_count;
    const char *comm_name; /* --name, null: any */
    const char *comm_uid;  /* --uid, null: any */
    bool comms;       /* --comms: lives of communicators */
    uint32_t top;     /* --top: rows of what is worst, 0: the default */
    uint32_t bins;    /* --bins: equal parts of the run, 0: the default */
    uint32_t jobs;    /* threads to read with, 1 or more */
    const char *perfetto; /* what export writes; null: not that */
    const char *chrome;
    const char *otf2;
    const char *csv_directory;
    const char *ranks; /* --ranks: a list, null: all */
    const char *html; /* --html: where the page goes, null: there is none */
    struct mwa_limit *limits; /* --max, --min */
    uint32_t limit_count;
    const char **archives; /* all that are named, for commands that take several */
    uint32_t archive_count;
    const char *png; /* --png: where timeline draws; null: nowhere */
    bool force; /* --force: replace what is no former output */
    bool weak; /* --weak: compare runs whose work grows with their ranks */
    uint64_t max_memory; /* bytes, 0: the default share of the machine */
};

/* A subcommand: each has a file of its own that defines one of these. */
struct mwa_command {
    const char *name;
    const char *summary; /* a line for the list of commands */
    const char *help;    /* what --help says of it */
    unsigned needs;      /* enum mwa_need */
    bool selects_comms;  /* --comm chooses whose calls and messages count */
    bool lists_comms;    /* --comm, --name, --uid and --rank choose what is listed */
    bool selects;        /* --rank, --from and --to choose among the waits */
    void (*text)(const struct mwa_results *results, const struct mwa_options *options, FILE *out);
    const struct mwa_sheet *document; /* what it says as JSON */
    const struct mwa_sheet *table;    /* as CSV; null: there is none */

    /*
     * Instead of the three above: reads and prints by itself. MW_END when all went well, but
     * what was to be checked is not so. Null for most.
     */
    enum mw_status (*run)(struct mwa_input *input, const struct mwa_options *options, FILE *out,
                          struct mw_diagnostic *diagnostic);
    bool runs_csv; /* run, or examine, has a table */
    bool several;  /* takes more than one archive */

    /*
     * Instead of all the above: opens the archive itself. MW_ERROR_FORMAT when it is
     * corrupt, also after printing; *complete: nothing is missing. Null for most.
     * lists_faults: what it prints of a corrupt archive is a result.
     */
    enum mw_status (*examine)(const struct mwa_options *options, FILE *out, bool *complete,
                              struct mw_diagnostic *diagnostic);
    bool lists_faults;
};

extern const struct mwa_command mwa_command_report;
extern const struct mwa_command mwa_command_imbalance;
extern const struct mwa_command mwa_command_info;
extern const struct mwa_command mwa_command_calls;
extern const struct mwa_command mwa_command_ranks;
extern const struct mwa_command mwa_command_messages;
extern const struct mwa_command mwa_command_comms;
extern const struct mwa_command mwa_command_dump;
extern const struct mwa_command mwa_command_export;
extern const struct mwa_command mwa_command_check;
extern const struct mwa_command mwa_command_compare;
extern const struct mwa_command mwa_command_critical_path;
extern const struct mwa_command mwa_command_pop;
extern const struct mwa_command mwa_command_timeline;
extern const struct mwa_command mwa_command_counters;
extern const struct mwa_command mwa_command_watermarks;
extern const struct mwa_command mwa_command_validate;
extern const struct mwa_command mwa_command_waits;

/* All of them, the default first; ends with null. */
extern const struct mwa_command *const mwa_commands[];

#endif
