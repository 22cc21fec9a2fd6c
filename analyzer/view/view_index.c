/*
 * One thread makes what others answer from: its stage, set last, publishes it. Whoever finds it
 * ready reads without a lock, and nothing is written to it any more.
 */
#include "analyzer/view/view_index.h"

#include <stdlib.h>
#include <unistd.h>

#include "analyzer/load/archive_key.h"
#include "analyzer/load/input.h"
#include "analyzer/validate/defined.h"
#include "analyzer/view/view_collect.h"
#include "analyzer/view/view_fate.h"
#include "analyzer/view/view_keep.h"
#include "analyzer/view/view_running.h"
#include "analyzer/view/view_preview.h"
#include "analyzer/view/view_states.h"

#define THREADS_MOST 4u /* the engine is one; these read ahead */

struct mwa_view_index {
    const char *path;
    struct mwa_input *input;
    struct mwa_archive_key key;
    bool has_key;
    bool keeps;
    struct mwa_sidecar *sidecar; /* where store lies; null: in files of its own */
    struct mwa_view_store store; /* the maker's until stage says that it is ready */
    struct mw_diagnostic diagnostic;
    struct mw_diagnostic unkept; /* once is_unkept */
    struct mwa_view_fate fate;
    struct mwa_view_preview preview; /* once has_preview */
    uint64_t events; /* as the archive promises */
    atomic_ullong read;
    atomic_int stage;
    atomic_bool has_preview;
    atomic_bool is_unkept;
    atomic_bool stop;
};

static void take_progress(void *user, uint64_t events)
{
    atomic_store_explicit(&((struct mwa_view_index *)user)->read, events, memory_order_relaxed);
}

enum mw_status mwa_view_index_open(const char *path, bool keeps, struct mwa_view_index **out,
                                   struct mw_diagnostic *diagnostic)
{
    struct mwa_view_index *index = *out = calloc(1, sizeof *index);
    const struct mwa_trace *trace;
    enum mw_status status;

    if (!index) {
        return mw_no_memory(diagnostic, NULL, "for the archive");
    }
    index->path = path;
    mwa_view_fate_init(&index->fate, path);
    status = mwa_input_open(path, &index->input, diagnostic);
    if (status == MW_OK) {
        status = mwa_require_definitions(index->input, diagnostic);
    }
    if (status != MW_OK) {
        mwa_view_index_close(index);
        *out = NULL;
        return status;
    }
    index->has_key = mwa_archive_key(mwa_input_files(index->input), &index->key);
    index->keeps = keeps && index->has_key;
    trace = mwa_input_trace(index->input);
    for (uint64_t i = 0; i < trace->location_count; i++) {
        index->events += trace->locations[i].events;
    }
    return MW_OK;
}

void mwa_view_index_close(struct mwa_view_index *index)
{
    if (index) {
        if (index->store.trace) {
            mwa_view_store_fini(&index->store);
        }
        mwa_view_preview_fini(&index->preview);
        mwa_sidecar_close(index->sidecar);
        mwa_input_close(index->input);
        free(index);
    }
}

void mwa_view_index_forget(struct mwa_view_index *index)
{
    if (index->has_key) {
        mwa_sidecar_forget(&index->key);
    }
}

static enum mw_status read_all(struct mwa_view_index *index)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    enum mw_status status;

    mwa_input_set_threads(index->input, processors < THREADS_MOST ? (uint32_t)processors
                                                                  : THREADS_MOST);
    mwa_input_set_progress(index->input, take_progress, index);
    status = mwa_view_store_init(&index->store, mwa_input_trace(index->input), &index->diagnostic);
    if (status == MW_OK) {
        mwa_view_preview_init(&index->preview, &index->store);
        index->store.preview = &index->preview;
        atomic_store(&index->has_preview, true);
        status = mwa_view_collect(index->input, index->path, &index->store, &index->stop,
                                  &index->diagnostic);
    }
    if (status == MW_OK && index->store.from > index->store.to) {
        status = mw_fail(&index->diagnostic, MW_ERROR_FORMAT, index->path,
                         MW_DIAGNOSTIC_OFFSET_NONE, "there are no events in it to be shown");
    }
    if (status == MW_OK) {
        mwa_view_states_make(&index->store);
        status = mwa_view_running_make(&index->store, &index->diagnostic);
    }
    return status;
}

static void keep(struct mwa_view_index *index)
{
    enum mw_status status;

    if (mwa_view_fate_tell(&index->fate)) {
        return; /* who knows what was read */
    }
    status = mwa_view_keep_save(&index->store, &index->key, &index->stop, &index->unkept);
    atomic_store(&index->is_unkept, status != MW_OK && status != MW_END);
}

void mwa_view_index_make(struct mwa_view_index *index)
{
    const bool is_kept = index->keeps &&
                         mwa_view_keep_load(&index->store, mwa_input_trace(index->input),
                                            &index->key, &index->sidecar);
    const enum mw_status status = is_kept ? MW_OK : read_all(index);

    if (status == MW_OK) {
        atomic_store(&index->stage, MWA_VIEW_READY);
        if (index->keeps && !is_kept) {
            keep(index);
        }
    } else if (status != MW_END) {
        atomic_store(&index->stage, MWA_VIEW_FAILED);
    }
}

void mwa_view_index_stop(struct mwa_view_index *index)
{
    atomic_store(&index->stop, true);
}

enum mwa_view_stage mwa_view_index_stage(struct mwa_view_index *index)
{
    return (enum mwa_view_stage)atomic_load(&index->stage);
}

void mwa_view_index_progress(struct mwa_view_index *index, uint64_t *read, uint64_t *all)
{
    *read = atomic_load_explicit(&index->read, memory_order_relaxed);
    *all = index->events;
}

const struct mw_diagnostic *mwa_view_index_diagnostic(const struct mwa_view_index *index)
{
    return &index->diagnostic;
}

const struct mw_diagnostic *mwa_view_index_unkept(struct mwa_view_index *index)
{
    return atomic_load(&index->is_unkept) ? &index->unkept : NULL;
}

json_t *mwa_view_index_preview(struct mwa_view_index *index)
{
    return atomic_load(&index->has_preview)
               ? mwa_view_preview_tell(&index->preview, index->store.main_count)
               : NULL;
}

const char *mwa_view_index_fate(const struct mwa_view_index *index)
{
    return mwa_view_fate_tell(&index->fate);
}

const char *mwa_view_index_path(const struct mwa_view_index *index)
{
    return index->path;
}

const struct mwa_view_store *mwa_view_index_store(struct mwa_view_index *index)
{
    return mwa_view_index_stage(index) == MWA_VIEW_READY ? &index->store : NULL;
}
