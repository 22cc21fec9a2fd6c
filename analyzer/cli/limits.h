#ifndef MWA_CLI_LIMITS_H
#define MWA_CLI_LIMITS_H

#include "analyzer/cli/command.h"
#include "analyzer/report/limit.h"

/* The limits that options and a file give. */
struct mwa_limits {
    struct mwa_limit *list;
    uint64_t count;
    uint64_t capacity;
};

/*
 * Reads those of the command line, then those of --limits: lines of "max KEY=NUMBER" and
 * "min KEY=NUMBER", empty ones, and what follows a # at the beginning of a line or behind a blank.
 * Without any: that run time, computing of all ranks and bytes of messages are at most what the
 * baselines have.
 *
 * \return MW_OK; MW_ERROR_USAGE, MW_ERROR_SYSTEM, MW_ERROR_MEMORY. mwa_limits_fini is due in any
 * case.
 */
enum mw_status mwa_limits_read(const struct mwa_options *options, struct mwa_limits *limits,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_limits_fini(struct mwa_limits *limits);

#endif
