#ifndef MWA_CLI_COMM_OPTIONS_H
#define MWA_CLI_COMM_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "analyzer/cli/command.h"

/* What --comm, --name, --uid and --rank of comms and timeline mean in an archive. */

/* As mwa_comm_select. */
enum mw_status mwa_comm_options_select(const struct mwa_trace *trace,
                                       const struct mwa_options *options, bool **selected,
                                       struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* A line of text with what --comm says, before what is only of that; none without it. */
void mwa_comm_options_put(const struct mwa_options *options, FILE *out);

#endif
