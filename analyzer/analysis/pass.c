/* A pass by one thread is one by several of which there is one. */
#include "analyzer/analysis/pass.h"

#include <stdlib.h>

#include "analyzer/analysis/cursor.h"
#include "analyzer/analysis/pass_together.h"
#include "analyzer/load/each_location.h"
#include "analyzer/team/rank_share.h"

bool mwa_pass_wants(const struct mwa_pass *pass, uint32_t location)
{
    return pass->only_rank == MWA_NONE ||
           mwa_input_trace(pass->input)->locations[location].rank == pass->only_rank;
}

enum mw_status mwa_pass_totals(const struct mwa_pass *pass, void **totals,
                               struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(pass->input);

    for (uint32_t i = 0; i < pass->analysis_count; i++) {
        totals[i] = NULL;
    }
    for (uint32_t i = 0; i < pass->analysis_count; i++) {
        totals[i] = mwa_partial_create(pass->analyses[i], trace);
        if (!totals[i]) {
            return mw_no_memory(diagnostic, NULL, "for the analysis %s", pass->analyses[i]->name);
        }
    }
    return MW_OK;
}

/* --- each location by itself ------------------------------------------------------------------ */

/* Reads one location, if the pass wants it, and adds to totals and result. */
static enum mw_status read_location(const struct mwa_pass *pass, uint32_t location, void **totals,
                                    struct mwa_pass_result *result,
                                    struct mw_diagnostic *diagnostic)
{
    struct mwa_cursor cursor;
    enum mw_status status;

    if (!mwa_pass_wants(pass, location)) {
        return MW_OK;
    }
    status = mwa_cursor_open(pass, NULL, location, &cursor, diagnostic);
    while (status == MW_OK) {
        status = mwa_cursor_advance(&cursor, mwa_cursor_rest(&cursor), totals, result);
    }
    mwa_cursor_close(&cursor);
    return status == MW_END ? MW_OK : status;
}

/* What one of the threads finds. */
struct worker {
    void **totals; /* the pass's, or own; null: it has read nothing */
    void *own[MWA_PASS_ANALYSES];
    struct mwa_pass_result result;
    uint64_t failed_at; /* the location that it failed in; UINT64_MAX: none */
};

struct apart {
    const struct mwa_pass *pass;
    void **totals;
    struct worker *workers;
    const bool *share; /* a flag for each location that is read; null: all are */
};

static enum mw_status visit(void *user, uint32_t number, struct mwa_input *input,
                            uint32_t location, struct mw_diagnostic *diagnostic)
{
    struct apart *apart = user;
    struct worker *worker = &apart->workers[number];
    struct mwa_pass pass = *apart->pass;
    enum mw_status status = MW_OK;

    if (apart->share && !apart->share[location]) {
        return MW_OK;
    }
    pass.input = input;
    if (!worker->totals) {
        worker->totals = number == 0 ? apart->totals : worker->own;
        status = number == 0 ? MW_OK : mwa_pass_totals(&pass, worker->totals, diagnostic);
    }
    if (status == MW_OK) {
        status = read_location(&pass, location, worker->totals, &worker->result, diagnostic);
    }
    worker->failed_at = status == MW_OK ? UINT64_MAX : location;
    return status;
}

void mwa_pass_result_add(struct mwa_pass_result *into, const struct mwa_pass_result *from)
{
    into->events += from->events;
    into->stray_leaves += from->stray_leaves;
    into->unclosed += from->unclosed;
    into->missing_events += from->missing_events;
}

/* Adds what worker found to result, and that of a thread of its own to totals. */
static enum mw_status merge_worker(const struct mwa_pass *pass, const struct worker *worker,
                                   void **totals, struct mwa_pass_result *result)
{
    const bool has_own = worker->totals == worker->own;
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; has_own && i < pass->analysis_count && status == MW_OK; i++) {
        status = mwa_partial_merge(pass->analyses[i], totals[i], worker->totals[i]);
    }
    mwa_pass_result_add(result, &worker->result);
    return status;
}

