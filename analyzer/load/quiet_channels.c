/* A channel says who receives on it, so that one map has those of all ranks. */
#include "analyzer/load/quiet_channels.h"

#include <stdlib.h>

#include "formats/base/array.h"

#define CHANNELS_MOST 4096u /* of a location; one that has more may have any */

static struct mwa_key key_of(uint64_t number)
{
    return (struct mwa_key){ 0, number };
}

static bool has(const struct mwa_map *map, uint64_t number)
{
    return map->count > 0 && mwa_map_get(map, key_of(number)) != MWA_MAP_ABSENT;
}

bool mwa_quiet_channels_add(struct mwa_quiet_channels *channels, uint64_t channel)
{
    if (channels->are_more || has(&channels->known, channel)) {
        return true;
    }
    if (channels->count == CHANNELS_MOST) {
        channels->are_more = true;
        return true;
    }
    if (!mwa_map_put(&channels->known, key_of(channel), 0) ||
        !mwa_grow(&channels->list, &channels->capacity, channels->count + 1,
                  sizeof *channels->list)) {
        return false;
    }
    channels->list[channels->count++] = channel;
    return true;
}

void mwa_quiet_channels_fini(struct mwa_quiet_channels *channels)
{
    mwa_map_fini(&channels->known);
    free(channels->list);
    *channels = (struct mwa_quiet_channels){ .count = 0 };
}

bool mwa_shared_channels_join(struct mwa_shared_channels *shared, uint32_t location, uint32_t rank,
                              const struct mwa_quiet_channels *channels)
{
    if (channels->are_more && !mwa_map_put(&shared->ranks, key_of(rank), 0)) {
        return false;
    }
    for (uint64_t i = 0; i < channels->count; i++) {
        uint64_t *by = mwa_map_put(&shared->by, key_of(channels->list[i]), location);

        if (!by) {
            return false;
        }
        *by = *by == location ? location : MWA_NONE;
    }
    return true;
}

bool mwa_shared_channels_have(const struct mwa_shared_channels *shared, uint32_t rank,
                              uint64_t channel)
{
    return channel == MWA_QUIET_ANY_CHANNEL || has(&shared->ranks, rank) ||
           (has(&shared->by, channel) && mwa_map_get(&shared->by, key_of(channel)) == MWA_NONE);
}

void mwa_shared_channels_fini(struct mwa_shared_channels *shared)
{
    mwa_map_fini(&shared->by);
    mwa_map_fini(&shared->ranks);
}
