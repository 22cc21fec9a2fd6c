/*
 * What is wrong with communicators shows in their lives and not in their time: so
 * all of them are told, and findings come behind the tree.
 */
#include "analyzer/cli/command.h"

#include "analyzer/report/text.h"
#include "analyzer/table/tables.h"

const struct mwa_command mwa_command_comms = {
    .name = "comms",
    .summary = "communicators, their lives and traffic",
    .help = "Prints communicators as a tree of parents and children, those with the most time "
            "first: members, which call created them and when, when they were freed, messages, "
            "collectives, and the time in MPI calls on them; names and registrations; then what "
            "is wrong: leaks, communicators freed by some members only, unused ones, many within "
            "a second. --comm, --name, --uid and --rank select.",
    .needs = MWA_NEED_COMM_FINDINGS | MWA_NEED_MATCHING | MWA_NEED_PROFILE,
    .lists_comms = true,
    .text = mwa_text_comms,
    .document = &mwa_comms_document,
    .table = &mwa_comms_table
};
