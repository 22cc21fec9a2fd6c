#ifndef MWA_LOAD_POSITIONS_H
#define MWA_LOAD_POSITIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/model/trace.h"

/* Where world ranks stand among the members of communicators, of a run that goes on as well: groups
 * may come to trace. Not thread-safe. */
struct mwa_positions {
    const struct mwa_trace *trace;
    uint64_t group_count; /* that by_group has room for */
    uint32_t **by_group; /* positions in the group by world rank; null: not asked so far */
    bool no_memory; /* for a position that was asked for, ever */
};

/* False without memory; to be freed with mwa_positions_fini in any case, before trace. */
bool mwa_positions_init(struct mwa_positions *positions, const struct mwa_trace *trace);
void mwa_positions_fini(struct mwa_positions *positions);

/*
 * The position of rank among the members of comm, an index: group A's, then group B's.
 * MWA_NONE when it isn't one, or there is no memory.
 */
uint32_t mwa_positions_find(struct mwa_positions *positions, uint32_t comm, uint32_t rank);

#endif