/* Without an ordering; *failed_at: the first location, of those that failed. */
static enum mw_status run_share(const struct mwa_pass *pass, const bool *share, void **totals,
                                struct mwa_pass_result *result, uint64_t *failed_at,
                                struct mw_diagnostic *diagnostic)
{
    const uint32_t count = mwa_threads_worth_it(pass->input);
    struct apart apart = { .pass = pass, .totals = totals, .share = share };
    enum mw_status status;

    *failed_at = UINT64_MAX;
    apart.workers = calloc(count, sizeof *apart.workers);
    if (!apart.workers) {
        return mw_no_memory(diagnostic, NULL, "for threads");
    }
    for (uint32_t i = 0; i < count; i++) {
        apart.workers[i].failed_at = UINT64_MAX;
    }
    status = mwa_each_location(pass->input, count, visit, &apart, diagnostic);
    for (uint32_t i = 0; i < count && status == MW_OK; i++) {
        status = merge_worker(pass, &apart.workers[i], totals, result);
    }
    if (status == MW_ERROR_MEMORY && diagnostic && diagnostic->status == MW_OK) {
        status = mw_fail(diagnostic, status, "", MW_DIAGNOSTIC_OFFSET_NONE,
                         "no memory for the results");
    }
    for (uint32_t i = 0; i < count; i++) {
        if (apart.workers[i].failed_at < *failed_at) {
            *failed_at = apart.workers[i].failed_at;
        }
        for (uint32_t k = 0; k < pass->analysis_count; k++) {
            mwa_partial_destroy(pass->analyses[k], apart.workers[i].own[k]);
        }
    }
    free(apart.workers);
    return status;
}

/* --- by several processes --------------------------------------------------------------------- */

/* What the first process has so far. */
struct gathering {
    const struct mwa_pass *pass;
    void **totals;
    struct mwa_pass_result *result;
};

/* Adds what another process has found of one analysis. */
static enum mw_status take_one(const struct mwa_pass *pass, const struct mwa_analysis *analysis,
                               void *total, struct mw_cursor *from)
{
    const struct mwa_trace *trace = mwa_input_trace(pass->input);
    const struct mwa_moment moment = { .trace = trace,
                                       .window = pass->window,
                                       .selected_comms = pass->selected_comms,
                                       .other_locations = pass->other_locations,
                                       .is_cut = pass->span != NULL };
    void *partial = mwa_partial_create(analysis, trace);
    enum mw_status status = partial ? mwa_partial_unpack(analysis, partial, &moment, from)
                                    : MW_ERROR_MEMORY;

    if (status == MW_OK) {
        status = mwa_partial_merge(analysis, total, partial);
    }
    mwa_partial_destroy(analysis, partial);
    return status;
}

static enum mw_status take_part(void *user, struct mw_cursor *from)
{
    struct gathering *gathering = user;
    const struct mwa_pass *pass = gathering->pass;
    struct mwa_pass_result result;
    enum mw_status status =
        mw_cursor_take(from, &result, sizeof result) ? MW_OK : MW_ERROR_FORMAT;

    for (uint32_t i = 0; status == MW_OK && i < pass->analysis_count; i++) {
        status = take_one(pass, pass->analyses[i], gathering->totals[i], from);
    }
    if (status == MW_OK) {
        mwa_pass_result_add(gathering->result, &result);
    }
    return status;
}

/* Hands what this process has found on to the first one, which adds it to its own. */
static enum mw_status gather(const struct mwa_pass *pass, void **totals,
                             struct mwa_pass_result *result, struct mw_diagnostic *diagnostic)
{
    struct gathering gathering = { pass, totals, result };
    struct mw_buffer packed = { 0 };
    enum mw_status status;

