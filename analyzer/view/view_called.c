/*
 * Counted when it is asked for, and not kept: it is a look at each call, some nanoseconds, and few
 * pages ask.
 */
#include "analyzer/view/view_called.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/model/clusters.h"
#include "analyzer/table/values.h"
#include "analyzer/view/view_threads.h"
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

/* Of each row the ticks that it was in each state, then how often it called each function. */
struct facts {
    const struct mwa_view_store *store;
    unsigned states;
    uint64_t *list; /* [row][states and functions] */
};

static size_t width_of(const struct facts *facts)
{
    return facts->states + (size_t)facts->store->trace->mpi_region_count;
}

static uint64_t *facts_of(const struct facts *facts, uint64_t row)
{
    return facts->list + row * width_of(facts);
}

/* Counts the first calls of a location, at most so many, by mpi_index. */
static void count(const struct mwa_view_store *store, uint32_t index, uint64_t most,
                  uint64_t *times)
{
    const struct mwa_view_location *location = &store->locations[index];

    for (uint64_t n = 0; n < location->call_count && n < most; n++) {
        const struct mwa_view_call *call = mwa_view_call_at(store, mwa_view_nth(location, n));
        const uint32_t function = store->trace->regions[call->region].mpi_index;

        if (function != MWA_NONE) {
            times[function] +=
                call->polls == MWA_NONE
                    ? 1
                    : ((struct mwa_view_polls *)mwa_view_array_at(&store->polls, call->polls))
                          ->repeat;
        }
    }
}

/* From when the first rank leaves MPI_Init, as timeline has it: what comes before is of no run. */
static uint64_t begin_of(const struct mwa_view_store *store)
{
    const int64_t begins = mwa_trace_since_begin(store->trace, store->from);
    const double ticks = begins < 0 ? (double)-begins * 1e-9 *
                                          (double)mwa_trace_resolution(store->trace)
                                    : 0;

    return store->from + (uint64_t)(ticks + .5);
}

static void find_facts(const struct facts *facts, uint32_t row, uint64_t most)
{
    const struct mwa_view_store *store = facts->store;
    const uint32_t location = store->rows[row];
    const struct mwa_view_row_done before = mwa_view_row_done_at(store, location, begin_of(store));
    const struct mwa_view_row_done after = mwa_view_row_done_at(store, location, store->to);
    uint64_t ticks[MWA_LOCATION_STATES];

    mwa_view_row_between(store, location, &before, &after, ticks);
    memcpy(facts_of(facts, row), ticks, facts->states * sizeof *ticks);
    count(store, location, most, facts_of(facts, row) + facts->states);
}

static json_t *ticks(const struct mwa_view_store *store, const struct mwa_view_location *location,
                     uint64_t time)
{
    return location->first > location->last ? json_null() : mwa_json_number(time - store->from);
}

/* [[function, times], …] of what is called; room is for all functions. */
static json_t *calls_json(const struct mwa_trace *trace, const uint64_t *times,
                          struct counted *room)
{
    json_t *calls = json_array();

    for (uint32_t i = 0; i < trace->mpi_region_count; i++) {
        room[i] = (struct counted){ trace->regions[trace->mpi_regions[i]].name, i, times[i] };
    }
    qsort(room, trace->mpi_region_count, sizeof *room, by_times);
    for (uint32_t i = 0; i < trace->mpi_region_count && room[i].times > 0; i++) {
        json_array_append_new(calls, json_pack("[o,o]", mwa_json_number(room[i].function),
                                               mwa_json_number(room[i].times)));
    }
    return calls;
}

static json_t *row_json(const struct facts *facts, uint32_t row, struct counted *room)
{
    const struct mwa_view_store *store = facts->store;
    const struct mwa_view_location *location = &store->locations[store->rows[row]];
    json_t *calls = calls_json(store->trace, facts_of(facts, row) + facts->states, room);

    return json_pack("{s:o,s:o,s:o}", "from", ticks(store, location, location->run_from), "to",
                     ticks(store, location, location->run_to), "calls", calls);
}

/* --- clusters ------------------------------------------------------------------------------- */

static void share_out(const uint64_t *parts, size_t count, double *shares)
{
    uint64_t whole = 0;

    for (size_t i = 0; i < count; i++) {
        whole += parts[i];
    }
    for (size_t i = 0; i < count; i++) {
        shares[i] = whole > 0 ? (double)parts[i] / (double)whole : 0;
    }
}

