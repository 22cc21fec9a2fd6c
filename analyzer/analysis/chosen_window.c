#include "analyzer/analysis/chosen_window.h"

#include "analyzer/analysis/pass.h"
#include "analyzer/analysis/time/profile.h"

/* The last time of all events, by reading them; path is opened anew, for it is read once. */
static enum mw_status find_end(const char *path, uint64_t *end, struct mw_diagnostic *diagnostic)
{
    const struct mwa_analysis *analyses[] = { &mwa_profile_analysis };
    struct mwa_pass pass = { .analyses = analyses, .analysis_count = 1, .only_rank = MWA_NONE };
    struct mwa_profile profile = { 0 };
    struct mwa_pass_result result;
    void *total = NULL;
    enum mw_status status = mwa_input_open(path, &pass.input, diagnostic);

    if (status == MW_OK) {
        status = mwa_pass_run(&pass, &total, &result, diagnostic);
    }
    if (status == MW_OK) {
        status = mwa_profile_analysis.finish(total, &profile);
    }
    *end = profile.last_ticks;
    mwa_profile_fini(&profile);
    mwa_profile_analysis.destroy(total);
    mwa_input_close(pass.input);
    return status;
}

enum mw_status mwa_window_make(struct mwa_input *input, uint64_t from_ns, uint64_t to_ns,
                               uint32_t bins, struct mwa_window *window,
                               struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    uint64_t end = trace->clock_length < UINT64_MAX - trace->clock_offset
                       ? trace->clock_offset + trace->clock_length
                       : UINT64_MAX;
    enum mw_status status = MW_OK;

    if (to_ns == UINT64_MAX && trace->clock_length == 0) {
        status = find_end(mwa_files_path(mwa_input_files(input)), &end, diagnostic);
        if (status != MW_OK) {
            return status;
        }
    }
    if (end < trace->clock_offset) { /* all events come before the beginning */
        end = trace->clock_offset;
    }
    bins = bins > 0 ? bins : MWA_WINDOW_BINS;
    window->from = mwa_trace_first_at(trace, from_ns);
    window->to = to_ns == UINT64_MAX ? end : mwa_trace_last_at(trace, to_ns);
    if (window->to < window->from) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                       "there is nothing from --from to --to, or to the end");
    }
    window->bins = window->to - window->from < bins ? (uint32_t)(window->to - window->from) : bins;
    window->bins = window->bins > 0 ? window->bins : 1;
    return MW_OK;
}
