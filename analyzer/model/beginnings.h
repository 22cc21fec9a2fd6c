#ifndef MWA_MODEL_BEGINNINGS_H
#define MWA_MODEL_BEGINNINGS_H

#include "analyzer/model/map.h"

/*
 * Where the records of ranks begin at different moments, as those of a ring do and those of a part
 * of an archive, what a rank did first has its other half before the record of another one: the
 * n-th send that is there is not the one that the n-th receive got. So many it is of each.
 */
struct mwa_beginnings {
    struct mwa_map sends;    /* of a channel (analyzer/exchange/channels.h) */
    struct mwa_map receives; /* likewise */
    struct mwa_map numbers;  /* of a rank's collectives of one series (mwa_series_key) */
};

void mwa_beginnings_fini(struct mwa_beginnings *beginnings);

/* Of which collectives of a rank on comm, or window, the numbers count. */
static inline struct mwa_key mwa_series_key(uint32_t series, uint32_t rank, uint32_t comm)
{
    return (struct mwa_key){ (uint64_t)series << 32 | rank, comm };
}

/* How many there are under key; mostly 0. */
static inline uint64_t mwa_beginning(const struct mwa_map *of, struct mwa_key key)
{
    const uint64_t count = of->count > 0 ? mwa_map_get(of, key) : MWA_MAP_ABSENT;

    return count == MWA_MAP_ABSENT ? 0 : count;
}

#endif
