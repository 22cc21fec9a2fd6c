#ifndef MWA_CLI_OPTIONS_H
#define MWA_CLI_OPTIONS_H

#include "analyzer/cli/command.h"
#include "formats/base/command_line.h"

/* The command line of mpiwatch-analyze, and its exit status. */

enum mwa_exit {
    MWA_EXIT_FINE = 0,
    MWA_EXIT_BREACH = 1,
    MWA_EXIT_USAGE = 2,
    MWA_EXIT_CORRUPT = 3,
    MWA_EXIT_INCOMPLETE = 4
};

/*
 * Parses the command line into *options, which refer to argv and are to be freed with
 * mwa_options_fini in any case. What --help and --version ask for is printed to standard
 * output, what is wrong to standard error.
 *
 * \return MW_COMMAND_LINE_GO_ON when there is an archive to be looked at, else the exit status.
 */
int mwa_options_parse(int argc, char **argv, struct mwa_options *options);
void mwa_options_fini(struct mwa_options *options);

#endif
