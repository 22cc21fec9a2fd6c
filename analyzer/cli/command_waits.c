/*
 * Waits with their root causes: to be late is seldom the fault of the rank that
 * is.
 */
#include "analyzer/cli/command.h"

#include "analyzer/report/text.h"
#include "analyzer/table/tables.h"

const struct mwa_command mwa_command_waits = {
    .name = "waits",
    .summary = "who waits for whom, in which call, and for how long",
    .help = "Prints the wait states of the run: late senders and receivers, waits in collective "
            "operations and one-sided synchronization, each with the ranks that wait and that "
            "cause them, and the longest ones. mpiwatch-analyses(7) defines them.",
    .needs = MWA_NEED_PROFILE | MWA_NEED_DELAYS,
    .text = mwa_text_waits,
    .document = &mwa_waits_document,
    .table = &mwa_waits_table
};
