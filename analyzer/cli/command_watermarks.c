#include "analyzer/cli/command.h"
#include "analyzer/cli/print.h"
#include "analyzer/render/tracks.h"

static enum mw_status run(struct mwa_input *input, const struct mwa_options *options, FILE *out,
                          struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    const struct mwa_waits_selection selection = { .rank = MWA_NONE,
                                                   .from = options->from_ns,
                                                   .to = options->to_ns };
    struct mwa_results results;
    enum mw_status status =
        mwa_collect_selected(input, options->archive, MWA_NEED_WATERMARKS, &selection, NULL,
                             &results, diagnostic);

    if (status == MW_OK && options->json) {
        status = mwa_print_json(mwa_json_watermarks(trace, &results.watermarks, options->rank),
                                out, diagnostic);
    } else if (status == MW_OK && options->csv) {
        mwa_csv_watermarks(trace, &results.watermarks, options->rank, out);
    } else if (status == MW_OK) {
        mwa_text_watermarks(trace, &results.watermarks, options->rank, out);
    }
    mwa_results_fini(&results);
    return status;
}

const struct mwa_command mwa_command_watermarks = {
    .name = "watermarks",
    .summary = "highest and lowest values, when, in which call",
    .help = "Prints the highest and the lowest value of each level over the run, or from --from to "
            "--to: of the MPI's own variables that were recorded, and of outstanding requests, "
            "bytes of outstanding sends, bytes in flight, unexpected messages and communicators "
            "alive, which follow from the events. "
            "Says which are exact, and for the others why not. For all ranks together, the peak "
            "of the sum at one time and the sum of the peaks.",
    .run = run,
    .runs_csv = true
};
