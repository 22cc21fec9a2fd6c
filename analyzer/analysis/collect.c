#include "analyzer/analysis/collect.h"

#include "analyzer/analysis/exchanges.h"

/* An analysis, what asks for it, and where its result goes. */
struct wanted {
    unsigned need;
    const struct mwa_analysis *analysis;
    void *result;
    bool *has;
};

#define WANTED_MAX 12

static enum mw_status finish_all(const struct wanted *list, uint32_t count, void **totals,
                                 struct mw_diagnostic *diagnostic)
{
    for (uint32_t i = 0; i < count; i++) {
        enum mw_status status = list[i].analysis->finish(totals[i], list[i].result);

        if (status != MW_OK) {
            return mw_fail(diagnostic, status, "", MW_DIAGNOSTIC_OFFSET_NONE,
                           "no memory for the results of %s", list[i].analysis->name);
        }
        *list[i].has = true;
    }
    return MW_OK;
}

/* Runs the pass with matching. */
static enum mw_status run_matched(struct mwa_pass *pass, const char *path, void **totals,
                                  struct mwa_results *results, struct mw_diagnostic *diagnostic)
{
    struct mwa_matching *matching = NULL;
    enum mw_status status;

    status = mwa_matching_create(results->trace, path, NULL, &matching, diagnostic);
    if (status == MW_OK) {
        status = mwa_ordering_create(results->trace, mwa_matching_take, matching, &pass->ordering,
                                     diagnostic);
    }
    if (status == MW_OK) {
        status = mwa_pass_run(pass, totals, &results->pass, diagnostic);
    }
    if (status != MW_OK && matching && diagnostic && diagnostic->status == MW_OK) {
        *diagnostic = *mwa_matching_diagnostic(matching);
    }
    if (status == MW_OK) {
        status = mwa_matching_finish(matching, &results->matching);
        results->has_matching = status == MW_OK;
    }
    mwa_ordering_destroy(pass->ordering);
    mwa_matching_destroy(matching);
    return status;
}

/* Sends that were cancelled were counted when they began. */
static void forget_cancelled(struct mwa_results *results)
{
    for (uint64_t i = 0; i < results->matching.cancelled_send_count; i++) {
        const struct mwa_cancelled_send *send = &results->matching.cancelled_sends[i];

        bool counted = !results->selected_comms ||
                       (send->comm != MWA_NONE && results->selected_comms[send->comm]);

        if (results->has_traffic && counted) {
            mwa_traffic_forget(&results->traffic, send->from, send->to, send->bytes);
        }
        if (results->has_comms) {
            mwa_comms_forget(&results->comms, send->comm, send->bytes);
        }
    }
}

/* Why the clocks of a replay can't be trusted; null: they can. */
static const char *doubt(const struct mwa_results *results)
{
    const struct mwa_trace *trace = results->trace;

    if (!results->replay.has_run) {
        return "no rank has a run";
    }
    if (trace->lost_events > 0) {
        return "events were lost";
    }
    if (results->profile.open_calls > 0) {
        return "a rank's record ends inside a call";
    }
    for (uint64_t i = 0; i < trace->rank_count; i++) {
        if (trace->ranks[i].incomplete || !results->profile.ranks[i].has_events) {
            return "a rank's record is incomplete";
        }
    }
    return results->replay.threads                  ? "others than main threads exchange messages"
           : results->matching.unmatched_receives > 0 ? "receives have no sends"
           : results->exchange.collectives_incomplete > 0 ? "collectives lack members"
           : results->exchange.calls_unresolved > 0
               ? "calls wait for what is not in the archive"
               : NULL;
}

static enum mw_status derive_pop(struct mwa_results *results)
{
    const char *note = doubt(results);
    enum mw_status status = mwa_critical_path_make(results->trace, &results->profile,
                                                   &results->regions, &results->replay, note,
                                                   &results->critical_path);

    if (status == MW_OK) {
        status = mwa_pop_make(results->trace, &results->profile, &results->regions,
                              &results->replay.ideal, note, &results->pop);
        results->has_pop = status == MW_OK;
    }
    return status;
}

