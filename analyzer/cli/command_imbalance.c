/*
 * A run may be balanced as a whole and in none of its regions, so that each is
 * told by itself.
 */
#include "analyzer/cli/command.h"

#include "analyzer/report/text.h"
#include "analyzer/table/tables.h"

const struct mwa_command mwa_command_imbalance = {
    .name = "imbalance",
    .summary = "how evenly ranks share the run, calls and regions",
    .help = "Prints how evenly the ranks share the useful time of the run and the time in each MPI "
            "call and each region of the program: least, average and greatest time of a rank, "
            "load balance, coefficient of variation and the time above the average. "
            "mpiwatch-analyses(7) defines them.",
    .needs = MWA_NEED_IMBALANCE,
    .text = mwa_text_imbalance,
    .document = &mwa_imbalance_document,
    .table = &mwa_imbalance_table
};
