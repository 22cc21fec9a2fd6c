#include "analyzer/load/positions.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/order.h"

/*
 * Positions in the group in the order of their world ranks; null without memory. Ranks and
 * positions are sorted as one number.
 */
static uint32_t *make_positions(const struct mwa_group *group)
{
    uint64_t *pairs = malloc((group->count + UINT64_C(1)) * sizeof *pairs);
    uint32_t *positions = malloc((group->count + UINT64_C(1)) * sizeof *positions);

    for (uint32_t i = 0; pairs && i < group->count; i++) {
        pairs[i] = (uint64_t)group->ranks[i] << 32 | i;
    }
    if (pairs && positions) {
        qsort(pairs, group->count, sizeof *pairs, mw_order_u64);
        for (uint32_t i = 0; i < group->count; i++) {
            positions[i] = (uint32_t)pairs[i];
        }
    } else {
        free(positions);
        positions = NULL;
    }
    free(pairs);
    return positions;
}

/* Makes room for all groups that there are by now. */
static bool widen(struct mwa_positions *all)
{
    const uint64_t count = all->trace->group_count;
    uint32_t **wider = realloc(all->by_group, (count + 1) * sizeof *wider);

    if (!wider) {
        return false;
    }
    memset(wider + all->group_count, 0, (count + 1 - all->group_count) * sizeof *wider);
    all->by_group = wider;
    all->group_count = count;
    return true;
}

/* The position of rank in group index, MWA_NONE if it isn't in it. */
static uint32_t position_in(struct mwa_positions *all, uint32_t index, uint32_t rank)
{
    const struct mwa_group *group = &all->trace->groups[index];
    uint32_t **positions;
    uint32_t low = 0;
    uint32_t high = group->count;

    if (rank < group->count && group->ranks[rank] == rank) {
        return rank;
    }
    if (index >= all->group_count && !widen(all)) {
        all->no_memory = true;
        return MWA_NONE;
    }
    positions = &all->by_group[index];
    if (!*positions && !(*positions = make_positions(group))) {
        all->no_memory = true;
        return MWA_NONE;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (group->ranks[(*positions)[middle]] < rank) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < group->count && group->ranks[(*positions)[low]] == rank ? (*positions)[low]
                                                                         : MWA_NONE;
}

uint32_t mwa_positions_find(struct mwa_positions *positions, uint32_t comm, uint32_t rank)
{
    const struct mwa_trace *trace = positions->trace;
    const struct mwa_comm *of = &trace->comms[comm];
    uint32_t position = of->group == MWA_NONE ? MWA_NONE : position_in(positions, of->group, rank);

    if (position == MWA_NONE && of->inter && of->group != MWA_NONE &&
        of->remote_group != MWA_NONE) {
        position = position_in(positions, of->remote_group, rank);
        position += position == MWA_NONE ? 0 : trace->groups[of->group].count;
    }
    return position;
}

bool mwa_positions_init(struct mwa_positions *positions, const struct mwa_trace *trace)
{
    *positions = (struct mwa_positions){ .trace = trace, .group_count = trace->group_count };
    positions->by_group = calloc(trace->group_count + 1, sizeof *positions->by_group);
    return positions->by_group != NULL;
}

void mwa_positions_fini(struct mwa_positions *positions)
{
    for (uint64_t i = 0; positions->by_group && i < positions->group_count; i++) {
        free(positions->by_group[i]);
    }
    free(positions->by_group);
    *positions = (struct mwa_positions){ 0 };
}
