/*
 * A thousand ranks take some ms for each time that is asked about: too long for the hundreds of
 * columns of a picture. Far out these are taken from what was summed up before, and their edges are
 * where that is known exactly; near by there are fewer.
 */
#include "analyzer/view/view_running.h"

#include "analyzer/model/bins.h"
#include "analyzer/table/values.h"
#include "analyzer/view/view_off_core.h"
#include "analyzer/view/view_states.h"

static void add_off(const struct mwa_view_store *store, uint32_t row, uint64_t time,
                    struct mwa_view_off *sum)
{
    const struct mwa_view_off off = mwa_view_off_until(store, store->rows[row], time);

    for (unsigned kind = 0; kind < MWA_VIEW_OFF_KINDS; kind++) {
        sum->ns[kind] += off.ns[kind];
    }
    sum->run += off.run;
    sum->unknown += off.unknown;
}

/* Of main threads: what others do is none of a rank's states. */
static struct mwa_view_sum sum_at(const struct mwa_view_store *store, uint64_t time)
{
    struct mwa_view_sum sum = { .ticks = { 0 } };

    for (uint32_t row = 0; row < store->main_count; row++) {
        const struct mwa_view_done done = mwa_view_done_at(store, store->rows[row], time);

        for (unsigned state = 0; state < MWA_RANK_STATES; state++) {
            sum.ticks[state] += done.ticks[state];
        }
        add_off(store, row, time, &sum.off);
    }
    return sum;
}

/* The distances between the times of which sums are kept. */
static struct mwa_window grid_of(const struct mwa_view_store *store)
{
    const uint64_t bins = store->lanes.sums.count > 0 ? store->lanes.sums.count - 1 : 0;

    return (struct mwa_window){ store->from, store->to, (uint32_t)bins };
}

enum mw_status mwa_view_running_make(struct mwa_view_store *store,
                                     struct mw_diagnostic *diagnostic)
{
    const uint64_t wanted = MWA_VIEW_EDGES_LOOKS / (store->main_count + 1);
    uint64_t bins = wanted < MWA_VIEW_EDGES_LEAST  ? MWA_VIEW_EDGES_LEAST
                    : wanted < MWA_VIEW_EDGES_MOST ? wanted
                                                   : MWA_VIEW_EDGES_MOST;
    struct mwa_window grid;
    enum mw_status status;

    bins = store->to - store->from < bins ? store->to - store->from : bins;
    status = mwa_view_array_add(&store->lanes.sums, bins + 1, diagnostic);
    if (status == MW_OK) {
        grid = grid_of(store);
        for (uint32_t bin = 0; bin <= grid.bins; bin++) {
            *(struct mwa_view_sum *)mwa_view_array_at(&store->lanes.sums, bin) =
                sum_at(store, grid.bins > 0 ? mwa_window_edge(&grid, bin) : store->from);
        }
    }
    return status;
}

/* What is told so far. */
struct telling {
    const struct mwa_view_store *store;
    bool is_off; /* cores are told of, and not states: */
    uint32_t row; /* of this rank; MWA_NONE: of all */
    json_t *edges;
    json_t *cells;
    uint64_t time;
    struct mwa_view_sum sum; /* until time */
    bool has_begun;
};

static json_t *tell_states(const struct telling *telling, uint64_t ticks,
                           const struct mwa_view_sum *sum)
{
    json_t *told = json_array();

    for (unsigned state = 0; state < MWA_RANK_STATES; state++) {
        const uint64_t spent = sum->ticks[state] - telling->sum.ticks[state];

        json_array_append_new(told, json_real(ticks > 0 ? (double)spent / (double)ticks : 0));
    }
    return told;
}

