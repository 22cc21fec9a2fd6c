#ifndef MWA_CLI_READ_ARCHIVE_H
#define MWA_CLI_READ_ARCHIVE_H

#include "analyzer/cli/command.h"
#include "analyzer/cli/processes.h"
#include "analyzer/model/logical_clock.h"

/* An archive of several that a command reads one after the other, with its results. */
struct mwa_read_archive {
    struct mwa_input *input;
    struct mwa_logical_clocks clocks;
    struct mwa_results results;
};

/*
 * Reads the archive at path for what the command needs, with as many threads as options say, and
 * all processes, of which the first one has results. Where something of it is missing, *complete
 * becomes false there, and if there are several it is said which.
 *
 * \return MW_OK; as mwa_input_open, mwa_require_definitions and mwa_collect.
 * mwa_read_archive_fini is due in any case.
 */
enum mw_status mwa_read_archive(const struct mwa_options *options,
                                const struct mwa_processes *processes, const char *path,
                                struct mwa_read_archive *archive, bool *complete,
                                struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_read_archive_fini(struct mwa_read_archive *archive);

#endif
