#include "analyzer/analysis/chosen_window.h"

#include "analyzer/analysis/collect.h"
#include "analyzer/load/joint_clock.h"

/* The last time of all events, by reading them; path is opened anew, for it is read once. */
static enum mw_status find_end(const struct mwa_trace *trace, const char *path, uint64_t *end,
                               struct mw_diagnostic *diagnostic)
{
    struct mwa_results results = { 0 };
    struct mwa_input *input = NULL;
    enum mw_status status = mwa_input_open_again(trace, path, &input, diagnostic);

    if (status == MW_OK) {
        status = mwa_collect(input, path, MWA_NEED_PROFILE, NULL, &results, diagnostic);
    }
    *end = results.profile.last_ticks;
    mwa_results_fini(&results);
    mwa_input_close(input);
    return status;
}

enum mw_status mwa_window_last_time(struct mwa_input *input, uint64_t *end,
                                    struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    const uint64_t said = mwa_joint_end(trace);
    enum mw_status status =
        find_end(trace, mwa_files_path(mwa_input_files(input)), end, diagnostic);

    *end = *end > said ? *end : said;
    return status;
}

/* Where what is told begins. */
static uint64_t begin_of(const struct mwa_trace *trace)
{
    const uint64_t origin = mwa_trace_origin(trace);

    return trace->begun > origin ? trace->begun : origin;
}

enum mw_status mwa_window_make(struct mwa_input *input, int64_t from_ns, int64_t to_ns,
                               uint32_t bins, struct mwa_window *window,
                               struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    uint64_t end = mwa_joint_end(trace);
    enum mw_status status = MW_OK;

    if (to_ns == MWA_LAST_NS && trace->clock_length == 0) {
        status = find_end(trace, mwa_files_path(mwa_input_files(input)), &end, diagnostic);
        if (status != MW_OK) {
            return status;
        }
    }
    if (end < begin_of(trace)) { /* all events come before the beginning */
        end = begin_of(trace);
    }
    bins = bins > 0 ? bins : MWA_WINDOW_BINS;
    window->from =
        from_ns == MWA_FIRST_NS ? begin_of(trace) : mwa_trace_first_at(trace, from_ns);
    window->to = to_ns == MWA_LAST_NS ? end : mwa_trace_last_at(trace, to_ns);
    if (window->to < window->from) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                       "there is nothing from --from to --to, or to the end");
    }
    window->bins = window->to - window->from < bins ? (uint32_t)(window->to - window->from) : bins;
    window->bins = window->bins > 0 ? window->bins : 1;
    return MW_OK;
}