static void shares_of(const void *of, uint64_t row, double *shares)
{
    const struct facts *facts = of;
    const uint64_t *own = facts_of(facts, row);

    share_out(own, facts->states, shares);
    share_out(own + facts->states, facts->store->trace->mpi_region_count,
              shares + facts->states);
}

/* One cluster: its rows, the means of their shares of states, and the sums of their calls. */
static json_t *cluster_json(const struct facts *facts, const uint32_t *clusters, uint32_t number,
                            uint64_t *times, struct counted *room)
{
    const struct mwa_trace *trace = facts->store->trace;
    double means[MWA_LOCATION_STATES] = { 0 }, shares[MWA_LOCATION_STATES];
    json_t *rows = json_array(), *states = json_array();

    memset(times, 0, trace->mpi_region_count * sizeof *times);
    for (uint32_t row = 0; row < facts->store->main_count; row++) {
        const uint64_t *own = facts_of(facts, row);

        if (clusters[row] != number) {
            continue;
        }
        json_array_append_new(rows, json_integer(row));
        share_out(own, facts->states, shares);
        for (unsigned i = 0; i < facts->states; i++) {
            means[i] += shares[i];
        }
        for (uint32_t i = 0; i < trace->mpi_region_count; i++) {
            times[i] += own[facts->states + i];
        }
    }
    for (unsigned i = 0; i < facts->states; i++) {
        json_array_append_new(states, json_real(means[i] / (double)json_array_size(rows)));
    }
    return json_pack("{s:o,s:o,s:o}", "rows", rows, "states", states, "called",
                     calls_json(trace, times, room));
}

/* Null: no memory. */
static json_t *clusters_json(const struct facts *facts, struct counted *room)
{
    const uint32_t functions = facts->store->trace->mpi_region_count;
    const struct mwa_alike alike = { facts, shares_of, facts->store->main_count, facts->states,
                                     functions };
    uint32_t *clusters = calloc(alike.count + 1, sizeof *clusters);
    uint64_t *times = calloc(functions + 1ul, sizeof *times);
    uint32_t found = 0;
    json_t *list = NULL;

    if (clusters && times && mwa_clusters_find(&alike, clusters, &found) == MW_OK) {
        list = json_array();
    }
    for (uint32_t i = 0; i < found && list; i++) {
        json_array_append_new(list, cluster_json(facts, clusters, i, times, room));
    }
    free(clusters);
    free(times);
    return list;
}

/* How many of each rank's calls are looked at. */
static uint64_t most_of(const struct mwa_view_store *store)
{
    uint64_t all = 0;

    for (uint32_t row = 0; row < store->main_count; row++) {
        all += store->locations[store->rows[row]].call_count;
    }
    return all > MWA_VIEW_COUNTED_MOST ? MWA_VIEW_COUNTED_MOST / store->main_count : UINT64_MAX;
}

json_t *mwa_view_called(const struct mwa_view_store *store)
{
    const struct mwa_trace *trace = store->trace;
    const uint64_t most = most_of(store);
    struct facts facts = { store, store->others.count > 0 ? MWA_LOCATION_STATES : MWA_RANK_STATES,
                           NULL };
    struct counted *room = malloc((trace->mpi_region_count + 1ul) * sizeof *room);
    json_t *names = json_array(), *rows = json_array(), *clusters = NULL;

    facts.list = calloc(store->main_count * width_of(&facts) + 1, sizeof *facts.list);
    for (uint32_t i = 0; i < trace->mpi_region_count; i++) {
        json_array_append_new(names, mwa_json_text(trace->regions[trace->mpi_regions[i]].name));
    }
    for (uint32_t row = 0; room && facts.list && row < store->main_count; row++) {
        find_facts(&facts, row, most);
        json_array_append_new(rows, row_json(&facts, row, room));
    }
    clusters = room && facts.list ? clusters_json(&facts, room) : NULL;
    free(room);
    free(facts.list);
    if (!clusters) {
        json_decref(names);
        json_decref(rows);
        return NULL;
    }
    return json_pack("{s:o,s:o,s:o,s:f,s:f,s:o}", "names", names, "until",
                     most == UINT64_MAX ? json_null() : mwa_json_number(most), "rows", rows,
                     "time_apart", MWA_TIME_APART, "calls_apart", MWA_CALLS_APART, "clusters",
                     clusters);
}