/* What follows from results of the pass. */
static enum mw_status derive(unsigned needs, struct mwa_results *results,
                             struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    if ((needs & MWA_NEED_IMBALANCE) == MWA_NEED_IMBALANCE) {
        status = mwa_imbalance_make(results->trace, &results->profile, &results->regions,
                                    &results->imbalance);
        results->has_imbalance = status == MW_OK;
    }
    if (status == MW_OK && results->has_traffic) {
        status = mwa_host_pairs_make(results->trace, &results->traffic, &results->host_pairs);
    }
    if (status == MW_OK && results->has_comms) {
        status = mwa_comm_findings_make(results->trace, &results->comms, results->selected_comms,
                                        &results->comm_findings);
    }
    if (status == MW_OK && results->has_tracks) {
        status = mwa_counters_make(results->trace, &results->tracks, &results->counters);
    }
    if (status == MW_OK && results->has_levels) {
        status = mwa_watermarks_make(results->trace, &results->tracks, &results->counters,
                                     results->levels.options.from, results->levels.options.to,
                                     &results->watermarks);
    }
    if (status == MW_OK && results->has_levels) {
        status = mwa_level_marks_append(&results->levels, &results->matching,
                                        &results->watermarks);
    }
    if (status == MW_OK && results->has_replay) {
        status = derive_pop(results);
    }
    return status == MW_OK ? MW_OK
                           : mw_fail(diagnostic, status, "", MW_DIAGNOSTIC_OFFSET_NONE,
                                     "no memory for the results");
}

static enum mw_status no_memory(struct mw_diagnostic *diagnostic)
{
    return mw_fail(diagnostic, MW_ERROR_MEMORY, "", MW_DIAGNOSTIC_OFFSET_NONE,
                   "no memory for the results");
}

/* Runs the pass in the way that needs asks for. waits: where those of the timeline go, or null. */
static enum mw_status run(struct mwa_pass *pass, const char *path, unsigned needs,
                          const struct mwa_waits_selection *selection, void **totals,
                          struct mwa_timeline_waits *waits, struct mwa_results *results,
                          struct mw_diagnostic *diagnostic)
{
    struct mwa_waits_selection selected = { .rank = MWA_NONE, .to = UINT64_MAX };
    struct mwa_level_options levels;
    bool with_delays = (needs & MWA_NEED_DELAYS) == MWA_NEED_DELAYS;
    const struct mwa_wanted_exchange all[] = {
        { MWA_NEED_WAITS, with_delays ? &mwa_waits_and_delays_analysis : &mwa_waits_analysis,
          &selected, &results->waits, &results->has_waits },
        { MWA_NEED_POP & ~(MWA_NEED_PROFILE | MWA_NEED_REGIONS), &mwa_replay_analysis,
          NULL, &results->replay, &results->has_replay },
        { MWA_NEED_QUEUEING, &mwa_queueing_analysis, results->selected_comms, &results->queueing,
          &results->has_queueing },
        { MWA_NEED_WATERMARKS & ~MWA_NEED_TRACKS, &mwa_levels_analysis, &levels,
          &results->levels, &results->has_levels }
    };
    struct mwa_wanted_exchange wanted[MWA_EXCHANGE_SINKS];
    uint32_t count = 0;

    if (selection) {
        selected = *selection;
    }
    if (waits) {
        selected.sink = mwa_timeline_waits_take;
        selected.user = waits;
    }
    levels = (struct mwa_level_options){ .from = mwa_trace_first_at(results->trace, selected.from),
                                         .to = mwa_trace_last_at(results->trace, selected.to),
                                         .keeps_courses = needs & MWA_NEED_COURSES };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (needs & all[i].need) {
            wanted[count++] = all[i];
        }
    }
    if (count > 0) {
        return mwa_exchanges_run(pass, path, wanted, count, totals, results, diagnostic);
    }
    return needs & MWA_NEED_MATCHING ? run_matched(pass, path, totals, results, diagnostic)
                                     : mwa_pass_run(pass, totals, &results->pass, diagnostic);
}

enum mw_status mwa_collect(struct mwa_input *input, const char *path, unsigned needs,
                           struct mwa_results *results, struct mw_diagnostic *diagnostic)
{
    return mwa_collect_selected(input, path, needs, NULL, NULL, results, diagnostic);
}

