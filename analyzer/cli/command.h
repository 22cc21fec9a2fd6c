#ifndef MWA_CLI_COMMAND_H
#define MWA_CLI_COMMAND_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "analyzer/analysis/collect.h"
#include "analyzer/load/input.h"
#include "analyzer/render/results.h"
#include "formats/status.h"

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
    bool comms;       /* --comms: lives of communicators */
    uint32_t top;     /* --top: rows of what is worst, 0: the default */
    uint32_t bins;    /* --bins: equal parts of the run, 0: the default */
    uint32_t jobs;    /* threads to read with, 1 or more */
    const char *perfetto; /* what export writes; null: not that */
    const char *chrome;
    const char *csv_directory;
    const char *ranks; /* --ranks: a list, null: all */
    const char *html; /* --html: where the page goes, null: there is none */
    uint64_t max_memory; /* bytes, 0: the default share of the machine */
};

/* A subcommand: each has a file of its own that defines one of these. */
struct mwa_command {
    const char *name;
    const char *summary; /* a line for the list of commands */
    const char *help;    /* what --help says of it */
    unsigned needs;      /* enum mwa_need */
    bool selects;        /* --rank, --from and --to choose among the waits */
    void (*text)(const struct mwa_results *results, const struct mwa_options *options, FILE *out);
    json_t *(*json)(const struct mwa_results *results);
    void (*csv)(const struct mwa_results *results, FILE *out); /* null: no table */

    /* Instead of the three above: reads and prints by itself. Null for most. */
    enum mw_status (*run)(struct mwa_input *input, const struct mwa_options *options, FILE *out,
                          struct mw_diagnostic *diagnostic);
    bool runs_csv; /* run has a table */

    /*
     * Instead of all the above: opens the archive itself. MW_ERROR_FORMAT when it is
     * corrupt, also after printing; *complete: nothing is missing. Null for most.
     */
    enum mw_status (*examine)(const struct mwa_options *options, FILE *out, bool *complete,
                              struct mw_diagnostic *diagnostic);
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
extern const struct mwa_command mwa_command_timeline;
extern const struct mwa_command mwa_command_counters;
extern const struct mwa_command mwa_command_watermarks;
extern const struct mwa_command mwa_command_validate;
extern const struct mwa_command mwa_command_waits;

/* All of them, the default first; ends with null. */
extern const struct mwa_command *const mwa_commands[];

#endif
