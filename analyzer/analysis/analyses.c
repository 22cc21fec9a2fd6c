/*
 * A row's conditions are checked when it is compiled; what is made of several results is said
 * where the table's rows find it.
 */
#include "analyzer/analysis/analyses.h"

#include "analyzer/analysis/counters/same_things.h"
#include "analyzer/analysis/summary.h"

/* --- what is done behind the pass --------------------------------------------------------- */

static bool is_selected(const struct mwa_results *results, uint32_t comm)
{
    return !results->selected_comms || (comm != MWA_NONE && results->selected_comms[comm]);
}

/* Sends that were cancelled were counted when they began. */
static enum mw_status forget_in_traffic(struct mwa_results *results)
{
    for (uint64_t i = 0; i < results->matching.cancelled_send_count; i++) {
        const struct mwa_cancelled_send *send = &results->matching.cancelled_sends[i];

        if (is_selected(results, send->comm)) {
            mwa_traffic_forget(&results->traffic, send->from, send->to, send->bytes);
        }
    }
    return MW_OK;
}

static enum mw_status forget_in_comms(struct mwa_results *results)
{
    for (uint64_t i = 0; i < results->matching.cancelled_send_count; i++) {
        const struct mwa_cancelled_send *send = &results->matching.cancelled_sends[i];

        mwa_comms_forget(&results->comms, send->comm, send->bytes);
    }
    return MW_OK;
}

/* Why the clocks of a replay can't be trusted; null: they can. */
static const char *doubt(const struct mwa_results *results)
{
    const struct mwa_trace *trace = results->trace;

    if (!results->replay.has_run) {
        return "no rank has a run";
    }
    if (trace->lost_events > 0) {
        return trace->is_ring ? "the beginning of the run is not in the ring" : "events were lost";
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
           : mwa_across_ns(&results->profile) > 0     ? "other jobs may be waited for"
           : results->exchange.collectives_incomplete > 0 ? "collectives lack members"
           : results->exchange.calls_unresolved > 0
               ? "calls wait for what is not in the archive"
               : NULL;
}

/* What has a value over time is looked at in the run: what MPI_Init does is no part of it. */
static enum mw_status finish_tracks(struct mwa_results *results)
{
    results->tracks.first = results->profile.run_from_ticks;
    results->tracks.last = results->profile.run_to_ticks;
    results->tracks.first_end = results->profile.first_end_ticks;
    return mwa_sums_rebuild(results->trace, &results->tracks);
}

/* Of the run, the part that was asked for. */
static enum mw_status make_watermarks(struct mwa_results *results)
{
    const struct mwa_level_options *levels = &results->levels.options;
    const struct mwa_tracks *tracks = &results->tracks;
    enum mw_status status =
        mwa_watermarks_make(results->trace, tracks, &results->counters,
                            levels->from > tracks->first ? levels->from : tracks->first,
                            levels->to < tracks->last ? levels->to : tracks->last,
                            &results->watermarks);

    if (status == MW_OK) {
        status = mwa_level_marks_append(&results->levels, &results->matching, &results->watermarks);
    }
    return status == MW_OK ? mwa_same_things_relate(results->trace, &results->watermarks) : status;
}

/* --- the table ---------------------------------------------------------------------------- */

#define ANALYSIS(name, member, type, requires, source, then, fini)                                 \
    static enum mw_status make_of_##member(struct mwa_results *results)                            \
    {                                                                                              \
        return then;                                                                               \
    }                                                                                              \
    _Static_assert((uint64_t)(requires) < MWA_NEED_##name, "each row is behind what it requires");
#include "analyzer/analysis/analyses.def"

static const struct mwa_analysis_row analyses[] = {
#define EVENTS(analysis)    .events = &(analysis)
#define EXCHANGES(analysis) .exchanges = &(analysis)
#define WAITS(analysis)     .waits = &(analysis)
#define NOTHING             .events = NULL
#define ANALYSIS(name, member, type, requires, source, then, fini)                                 \
    { #member, offsetof(struct mwa_results, member), requires, source, .make = make_of_##member },
#include "analyzer/analysis/analyses.def"
};

/* What a row is made from, as a letter. */
#define FROM_EVENTS(analysis)    'e'
#define FROM_EXCHANGES(analysis) 'x'
#define FROM_WAITS(analysis)     'w'
#define FROM_NOTHING             '-'
#define ANALYSIS(name, member, type, requires, source, then, fini) +(FROM_##source == 'e')
enum {
    OF_EVENTS = 0
#include "analyzer/analysis/analyses.def"
};
_Static_assert(OF_EVENTS <= MWA_PASS_ANALYSES, "the pass takes all of them");

#define ANALYSIS(name, member, type, requires, source, then, fini)                                 \
    | (FROM_##source == 'w' ? MWA_NEED_##name : 0)
const uint64_t mwa_analyses_of_waits = 0
#include "analyzer/analysis/analyses.def"
    ;
_Static_assert(MWA_ANALYSES + 2 <= 64, "needs has a bit for each, and two for details");

uint64_t mwa_analyses_close(uint64_t needs)
{
    for (unsigned i = MWA_ANALYSES; i-- > 0;) {
        needs |= needs & MWA_NEED_BIT(i) ? analyses[i].requires : 0;
    }
    return needs;
}

const struct mwa_analysis_row *mwa_analyses_next(uint64_t set, unsigned *at)
{
    const uint64_t left = (set & (MWA_NEED_BIT(MWA_ANALYSES) - 1)) >> *at;

    *at += left ? (unsigned)__builtin_ctzll(left) + 1 : 0;
    return left ? &analyses[*at - 1] : NULL;
}

/* Those that have parts come first, then the others that can travel. */
static unsigned place_of(const struct mwa_analysis *analysis)
{
    return analysis->parts ? 0 : mwa_partial_may_travel(analysis) ? 1 : 2;
}

uint32_t mwa_analyses_events(const struct mwa_results *results, const struct mwa_analysis **list,
                         uint32_t *travelling)
{
    const struct mwa_analysis_row *row;
    uint32_t count = 0;

    *travelling = 0;
    for (unsigned place = 0; place <= 2; place++) {
        for (unsigned at = 0; (row = mwa_analyses_next(results->has, &at));) {
            if (row->events && place_of(row->events) == place) {
                list[count++] = row->events;
                *travelling += mwa_partial_may_travel(row->events);
            }
        }
    }
    return count;
}

void *mwa_result_of(struct mwa_results *results, const struct mwa_analysis_row *analysis)
{
    return (char *)results + analysis->offset;
}

uint32_t mwa_analyses_exchanges(struct mwa_results *results, struct mwa_wanted_exchange *wanted)
{
    uint32_t count = 0;
    const struct mwa_analysis_row *analysis;

    for (unsigned at = 0; (analysis = mwa_analyses_next(results->has, &at));) {
        if (analysis->exchanges) {
            wanted[count++] = (struct mwa_wanted_exchange){ analysis->exchanges,
                                                            mwa_result_of(results, analysis) };
        }
    }
    return count;
}