enum mw_status mwa_collect_selected(struct mwa_input *input, const char *path, unsigned needs,
                                    const struct mwa_waits_selection *selection,
                                    const bool *comms, struct mwa_results *results,
                                    struct mw_diagnostic *diagnostic)
{
    const struct wanted all[] = { { MWA_NEED_PROFILE, &mwa_profile_analysis, &results->profile,
                                    &results->has_profile },
                                  { MWA_NEED_TRAFFIC, &mwa_traffic_analysis, &results->traffic,
                                    &results->has_traffic },
                                  { MWA_NEED_TRAFFIC, &mwa_wildcards_analysis,
                                    &results->wildcards, &results->has_wildcards },
                                  { MWA_NEED_COMMS, &mwa_comms_analysis, &results->comms,
                                    &results->has_comms },
                                  { MWA_NEED_REGIONS, &mwa_regions_analysis, &results->regions,
                                    &results->has_regions },
                                  { MWA_NEED_PEAKS, &mwa_peaks_analysis, &results->peaks,
                                    &results->has_peaks },
                                  { MWA_NEED_MARKERS, &mwa_markers_analysis, &results->markers,
                                    &results->has_markers },
                                  { MWA_NEED_TRACKS, &mwa_tracks_analysis, &results->tracks,
                                    &results->has_tracks },
                                  { MWA_NEED_TIMELINE, &mwa_timeline_analysis,
                                    &results->timeline, &results->has_timeline } };
    const struct mwa_analysis *analyses[WANTED_MAX];
    struct wanted chosen[WANTED_MAX];
    void *totals[WANTED_MAX] = { NULL };
    struct mwa_pass pass = { .input = input,
                             .analyses = analyses,
                             .only_rank = MWA_NONE,
                             .selected_comms = comms };
    struct mwa_timeline_waits *waits = NULL;
    enum mw_status status = MW_OK;

    *results = (struct mwa_results){ .trace = mwa_input_trace(input),
                                     .path = path,
                                     .rank = MWA_NONE,
                                     .selected_comms = comms };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (needs & all[i].need) {
            chosen[pass.analysis_count] = all[i];
            analyses[pass.analysis_count++] = all[i].analysis;
        }
    }
    if (needs & MWA_NEED_TIMELINE) {
        waits = mwa_timeline_waits_create(results->trace);
        status = waits ? MW_OK : no_memory(diagnostic);
    }
    if (status == MW_OK) {
        status = run(&pass, path, needs, selection, totals, waits, results, diagnostic);
    }
    if (status == MW_OK) {
        status = finish_all(chosen, pass.analysis_count, totals, diagnostic);
    }
    if (status == MW_OK) {
        forget_cancelled(results);
    }
    if (status == MW_OK && waits && mwa_timeline_split(&results->timeline, waits) != MW_OK) {
        status = no_memory(diagnostic);
    }
    mwa_timeline_waits_destroy(waits);
    if (status == MW_OK) {
        status = derive(needs, results, diagnostic);
    }
    for (uint32_t i = 0; i < pass.analysis_count; i++) {
        if (totals[i]) {
            analyses[i]->destroy(totals[i]);
        }
    }
    return status;
}

void mwa_results_fini(struct mwa_results *results)
{
    mwa_profile_fini(&results->profile);
    mwa_traffic_fini(&results->traffic);
    mwa_host_pairs_fini(&results->host_pairs);
    mwa_wildcards_fini(&results->wildcards);
    mwa_comm_findings_fini(&results->comm_findings);
    mwa_comms_fini(&results->comms);
    mwa_regions_fini(&results->regions);
    mwa_markers_fini(&results->markers);
    mwa_imbalance_fini(&results->imbalance);
    mwa_waits_fini(&results->waits);
    mwa_watermarks_fini(&results->watermarks);
    mwa_level_marks_fini(&results->levels);
    mwa_counters_fini(&results->counters);
    mwa_tracks_fini(&results->tracks);
    mwa_peaks_fini(&results->peaks);
    mwa_timeline_fini(&results->timeline);
    mwa_replay_result_fini(&results->replay);
    mwa_pop_fini(&results->pop);
    mwa_critical_path_fini(&results->critical_path);
    mwa_matching_result_fini(&results->matching);
    *results = (struct mwa_results){ 0 };
}
