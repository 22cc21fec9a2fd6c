#ifndef MW_FORMATS_BASE_COMMAND_LINE_H
#define MW_FORMATS_BASE_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "formats/base/status.h"

/*
 * The command line of a program: a row per option, a row per command. Parsing, what goes with
 * what, --help and completion all come from these rows, so that none can say what another does
 * not. For main, before there are threads.
 */

#define MW_COMMAND_LINE_ROWS  64u /* options of a program at most */
#define MW_EXPECTED_BYTES     256u

struct mw_option;

/*
 * Reads value (of a flag: null) into the member of the caller's struct that the row names.
 *
 * \return true; false when it can't be, with what it should be in expected, of MW_EXPECTED_BYTES:
 * "a number from 0 to 9".
 */
typedef bool mw_option_take(const struct mw_option *option, const char *value, void *member,
                            char *expected);

struct mw_option {
    const char *name;     /* "max-spool"; null: help is a title before the next ones */
    int letter;           /* 'o' for -o; 0: none */
    const char *argument; /* "SIZE"; null: a flag. FILE and DIR complete as such, a|b as words */
    const char *help;
    uint32_t commands;    /* 1 << n for each row of a command that takes it; 0: all do */
    mw_option_take *take;
    size_t offset;        /* of the member */
    uint32_t least, most; /* of mw_take_number (formats/base/option_value.h) */
    const char *excludes; /* options that it can't stand beside, with blanks between */
    const char *offers;   /* words that its value often is, for completion; null: see argument */
};

struct mw_command {
    const char *name;
    const char *words;   /* "ARCHIVE": what stands behind it */
    const char *summary; /* a line for the list of commands */
    const char *help;
    const char *needs;   /* options of which it needs one at least, with blanks between; or null */
};

struct mw_program {
    const char *name;
    const char *words;                 /* "[COMMAND] ARCHIVE" */
    const char *help;                  /* and after \v what stands below the options */
    const struct mw_option *options;   /* up to one without name and help */
    const struct mw_command *commands; /* up to one without name, the default first; or null */
    const char *files;                 /* what words are: patterns with blanks between; or null */
    bool runs_a_program;               /* the first word and all behind it are another's */
    int usage;                         /* exit status of wrong usage */
};

struct mw_command_line {
    const struct mw_program *program;
    FILE *out;
    FILE *err;
    unsigned command; /* row of the command that is named, or of the default */
    bool is_named;
    char **words;     /* what is no option, up to a null; of argv, which is changed */
    uint64_t given;   /* 1 << n for each row of an option that was given */
    const struct mw_option *rows[MW_COMMAND_LINE_ROWS]; /* those of the program, and common ones */
    unsigned row_count;
};

#define MW_COMMAND_LINE_GO_ON (-1)

/*
 * Reads the command line; line has program, out and err. What options say goes to into. -h,
 * --help, --usage, -V, --version and `help COMMAND` print to out, what is wrong to err: a sentence,
 * with the name that may have been meant. --print-options prints the rows for the scripts that
 * make completion and manual of them.
 *
 * \return MW_COMMAND_LINE_GO_ON when there is something to do, else the exit status.
 */
int mw_command_line_read(struct mw_command_line *line, int argc, char **argv, void *into);

/* Whether an option was given; name is one of the program's. */
bool mw_command_line_has(const struct mw_command_line *line, const char *name);

/*
 * Says on err what is wrong, what may have been meant (unless null), and where help is.
 *
 * \return the exit status of wrong usage.
 */
int mw_command_line_refuse(const struct mw_command_line *line, const char *meant,
                           const char *format, ...) MW_PRINTF(3, 4);

/* The name of a command near word, or null. */
const char *mw_command_line_nearest(const struct mw_command_line *line, const char *word);

#endif