static json_t *tell_off(const struct telling *telling, uint64_t ticks,
                        const struct mwa_view_sum *sum)
{
    const struct mwa_view_off *until = &sum->off, *before = &telling->sum.off;
    const double ns = (double)ticks * 1e9 / (double)mwa_trace_resolution(telling->store->trace);
    json_t *told = json_array();

    for (unsigned kind = 0; kind < MWA_VIEW_OFF_KINDS; kind++) {
        const uint64_t spent = until->ns[kind] - before->ns[kind];

        json_array_append_new(told, json_real(ticks > 0 ? (double)spent / ns : 0));
    }
    for (unsigned i = 0; i < 2; i++) {
        const uint64_t spent = i == 0 ? until->run - before->run
                                      : until->unknown - before->unknown;

        json_array_append_new(told, json_real(ticks > 0 ? (double)spent / (double)ticks : 0));
    }
    return told;
}

static void tell_edge(struct telling *telling, uint64_t time, const struct mwa_view_sum *sum)
{
    const uint64_t ticks = time - telling->time;

    json_array_append_new(telling->edges, mwa_json_number(time - telling->store->from));
    if (telling->has_begun) {
        json_array_append_new(telling->cells, telling->is_off ? tell_off(telling, ticks, sum)
                                                              : tell_states(telling, ticks, sum));
    }
    telling->time = time;
    telling->sum = *sum;
    telling->has_begun = true;
}

/* By what was summed up; from and to are in the run. */
static void tell_far(struct telling *telling, const struct mwa_window *grid, uint64_t from,
                     uint64_t to, uint32_t cells)
{
    uint32_t first = mwa_window_bin(grid, from), end = mwa_window_bin(grid, to);
    uint32_t step;

    end += mwa_window_edge(grid, end) < to;
    step = (end - first + cells - 1) / cells;
    for (uint32_t bin = first;; bin = end - bin < step ? end : bin + step) {
        tell_edge(telling, mwa_window_edge(grid, bin),
                  mwa_view_array_at(&telling->store->lanes.sums, bin));
        if (bin == end) {
            return;
        }
    }
}

static struct mwa_view_sum asked_at(const struct telling *telling, uint64_t time)
{
    struct mwa_view_sum sum = { .ticks = { 0 } };

    if (telling->row == MWA_NONE) {
        return sum_at(telling->store, time);
    }
    add_off(telling->store, telling->row, time, &sum.off);
    return sum;
}

static json_t *tell(struct telling telling, uint64_t from, uint64_t to, uint32_t cells)
{
    const struct mwa_view_store *store = telling.store;
    const struct mwa_window grid = grid_of(store);
    const uint32_t looks = telling.row == MWA_NONE ? store->main_count : 1;
    const uint32_t most = MWA_VIEW_RANKS_MOST / (looks + 1) + 1;
    const struct mwa_window window = { from, to, cells < most ? cells : most };

    telling.edges = json_array();
    telling.cells = json_array();
    if (telling.row == MWA_NONE && cells > 1 && from < to && to <= store->to && grid.bins > 0 &&
        to - from >= (store->to - store->from) / grid.bins * MWA_VIEW_CELLS_LEAST) {
        tell_far(&telling, &grid, from, to, cells);
    } else {
        for (uint32_t cell = 0; cell <= window.bins; cell++) {
            const uint64_t time = mwa_window_edge(&window, cell);
            const struct mwa_view_sum sum = asked_at(&telling, time);

            tell_edge(&telling, time, &sum);
        }
    }
    return json_pack("{s:o,s:o}", "edges", telling.edges, "cells", telling.cells);
}

json_t *mwa_view_running(const struct mwa_view_store *store, uint64_t from, uint64_t to,
                         uint32_t cells)
{
    return tell((struct telling){ .store = store, .row = MWA_NONE }, from, to, cells);
}

json_t *mwa_view_off_core(const struct mwa_view_store *store, uint32_t row, uint64_t from,
                          uint64_t to, uint32_t cells)
{
    if (!store->trace->metrics.has_running) {
        return NULL;
    }
    return tell((struct telling){ .store = store, .is_off = true, .row = row }, from, to, cells);
}
