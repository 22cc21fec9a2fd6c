/* A pass by one thread is one by several of which there is one. */
#include "analyzer/analysis/pass.h"

#include <stdlib.h>

#include "analyzer/analysis/cursor.h"
#include "analyzer/analysis/reading_order.h"
#include "analyzer/load/each_location.h"
#include "analyzer/team/rank_share.h"

static bool is_wanted(const struct mwa_pass *pass, uint32_t location)
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

    if (!is_wanted(pass, location)) {
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

/* --- all locations together ------------------------------------------------------------------- */

/* Locations that are read together. */
struct together {
    struct mwa_cursor **all; /* a heap, least time first, of those that the round is not through
                                with; behind it those that it is */
    uint64_t left;           /* in the heap */
    uint64_t count;
    uint64_t span;    /* ticks of a round */
    uint64_t most;    /* batches of a location in it */
    uint64_t batches; /* that the round has read */
};

/*
 * A round has about so many batches of each location. One that has more to say than all others may
 * read as many as make up for what a round costs that begins with looking at all, but no more: the
 * memory that a round takes grows with the locations.
 */
#define ROUND_LEAST  2u
#define ROUND_MOST   4u
#define ROUND_OF_ONE 64u /* batches, or a share of the locations' number */
#define ROUND_SHARE  4u

/* Restores the order of the heap below at. */
static void sift_down(struct together *together, uint64_t at)
{
    struct mwa_cursor **heap = together->all;

    for (;;) {
        uint64_t least = at;
        struct mwa_cursor *moved = heap[at];

        for (uint64_t child = 2 * at + 1; child < together->left && child <= 2 * at + 2; child++) {
            if (heap[child]->time < heap[least]->time) {
                least = child;
            }
        }
        if (least == at) {
            return;
        }
        heap[at] = heap[least];
        heap[least] = moved;
        at = least;
    }
}

static uint64_t rest_of(const void *user, uint64_t at)
{
    const struct together *together = user;

    return mwa_cursor_rest(together->all[at]);
}

/* The location at a place of the heap is through with the round, or with all. */
static void take_out(struct together *together, uint64_t at, bool has_ended)
{
    struct mwa_cursor **all = together->all;
    struct mwa_cursor *cursor = all[at];

    all[at] = all[--together->left];
    all[together->left] = cursor;
    if (has_ended) {
        mwa_cursor_close(cursor);
        all[together->left] = all[--together->count];
    }
    if (at < together->left) {
        sift_down(together, at);
    }
}

/* Reads a location a turn further. */
static enum mw_status take_turn(struct together *together, uint64_t until, void **totals,
                                struct mwa_pass_result *result)
{
    const struct mwa_turn turn = mwa_reading_turn(together->left, rest_of, together);
    struct mwa_cursor *cursor = together->all[turn.at];
    enum mw_status status = mwa_cursor_advance(cursor, turn.events, totals, result);
    bool is_whole;

    if (status == MW_END) {
        take_out(together, turn.at, true);
        return MW_OK;
    }
    is_whole = mwa_cursor_ends_batch(cursor);
    together->batches += is_whole;
    cursor->round_batches += is_whole;
    if (is_whole && until < UINT64_MAX &&
        (cursor->time >= until || cursor->round_batches >= together->most)) {
        take_out(together, turn.at, false);
    } else {
        sift_down(together, turn.at);
    }
    return status;
}

/* Makes the next round longer or shorter, by what this one had to read. */
static void adapt(struct together *together, uint64_t locations)
{
    if (together->batches > ROUND_MOST * locations) {
        together->span -= together->span / 2;
    } else if (together->batches < ROUND_LEAST * locations && together->span < UINT64_MAX / 4) {
        together->span *= 2;
    }
}

/* The time up to which the next round goes. */
static uint64_t end_of_round(const struct together *together)
{
    uint64_t first = UINT64_MAX;

    for (uint64_t i = 0; i < together->count; i++) {
        first = together->all[i]->time < first ? together->all[i]->time : first;
    }
    return mwa_reading_round(first < UINT64_MAX - together->span ? first + together->span
                                                                 : UINT64_MAX);
}

/* Makes a heap of those that are before until: a batch of the others would lead them away. */
static void begin_round(struct together *together, uint64_t until)
{
    struct mwa_cursor **all = together->all;

    together->left = together->count;
    for (uint64_t at = together->left; at-- > 0;) {
        struct mwa_cursor *cursor = all[at];

        cursor->round_batches = 0;
        if (until < UINT64_MAX && cursor->time >= until) {
            all[at] = all[--together->left];
            all[together->left] = cursor;
        }
    }
    for (uint64_t at = together->left; at-- > 0;) {
        sift_down(together, at);
    }
}

static enum mw_status run_round(struct together *together, void **totals,
                                struct mwa_pass_result *result)
{
    const uint64_t locations = together->count;
    const uint64_t until = end_of_round(together);
    enum mw_status status = MW_OK;

    together->batches = 0;
    together->most = locations / ROUND_SHARE;
    together->most = together->most > ROUND_OF_ONE ? together->most : ROUND_OF_ONE;
    begin_round(together, until);
    while (together->left > 0 && status == MW_OK) {
        status = take_turn(together, until, totals, result);
    }
    adapt(together, locations);
    return status;
}

/* Whether what follows can't change what is told up to the pass's until. */
static bool is_enough(const struct mwa_pass *pass, const struct together *together)
{
    if (pass->until == 0 || !pass->exchange) {
        return false;
    }
    for (uint64_t i = 0; i < together->count; i++) {
        if (!mwa_cursor_is_behind(together->all[i], pass->until)) {
            return false;
        }
    }
    return mwa_exchange_is_settled(pass->exchange, pass->until);
}

static enum mw_status advance_together(const struct mwa_pass *pass, struct mwa_cursor **cursors,
                                       uint64_t count, void **totals,
                                       struct mwa_pass_result *result)
{
    struct together together = { .all = cursors, .count = count, .span = 1 };
    enum mw_status status = MW_OK;

    while (together.count > 0 && status == MW_OK && !is_enough(pass, &together)) {
        status = run_round(&together, totals, result);
        if (status == MW_OK && pass->exchange) {
            status = mwa_exchange_round(pass->exchange);
        }
    }
    return status;
}

/* Ends those of count cursors that have not ended: no thread reads ahead any more. */
static enum mw_status stop_all(struct mwa_cursor *cursors, uint64_t count, void **totals,
                               struct mwa_pass_result *result)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        if (cursors[i].pass) {
            status = mwa_cursor_stop(&cursors[i], totals, result);
        }
    }
    return status;
}

