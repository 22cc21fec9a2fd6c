#ifndef MWA_LOAD_QUIET_CHANNELS_H
#define MWA_LOAD_QUIET_CHANNELS_H

#include "analyzer/load/quiet_hash.h"
#include "analyzer/model/map.h"
#include "analyzer/model/trace.h"

/*
 * The channels of messages on which several threads of a rank receive, for quiet_places.h: which of
 * two such receives was posted first is one thing when calls were entered, and may be another in
 * the MPI, so that one that is open at a place may stand before one that has ended there.
 */

/* What tells the channel from from to to (world ranks) from others; 0: of none. */
static inline uint64_t mwa_quiet_channel(uint32_t from, uint32_t to, uint32_t comm, uint32_t tag)
{
    return mwa_quiet_hash(MWA_QUIET_MESSAGE, (uint64_t)from << 32 | to, comm, tag);
}

#define MWA_QUIET_ANY_CHANNEL UINT64_MAX /* not known yet */

/* Those on which a location receives; zeros: on none. */
struct mwa_quiet_channels {
    struct mwa_map known; /* those of list, while the location is read */
    uint64_t *list;
    uint64_t count, capacity;
    bool are_more; /* than there is room for */
};

/* Adds one, if it is new. False without memory. */
bool mwa_quiet_channels_add(struct mwa_quiet_channels *channels, uint64_t channel) MW_MUST_CHECK;
void mwa_quiet_channels_fini(struct mwa_quiet_channels *channels);

/* Those of all locations. Zeros, then all are joined. */
struct mwa_shared_channels {
    struct mwa_map by;    /* channel, to the location that receives on it; MWA_NONE: several */
    struct mwa_map ranks; /* of which more channels are not known */
};

/* Adds what location of rank receives on. False without memory. */
bool mwa_shared_channels_join(struct mwa_shared_channels *shared, uint32_t location, uint32_t rank,
                              const struct mwa_quiet_channels *channels) MW_MUST_CHECK;
/* Whether several of rank may receive on channel. */
bool mwa_shared_channels_have(const struct mwa_shared_channels *shared, uint32_t rank,
                              uint64_t channel);
void mwa_shared_channels_fini(struct mwa_shared_channels *shared);

#endif
