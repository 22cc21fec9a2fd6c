/* Sets the pass up: which analyses run, in which order, follows from the table of analyses. */
#include "analyzer/analysis/collect.h"

#include <stdlib.h>

#include "analyzer/analysis/analyses.h"
#include "analyzer/analysis/causes/gains.h"
#include "analyzer/analysis/exchanges.h"
#include "analyzer/analysis/exchanges_in_chapters.h"
#include "analyzer/analysis/chapters_found.h"
#include "analyzer/analysis/chosen_window.h"
#include "analyzer/model/places.h"

/* --- the pass ----------------------------------------------------------------------------- */

static enum mw_status fail(const struct mwa_analysis_row *analysis, enum mw_status status,
                           struct mw_diagnostic *diagnostic)
{
    return mw_fail(diagnostic, status, "", MW_DIAGNOSTIC_OFFSET_NONE,
                   "no memory for the results of %s", analysis->name);
}

static const struct mwa_analysis_row *next_of_waits(const struct mwa_results *results, unsigned *at)
{
    return mwa_analyses_next(results->has & mwa_analyses_of_waits, at);
}

/* The scope's visit: hands a wait to the analyses of waits. */
static enum mw_status tell_wait(void *user, uint32_t rank, const struct mwa_region *call,
                                enum mwa_use use, uint64_t from, uint64_t to)
{
    struct mwa_results *results = user;
    const struct mwa_analysis_row *analysis;
    enum mw_status status = MW_OK;

    for (unsigned at = 0; status == MW_OK && (analysis = next_of_waits(results, &at));) {
        status =
            analysis->waits->visit(mwa_result_of(results, analysis), rank, call, use, from, to);
    }
    return status;
}

bool mwa_may_be_in_chapters(uint64_t needs)
{
    const struct mwa_results wanted = { .has = mwa_analyses_close(needs) };

    return mwa_has(&wanted, MWA_NEED_MATCHING);
}

/* Whether all that results is to have can be handed on to another process. */
static bool can_all_travel(struct mwa_results *results)
{
    const struct mwa_analysis *events[MWA_ANALYSES];
    uint32_t travelling = 0;

    return mwa_analyses_events(results, events, &travelling) == travelling;
}

bool mwa_may_be_shared(uint64_t needs)
{
    struct mwa_results wanted = { .has = mwa_analyses_close(needs) };
    const struct mwa_analysis *list[MWA_ANALYSES];
    uint32_t travelling;
    const uint32_t count = mwa_analyses_events(&wanted, list, &travelling);

    return (travelling > 0 && (mwa_has(&wanted, MWA_NEED_MATCHING) || travelling == count)) ||
           (mwa_may_be_in_chapters(needs) && can_all_travel(&wanted));
}

/* Makes empty results of the analyses of waits. */
static enum mw_status begin_waits(struct mwa_results *results, const struct mwa_window *window,
                                  struct mw_diagnostic *diagnostic)
{
    const struct mwa_analysis_row *analysis;

