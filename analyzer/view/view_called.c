/*
 * Counted when it is asked for, and not kept: it is a look at each call, some nanoseconds, and few
 * pages ask.
 */
#include "analyzer/view/view_called.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/table/values.h"
#include "formats/base/order.h"

struct counted {
    const char *name;
    uint32_t function; /* as mpi_index */
    uint64_t times;
};

static int by_times(const void *one, const void *other)
{
    const struct counted *a = one, *b = other;

    return mw_order(b->times, a->times) ?: strcmp(a->name, b->name);
}

/* Counts the first calls of a location, at most so many, by mpi_index. */
static void count(const struct mwa_view_store *store, uint32_t index, uint64_t most,
                  struct counted *counted)
{
    const struct mwa_view_location *location = &store->locations[index];

    for (uint64_t n = 0; n < location->call_count && n < most; n++) {
        const struct mwa_view_call *call = mwa_view_call_at(store, mwa_view_nth(location, n));
        const uint32_t function = store->trace->regions[call->region].mpi_index;

        if (function != MWA_NONE) {
            counted[function].times +=
                call->polls == MWA_NONE
                    ? 1
                    : ((struct mwa_view_polls *)mwa_view_array_at(&store->polls, call->polls))
                          ->repeat;
        }
    }
}

static json_t *ticks(const struct mwa_view_store *store, const struct mwa_view_location *location,
                     uint64_t time)
{
    return location->first > location->last ? json_null() : mwa_json_number(time - store->from);
}

/* counted has room for all functions. */
static json_t *row_json(const struct mwa_view_store *store, uint32_t index, uint64_t most,
                        struct counted *counted)
{
    const struct mwa_trace *trace = store->trace;
    const struct mwa_view_location *location = &store->locations[index];
    json_t *calls = json_array();

    for (uint32_t i = 0; i < trace->mpi_region_count; i++) {
        counted[i] = (struct counted){ trace->regions[trace->mpi_regions[i]].name, i, 0 };
    }
    count(store, index, most, counted);
    qsort(counted, trace->mpi_region_count, sizeof *counted, by_times);
    for (uint32_t i = 0; i < trace->mpi_region_count && counted[i].times > 0; i++) {
        json_array_append_new(calls, json_pack("[o,o]", mwa_json_number(counted[i].function),
                                               mwa_json_number(counted[i].times)));
    }
    return json_pack("{s:o,s:o,s:o}", "from", ticks(store, location, location->run_from), "to",
                     ticks(store, location, location->run_to), "calls", calls);
}

json_t *mwa_view_called(const struct mwa_view_store *store)
{
    const struct mwa_trace *trace = store->trace;
    struct counted *counted = malloc((trace->mpi_region_count + 1ul) * sizeof *counted);
    json_t *names = json_array(), *rows = json_array();
    uint64_t all = 0, most = UINT64_MAX;

    for (uint32_t row = 0; row < store->main_count; row++) {
        all += store->locations[store->rows[row]].call_count;
    }
    if (all > MWA_VIEW_COUNTED_MOST) {
        most = MWA_VIEW_COUNTED_MOST / store->main_count;
    }
    for (uint32_t i = 0; i < trace->mpi_region_count; i++) {
        json_array_append_new(names, mwa_json_text(trace->regions[trace->mpi_regions[i]].name));
    }
    for (uint32_t row = 0; counted && row < store->main_count; row++) {
        json_array_append_new(rows, row_json(store, store->rows[row], most, counted));
    }
    if (!counted) {
        json_decref(names);
        json_decref(rows);
        return NULL;
    }
    free(counted);
    return json_pack("{s:o,s:o,s:o}", "names", names, "until",
                     most == UINT64_MAX ? json_null() : mwa_json_number(most), "rows", rows);
}
