#ifndef MWA_CLI_OPTION_RULES_H
#define MWA_CLI_OPTION_RULES_H

#include "analyzer/cli/command.h"
#include "analyzer/export/output_kind.h"
#include "formats/base/status.h"

/* What the command line may not ask for, beyond what a single option can tell. */

/* The option whose file is one of the archives to be read, and would be written over; or null. */
const char *mwa_option_overwrites(const struct mwa_options *options);

/* Why the outputs can't be written side by side, a sentence; or null. */
const char *mwa_option_outputs_clash(const struct mwa_options *options);

/* The kind of what the command prints. */
enum mwa_output_kind mwa_option_printed_kind(const struct mwa_options *options);

/*
 * The option of an output that is there already, and *path its name: where no archive is named,
 * that is probably the one.
 *
 * \return "--html"; null: there is none.
 */
const char *mwa_option_took(const struct mwa_options *options, const char **path);

/*
 * Whether all outputs may be written, before any work is done.
 *
 * \return as mwa_output_check.
 */
enum mw_status mwa_option_outputs_check(const struct mwa_options *options,
                                        struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Whether the archive has the rank of --rank.
 *
 * \return MW_OK; MW_ERROR_USAGE.
 */
enum mw_status mwa_option_rank_exists(const struct mwa_options *options,
                                      const struct mwa_trace *trace,
                                      struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Whether the archive goes on until --from. Where it says that it ends before, its events are read.
 *
 * \return MW_OK; MW_ERROR_USAGE, with when the archive ends; as mwa_window_last_time.
 */
enum mw_status mwa_option_from_exists(const struct mwa_options *options, struct mwa_input *input,
                                      struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
