/*
 * Messages are counted as their senders recorded them; the receivers' side says
 * which of them were waited for, or came too early.
 */
#include "analyzer/cli/command.h"

#include "analyzer/report/text.h"
#include "analyzer/table/tables.h"

const struct mwa_command mwa_command_messages = {
    .name = "messages",
    .summary = "who sends how much to whom, and sizes",
    .help = "Prints the point-to-point messages, as their senders recorded them: pairs of ranks by "
            "bytes, matrices of ranks and of hosts, a histogram of sizes, and receives that were "
            "posted late.",
    .needs = MWA_NEED_HOST_PAIRS | MWA_NEED_WILDCARDS | MWA_NEED_QUEUEING | MWA_NEED_PROFILE,
    .text = mwa_text_messages,
    .document = &mwa_messages_document,
    .table = &mwa_pairs_table
};
