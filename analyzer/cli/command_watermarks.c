#include "analyzer/analysis/watermarks.h"
#include "analyzer/cli/command.h"
#include "analyzer/cli/tracks.h"
#include "analyzer/render/tracks.h"

static enum mw_status run(struct mwa_input *input, const struct mwa_options *options, FILE *out,
                          struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    uint64_t from = mwa_trace_first_at(trace, options->from_ns);
    uint64_t to = mwa_trace_last_at(trace, options->to_ns);
    struct mwa_levels *levels = mwa_levels_create(trace, from, to);
    struct mwa_matching_result matching = { 0 };
    struct mwa_watermarks watermarks = { 0 };
    struct mwa_tracks tracks = { 0 };
    struct mwa_counters counters = { 0 };
    enum mw_status status = MW_OK;

    if (levels) {
        status = mwa_collect_tracks(input, options->archive, levels, &matching, &tracks,
                                    &counters, diagnostic);
    }
    if (status == MW_OK &&
        (!levels ||
         mwa_watermarks_make(trace, &tracks, &counters, from, to, &watermarks) != MW_OK ||
         mwa_levels_append(levels, &matching, &watermarks) != MW_OK)) {
        status = mw_fail(diagnostic, MW_ERROR_MEMORY, "", MW_DIAGNOSTIC_OFFSET_NONE,
                         "no memory for the watermarks");
    }
    if (status == MW_OK && options->json) {
        status = mwa_print_json(mwa_json_watermarks(trace, &watermarks, options->rank), out,
                                diagnostic);
    } else if (status == MW_OK && options->csv) {
        mwa_csv_watermarks(trace, &watermarks, options->rank, out);
    } else if (status == MW_OK) {
        mwa_text_watermarks(trace, &watermarks, options->rank, out);
    }
    mwa_watermarks_fini(&watermarks);
    mwa_levels_destroy(levels);
    mwa_matching_result_fini(&matching);
    mwa_counters_fini(&counters);
    mwa_tracks_fini(&tracks);
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
