/* One pass for all of it: reading events is most of what it costs. */
#include "analyzer/validate/all_together.h"

#include "analyzer/analysis/collect.h"
#include "analyzer/analysis/summary.h"

/* What the archive says of its own gaps. */
static void tell_gaps(const struct mwa_results *results, struct mwa_findings *findings)
{
    const struct mwa_trace *trace = results->trace;
    const char *json = trace->has_metadata ? "mpiwatch.json" : "";

    for (uint64_t i = 0; i < trace->rank_count; i++) {
        if (trace->ranks[i].incomplete) {
            mwa_findings_add(findings, MWA_INCOMPLETE, json, MW_DIAGNOSTIC_OFFSET_NONE,
                             "rank %llu is incomplete", (unsigned long long)i);
        } else if (!results->rank_records.has_events[i]) {
            mwa_findings_add(findings, MWA_INCOMPLETE, json, MW_DIAGNOSTIC_OFFSET_NONE,
                             "rank %llu has no events", (unsigned long long)i);
        }
        if (trace->ranks[i].lost > 0) {
            mwa_findings_add(findings, MWA_INCOMPLETE, json, MW_DIAGNOSTIC_OFFSET_NONE,
                             "rank %llu lost %llu events", (unsigned long long)i,
                             (unsigned long long)trace->ranks[i].lost);
        }
    }
    if (trace->ranks_expected > trace->rank_count) {
        mwa_findings_add(findings, MWA_INCOMPLETE, json, MW_DIAGNOSTIC_OFFSET_NONE,
                         "%llu of %llu ranks are in it", (unsigned long long)trace->rank_count,
                         (unsigned long long)trace->ranks_expected);
    }
    if (results->rank_records.open_calls > 0) {
        mwa_findings_add(findings, MWA_INCOMPLETE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                         "locations that end inside an MPI call: %llu",
                         (unsigned long long)results->rank_records.open_calls);
    }
    if (findings->by_severity[MWA_INCOMPLETE] == 0 &&
        (!mwa_says_complete(trace) || results->pass.missing_events > 0)) {
        mwa_findings_add(findings, MWA_INCOMPLETE, json, MW_DIAGNOSTIC_OFFSET_NONE,
                         "the archive says that it is incomplete");
    }
}

/* Messages may be without a partner in the best of archives: that is the program's doing. */
static void tell_matching(const struct mwa_matching_result *matching,
                          struct mwa_findings *findings)
{
    for (unsigned i = 0; i < MWA_UNMATCHED_REASONS; i++) {
        if (matching->sends_without[i] + matching->receives_without[i] > 0) {
            mwa_findings_add(findings, MWA_NOTE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                             "%llu sends and %llu receives have no partner (%s)",
                             (unsigned long long)matching->sends_without[i],
                             (unsigned long long)matching->receives_without[i],
                             mwa_unmatched_reason_name(i));
        }
    }
    if (matching->size_mismatches > 0) {
        mwa_findings_add(findings, MWA_NOTE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                         "%llu messages have another size at each end",
                         (unsigned long long)matching->size_mismatches);
    }
    if (matching->clock_violations > 0) {
        mwa_findings_add(findings, MWA_NOTE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                         "%llu messages were received before they were sent, by up to %llu ns",
                         (unsigned long long)matching->clock_violations,
                         (unsigned long long)matching->clock_violation_max_ns);
    }
}

static void tell_lives(const struct mwa_trace *trace, const struct mwa_comm_lives *lives,
                       struct mwa_findings *findings)
{
    static const char *const what[] = { "creates it more than once", "frees it more than once",
                                        "uses or frees it without having created it",
                                        "uses it before it is created",
                                        "uses it after it was freed" };

    for (unsigned i = 0; i < MWA_LIFE_TROUBLES; i++) {
        const struct mwa_life_row *row = &lives->troubles[i];

        if (row->count > 0) {
            mwa_findings_add(findings, i == MWA_CREATED_TWICE ? MWA_CORRUPT : MWA_NOTE, "",
                             MW_DIAGNOSTIC_OFFSET_NONE,
                             "communicator \"%.80s\" (Comm %u): rank %u %s; %llu such in all",
                             trace->comms[row->comm].name, trace->comms[row->comm].id, row->rank,
                             what[i], (unsigned long long)row->count);
        }
    }
}

static void read_it(const struct mwa_together *together, uint64_t needs,
                    struct mwa_read_together *read)
{
    const char *path = mwa_files_path(mwa_input_files(together->input));

    read->status = mwa_input_share(together->input, &read->share, &read->diagnostic);
    if (read->status == MW_OK) {
        mwa_input_give_up_if(read->share, together->is_given_up);
        read->status =
            mwa_collect(read->share, path, needs, NULL, &read->results, &read->diagnostic);
    }
}

void mwa_together_read(void *user)
{
    struct mwa_together *together = user;

    read_it(together, MWA_NEED_RANK_RECORDS | MWA_NEED_MATCHING | MWA_NEED_COMM_LIVES,
            &together->all);
    if (together->all.status != MW_OK && !atomic_load(together->is_given_up)) {
        /* What is in the way of matching messages need not be in the way of the rest. */
        read_it(together, MWA_NEED_COMM_LIVES, &together->lives);
    }
}

void mwa_together_tell(const struct mwa_together *together, struct mwa_findings *findings)
{
    const struct mwa_read_together *lives = &together->all;

    if (together->all.status == MW_OK) {
        tell_gaps(&together->all.results, findings);
        tell_matching(&together->all.results.matching, findings);
    } else {
        mwa_findings_add_failure(findings, &together->all.diagnostic);
        lives = &together->lives;
    }
    if (lives->status == MW_OK) {
        tell_lives(mwa_input_trace(together->input), &lives->results.comm_lives, findings);
    } else {
        mwa_findings_add_failure(findings, &lives->diagnostic);
    }
}

void mwa_together_fini(struct mwa_together *together)
{
    mwa_results_fini(&together->all.results);
    mwa_results_fini(&together->lives.results);
    mwa_input_close(together->all.share);
    mwa_input_close(together->lives.share);
}