    if (!mwa_team_is_first(pass->team)) {
        mw_buffer_append(&packed, result, sizeof *result);
        for (uint32_t i = 0; i < pass->analysis_count; i++) {
            mwa_partial_pack(pass->analyses[i], totals[i], &packed);
        }
    }
    status = mwa_team_give(pass->team, &packed, take_part, &gathering, diagnostic);
    mw_buffer_fini(&packed);
    if (status == MW_ERROR_MEMORY && diagnostic && diagnostic->status == MW_OK) {
        return mw_no_memory(diagnostic, NULL, "for the results of all processes");
    }
    return status == MW_ERROR_FORMAT
               ? mw_fail(diagnostic, status, "", MW_DIAGNOSTIC_OFFSET_NONE,
                         "a process has handed on what is no result of this analysis")
               : status;
}

/* Each process reads its share, or says why it can't. */
static enum mw_status run_in_team(const struct mwa_pass *pass, void **totals,
                                  struct mwa_pass_result *result,
                                  struct mw_diagnostic *diagnostic)
{
    const struct mw_transport *transport = &pass->team->transport;
    bool *share = mwa_rank_share(mwa_input_trace(pass->input), transport->rank, transport->size);
    uint64_t failed_at = UINT64_MAX;
    enum mw_status status = share ? run_share(pass, share, totals, result, &failed_at, diagnostic)
                                  : mw_no_memory(diagnostic, NULL, "for the locations");

    free(share);
    status = mwa_team_agree(pass->team, status, failed_at, diagnostic);
    return status == MW_OK ? gather(pass, totals, result, diagnostic) : status;
}

/* What this process, which is not the first one, finds in its share of what all others read. */
static enum mw_status read_beside(const struct mwa_pass *pass, void **totals, uint64_t *failed_at,
                                  struct mw_diagnostic *diagnostic)
{
    const struct mw_transport *transport = &pass->team->transport;
    struct mwa_pass_result ignored = { 0 };
    enum mw_status status;
    bool *share;

    if (pass->analysis_count == 0) {
        return MW_OK;
    }
    share = mwa_rank_share(mwa_input_trace(pass->input), transport->rank - 1, transport->size - 1);
    status = share ? run_share(pass, share, totals, &ignored, failed_at, diagnostic)
                   : mw_no_memory(diagnostic, NULL, "for the locations");
    free(share);
    return status;
}

enum mw_status mwa_pass_beside(const struct mwa_pass *pass, enum mw_status own, void **totals,
                               struct mw_diagnostic *diagnostic)
{
    struct mwa_pass_result ignored = { 0 };
    uint64_t failed_at = 0;
    enum mw_status status = own == MW_OK ? mwa_pass_totals(pass, totals, diagnostic) : own;

    if (status == MW_OK && !mwa_team_is_first(pass->team)) {
        status = read_beside(pass, totals, &failed_at, diagnostic);
    }
    status = mwa_team_agree(pass->team, status, failed_at, diagnostic);
    return status == MW_OK ? gather(pass, totals, &ignored, diagnostic) : status;
}

/* Without an ordering. */
static enum mw_status run_apart(const struct mwa_pass *pass, void **totals,
                                struct mwa_pass_result *result, struct mw_diagnostic *diagnostic)
{
    uint64_t failed_at;

    return pass->team ? run_in_team(pass, totals, result, diagnostic)
                      : run_share(pass, NULL, totals, result, &failed_at, diagnostic);
}

enum mw_status mwa_pass_run(const struct mwa_pass *pass, void **totals,
                            struct mwa_pass_result *result, struct mw_diagnostic *diagnostic)
{
    enum mw_status status;

    *result = (struct mwa_pass_result){ 0 };
    if (pass->analysis_count > MWA_PASS_ANALYSES) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                       "more than %u analyses", MWA_PASS_ANALYSES);
    }
    status = pass->parts ? MW_OK : mwa_pass_totals(pass, totals, diagnostic);
    if (pass->team) {
        status = mwa_team_agree(pass->team, status, 0, diagnostic);
    }
    if (status != MW_OK) {
        return status;
    }
    return pass->ordering || pass->exchange ? mwa_pass_together(pass, totals, result, diagnostic)
                                            : run_apart(pass, totals, result, diagnostic);
}
