/*
 * Sets the pass up: which analyses run, in which order, and where their results go follows from
 * the table analyzer/analysis/analyses.def.
 */
#include "analyzer/analysis/collect.h"

#include <stddef.h>
#include <stdlib.h>

#include "analyzer/analysis/causes/gains.h"
#include "analyzer/analysis/counters/same_things.h"
#include "analyzer/analysis/exchanges.h"
#include "analyzer/analysis/exchanges_in_chapters.h"
#include "analyzer/analysis/chapters_told.h"
#include "analyzer/analysis/chosen_window.h"

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

/* At most one of events, exchanges and waits is there. */
static const struct analysis {
    const char *name;
    size_t offset; /* of its result in struct mwa_results */
    uint64_t requires;
    const struct mwa_analysis *events;
    const struct mwa_exchange_analysis *exchanges;
    const struct mwa_wait_analysis *waits;
    enum mw_status (*make)(struct mwa_results *results);
} analyses[] = {
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
/* Those of waits, a set. */
#define ANALYSIS(name, member, type, requires, source, then, fini)                                 \
    | (FROM_##source == 'w' ? MWA_NEED_##name : 0)
static const uint64_t of_waits = 0
#include "analyzer/analysis/analyses.def"
    ;
_Static_assert(MWA_ANALYSES + 2 <= 64, "needs has a bit for each, and two for details");

/* What needs asks for, and all that it requires. */
static uint64_t close_needs(uint64_t needs)
{
    for (unsigned i = MWA_ANALYSES; i-- > 0;) {
        needs |= needs & MWA_NEED_BIT(i) ? analyses[i].requires : 0;
    }
    return needs;
}

/* The next analysis of a set of needs: begin with *at = 0; null behind the last one. */
static const struct analysis *next_of(uint64_t set, unsigned *at)
{
    const uint64_t left = (set & (MWA_NEED_BIT(MWA_ANALYSES) - 1)) >> *at;

    *at += left ? (unsigned)__builtin_ctzll(left) + 1 : 0;
    return left ? &analyses[*at - 1] : NULL;
}

/*
 * Sets list to the analyses of events: those that can travel to another process, *travelling in
 * number, before the others. \return how many they are.
 */
static uint32_t of_events(const struct mwa_results *results, const struct mwa_analysis **list,
                          uint32_t *travelling)
{
    const struct analysis *analysis;
    uint32_t count = 0;

    for (int can_travel = 1; can_travel >= 0; can_travel--) {
        for (unsigned at = 0; (analysis = next_of(results->has, &at));) {
            if (analysis->events && !analysis->events->pack == !can_travel) {
                list[count++] = analysis->events;
            }
        }
        *travelling = can_travel ? count : *travelling;
    }
    return count;
}

static void *result_of(struct mwa_results *results, const struct analysis *analysis)
{
    return (char *)results + analysis->offset;
}

/* --- the pass ----------------------------------------------------------------------------- */

static enum mw_status fail(const struct analysis *analysis, enum mw_status status,
                           struct mw_diagnostic *diagnostic)
{
    return mw_fail(diagnostic, status, "", MW_DIAGNOSTIC_OFFSET_NONE,
                   "no memory for the results of %s", analysis->name);
}

/* The scope's visit: hands a wait to the analyses of waits. */
static enum mw_status tell_wait(void *user, uint32_t rank, const struct mwa_region *call,
                                uint64_t from, uint64_t to)
{
    struct mwa_results *results = user;
    const struct analysis *analysis;
    enum mw_status status = MW_OK;

    for (unsigned at = 0; status == MW_OK && (analysis = next_of(results->has & of_waits, &at));) {
        status = analysis->waits->visit(result_of(results, analysis), rank, call, from, to);
    }
    return status;
}

/* Runs the pass with matching. */
static enum mw_status run_matched(struct mwa_pass *pass, void **totals,
                                  struct mwa_results *results, struct mw_diagnostic *diagnostic)
{
    struct mwa_matching *matching = NULL;
    enum mw_status status;

    status = mwa_matching_create(results->trace, pass->input, NULL, &matching, diagnostic);
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
    }
    mwa_ordering_destroy(pass->ordering);
    mwa_matching_destroy(matching);
    return status;
}

/* The analyses of exchanges; how many they are. */
static uint32_t of_exchanges(struct mwa_results *results, struct mwa_wanted_exchange *wanted)
{
    uint32_t count = 0;
    const struct analysis *analysis;

    for (unsigned at = 0; (analysis = next_of(results->has, &at));) {
        if (analysis->exchanges) {
            wanted[count++] = (struct mwa_wanted_exchange){ analysis->exchanges,
                                                            result_of(results, analysis) };
        }
    }
    return count;
}

bool mwa_may_be_in_chapters(uint64_t needs)
{
    struct mwa_results wanted = { .has = close_needs(needs) };
    struct mwa_wanted_exchange list[MWA_ANALYSES];

    return mwa_can_be_in_chapters(list, of_exchanges(&wanted, list));
}

/* Whether all that results is to have can travel. */
static bool can_all_travel(struct mwa_results *results)
{
    const struct mwa_analysis *events[MWA_ANALYSES];
    struct mwa_wanted_exchange exchanges[MWA_ANALYSES];
    uint32_t travelling = 0;

    return of_events(results, events, &travelling) == travelling &&
           mwa_can_travel(exchanges, of_exchanges(results, exchanges));
}

bool mwa_may_be_shared(uint64_t needs)
{
    struct mwa_results wanted = { .has = close_needs(needs) };
    const struct mwa_analysis *list[MWA_ANALYSES];
    uint32_t travelling;
    const uint32_t count = of_events(&wanted, list, &travelling);

    return (travelling > 0 && (mwa_has(&wanted, MWA_NEED_MATCHING) || travelling == count)) ||
           (mwa_may_be_in_chapters(needs) && can_all_travel(&wanted));
}

/* Makes empty results of the analyses of waits. */
static enum mw_status begin_waits(struct mwa_results *results, const struct mwa_window *window,
                                  struct mw_diagnostic *diagnostic)
{
    const struct analysis *analysis;

    for (unsigned at = 0; (analysis = next_of(results->has & of_waits, &at));) {
        if (analysis->waits->begin(result_of(results, analysis), results->trace, window) !=
            MW_OK) {
            return fail(analysis, MW_ERROR_MEMORY, diagnostic);
        }
    }
    return MW_OK;
}

/* The visitor of chapters: each has results of its own, of the analyses of waits. */
static enum mw_status begin_chapter(void *user, void **one)
{
    const struct mwa_results *results = user;
    struct mwa_results *part = *one = calloc(1, sizeof *part);

    if (!part) {
        return MW_ERROR_MEMORY;
    }
    part->trace = results->trace;
    part->has = results->has;
    return begin_waits(part, &results->window, NULL);
}

static enum mw_status add_chapter(void *user, const void *one)
{
    struct mwa_results *results = user;
    const struct analysis *analysis;
    enum mw_status status = MW_OK;

    for (unsigned at = 0; status == MW_OK && (analysis = next_of(results->has & of_waits, &at));) {
        status = analysis->waits->add(result_of(results, analysis),
                                      (const char *)one + analysis->offset);
    }
    return status;
}

static void pack_chapter(const void *one, struct mw_buffer *to)
{
    const struct mwa_results *results = one;
    const struct analysis *analysis;

    for (unsigned at = 0; (analysis = next_of(results->has & of_waits, &at));) {
        analysis->waits->pack((const char *)one + analysis->offset, to);
    }
}

static enum mw_status unpack_chapter(void *one, struct mw_cursor *from)
{
    struct mwa_results *results = one;
    const struct analysis *analysis;
    enum mw_status status = MW_OK;

    for (unsigned at = 0; status == MW_OK && (analysis = next_of(results->has & of_waits, &at));) {
        status = analysis->waits->unpack(result_of(results, analysis), from);
    }
    return status;
}

static void end_chapter(void *one)
{
    if (one) {
        mwa_results_fini(one);
    }
    free(one);
}

/*
 * Runs the pass for the analyses of events, and then one with an engine in chapters: both by
 * several threads, and by all processes of a team.
 */
static enum mw_status run_in_chapters(const struct mwa_pass *pass,
                                      const struct mwa_chapters *chapters,
                                      const struct mwa_wanted_exchange *wanted, uint32_t count,
                                      const struct mwa_scope *scope, void **totals,
                                      struct mwa_results *results,
                                      struct mw_diagnostic *diagnostic)
{
    const struct mwa_chapter_visitor visitor = { .user = results,
                                                 .begin = begin_chapter,
                                                 .add = add_chapter,
                                                 .visit = tell_wait,
                                                 .pack = pack_chapter,
                                                 .unpack = unpack_chapter,
                                                 .end = end_chapter };
    struct mwa_pass ordered = *pass;
    enum mw_status status = mwa_pass_run(pass, totals, &results->pass, diagnostic);

    /* What the first process can't take in, the others don't know. */
    if (pass->team) {
        status = mwa_team_agree(pass->team, status, 0, diagnostic);
    }
    ordered.analysis_count = 0;
    if (status == MW_OK) {
        status = mwa_exchanges_run_in_chapters(&ordered, chapters, wanted, count, scope, &visitor,
                                               results, diagnostic);
        status = pass->team ? mwa_team_agree(pass->team, status, 0, diagnostic) : status;
    }
    return status;
}

/* Runs the pass in the way that its analyses ask for. */
static enum mw_status run(struct mwa_pass *pass, const struct mwa_chapters *chapters,
                          const struct mwa_scope *scope, void **totals,
                          struct mwa_results *results, struct mw_diagnostic *diagnostic)
{
    struct mwa_wanted_exchange wanted[MWA_ANALYSES];
    const uint32_t count = of_exchanges(results, wanted);
    enum mw_status begun = begin_waits(results, &results->window, diagnostic);

    if (pass->team) {
        begun = mwa_team_agree(pass->team, begun, 0, diagnostic);
    }
    if (begun != MW_OK) {
        return begun;
    }
    if (mwa_has(results, MWA_NEED_EXCHANGE)) {
        return chapters
                   ? run_in_chapters(pass, chapters, wanted, count, scope, totals, results,
                                     diagnostic)
                   : mwa_exchanges_run(pass, wanted, count, scope, totals, results, diagnostic);
    }
    return mwa_has(results, MWA_NEED_MATCHING)
               ? run_matched(pass, totals, results, diagnostic)
               : mwa_pass_run(pass, totals, &results->pass, diagnostic);
}

/*
 * With a team: the first process matches, and does what of the analyses of events can't travel. Of
 * the others, travelling in number, the other processes see all events meanwhile.
 */
static enum mw_status run_divided(const struct mwa_pass *pass, uint32_t travelling,
                                  const struct mwa_scope *scope, void **totals,
                                  struct mwa_results *results, struct mw_diagnostic *diagnostic)
{
    struct mwa_pass matched = *pass;
    struct mwa_pass beside = *pass;
    enum mw_status status = MW_OK;

    matched.team = NULL;
    matched.analyses += travelling;
    matched.analysis_count -= travelling;
    beside.analysis_count = travelling;
    if (mwa_team_is_first(pass->team)) {
        status = run(&matched, NULL, scope, totals + travelling, results, diagnostic);
    }
    return mwa_pass_beside(&beside, status, totals, diagnostic);
}

/* Makes what the analyses of events found into results, then what is made of results. */
static enum mw_status finish(const struct mwa_pass *pass, void *const *totals,
                             struct mwa_results *results, struct mw_diagnostic *diagnostic)
{
    const struct analysis *analysis;
    enum mw_status status = MW_OK;

    for (unsigned at = 0; status == MW_OK && (analysis = next_of(results->has, &at));) {
        for (uint32_t i = 0; analysis->events && i < pass->analysis_count; i++) {
            if (pass->analyses[i] == analysis->events) {
                status = analysis->events->finish(totals[i], result_of(results, analysis));
            }
        }
        if (status == MW_OK) {
            status = analysis->make(results);
        }
        if (status != MW_OK) {
            return fail(analysis, status, diagnostic);
        }
    }
    return status;
}

/*
 * All that is done behind the pass, also what reads the archive once more: by the first process of
 * a team, and by all where they do that in chapters.
 */
static enum mw_status finish_all(const struct mwa_pass *pass,
                                 const struct mwa_chapters *chapters,
                                 const struct mwa_scope *scope, void *const *totals,
                                 struct mwa_results *results, struct mw_diagnostic *diagnostic)
{
    const bool is_first = !pass->team || mwa_team_is_first(pass->team);
    const struct mwa_team *team = chapters ? pass->team : NULL;
    const bool finds_gains = mwa_has(results, MWA_NEED_CAUSES) && (is_first || team);
    enum mw_status status =
        is_first ? finish(pass, totals, results, diagnostic) : MW_OK;

    if (finds_gains && team) {
        status = mwa_team_agree(team, status, 0, diagnostic);
    }
    if (status == MW_OK && finds_gains) {
        status = mwa_gains_find(pass->input, team, chapters, results, diagnostic);
    }
    return status == MW_OK && is_first && mwa_has(results, MWA_NEED_CLOSEUPS)
               ? mwa_closeups_find(pass->input, scope, results, diagnostic)
               : status;
}

/* What the analyses are handed with each event. */
static enum mw_status prepare_alone(struct mwa_input *input, const struct mwa_scope *scope,
                                    struct mwa_results *results,
                                    struct mw_diagnostic *diagnostic)
{
    if (mwa_has(results, MWA_NEED_OTHER_LOCATIONS) &&
        mwa_other_locations_make(results->trace, scope->rank, scope->locations,
                                 &results->other_locations) != MW_OK) {
        return mw_no_memory(diagnostic, NULL, "for the locations");
    }
    return mwa_has(results, MWA_NEED_WINDOW)
               ? mwa_window_make(input, scope->from, scope->to, scope->bins, &results->window,
                                 diagnostic)
               : MW_OK;
}

static enum mw_status prepare(struct mwa_input *input, const struct mwa_scope *scope,
                              struct mwa_results *results, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = prepare_alone(input, scope, results, diagnostic);

    return scope->team ? mwa_team_agree(scope->team, status, 0, diagnostic) : status;
}

/* Sets *chapters to those in which exchanges may be followed; null: as a whole. To be freed. */
static enum mw_status find_chapters(struct mwa_input *input, const struct mwa_scope *scope,
                                    struct mwa_results *results, struct mwa_chapters **chapters,
                                    struct mw_diagnostic *diagnostic)
{
    const struct mwa_team *team = scope->team;

    *chapters = NULL;
    if (!mwa_has(results, MWA_NEED_EXCHANGE) || scope->until != 0 ||
        !mwa_may_be_in_chapters(results->has) || (team && !can_all_travel(results))) {
        return MW_OK;
    }
    if (scope->known && (!team || mwa_team_is_first(team))) {
        *chapters = mwa_chapters_find(
            input, scope->known, mwa_chapters_wanted(input, team ? team->transport.size : 1));
    }
    return team ? mwa_chapters_tell(team, chapters, diagnostic) : MW_OK;
}

enum mw_status mwa_collect(struct mwa_input *input, const char *path, uint64_t needs,
                           const struct mwa_scope *scope, struct mwa_results *results,
                           struct mw_diagnostic *diagnostic)
{
    struct mwa_scope told = scope ? *scope
                                  : (struct mwa_scope){ MWA_ALL_OF_IT };
    const struct mwa_analysis *list[MWA_ANALYSES];
    void *totals[MWA_ANALYSES] = { NULL };
    uint32_t travelling;
    struct mwa_pass pass = { .input = input,
                             .analyses = list,
                             .only_rank = MWA_NONE,
                             .window = &results->window,
                             .paths = &results->region_paths,
                             .selected_comms = told.comms,
                             .until = told.until,
                             .span = told.span,
                             .team = told.team,
                             .known = told.known };
    struct mwa_chapters *chapters = NULL;
    enum mw_status status;

    *results = (struct mwa_results){ .trace = mwa_input_trace(input),
                                     .path = path,
                                     .rank = told.rank,
                                     .goes_on = told.goes_on,
                                     .selected_comms = told.comms,
                                     .has = close_needs(needs) };
    told.with_delays = mwa_has(results, MWA_NEED_DELAYS);
    told.keeps_courses = mwa_has(results, MWA_NEED_COURSES);
    told.visit = tell_wait;
    told.user = results;
    results->chapters = mwa_has(results, MWA_NEED_MATCHING);
    pass.analysis_count = of_events(results, list, &travelling);
    pass.other_locations =
        mwa_has(results, MWA_NEED_OTHER_LOCATIONS) ? &results->other_locations : NULL;
    if (results->has == 0) {
        results->pass.events = mwa_defined_events(results->trace);
        return MW_OK;
    }
    status = prepare(input, &told, results, diagnostic);
    if (status == MW_OK) {
        status = find_chapters(input, &told, results, &chapters, diagnostic);
    }
    if (status == MW_OK) {
        status = told.team && mwa_has(results, MWA_NEED_MATCHING) && !chapters
                     ? run_divided(&pass, travelling, &told, totals, results, diagnostic)
                     : run(&pass, chapters, &told, totals, results, diagnostic);
    }
    if (status == MW_OK) {
        status = finish_all(&pass, chapters, &told, totals, results, diagnostic);
    }
    mwa_chapters_free(chapters);
    for (uint32_t i = 0; i < pass.analysis_count; i++) {
        mwa_partial_destroy(list[i], totals[i]);
    }
    return status;
}

void mwa_results_fini(struct mwa_results *results)
{
#define OWNS_NOTHING(result) (void)(result)
#define ANALYSIS(name, member, type, requires, source, then, fini) fini(&results->member);
#include "analyzer/analysis/analyses.def"
    *results = (struct mwa_results){ 0 };
}
