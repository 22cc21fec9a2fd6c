/*
 * Structures are kept as they are in memory: a sidecar is of this machine, and of this version.
 * Their sizes are compared, and counts with each other: what another compiler made is none.
 */
#include "analyzer/view/view_keep.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/sidecar/sidecar_writer.h"
#include "analyzer/view/view_running.h"

#define PART        "view"
#define VERSION     9u
#define SLICE_BYTES ((uint64_t)16 << 20)

#define ONE(name, type)     +1
#define SIZE_OF(name, type) sizeof(type),

struct kept_head {
    uint64_t sizes[0 MWA_VIEW_ARRAYS(ONE)];
    uint64_t locations;
    uint64_t from;
    uint64_t to;
};

static const struct kept_head own_sizes = {
    .sizes = { MWA_VIEW_ARRAYS(SIZE_OF) }
};

/* --- reading ---------------------------------------------------------------------------------- */

static void load_array(struct mwa_sidecar *sidecar, const char *name, size_t item,
                       struct mwa_view_array *array)
{
    uint64_t bytes;
    const void *data = mwa_sidecar_section(sidecar, name, 0, &bytes);

    /* Nobody writes to a store that is whole. */
    *array = (struct mwa_view_array){ .data = (char *)data,
                                      .count = bytes / item,
                                      .item = item,
                                      .file = -1 };
}

/* A copy of a section whose items have so many bytes; null: there is none, or no memory. */
static void *copy_list(struct mwa_sidecar *sidecar, const char *name, uint64_t number, size_t item,
                       uint64_t *count)
{
    uint64_t bytes;
    const void *data = mwa_sidecar_section(sidecar, name, number, &bytes);
    void *copy = data ? malloc(bytes + 1) : NULL;

    *count = copy ? bytes / item : 0;
    if (copy) {
        memcpy(copy, data, bytes);
    }
    return copy;
}

static bool load_stretches(struct mwa_sidecar *sidecar, struct mwa_view_store *store,
                           uint64_t index)
{
    struct mwa_view_location *location = &store->locations[index];
    uint64_t count;
    bool is_whole;

    location->stretch_chunks =
        copy_list(sidecar, "stretch chunks", index, sizeof *location->stretch_chunks, &count);
    is_whole = count == location->stretch_chunk_count &&
               location->stretch_count <= count * MWA_VIEW_CHUNK;
    for (uint64_t n = 0; is_whole && n < count; n++) {
        is_whole = location->stretch_chunks[n] < store->stretches.count / MWA_VIEW_CHUNK;
    }
    return is_whole;
}

static bool load_locations(struct mwa_sidecar *sidecar, struct mwa_view_store *store)
{
    const uint64_t chunks = store->calls.count / MWA_VIEW_CHUNK;
    uint64_t bytes, count;
    const struct mwa_view_location *kept = mwa_sidecar_section(sidecar, "locations", 0, &bytes);
    bool is_whole = kept && bytes == store->trace->location_count * sizeof *kept;

    for (uint64_t i = 0; is_whole && i < store->trace->location_count; i++) {
        struct mwa_view_location *location = &store->locations[i];

        *location = kept[i];
        location->chunks = copy_list(sidecar, "chunks", i, sizeof *location->chunks, &count);
        is_whole = count == location->chunk_count &&
                   location->call_count <= count * MWA_VIEW_CHUNK;
        for (uint64_t n = 0; is_whole && n < count; n++) {
            is_whole = location->chunks[n] < chunks;
        }
        location->pauses = copy_list(sidecar, "pauses", i, sizeof *location->pauses, &count);
        is_whole = is_whole && count == location->pause_count;
        is_whole = load_stretches(sidecar, store, i) && is_whole &&
                   location->off_first <= store->lanes.off_core.count &&
                   location->off_count <= store->lanes.off_core.count - location->off_first;
    }
    store->chunk_locations =
        copy_list(sidecar, "owners", 0, sizeof *store->chunk_locations, &count);
    return is_whole && count == chunks &&
           store->blocks.count == store->calls.count / MWA_VIEW_BLOCK &&
           store->sums.count == store->stretches.count / MWA_VIEW_BLOCK;
}

