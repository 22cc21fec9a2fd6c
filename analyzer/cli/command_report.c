/*
 * What is printed when no command is named, so that it has to do for every
 * archive.
 */
#include "analyzer/cli/command.h"

#include "analyzer/report/text.h"
#include "analyzer/table/tables.h"

const struct mwa_command mwa_command_report = {
    .name = "report",
    .summary = "all of it on one screen",
    .help = "Prints one screen: a verdict, time outside MPI and inside it, the calls that take "
            "most, messages, communicators, and how far all that can be trusted. The other "
            "commands have the details.",
    .needs = MWA_NEED_REPORT,
    .text = mwa_text_report,
    .document = &mwa_report_document
};
