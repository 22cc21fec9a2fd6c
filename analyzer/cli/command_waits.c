#include "analyzer/cli/command.h"

#include "analyzer/report/waits_text.h"
#include "analyzer/table/tables.h"

#define TOP_DEFAULT 5u

static void print_text(const struct mwa_results *results, const struct mwa_options *options,
                       FILE *out)
{
    mwa_text_waits(results, options->top > 0 ? options->top : TOP_DEFAULT, out);
}

const struct mwa_command mwa_command_waits = {
    .name = "waits",
    .summary = "who waits for whom, in which call, and for how long",
    .help = "Prints the wait states of the run: late senders and receivers, waits in collective "
            "operations and one-sided synchronization, each with the ranks that wait and that "
            "cause them, and the longest ones. mpiwatch-analyses(7) defines them.",
    .needs = MWA_NEED_PROFILE | MWA_NEED_DELAYS,
    .text = print_text,
    .document = &mwa_waits_document,
    .table = &mwa_waits_table
};
