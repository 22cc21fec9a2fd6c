/* A pass by one thread is one by several of which there is one. */
#include "analyzer/analysis/pass.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "analyzer/analysis/cursor.h"

#define EVENTS_PER_THREAD 200000u /* less is read sooner than the archive is opened again */

void *mwa_partial_create(const struct mwa_analysis *analysis, const struct mwa_trace *trace)
{
    const struct mwa_trace **partial = calloc(1, analysis->size);

    if (!partial) {
        return NULL;
    }
    *partial = trace;
    if (analysis->begin && analysis->begin(partial) != MW_OK) {
        mwa_partial_destroy(analysis, partial);
        return NULL;
    }
    return partial;
}

void mwa_partial_destroy(const struct mwa_analysis *analysis, void *partial)
{
    if (partial) {
        analysis->fini(partial);
        free(partial);
    }
}

static bool is_wanted(const struct mwa_pass *pass, uint32_t location)
{
    return pass->only_rank == MWA_NONE ||
           mwa_input_trace(pass->input)->locations[location].rank == pass->only_rank;
}

/* How many threads are worth it: at most what the input may have, and one per location. */
static uint32_t threads_of(const struct mwa_pass *pass)
{
    const struct mwa_trace *trace = mwa_input_trace(pass->input);
    uint64_t count = mwa_input_threads(pass->input);
    uint64_t events = 0;

    for (uint64_t i = 0; i < trace->location_count; i++) {
        events += trace->locations[i].events;
    }
    if (count > trace->location_count) {
        count = trace->location_count;
    }
    if (count > events / EVENTS_PER_THREAD) {
        count = events / EVENTS_PER_THREAD;
    }
    return count > 0 ? (uint32_t)count : 1;
}

/* Sets totals to empty partial results, or null from where there is no memory. */
static enum mw_status make_totals(const struct mwa_pass *pass, void **totals,
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
        status = mwa_cursor_advance(&cursor, totals, result);
    }
    mwa_cursor_close(&cursor);
    return status == MW_END ? MW_OK : status;
}

/* What the threads of a pass have in common. */
struct shared_pass {
    const struct mwa_pass *pass;
    _Atomic uint32_t next; /* location */
    atomic_bool failed;
};

struct worker {
    struct shared_pass *shared;
    struct mwa_pass pass;    /* with the worker's own input */
    struct mwa_input *share; /* that, unless it is the pass's */
    void **totals;           /* the pass's, or own */
    void *own[MWA_PASS_ANALYSES];
    struct mwa_pass_result result;
    enum mw_status status;
    uint32_t location; /* the last one it took */
    struct mw_diagnostic diagnostic;
    pthread_t thread;
    bool is_started;
};

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct shared_pass *shared = worker->shared;
    uint64_t count = mwa_input_trace(shared->pass->input)->location_count;

    if (worker->share) {
        worker->status = make_totals(&worker->pass, worker->totals, &worker->diagnostic);
    }
    while (worker->status == MW_OK && !atomic_load(&shared->failed)) {
        worker->location = atomic_fetch_add(&shared->next, 1);
        if (worker->location >= count) {
            break;
        }
        worker->status = read_location(&worker->pass, worker->location, worker->totals,
                                       &worker->result, &worker->diagnostic);
    }
    if (worker->status != MW_OK) {
        atomic_store(&shared->failed, true);
    }
    return NULL;
}

/* Adds what worker found to result, and that of a thread of its own to totals. */
static enum mw_status merge_worker(const struct worker *worker, void **totals,
                                   struct mwa_pass_result *result)
{
    const struct mwa_pass *pass = &worker->pass;
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; worker->is_started && i < pass->analysis_count && status == MW_OK; i++) {
        status = pass->analyses[i]->merge(totals[i], worker->totals[i]);
    }
    result->events += worker->result.events;
    result->stray_leaves += worker->result.stray_leaves;
    result->unclosed += worker->result.unclosed;
    result->missing_events += worker->result.missing_events;
    return status;
}

/* The failure of the lowest location among the workers', if one has failed. */
static enum mw_status first_failure(const struct worker *workers, uint32_t count,
                                    struct mw_diagnostic *diagnostic)
{
    const struct worker *first = NULL;

    for (uint32_t i = 0; i < count; i++) {
        if (workers[i].status != MW_OK && (!first || workers[i].location < first->location)) {
            first = &workers[i];
        }
    }
    if (!first) {
        return MW_OK;
    }
    if (diagnostic) {
        *diagnostic = first->diagnostic;
    }
    return first->status;
}

