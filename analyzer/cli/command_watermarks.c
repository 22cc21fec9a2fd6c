/*
 * Between two samples, or where events were lost, a peak may have been missed: of
 * each it is told whether it is exact.
 */
#include "analyzer/cli/command.h"

#include "analyzer/report/text.h"
#include "analyzer/table/tables.h"

const struct mwa_command mwa_command_watermarks = {
    .name = "watermarks",
    .summary = "highest and lowest values, when, in which call",
    .help = "Prints the highest and the lowest value of each level over the run, or from --from to "
            "--to: of the MPI's own variables that were recorded, and of outstanding requests, "
            "bytes of outstanding sends, bytes in flight, unexpected messages and communicators "
            "alive, which follow from the events. "
            "Says which are exact, and for the others why not. For all ranks together, the peak "
            "of the sum at one time and the sum of the peaks.",
    .needs = MWA_NEED_WATERMARKS,
    .text = mwa_text_watermarks,
    .document = &mwa_watermarks_document,
    .table = &mwa_watermarks_table
};
