#include <stdlib.h>

#include "analyzer/analysis/comm_timeline.h"
#include "analyzer/analysis/window.h"
#include "analyzer/cli/comm_options.h"
#include "analyzer/cli/command.h"
#include "analyzer/load/pass.h"
#include "analyzer/render/comm_timeline.h"

#define BINS_DEFAULT 50u
#define ROWS_MAX     20u

static enum mw_status no_memory(struct mw_diagnostic *diagnostic)
{
    return mw_fail(diagnostic, MW_ERROR_MEMORY, "", MW_DIAGNOSTIC_OFFSET_NONE,
                   "no memory for the timeline");
}

static enum mw_status print_comms(const struct mwa_trace *trace,
                                  const struct mwa_options *options,
                                  const struct mwa_comms *comms,
                                  const struct mwa_comm_timeline *timeline, FILE *out,
                                  struct mw_diagnostic *diagnostic)
{
    bool is_fine = true;

    if (options->json) {
        is_fine = mwa_json_comm_timeline(trace, comms, timeline, out);
    } else if (options->csv) {
        is_fine = mwa_csv_comm_timeline(trace, timeline, out);
    } else {
        mwa_text_comm_timeline(trace, timeline, ROWS_MAX, out);
    }
    return is_fine ? MW_OK : no_memory(diagnostic);
}

static enum mw_status finish_comms(const struct mwa_trace *trace,
                                   const struct mwa_window *window, const bool *selected,
                                   void **totals, const struct mwa_options *options, FILE *out,
                                   struct mw_diagnostic *diagnostic)
{
    struct mwa_comms comms = { 0 };
    struct mwa_comm_activity activity = { 0 };
    struct mwa_comm_timeline timeline = { 0 };
    enum mw_status status;

    if (mwa_comms_analysis.finish(totals[0], &comms) != MW_OK ||
        mwa_comm_activity_analysis.finish(totals[1], &activity) != MW_OK ||
        mwa_comm_timeline_make(trace, window, &comms, &activity, selected, &timeline) !=
            MW_OK) {
        status = no_memory(diagnostic);
    } else {
        status = print_comms(trace, options, &comms, &timeline, out, diagnostic);
    }
    mwa_comm_timeline_fini(&timeline);
    mwa_comm_activity_fini(&activity);
    mwa_comms_fini(&comms);
    return status;
}

/* --comms: lives of communicators. */
static enum mw_status run_comms(struct mwa_input *input, const struct mwa_window *window,
                                const struct mwa_options *options, FILE *out,
                                struct mw_diagnostic *diagnostic)
{
    const struct mwa_analysis *analyses[] = { &mwa_comms_analysis, &mwa_comm_activity_analysis };
    const struct mwa_pass pass = { .input = input,
                                   .analyses = analyses,
                                   .analysis_count = 2,
                                   .only_rank = options->rank,
                                   .window = window };
    struct mwa_pass_result result;
    const struct mwa_trace *trace = mwa_input_trace(input);
    void *totals[2] = { NULL };
    bool *selected;
    enum mw_status status = mwa_comm_options_select(trace, options, &selected, diagnostic);

    if (status == MW_OK) {
        status = mwa_pass_run(&pass, totals, &result, diagnostic);
    }
    if (status == MW_OK) {
        status = finish_comms(trace, window, selected, totals, options, out, diagnostic);
    }
    free(selected);
    mwa_comms_analysis.destroy(totals[0]);
    mwa_comm_activity_analysis.destroy(totals[1]);
    return status;
}

static enum mw_status run(struct mwa_input *input, const struct mwa_options *options, FILE *out,
                          struct mw_diagnostic *diagnostic)
{
    struct mwa_window window;
    enum mw_status status;

    if (!options->comms) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                       "timeline needs --comms");
    }
    status = mwa_window_make(input, options->from_ns, options->to_ns,
                             options->bins > 0 ? options->bins : BINS_DEFAULT, &window,
                             diagnostic);
    return status == MW_OK ? run_comms(input, &window, options, out, diagnostic) : status;
}

const struct mwa_command mwa_command_timeline = {
    .name = "timeline",
    .summary = "what happens when",
    .help = "With --comms: a line per communicator from its creation to its release, with the "
            "calls and bytes on it in equal parts of the run (--bins, --from, --to), and how many "
            "communicators are alive.",
    .lists_comms = true,
    .run = run,
    .runs_csv = true
};