static bool load(struct mwa_sidecar *sidecar, struct mwa_view_store *store)
{
    uint64_t bytes;
    const struct kept_head *head = mwa_sidecar_section(sidecar, "head", 0, &bytes);

    if (!head || bytes != sizeof *head ||
        memcmp(head->sizes, own_sizes.sizes, sizeof head->sizes) != 0 ||
        head->locations != store->trace->location_count) {
        return false;
    }
    store->from = head->from;
    store->to = head->to;
#define LOAD(name, type) load_array(sidecar, #name, store->name.item, &store->name);
    MWA_VIEW_ARRAYS(LOAD)
    return load_locations(sidecar, store);
}

bool mwa_view_keep_load(struct mwa_view_store *store, const struct mwa_trace *trace,
                        const struct mwa_archive_key *key, struct mwa_sidecar **out)
{
    struct mwa_sidecar *sidecar = mwa_sidecar_open(key, PART, VERSION);
    struct mwa_view_store kept = { .rows = NULL };

    if (sidecar && mwa_view_store_begin(&kept, trace, NULL) == MW_OK && load(sidecar, &kept)) {
        *store = kept;
        *out = sidecar;
        return true;
    }
    if (kept.trace) {
        mwa_view_store_fini(&kept);
    }
    mwa_sidecar_close(sidecar);
    return false;
}

/* --- writing ---------------------------------------------------------------------------------- */

static enum mw_status save(struct mwa_sidecar_writer *writer, const char *name, uint64_t number,
                           const void *data, uint64_t bytes, const atomic_bool *stop,
                           struct mw_diagnostic *diagnostic)
{
    enum mw_status status = mwa_sidecar_begin(writer, name, number, diagnostic);

    for (uint64_t at = 0; at < bytes && status == MW_OK; at += SLICE_BYTES) {
        const uint64_t left = bytes - at;

        status = atomic_load(stop) ? MW_END
                                   : mwa_sidecar_write(writer, (const char *)data + at,
                                                       left < SLICE_BYTES ? left : SLICE_BYTES,
                                                       diagnostic);
    }
    return status;
}

static enum mw_status save_locations(struct mwa_sidecar_writer *writer,
                                     const struct mwa_view_store *store, const atomic_bool *stop,
                                     struct mw_diagnostic *diagnostic)
{
    enum mw_status status =
        save(writer, "locations", 0, store->locations,
             store->trace->location_count * sizeof *store->locations, stop, diagnostic);

    for (uint64_t i = 0; i < store->trace->location_count && status == MW_OK; i++) {
        const struct mwa_view_location *location = &store->locations[i];

        status = save(writer, "chunks", i, location->chunks,
                      location->chunk_count * sizeof *location->chunks, stop, diagnostic);
        if (status == MW_OK) {
            status = save(writer, "pauses", i, location->pauses,
                          location->pause_count * sizeof *location->pauses, stop,
                          diagnostic);
        }
        if (status == MW_OK) {
            status = save(writer, "stretch chunks", i, location->stretch_chunks,
                          location->stretch_chunk_count * sizeof *location->stretch_chunks, stop,
                          diagnostic);
        }
    }
    return status == MW_OK ? save(writer, "owners", 0, store->chunk_locations,
                                  store->calls.count / MWA_VIEW_CHUNK *
                                      sizeof *store->chunk_locations,
                                  stop, diagnostic)
                           : status;
}

static enum mw_status save_all(struct mwa_sidecar_writer *writer,
                               const struct mwa_view_store *store, const atomic_bool *stop,
                               struct mw_diagnostic *diagnostic)
{
    struct kept_head head = own_sizes;
    enum mw_status status;

    head.locations = store->trace->location_count;
    head.from = store->from;
    head.to = store->to;
    status = save(writer, "head", 0, &head, sizeof head, stop, diagnostic);
#define SAVE(name, type)                                                                           \
    if (status == MW_OK) {                                                                         \
        status = save(writer, #name, 0, store->name.data, store->name.count * store->name.item,    \
                      stop, diagnostic);                                                           \
    }
    MWA_VIEW_ARRAYS(SAVE)
    return status == MW_OK ? save_locations(writer, store, stop, diagnostic) : status;
}

enum mw_status mwa_view_keep_save(const struct mwa_view_store *store,
                                  const struct mwa_archive_key *key, const atomic_bool *stop,
                                  struct mw_diagnostic *diagnostic)
{
    struct mwa_sidecar_writer *writer = NULL;
    enum mw_status status = mwa_sidecar_create(key, PART, VERSION, &writer, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    status = save_all(writer, store, stop, diagnostic);
    if (status == MW_OK) {
        return mwa_sidecar_commit(writer, diagnostic);
    }
    mwa_sidecar_discard(writer);
    return status;
}
