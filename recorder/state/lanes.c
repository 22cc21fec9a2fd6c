/* Channels are kept to the end, since the next operation on one may be made at any time. */
#include "recorder/state/lanes.h"

#include <pthread.h>

#include "formats/base/array.h"
#include "formats/base/index_table.h"

struct end {
    uint32_t receives;
    uint32_t comm;
    int32_t peer;
    int32_t tag;
};

struct channel {
    struct end end;
    uint32_t made;
};

/* All under channel_lock. */
static struct channel *channels;
static uint32_t channel_count;
static struct mw_index_table channel_index;
static bool is_incomplete; /* one could not be kept */
static pthread_mutex_t channel_lock = PTHREAD_MUTEX_INITIALIZER;

static bool channel_is(const void *context, uint32_t index, const void *key)
{
    const struct end *end = &((const struct channel *)context)[index].end;
    const struct end *wanted = key;

    return end->receives == wanted->receives && end->comm == wanted->comm &&
           end->peer == wanted->peer && end->tag == wanted->tag;
}

/* Adds one; channel_lock is held. False: there is no memory. */
static bool add(const struct end *end, uint64_t hash)
{
    if (channel_count == MW_INDEX_NONE - 1 ||
        !mw_array_grow((void **)&channels, channel_count, sizeof *channels) ||
        !mw_index_add(&channel_index, hash, channel_count)) {
        return false;
    }
    channels[channel_count++] = (struct channel){.end = *end};
    return true;
}

uint32_t mwr_lane_next(bool receives, uint32_t comm, int32_t peer, int32_t tag)
{
    const struct end end = {receives, comm, peer, tag};
    const uint64_t hash = mw_hash_bytes(MW_HASH_START, &end, sizeof end);
    uint32_t lane = 0;
    uint32_t at;

    pthread_mutex_lock(&channel_lock);
    at = mw_index_find(&channel_index, hash, channel_is, channels, &end);
    if (at == MW_INDEX_NONE && !is_incomplete) {
        is_incomplete = !add(&end, hash);
        at = is_incomplete ? MW_INDEX_NONE : channel_count - 1;
    }
    if (at != MW_INDEX_NONE) {
        lane = ++channels[at].made;
    }
    pthread_mutex_unlock(&channel_lock);
    return lane;
}
