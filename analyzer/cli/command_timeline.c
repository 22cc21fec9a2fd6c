#include "analyzer/cli/command.h"
#include "analyzer/export/rank_states_png.h"
#include "analyzer/report/comm_timeline_text.h"
#include "analyzer/report/rank_states_text.h"
#include "analyzer/table/tables.h"

#define ROWS_MAX 20u

static void print_text(const struct mwa_results *results, const struct mwa_options *options,
                       FILE *out)
{
    mwa_text_rank_states(results, options->color, out);
}

static void print_comms(const struct mwa_results *results, const struct mwa_options *options,
                        FILE *out)
{
    mwa_text_comm_timeline(results, ROWS_MAX, out);
}

static const struct mwa_command of_comms = {
    .name = "timeline",
    .needs = MWA_NEED_COMM_TIMELINE,
    .lists_comms = true,
    .text = print_comms,
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
    .text = print_text,
    .picture = mwa_png_rank_states,
    .document = &mwa_timeline_document,
    .table = &mwa_timeline_table,
    .variant = &of_comms
};
