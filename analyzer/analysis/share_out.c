#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "analyzer/analysis/pass_internal.h"

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
    void *totals[MWA_PASS_ANALYSES];
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

    worker->status = mwa_pass_begin(&worker->pass, worker->totals, &worker->diagnostic);
    while (worker->status == MW_OK && !atomic_load(&shared->failed)) {
        worker->location = atomic_fetch_add(&shared->next, 1);
        if (worker->location >= count) {
            break;
        }
        worker->status = mwa_pass_location(&worker->pass, worker->location, worker->totals,
                                           &worker->result, &worker->diagnostic);
    }
    if (worker->status != MW_OK) {
        atomic_store(&shared->failed, true);
    }
    return NULL;
}

static enum mw_status merge_worker(const struct worker *worker, void **totals,
                                   struct mwa_pass_result *result)
{
    const struct mwa_pass *pass = worker->shared->pass;
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < pass->analysis_count && status == MW_OK; i++) {
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
    if (mwa_input_share(shared->pass->input, &worker->share, NULL) != MW_OK) {
        return;
    }
    worker->pass.input = worker->share;
    worker->is_started = pthread_create(&worker->thread, NULL, work, worker) == 0;
}

static void end_worker(struct worker *worker)
{
    const struct mwa_pass *pass = worker->shared ? worker->shared->pass : NULL;

    for (uint32_t i = 0; pass && i < pass->analysis_count; i++) {
        mwa_partial_destroy(pass->analyses[i], worker->totals[i]);
    }
    mwa_input_close(worker->share);
}

enum mw_status mwa_pass_share_out(const struct mwa_pass *pass, void **totals,
                                  struct mwa_pass_result *result,
                                  struct mw_diagnostic *diagnostic)
{
    uint32_t count = mwa_pass_threads(pass);
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
    work(&workers[0]);
    for (uint32_t i = 1; i < count; i++) {
        if (workers[i].is_started) {
            pthread_join(workers[i].thread, NULL);
        }
    }
    status = first_failure(workers, count, diagnostic);
    for (uint32_t i = 0; i < count && status == MW_OK; i++) {
        status = i == 0 || workers[i].is_started ? merge_worker(&workers[i], totals, result)
                                                 : MW_OK;
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
