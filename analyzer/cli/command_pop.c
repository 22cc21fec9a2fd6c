#include "analyzer/cli/command.h"

#include "analyzer/report/pop_text.h"
#include "analyzer/table/tables.h"

static void print_text(const struct mwa_results *results, const struct mwa_options *options,
                       FILE *out)
{
    mwa_text_pop(results, out);
}

const struct mwa_command mwa_command_pop = {
    .name = "pop",
    .summary = "parallel efficiency and its factors",
    .help = "Prints the efficiencies of the POP project: parallel efficiency = load balance x "
            "communication efficiency, and that = serialisation x transfer by replaying the run "
            "on an ideal network; for the run and for each region of the program. "
            "mpiwatch-analyses(7) defines them.",
    .needs = MWA_NEED_POP,
    .text = print_text,
    .document = &mwa_pop_document,
    .table = &mwa_pop_table
};
