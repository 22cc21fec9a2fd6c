#include "analyzer/cli/command.h"
#include "analyzer/cli/print.h"
#include "analyzer/render/tracks.h"

static enum mw_status run(struct mwa_input *input, const struct mwa_options *options, FILE *out,
                          struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    struct mwa_results results;
    const struct mwa_counters *counters = &results.counters;
    enum mw_status status =
        mwa_collect(input, options->archive, MWA_NEED_TRACKS, &results, diagnostic);

    if (status == MW_OK && options->json) {
        status = mwa_print_json(mwa_json_counters(trace, counters, options->rank), out,
                                diagnostic);
    } else if (status == MW_OK && options->series && options->csv) {
        mwa_csv_series(trace, counters, options->rank, out);
    } else if (status == MW_OK && options->csv) {
        mwa_csv_counters(trace, counters, options->rank, out);
    } else if (status == MW_OK && options->series) {
        mwa_text_series(trace, counters, options->rank, out);
    } else if (status == MW_OK) {
        mwa_text_counters(trace, counters, options->rank, out);
    }
    mwa_results_fini(&results);
    return status;
}

const struct mwa_command mwa_command_counters = {
    .name = "counters",
    .summary = "the MPI's own variables over the run",
    .help = "Prints a line per performance variable of the MPI that was recorded, rank and "
            "communicator: total of sums, last value of levels, least, mean, greatest, and its "
            "course over the run. --series prints every value with its time, rank, name and "
            "communicator.",
    .run = run,
    .runs_csv = true
};
