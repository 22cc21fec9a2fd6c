#include "analyzer/cli/command.h"

#include "analyzer/render/csv.h"
#include "analyzer/render/json.h"
#include "analyzer/render/text.h"

static void print_text(const struct mwa_results *results, const struct mwa_options *options,
                       FILE *out)
{
    (void)options;
    mwa_text_comms(results, out);
}

const struct mwa_command mwa_command_comms = {
    .name = "comms",
    .summary = "communicators, their lives and traffic",
    .help = "Prints a line per communicator: size, which call created it and when, when it was "
            "freed, messages, collectives, and the time in MPI calls on it.",
    .needs = MWA_NEED_COMMS | MWA_NEED_MATCHING | MWA_NEED_PROFILE,
    .text = print_text,
    .json = mwa_json_comms,
    .csv = mwa_csv_comms
};
