/*
 * The ranks beside each other: which of them to look at is the first question
 * after the verdict.
 */
#include "analyzer/cli/command.h"

#include "analyzer/report/text.h"
#include "analyzer/table/tables.h"

const struct mwa_command mwa_command_ranks = {
    .name = "ranks",
    .summary = "time and bytes of each rank",
    .help = "Prints a line per rank: time outside MPI (useful) and inside (mpi) between MPI_Init "
            "and MPI_Finalize, calls, bytes.",
    .needs = MWA_NEED_PROFILE,
    .text = mwa_text_ranks,
    .document = &mwa_ranks_document,
    .table = &mwa_ranks_table
};
