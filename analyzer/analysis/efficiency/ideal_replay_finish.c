/*
 * Ticks become nanoseconds at the very end and once, so that sums stay whole
 * numbers. Of the paths to all ranks only that to the one that ends last is the
 * critical one.
 */
#include "analyzer/analysis/efficiency/ideal_replay_internal.h"

#include <stdlib.h>

#include "formats/base/order.h"

static int by_region(const void *one, const void *other)
{
    const struct mwa_ideal_cell *a = one;
    const struct mwa_ideal_cell *b = other;

    return mw_order(a->region, b->region) ?: mw_order(a->rank, b->rank);
}

static void finish_ideal(const struct mwa_replay *replay, struct mwa_ideal *ideal)
{
    const struct mwa_trace *trace = replay->trace;

    for (uint64_t i = 0; i < trace->location_count; i++) {
        const struct mwa_track *track = &replay->tracks[i];
        uint64_t ns = mwa_trace_ns(trace, track->clock);

        if (track->path) {
            ideal->per_rank_ns[trace->locations[i].rank] = ns;
            ideal->runtime_ns = ns > ideal->runtime_ns ? ns : ideal->runtime_ns;
        }
    }
    for (uint64_t i = 0; i < replay->spent_count; i++) {
        const struct mwa_region_spent *spent = &replay->spent[i];

        if (spent->is_told) {
            ideal->cells[ideal->cell_count++] =
                (struct mwa_ideal_cell){ .region = spent->region,
                                         .rank = spent->rank,
                                         .ns = mwa_trace_ns(trace, spent->ticks) };
        }
    }
    qsort(ideal->cells, ideal->cell_count, sizeof *ideal->cells, by_region);
}

/* The main thread whose run ends last, or null. */
static const struct mwa_track *last_track(const struct mwa_replay *replay)
{
    const struct mwa_track *last = NULL;

    for (uint64_t i = 0; i < replay->trace->location_count; i++) {
        const struct mwa_track *track = &replay->tracks[i];

        if (track->path && (!last || track->ended_at > last->ended_at)) {
            last = track;
        }
    }
    return last;
}

static void finish_path(const struct mwa_replay *replay, const struct mwa_track *last,
                        struct mwa_replay_result *result)
{
    const struct mwa_trace *trace = replay->trace;

    result->end_rank = mwa_replay_rank(replay, last);
    for (const struct mwa_path_node *node = last->path; node; node = node->before) {
        mwa_tally_spread(&node->spent, 0, result->region_ticks, trace->region_count + 1);
        mwa_tally_spread(&node->spent, MWA_KEY_RANKS, result->rank_ticks, trace->rank_count);
        result->hops += node->hops;
    }
}

enum mw_status mwa_replay_finish(void *analysis, void *result)
{
    struct mwa_replay *replay = analysis;
    struct mwa_replay_result *to = result;
    const struct mwa_trace *trace = replay->trace;
    const struct mwa_track *last;
    enum mw_status status = MW_OK;

    *to = (struct mwa_replay_result){ .ideal = { .rank_count = trace->rank_count } };
    to->ideal.per_rank_ns = calloc(trace->rank_count + 1, sizeof *to->ideal.per_rank_ns);
    to->region_ticks = calloc(trace->region_count + 1, sizeof *to->region_ticks);
    to->rank_ticks = calloc(trace->rank_count + 1, sizeof *to->rank_ticks);
    if (!to->ideal.per_rank_ns || !to->region_ticks || !to->rank_ticks) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < trace->location_count && status == MW_OK; i++) {
        status = mwa_replay_catch_up(replay, &replay->tracks[i], UINT64_MAX, true);
    }
    /* Catching up has added to the regions. */
    to->ideal.cells = calloc(replay->spent_count + 1, sizeof *to->ideal.cells);
    if (status != MW_OK || !to->ideal.cells) {
        return MW_ERROR_MEMORY;
    }
    last = last_track(replay);
    to->has_run = last != NULL;
    to->threads = replay->threads;
    finish_ideal(replay, &to->ideal);
    if (last) {
        finish_path(replay, last, to);
    }
    return status;
}

void mwa_replay_result_fini(struct mwa_replay_result *result)
{
    mwa_ideal_fini(&result->ideal);
    free(result->region_ticks);
    free(result->rank_ticks);
    *result = (struct mwa_replay_result){ 0 };
}
