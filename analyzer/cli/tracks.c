#include "analyzer/cli/tracks.h"

#include "analyzer/load/exchange.h"
#include "analyzer/load/pass.h"

/* The pass alone. */
static enum mw_status run_plain(struct mwa_pass *pass, void **total, struct mwa_tracks *tracks,
                                struct mw_diagnostic *diagnostic)
{
    struct mwa_pass_result result;
    enum mw_status status = mwa_pass_run(pass, total, &result, diagnostic);

    return status == MW_OK ? pass->analyses[0]->finish(*total, tracks) : status;
}

/* The pass with messages matched, and the levels that follow from events. */
static enum mw_status run_matched(struct mwa_pass *pass, const char *path, void **total,
                                  struct mwa_levels *levels,
                                  struct mwa_matching_result *matching,
                                  struct mwa_tracks *tracks, struct mw_diagnostic *diagnostic)
{
    const struct mwa_exchange_sink sink = mwa_levels_sink(levels);
    const struct mwa_pass_watch watch = mwa_levels_watch(levels);
    struct mwa_exchange_result exchanged;
    enum mw_status status = mwa_exchange_create(mwa_input_trace(pass->input), path, &sink, 1,
                                                &pass->exchange, diagnostic);

    if (status == MW_OK) {
        pass->watch = &watch;
        status = run_plain(pass, total, tracks, diagnostic);
    }
    if (status == MW_OK) {
        status = mwa_exchange_finish(pass->exchange, matching, &exchanged);
    }
    if (status != MW_OK && pass->exchange && diagnostic && diagnostic->status == MW_OK) {
        *diagnostic = *mwa_exchange_diagnostic(pass->exchange);
    }
    mwa_exchange_destroy(pass->exchange);
    return status;
}

enum mw_status mwa_collect_tracks(struct mwa_input *input, const char *path,
                                  struct mwa_levels *levels,
                                  struct mwa_matching_result *matching,
                                  struct mwa_tracks *tracks, struct mwa_counters *counters,
                                  struct mw_diagnostic *diagnostic)
{
    const struct mwa_analysis *analyses[] = { &mwa_metric_tracks_analysis };
    struct mwa_pass pass = {
        .input = input, .analyses = analyses, .analysis_count = 1, .only_rank = MWA_NONE
    };
    void *total = NULL;
    enum mw_status status;

    *tracks = (struct mwa_tracks){ 0 };
    *counters = (struct mwa_counters){ 0 };
    status = levels ? run_matched(&pass, path, &total, levels, matching, tracks, diagnostic)
                    : run_plain(&pass, &total, tracks, diagnostic);
    if (status == MW_OK) {
        status = mwa_counters_make(mwa_input_trace(input), tracks, counters);
    }
    if (status == MW_ERROR_MEMORY) {
        status = mw_fail(diagnostic, status, "", MW_DIAGNOSTIC_OFFSET_NONE,
                         "no memory for the variables");
    }
    analyses[0]->destroy(total);
    return status;
}

enum mw_status mwa_print_json(json_t *object, FILE *out, struct mw_diagnostic *diagnostic)
{
    int code = object ? json_dumpf(object, out, JSON_INDENT(1)) : -1;

    json_decref(object);
    putc('\n', out);
    return code == 0 ? MW_OK
                     : mw_fail(diagnostic, MW_ERROR_MEMORY, "", MW_DIAGNOSTIC_OFFSET_NONE,
                               "cannot print JSON");
}
