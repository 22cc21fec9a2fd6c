/*
 * Ranks and communicators over time are lists of different things: two commands
 * under one name (variant).
 */
#include "analyzer/cli/command.h"
#include "analyzer/export/rank_states_png.h"
#include "analyzer/report/text.h"
#include "analyzer/table/tables.h"

static const struct mwa_command of_comms = {
    .name = "timeline",
    .needs = MWA_NEED_COMM_TIMELINE,
    .lists_comms = true,
    .text = mwa_text_comm_timeline,
    .document = &mwa_comm_timeline_document,
    .table = &mwa_comm_timeline_table
};

const struct mwa_command mwa_command_timeline = {
    .name = "timeline",
    .summary = "what happens when",
    .help = "A line per rank: what it does in equal parts of the run (--bins, --from, --to): "
            "useful work, point-to-point, collectives, I/O, and waiting. --png draws it, too. With "
            "--comms: a line per communicator from its creation to its release, with the calls "
            "and bytes on it, and how many communicators are alive.",
    .needs = MWA_NEED_RANK_STATES,
    .text = mwa_text_rank_states,
    .picture = mwa_png_rank_states,
    .document = &mwa_timeline_document,
    .table = &mwa_timeline_table,
    .variant = &of_comms
};