/* Where a thread or an input can't be had, the workers there are do all. */
static void start_worker(struct worker *worker, struct shared_pass *shared)
{
    worker->shared = shared;
    worker->pass = *shared->pass;
    worker->totals = worker->own;
    if (mwa_input_share(shared->pass->input, &worker->share, NULL) != MW_OK) {
        return;
    }
    worker->pass.input = worker->share;
    worker->is_started = pthread_create(&worker->thread, NULL, work, worker) == 0;
}

static void end_worker(struct worker *worker)
{
    for (uint32_t i = 0; i < worker->pass.analysis_count; i++) {
        mwa_partial_destroy(worker->pass.analyses[i], worker->own[i]);
    }
    mwa_input_close(worker->share);
}

/*
 * Without an ordering: each of the threads takes the next location that none has taken. Of
 * several failures, that of the lowest location is told.
 */
static enum mw_status run_apart(const struct mwa_pass *pass, void **totals,
                                struct mwa_pass_result *result, struct mw_diagnostic *diagnostic)
{
    uint32_t count = threads_of(pass);
    struct worker *workers = calloc(count, sizeof *workers);
    struct shared_pass shared = { .pass = pass };
    enum mw_status status;

    if (!workers) {
        return mw_no_memory(diagnostic, NULL, "for threads");
    }
    for (uint32_t i = 1; i < count; i++) {
        start_worker(&workers[i], &shared);
    }
    workers[0].shared = &shared;
    workers[0].pass = *pass;
    workers[0].totals = totals;
    work(&workers[0]);
    for (uint32_t i = 1; i < count; i++) {
        if (workers[i].is_started) {
            pthread_join(workers[i].thread, NULL);
        }
    }
    status = first_failure(workers, count, diagnostic);
    for (uint32_t i = 0; i < count && status == MW_OK; i++) {
        status = merge_worker(&workers[i], totals, result);
    }
    if (status == MW_ERROR_MEMORY && diagnostic && diagnostic->status == MW_OK) {
        status = mw_fail(diagnostic, status, "", MW_DIAGNOSTIC_OFFSET_NONE,
                         "no memory for the results");
    }
    for (uint32_t i = 0; i < count; i++) {
        end_worker(&workers[i]);
    }
    free(workers);
    return status;
}

/* --- all locations together ------------------------------------------------------------------- */

/* Restores the order of the heap (least time first) below at. */
static void sift_down(struct mwa_cursor **heap, uint64_t count, uint64_t at)
{
    for (;;) {
        uint64_t least = at;
        struct mwa_cursor *moved = heap[at];

        for (uint64_t child = 2 * at + 1; child < count && child <= 2 * at + 2; child++) {
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

static enum mw_status advance_together(struct mwa_cursor **heap, uint64_t count, void **totals,
                                       struct mwa_pass_result *result)
{
    enum mw_status status = MW_OK;

    while (count > 0 && status == MW_OK) {
        status = mwa_cursor_advance(heap[0], totals, result);
        if (status == MW_END) {
            mwa_cursor_close(heap[0]);
            heap[0] = heap[--count];
            status = MW_OK;
        }
        sift_down(heap, count, 0);
    }
    return status;
}

static enum mw_status run_together(const struct mwa_pass *pass, void **totals,
                                   struct mwa_pass_result *result,
                                   struct mw_diagnostic *diagnostic)
{
    uint64_t count = mwa_input_trace(pass->input)->location_count;
    uint32_t threads = threads_of(pass);
    struct mwa_read_ahead *ahead = NULL;
    struct mwa_cursor *cursors = calloc(count + 1, sizeof *cursors);
    struct mwa_cursor **heap = calloc(count + 1, sizeof(struct mwa_cursor *));
    enum mw_status status = MW_OK;
    uint64_t wanted = 0;

    if (!cursors || !heap) {
        status = mw_no_memory(diagnostic, NULL, "for the locations");
        goto out;
    }
    if (threads > 1 && mwa_read_ahead_create(pass->input, threads - 1, mwa_cursor_batch(pass),
                                             &ahead, NULL) != MW_OK) {
        ahead = NULL; /* no more files may be open: this thread reads */
    }
    for (uint32_t i = 0; i < count && status == MW_OK; i++) {
        if (is_wanted(pass, i)) {
            status = mwa_cursor_open(pass, ahead, i, &cursors[i], diagnostic);
            heap[wanted++] = &cursors[i];
        }
    }
    if (status == MW_OK && ahead) {
        status = mwa_read_ahead_start(ahead, diagnostic);
    }
    if (status == MW_OK) {
        status = advance_together(heap, wanted, totals, result);
    }
out:
    mwa_read_ahead_destroy(ahead); /* its threads use the cursors */
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
    status = make_totals(pass, totals, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    return pass->ordering || pass->exchange ? run_together(pass, totals, result, diagnostic)
                                            : run_apart(pass, totals, result, diagnostic);
}
