/*
 * The replay on an ideal network is of the whole run, so that there is no --from
 * and --to.
 */
#include "analyzer/cli/command.h"

#include "analyzer/report/text.h"
#include "analyzer/table/tables.h"

const struct mwa_command mwa_command_pop = {
    .name = "pop",
    .summary = "parallel efficiency and its factors",
    .help = "Prints the efficiencies of the POP project: parallel efficiency = load balance x "
            "communication efficiency, and that = serialisation x transfer by replaying the run "
            "on an ideal network; for the run and for each region of the program. "
            "mpiwatch-analyses(7) defines them.",
    .needs = MWA_NEED_POP,
    .text = mwa_text_pop,
    .document = &mwa_pop_document,
    .table = &mwa_pop_table
};
