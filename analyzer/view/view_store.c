/*
 * Locations are read side by side, and how many calls each has is not known before: so they take
 * turns in one array, a chunk at a time. That is one file for a thousand locations.
 */
#include "analyzer/view/view_store.h"

#include <stdlib.h>

#include "analyzer/view/view_running.h"

enum mw_status mwa_view_store_begin(struct mwa_view_store *store, const struct mwa_trace *trace,
                                    struct mw_diagnostic *diagnostic)
{
    *store = (struct mwa_view_store){ .trace = trace,
                                      .from = UINT64_MAX,
#define SIZE(name, type) .name.item = sizeof(type),
                                      MWA_VIEW_ARRAYS(SIZE) };
#undef SIZE
    store->locations = calloc(trace->location_count + 1, sizeof *store->locations);
    store->rows = calloc(trace->rank_count + trace->location_count + 1, sizeof *store->rows);
    if (!store->locations || !store->rows ||
        mwa_other_locations_make(trace, MWA_NONE, MWA_LOCATIONS_ALL, &store->others) != MW_OK) {
        return mw_no_memory(diagnostic, NULL, "for the locations");
    }
    for (uint64_t i = 0; i < trace->location_count; i++) {
        store->locations[i].first = UINT64_MAX;
    }
    for (uint64_t i = 0; i < trace->rank_count; i++) {
        if (trace->ranks[i].master != MWA_NONE) {
            store->rows[store->row_count++] = trace->ranks[i].master;
        }
    }
    store->main_count = store->row_count;
    for (uint64_t i = 0; i < store->others.count; i++) {
        store->rows[store->row_count++] = store->others.all[i].location;
    }
    return MW_OK;
}

enum mw_status mwa_view_store_init(struct mwa_view_store *store, const struct mwa_trace *trace,
                                   struct mw_diagnostic *diagnostic)
{
#define ARRAY(name, type) &store->name,
    struct mwa_view_array *const arrays[] = { MWA_VIEW_ARRAYS(ARRAY) };
#undef ARRAY
    enum mw_status status = mwa_view_store_begin(store, trace, diagnostic);

    for (size_t i = 0; i < sizeof arrays / sizeof *arrays && status == MW_OK; i++) {
        status = mwa_view_array_init(arrays[i], arrays[i]->item, diagnostic);
    }
    return status;
}

void mwa_view_store_fini(struct mwa_view_store *store)
{
    for (uint64_t i = 0; store->locations && i < store->trace->location_count; i++) {
        free(store->locations[i].chunks);
        free(store->locations[i].pauses);
        free(store->locations[i].stretch_chunks);
    }
    free(store->locations);
    free(store->chunk_locations);
    free(store->rows);
    mwa_other_locations_fini(&store->others);
#define FINI(name, type) mwa_view_array_fini(&store->name);
    MWA_VIEW_ARRAYS(FINI)
#undef FINI
    *store = (struct mwa_view_store){ .rows = NULL };
}

/* A chunk more for location. */
static enum mw_status add_chunk(struct mwa_view_store *store, uint32_t index,
                                struct mw_diagnostic *diagnostic)
{
    struct mwa_view_location *location = &store->locations[index];
    const uint64_t chunk = store->calls.count / MWA_VIEW_CHUNK;
    enum mw_status status;

    if (!mwa_grow(&location->chunks, &location->chunk_capacity, location->chunk_count + 1,
                  sizeof *location->chunks) ||
        !mwa_grow(&store->chunk_locations, &store->chunk_location_capacity, chunk + 1,
                  sizeof *store->chunk_locations)) {
        return mw_no_memory(diagnostic, NULL, "for the calls");
    }
    status = mwa_view_array_add(&store->calls, MWA_VIEW_CHUNK, diagnostic);
    if (status == MW_OK) {
        status = mwa_view_array_add(&store->blocks, MWA_VIEW_CHUNK / MWA_VIEW_BLOCK, diagnostic);
    }
    if (status == MW_OK) {
        location->chunks[location->chunk_count++] = (uint32_t)chunk;
        store->chunk_locations[chunk] = index;
    }
    return status;
}

enum mw_status mwa_view_store_add_call(struct mwa_view_store *store, uint32_t index,
                                       uint32_t *call, struct mw_diagnostic *diagnostic)
{
    struct mwa_view_location *location = &store->locations[index];
    enum mw_status status = MW_OK;

    if (location->call_count == location->chunk_count * MWA_VIEW_CHUNK) {
        status = add_chunk(store, index, diagnostic);
    }
    if (status == MW_OK) {
        *call = mwa_view_nth(location, location->call_count++);
    }
    return status;
}

uint32_t mwa_view_location_of(const struct mwa_view_store *store, uint32_t call, uint64_t *n)
{
    const uint32_t chunk = call / MWA_VIEW_CHUNK;
    const uint32_t index = store->chunk_locations[chunk];
    const struct mwa_view_location *location = &store->locations[index];
    uint64_t low = 0, high = location->chunk_count;

    while (high - low > 1) { /* a location's chunks rise */
        uint64_t middle = low + (high - low) / 2;

        if (location->chunks[middle] <= chunk) {
            low = middle;
        } else {
            high = middle;
        }
    }
    *n = low * MWA_VIEW_CHUNK + call % MWA_VIEW_CHUNK;
    return index;
}

uint64_t mwa_view_entered(const struct mwa_view_store *store,
                          const struct mwa_view_location *location, uint64_t time)
{
    uint64_t low = 0, high = location->call_count;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (mwa_view_call_at(store, mwa_view_nth(location, middle))->enter <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t mwa_view_mpi_at(const struct mwa_view_store *store,
                         const struct mwa_view_location *location, uint64_t from)
{
    const uint64_t entered = mwa_view_entered(store, location, from);
    uint32_t call = entered > 0 ? mwa_view_nth(location, entered - 1) : MWA_NONE;

    while (call != MWA_NONE && !mwa_view_call_at(store, call)->is_outermost) {
        call = mwa_view_call_at(store, call)->parent;
    }
    return call != MWA_NONE && mwa_view_call_at(store, call)->leave > from ? call : MWA_NONE;
}

struct mwa_view_polls mwa_view_polls_of(const struct mwa_view_store *store,
                                        const struct mwa_view_call *call)
{
    const struct mwa_view_polls one = { 1, call->leave - call->enter };

    return call->polls == MWA_NONE
               ? one
               : *(const struct mwa_view_polls *)mwa_view_array_at(&store->polls, call->polls);
}