static enum mw_status run_together(const struct mwa_pass *pass, void **totals,
                                   struct mwa_pass_result *result,
                                   struct mw_diagnostic *diagnostic)
{
    uint64_t count = mwa_input_trace(pass->input)->location_count;
    uint32_t threads = mwa_threads_worth_it(pass->input);
    struct mwa_read_ahead *ahead = NULL;
    struct mwa_cursor *cursors = calloc(count + 1, sizeof *cursors);
    struct mwa_cursor **heap = calloc(count + 1, sizeof(struct mwa_cursor *));
    enum mw_status status = MW_OK;
    uint64_t wanted = 0;

    if (!cursors || !heap) {
        status = mw_no_memory(diagnostic, NULL, "for the locations");
        goto out;
    }
    if (threads > 1 && !pass->chapter &&
        mwa_read_ahead_create(pass->input, pass->limit && threads > 2 ? threads - 2 : threads - 1,
                              mwa_batch_of(pass), pass->limit, &ahead, NULL) != MW_OK) {
        ahead = NULL; /* no more files may be open: this thread reads */
    }
    for (uint32_t i = 0; i < count && status == MW_OK; i++) {
        if (!mwa_chapter_has(pass->chapter, i)) {
            status = mwa_exchange_advance(pass->exchange, i, UINT64_MAX);
        } else if (is_wanted(pass, i)) {
            status = mwa_cursor_open(pass, ahead, i, &cursors[i], diagnostic);
            heap[wanted++] = &cursors[i];
        }
    }
    if (status == MW_OK && ahead) {
        status = mwa_read_ahead_start(ahead, diagnostic);
    }
    if (status == MW_OK) {
        status = advance_together(pass, heap, wanted, totals, result);
    }
out:
    mwa_read_ahead_destroy(ahead); /* its threads use the cursors */
    if (status == MW_OK) {
        status = stop_all(cursors, count, totals, result);
    }
    for (uint64_t i = 0; cursors && i < count; i++) {
        mwa_cursor_close(&cursors[i]);
    }
    free(cursors);
    free(heap);
    return status;
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
    return pass->ordering || pass->exchange ? run_together(pass, totals, result, diagnostic)
                                            : run_apart(pass, totals, result, diagnostic);
}
