/*
 * The result of the replay is here, apart from the machine that makes it
 * (ideal_replay.c), for those that only read it.
 */
#include "analyzer/analysis/efficiency/ideal.h"

#include <stdlib.h>

void mwa_ideal_fini(struct mwa_ideal *ideal)
{
    free(ideal->per_rank_ns);
    free(ideal->cells);
    *ideal = (struct mwa_ideal){ 0 };
}

uint64_t mwa_ideal_of_region(const struct mwa_ideal *ideal, uint32_t region)
{
    uint64_t longest = UINT64_MAX;
    uint64_t low = 0;
    uint64_t high = ideal->cell_count;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (ideal->cells[middle].region < region) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (uint64_t i = low; i < ideal->cell_count; i++) {
        if (ideal->cells[i].region != region) {
            break;
        }
        longest = longest == UINT64_MAX || ideal->cells[i].ns > longest ? ideal->cells[i].ns
                                                                        : longest;
    }
    return longest;
}
