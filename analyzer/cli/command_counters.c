/*
 * The summary and --series differ in all but their source: two commands under one
 * name (variant).
 */
#include "analyzer/cli/command.h"

#include "analyzer/report/text.h"
#include "analyzer/table/tables.h"

static const struct mwa_command of_series = { .name = "counters",
                                              .needs = MWA_NEED_COUNTERS,
                                              .text = mwa_text_series,
                                              .document = &mwa_counters_document,
                                              .table = &mwa_series_table };

const struct mwa_command mwa_command_counters = {
    .name = "counters",
    .summary = "the MPI's own variables over the run",
    .help = "Prints a line per performance variable of the MPI that was recorded, rank and "
            "communicator: total of sums, last value of levels, least, mean, greatest, and its "
            "course over the run. --series prints every value with its time, rank, name and "
            "communicator.",
    .needs = MWA_NEED_COUNTERS,
    .text = mwa_text_counters,
    .document = &mwa_counters_document,
    .table = &mwa_counters_table,
    .variant = &of_series
};
