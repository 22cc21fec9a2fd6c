#ifndef MWA_CLI_SCREEN_H
#define MWA_CLI_SCREEN_H

#include <stdio.h>

#include "analyzer/cli/command.h"
#include "formats/base/status.h"

/* Columns to lay text out for: --width, else COLUMNS, else the terminal's, else
 * MWA_SCREEN_COLUMNS. */
unsigned mwa_screen_columns(const struct mwa_options *options);

/* Text on its way to people: what is printed to file comes out laid out when it is closed. */
struct mwa_screen_text {
    FILE *file;
    char *text;
    size_t length;
};

/* \return MW_OK, and mwa_screen_close is due; MW_ERROR_MEMORY. */
enum mw_status mwa_screen_open(struct mwa_screen_text *text,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Prints it to out, whose errors stay in out. \return MW_OK; MW_ERROR_MEMORY. */
enum mw_status mwa_screen_close(struct mwa_screen_text *text, unsigned columns, FILE *out,
                                struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
