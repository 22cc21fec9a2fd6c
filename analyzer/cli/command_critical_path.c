/*
 * Where a change would make the run shorter: waiting is not on the path, but what
 * others wait for is.
 */
#include "analyzer/cli/command.h"

#include "analyzer/report/text.h"
#include "analyzer/table/tables.h"

const struct mwa_command mwa_command_critical_path = {
    .name = "critical-path",
    .summary = "what the run's length is made of",
    .help = "Prints what lies on the critical path: from the end of the last rank backwards, and "
            "at each wait on to the rank that was waited for. Time on it by call and region, how "
            "much that is above the average of all ranks, and by rank. mpiwatch-analyses(7) "
            "defines it.",
    .needs = MWA_NEED_CRITICAL_PATH,
    .text = mwa_text_critical_path,
    .document = &mwa_critical_path_document,
    .table = &mwa_path_table
};
