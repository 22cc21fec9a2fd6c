/*
 * The first question to a profile, and the one that needs no more than a single
 * pass: in which MPI functions the time goes.
 */
#include "analyzer/cli/command.h"

#include "analyzer/report/text.h"
#include "analyzer/table/tables.h"

const struct mwa_command mwa_command_calls = {
    .name = "calls",
    .summary = "MPI functions by time",
    .help = "Prints a line per MPI function that was called, by time: how often, how long in all "
            "ranks and threads together, the shortest and the longest call, bytes.",
    .needs = MWA_NEED_PROFILE,
    .text = mwa_text_calls,
    .document = &mwa_calls_document,
    .table = &mwa_calls_table
};
