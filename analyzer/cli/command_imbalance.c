#include "analyzer/cli/command.h"

#include "analyzer/report/imbalance_text.h"
#include "analyzer/table/tables.h"

static void print_text(const struct mwa_results *results, const struct mwa_options *options,
                       FILE *out)
{
    mwa_text_imbalance(results, out);
}

const struct mwa_command mwa_command_imbalance = {
    .name = "imbalance",
    .summary = "how evenly ranks share the run, calls and regions",
    .help = "Prints how evenly the ranks share the useful time of the run and the time in each MPI "
            "call and each region of the program: least, average and greatest time of a rank, "
            "load balance, coefficient of variation and the time above the average. "
            "mpiwatch-analyses(7) defines them.",
    .needs = MWA_NEED_IMBALANCE,
    .text = print_text,
    .document = &mwa_imbalance_document,
    .table = &mwa_imbalance_table
};
