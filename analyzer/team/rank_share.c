/* Where the middle of a rank's events lies among all decides, so that many small ranks beside a
 * large one still spread evenly. */
#include "analyzer/team/rank_share.h"

#include <stdlib.h>

/* Locations cost something also when they are empty. */
#define EVENTS_OF_EMPTY 1000.0

static uint64_t slot_of(const struct mwa_trace *trace, const struct mwa_location *location)
{
    return location->rank < trace->rank_count ? location->rank : trace->rank_count;
}

/* The process at this part of all. */
static uint32_t process_at(double part, uint32_t processes)
{
    const double at = part * processes;

    return at < processes ? (uint32_t)at : processes - 1;
}

bool *mwa_rank_share(const struct mwa_trace *trace, uint32_t process, uint32_t processes)
{
    double *weights = calloc(trace->rank_count + 1, sizeof *weights);
    bool *is_mine = calloc(trace->rank_count + 1, sizeof *is_mine);
    bool *share = calloc(trace->location_count + 1, sizeof *share);
    double all = 0;
    double before = 0;

    for (uint64_t i = 0; weights && i < trace->location_count; i++) {
        const double weight = (double)trace->locations[i].events + EVENTS_OF_EMPTY;

        weights[slot_of(trace, &trace->locations[i])] += weight;
        all += weight;
    }
    for (uint64_t rank = 0; weights && is_mine && all > 0 && rank <= trace->rank_count; rank++) {
        is_mine[rank] = process_at((before + weights[rank] / 2) / all, processes) == process;
        before += weights[rank];
    }
    for (uint64_t i = 0; is_mine && share && i < trace->location_count; i++) {
        share[i] = is_mine[slot_of(trace, &trace->locations[i])];
    }
    if (!weights || !is_mine) {
        free(share);
        share = NULL;
    }
    free(weights);
    free(is_mine);
    return share;
}
