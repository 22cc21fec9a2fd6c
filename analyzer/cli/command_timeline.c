#include <stdlib.h>

#include "analyzer/analysis/chosen_window.h"
#include "analyzer/analysis/comms/comm_timeline.h"
#include "analyzer/analysis/exchanges.h"
#include "analyzer/analysis/pass.h"
#include "analyzer/analysis/time/rank_states.h"
#include "analyzer/analysis/waits/waits.h"
#include "analyzer/cli/comm_options.h"
#include "analyzer/cli/command.h"
#include "analyzer/cli/print.h"
#include "analyzer/export/output.h"
#include "analyzer/report/comm_timeline_text.h"
#include "analyzer/export/rank_states_png.h"
#include "analyzer/report/rank_states_text.h"

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

static enum mw_status draw(const struct mwa_options *options,
                           const struct mwa_rank_states *states,
                           struct mw_diagnostic *diagnostic)
{
    struct mwa_output output;
    enum mw_status status = mwa_output_open(&output, options->png, MWA_OUTPUT_PICTURE,
                                            options->force, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    if (mwa_png_rank_states(states, options->rank, output.file) != MW_OK) {
        status = no_memory(diagnostic);
    }
    return mwa_output_close(&output, status, diagnostic);
}

static enum mw_status print_ranks(const struct mwa_trace *trace, const struct mwa_window *window,
                                  const struct mwa_rank_states *states,
                                  const struct mwa_options *options, FILE *out,
                                  struct mw_diagnostic *diagnostic)
{
    enum mw_status status = options->png ? draw(options, states, diagnostic) : MW_OK;

    if (status == MW_OK && options->json) {
        return mwa_print_json(mwa_json_rank_states(trace, window, states, options->rank), out,
                              diagnostic);
    }
    if (status == MW_OK && options->csv) {
        mwa_csv_rank_states(trace, window, states, options->rank, out);
    } else if (status == MW_OK) {
        mwa_text_rank_states(trace, window, states, options->rank, options->color, out);
    }
    return status;
}

/* What ranks do: the states by one analysis, the waits by another. */
static enum mw_status run_ranks(struct mwa_input *input, const struct mwa_window *window,
                                const struct mwa_options *options, FILE *out,
                                struct mw_diagnostic *diagnostic)
{
    const struct mwa_analysis *analyses[] = { &mwa_rank_states_analysis };
    struct mwa_pass pass = { .input = input,
                             .analyses = analyses,
                             .analysis_count = 1,
                             .only_rank = MWA_NONE,
                             .window = window };
    struct mwa_results results = { .trace = mwa_input_trace(input) };
    struct mwa_rank_states states = { 0 };
    struct mwa_rank_waits waits;
    const struct mwa_scope all = {
        .rank = MWA_NONE, .to = UINT64_MAX, .sink = mwa_rank_waits_take, .user = &waits
    };
    const struct mwa_wanted_exchange wanted = { &mwa_waits_analysis, &results.waits };
    void *total = NULL;
    enum mw_status status = mwa_rank_waits_init(&waits, results.trace, window) == MW_OK
                                ? MW_OK
                                : no_memory(diagnostic);

    if (status == MW_OK) {
        status = mwa_exchanges_run(&pass, options->archive, &wanted, 1, &all, &total, &results,
                                   diagnostic);
    }
    if (status == MW_OK && mwa_rank_states_analysis.finish(total, &states) != MW_OK) {
        status = no_memory(diagnostic);
    }
    if (status == MW_OK) {
        mwa_rank_states_split(&states, &waits);
        status = print_ranks(results.trace, window, &states, options, out, diagnostic);
    }
    mwa_rank_states_analysis.destroy(total);
    mwa_rank_states_fini(&states);
    mwa_rank_states_fini(&waits.waits);
    mwa_results_fini(&results);
    return status;
}

static enum mw_status run(struct mwa_input *input, const struct mwa_options *options, FILE *out,
                          struct mw_diagnostic *diagnostic)
{
    struct mwa_window window;
    enum mw_status status;

    status = mwa_window_make(input, options->from_ns, options->to_ns,
                             options->bins > 0 ? options->bins : BINS_DEFAULT, &window,
                             diagnostic);
    if (status != MW_OK) {
        return status;
    }
    return options->comms ? run_comms(input, &window, options, out, diagnostic)
                          : run_ranks(input, &window, options, out, diagnostic);
}

const struct mwa_command mwa_command_timeline = {
    .name = "timeline",
    .summary = "what happens when",
    .help = "A line per rank: what it does in equal parts of the run (--bins, --from, --to): "
            "useful work, point-to-point, collectives, I/O, and waiting. --png draws it, too. With "
            "--comms: a line per communicator from its creation to its release, with the calls "
            "and bytes on it, and how many communicators are alive.",
    .lists_comms = true,
    .run = run
};
