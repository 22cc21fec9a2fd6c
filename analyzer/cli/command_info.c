/*
 * How far an archive can be trusted comes before what it says; no table, since it
 * is one of each.
 */
#include "analyzer/cli/command.h"

#include "analyzer/report/text.h"
#include "analyzer/table/tables.h"

const struct mwa_command mwa_command_info = {
    .name = "info",
    .summary = "archive, ranks, events, losses, unmatched messages",
    .help = "Prints what the archive is and how far it can be trusted: program, ranks, hosts, "
            "events, what the recorder lost, messages without a partner and why, clock "
            "violations, settings.",
    .needs = MWA_NEED_PROFILE | MWA_NEED_MATCHING,
    .text = mwa_text_info,
    .document = &mwa_info_document
};