    for (unsigned at = 0; (analysis = next_of_waits(results, &at));) {
        if (analysis->waits->begin(mwa_result_of(results, analysis), results->trace, window) !=
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
    const struct mwa_analysis_row *analysis;
    enum mw_status status = MW_OK;

    for (unsigned at = 0; status == MW_OK && (analysis = next_of_waits(results, &at));) {
        status = analysis->waits->add(mwa_result_of(results, analysis),
                                      (const char *)one + analysis->offset);
    }
    return status;
}

static void pack_chapter(const void *one, struct mw_buffer *to)
{
    const struct mwa_results *results = one;
    const struct mwa_analysis_row *analysis;

    for (unsigned at = 0; (analysis = next_of_waits(results, &at));) {
        analysis->waits->pack((const char *)one + analysis->offset, to);
    }
}

static enum mw_status unpack_chapter(void *one, struct mw_cursor *from)
{
    struct mwa_results *results = one;
    const struct mwa_analysis_row *analysis;
    enum mw_status status = MW_OK;

    for (unsigned at = 0; status == MW_OK && (analysis = next_of_waits(results, &at));) {
        status = analysis->waits->unpack(mwa_result_of(results, analysis), from);
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
 * How many of its analyses of events can follow chapters: the first ones. Which communicator a call
 * is charged to that waits for requests, who has not seen them begin does not know.
 */
static uint32_t count_in_parts(const struct mwa_pass *pass)
{
    uint32_t count = 0;

    while (!pass->selected_comms && count < pass->analysis_count && pass->analyses[count]->parts) {
        count++;
    }
    return count;
}

/*
 * Runs the pass with an engine in chapters, behind one for those analyses of events that need one
 * of their own: each by several threads, and by all processes of a team.
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
    const uint32_t in_parts = count_in_parts(pass);
    struct mwa_pass ordered = *pass;
    struct mwa_pass apart = *pass;
    enum mw_status status = MW_OK;

    ordered.analysis_count = in_parts;
    apart.analyses += in_parts;
    apart.analysis_count -= in_parts;
    if (apart.analysis_count > 0) {
        status = mwa_pass_run(&apart, totals + in_parts, &results->pass, diagnostic);
        /* What the first process can't take in, the others don't know. */
        status = pass->team ? mwa_team_agree(pass->team, status, 0, diagnostic) : status;
    }
    if (status == MW_OK) {
        status = mwa_exchanges_run_in_chapters(&ordered, chapters, wanted, count, scope, &visitor,
                                               totals, results, diagnostic);
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
    const uint32_t count = mwa_analyses_exchanges(results, wanted);
    enum mw_status begun = begin_waits(results, &results->window, diagnostic);

    if (pass->team) {
        begun = mwa_team_agree(pass->team, begun, 0, diagnostic);
    }
    if (begun != MW_OK) {
        return begun;
    }
    if (!mwa_has(results, MWA_NEED_MATCHING)) {
        return mwa_pass_run(pass, totals, &results->pass, diagnostic);
    }
    return chapters ? run_in_chapters(pass, chapters, wanted, count, scope, totals, results,
                                      diagnostic)
                    : mwa_exchanges_run(pass, wanted, count, scope, totals, results, diagnostic);
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
    const struct mwa_analysis_row *analysis;
    enum mw_status status = MW_OK;

    for (unsigned at = 0; status == MW_OK && (analysis = mwa_analyses_next(results->has, &at));) {
        for (uint32_t i = 0; analysis->events && i < pass->analysis_count; i++) {
            if (pass->analyses[i] == analysis->events) {
                status = analysis->events->finish(totals[i], mwa_result_of(results, analysis));
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
    if (!mwa_may_be_in_chapters(results->has) || scope->until != 0 ||
        (team && !can_all_travel(results))) {
        return MW_OK;
    }
    if (team) {
        return mwa_chapters_find_together(team, input, scope->known,
                                          mwa_chapters_wanted(input, team->transport.size),
                                          chapters, diagnostic);
    }
    *chapters = scope->known ? mwa_chapters_find(input, scope->known,
                                                 mwa_chapters_wanted(input, 1), NULL)
                             : NULL;
    return MW_OK;
}

/* What tells places of delays and off cores tells whose code led there, by times, where there are
 * stacks. */
static uint64_t with_leaders(const struct mwa_trace *trace, uint64_t needs)
{
    const uint64_t closed = mwa_analyses_close(needs);

    return (closed & (MWA_NEED_PROFILE | MWA_NEED_DELAYS)) && mwa_trace_has_leaders(trace)
               ? mwa_analyses_close(closed | MWA_NEED_SITES)
               : closed;
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
                                     .has = with_leaders(mwa_input_trace(input), needs) };
    told.with_delays = mwa_has(results, MWA_NEED_DELAYS);
    told.keeps_courses = mwa_has(results, MWA_NEED_COURSES);
    told.visit = tell_wait;
    told.user = results;
    results->chapters = mwa_has(results, MWA_NEED_MATCHING);
    pass.analysis_count = mwa_analyses_events(results, list, &travelling);
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
