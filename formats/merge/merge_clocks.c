/* While a run goes on the first rank of a host measures its clock for all ranks there. */
#include "formats/merge/merge_clocks.h"

#include <stdlib.h>
#include <string.h>

/* Points of a rank that has more; false without memory. */
static bool copy_points(struct mw_merged_rank *rank, const struct mw_merged_rank *from)
{
    struct mw_clock_point *points = calloc(from->clock_count, sizeof *points);

    if (!points) {
        return false;
    }
    memcpy(points, from->clock, from->clock_count * sizeof *points);
    free(rank->clock);
    rank->clock = points;
    rank->clock_count = from->clock_count;
    return true;
}

/* The best rank of each host, in best by the host's number, which is below rank_count. */
static void find_best(const struct mw_merged *merged, const struct mw_merged_rank **best)
{
    for (uint32_t i = 0; i < merged->rank_count; i++) {
        const struct mw_merged_rank *rank = &merged->ranks[i];
        uint32_t host = rank->process.host;

        if (rank->has_process && host < merged->rank_count &&
            (!best[host] || rank->clock_count > best[host]->clock_count)) {
            best[host] = rank;
        }
    }
}

bool mw_merge_clocks(struct mw_merged *merged)
{
    const struct mw_merged_rank **best = calloc(merged->rank_count + (size_t)1, sizeof *best);
    bool done = best != NULL;

    if (best) {
        find_best(merged, best);
    }
    for (uint32_t i = 0; done && i < merged->rank_count; i++) {
        struct mw_merged_rank *rank = &merged->ranks[i];
        uint32_t host = rank->process.host;

        if (rank->has_process && host < merged->rank_count &&
            rank->clock_count < best[host]->clock_count) {
            done = copy_points(rank, best[host]);
        }
    }
    free(best);
    for (uint32_t i = 0; done && i < merged->rank_count; i++) {
        mw_clock_choose(merged->ranks[i].clock, &merged->ranks[i].clock_count);
    }
    return done;
}
