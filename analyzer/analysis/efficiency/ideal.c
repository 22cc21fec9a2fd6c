/*
 * The result of the replay is here, apart from the machine that makes it
 * (ideal_replay.c), for those that only read it.
 */
#include "analyzer/analysis/efficiency/ideal.h"

#include <stdlib.h>

#include "formats/base/order.h"

void mwa_ideal_fini(struct mwa_ideal *ideal)
{
    free(ideal->per_rank_ns);
    free(ideal->polling);
    free(ideal->cells);
    *ideal = (struct mwa_ideal){ 0 };
}

struct mwa_polling mwa_polling_of(const struct mwa_ideal *ideal, uint32_t rank)
{
    return ideal->polling && rank < ideal->rank_count ? ideal->polling[rank]
                                                      : (struct mwa_polling){ 0 };
}

struct mwa_polling mwa_polling_of_all(const struct mwa_ideal *ideal)
{
    struct mwa_polling all = { 0 };

    for (uint32_t i = 0; ideal->polling && i < ideal->rank_count; i++) {
        all.inside += ideal->polling[i].inside;
        all.between += ideal->polling[i].between;
    }
    return all;
}

uint64_t mwa_ideal_of_region(const struct mwa_ideal *ideal, uint32_t region)
{
    uint64_t longest = UINT64_MAX;
    uint64_t first = mw_first_from(ideal->cells, ideal->cell_count, sizeof *ideal->cells,
                                   offsetof(struct mwa_ideal_cell, region), region);

    for (uint64_t i = first; i < ideal->cell_count && ideal->cells[i].region == region; i++) {
        longest = longest == UINT64_MAX || ideal->cells[i].ns > longest ? ideal->cells[i].ns
                                                                        : longest;
    }
    return longest;
}
