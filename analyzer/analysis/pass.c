#include "analyzer/analysis/pass.h"

#include <stdlib.h>

#include "analyzer/analysis/cursor.h"
#include "analyzer/analysis/pass_internal.h"

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

enum mw_status mwa_pass_location(const struct mwa_pass *pass, uint32_t location, void **totals,
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

static enum mw_status run_one_by_one(const struct mwa_pass *pass, void **totals,
                                     struct mwa_pass_result *result,
                                     struct mw_diagnostic *diagnostic)
{
    uint64_t count = mwa_input_trace(pass->input)->location_count;
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < count && status == MW_OK; i++) {
        status = mwa_pass_location(pass, i, totals, result, diagnostic);
    }
    return status;
}

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
    uint32_t threads = mwa_pass_threads(pass);
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

uint32_t mwa_pass_threads(const struct mwa_pass *pass)
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

enum mw_status mwa_pass_begin(const struct mwa_pass *pass, void **totals,
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

enum mw_status mwa_pass_run(const struct mwa_pass *pass, void **totals,
                            struct mwa_pass_result *result, struct mw_diagnostic *diagnostic)
{
    enum mw_status status;

    *result = (struct mwa_pass_result){ 0 };
    if (pass->analysis_count > MWA_PASS_ANALYSES) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                       "more than %u analyses", MWA_PASS_ANALYSES);
    }
    status = mwa_pass_begin(pass, totals, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    if (pass->ordering || pass->exchange) {
        return run_together(pass, totals, result, diagnostic);
    }
    return mwa_pass_threads(pass) > 1
               ? mwa_pass_share_out(pass, totals, result, diagnostic)
               : run_one_by_one(pass, totals, result, diagnostic);
}
