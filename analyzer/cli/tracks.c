#include "analyzer/cli/tracks.h"

#include "analyzer/load/pass.h"

enum mw_status mwa_collect_tracks(struct mwa_input *input, struct mwa_tracks *tracks,
                                  struct mwa_counters *counters,
                                  struct mw_diagnostic *diagnostic)
{
    const struct mwa_analysis *analyses[] = { &mwa_tracks_analysis };
    const struct mwa_pass pass = {
        .input = input, .analyses = analyses, .analysis_count = 1, .only_rank = MWA_NONE
    };
    struct mwa_pass_result result;
    void *total = NULL;
    enum mw_status status;

    *tracks = (struct mwa_tracks){ 0 };
    *counters = (struct mwa_counters){ 0 };
    status = mwa_pass_run(&pass, &total, &result, diagnostic);
    if (status == MW_OK) {
        status = mwa_tracks_analysis.finish(total, tracks);
        if (status == MW_OK) {
            status = mwa_counters_make(mwa_input_trace(input), tracks, counters);
        }
        if (status != MW_OK) {
            status = mw_fail(diagnostic, status, "", MW_DIAGNOSTIC_OFFSET_NONE,
                             "no memory for the variables");
        }
    }
    mwa_tracks_analysis.destroy(total);
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
