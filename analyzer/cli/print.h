#ifndef MWA_CLI_PRINT_H
#define MWA_CLI_PRINT_H

#include <stdio.h>

#include <jansson.h>

#include "analyzer/cli/options.h"
#include "formats/base/status.h"

/* Prints object and frees it. \return MW_OK; MW_ERROR_MEMORY; MW_ERROR_SPACE, MW_ERROR_SYSTEM: it
 * can't be written. */
enum mw_status mwa_print_json(json_t *object, FILE *out,
                              struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Says on standard error that the archive is incomplete, unless it is to be quiet. */
void mwa_say_incomplete(const struct mwa_options *options, const char *archive);

/* A page was written: how large it is, and how it is opened, on standard error. */
void mwa_say_page(const struct mwa_options *options);

#endif
