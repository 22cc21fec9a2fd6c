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

/* Room for a command line as it is typed, all zero: who has no memory for it can't take part in
 * what other processes do, and they would wait. */
#define MWA_WORDS_TYPED 256u

struct mwa_options_room {
    struct mwa_limit_option limits[MWA_WORDS_TYPED];
    const char *baselines[MWA_WORDS_TYPED];
    char *all_archives[2 * MWA_WORDS_TYPED];
    char *words[MWA_WORDS_TYPED];
};

/*
 * Parses the command line into *options, which refer to argv and room and are to be freed with
 * mwa_options_fini in any case. What --help and --version ask for is printed to standard
 * output, what is wrong to standard error.
 *
 * \return MW_COMMAND_LINE_GO_ON when there is an archive to be looked at, else the exit status:
 * MWA_EXIT_CORRUPT when there is no memory, of which nothing was printed.
 */
int mwa_options_parse(int argc, char **argv, struct mwa_options_room *room,
                      struct mwa_options *options);
void mwa_options_fini(struct mwa_options *options, const struct mwa_options_room *room);

#endif
