#include "analyzer/exchange/channels.h"

#include <stdlib.h>

/* Values in the table: the index of the youngest, and this bit for receives. */
#define SIDE_BIT (UINT64_C(1) << 63)

/* A communicator's word has a lane, too, if the highest bit of the tag's, which MPI leaves 0, is
 * set. */
#define LANE_BIT   (UINT32_C(1) << 31)
#define COMM_BITS  20
#define COMMS      (UINT32_C(1) << COMM_BITS)
#define LANES_MOST ((UINT32_C(1) << (32 - COMM_BITS)) - 2) /* MWA_NONE stays what it is */

static bool is_lane_of_its_own(const struct mwa_message_data *message)
{
    return message->lane > 0 && message->lane <= LANES_MOST && message->comm < COMMS &&
           !(message->tag & LANE_BIT);
}

struct mwa_key mwa_channel_key(const struct mwa_message_data *message, uint32_t source,
                               uint32_t destination)
{
    const bool has_lane = is_lane_of_its_own(message);
    const uint32_t comm = message->comm | (has_lane ? message->lane << COMM_BITS : 0);
    const uint32_t tag = message->tag | (has_lane ? LANE_BIT : 0);

    return (struct mwa_key){ (uint64_t)comm << 32 | tag, (uint64_t)source << 32 | destination };
}

uint32_t mwa_channel_comm(struct mwa_key channel)
{
    const uint32_t comm = (uint32_t)(channel.high >> 32);

    return channel.high & LANE_BIT && comm != MWA_NONE ? comm & (COMMS - 1) : comm;
}

uint32_t mwa_channel_source(struct mwa_key channel)
{
    return (uint32_t)(channel.low >> 32);
}

uint32_t mwa_channel_destination(struct mwa_key channel)
{
    return (uint32_t)channel.low;
}

void mwa_channels_fini(struct mwa_channels *channels)
{
    mwa_map_fini(&channels->table);
    free(channels->pool);
    *channels = (struct mwa_channels){ .free = MWA_NONE };
}

static enum mwa_side side_of(uint64_t value)
{
    return value & SIDE_BIT ? MWA_SIDE_RECEIVE : MWA_SIDE_SEND;
}

static uint32_t allocate(struct mwa_channels *channels)
{
    uint32_t index = channels->free;

    if (index != MWA_NONE) {
        channels->free = channels->pool[index].next;
        return index;
    }
    if (channels->count == MWA_NONE - 1 ||
        !mwa_grow(&channels->pool, &channels->capacity, channels->count + 1u,
                  sizeof *channels->pool)) {
        return MWA_NONE;
    }
    return channels->count++;
}

static void release(struct mwa_channels *channels, uint32_t index)
{
    channels->pool[index].next = channels->free;
    channels->free = index;
}

/* Adds end as the youngest of the ring at *place. */
static bool append(struct mwa_channels *channels, uint64_t *place, bool is_empty,
                   const struct mwa_end *end)
{
    uint32_t index = allocate(channels);
    uint32_t youngest = (uint32_t)*place;

    if (index == MWA_NONE) {
        return false;
    }
    channels->pool[index] = (struct mwa_waiting_end){ .end = *end, .next = index };
    if (!is_empty) {
        channels->pool[index].next = channels->pool[youngest].next;
        channels->pool[youngest].next = index;
    }
    *place = (*place & SIDE_BIT) | index;
    return true;
}

/* Takes the element behind before out of the ring at *place, and the ring if it was alone. */
static void take_out(struct mwa_channels *channels, struct mwa_key channel, uint64_t *place,
                     uint32_t before)
{
    uint32_t index = channels->pool[before].next;

    if (before == index) {
        mwa_map_remove(&channels->table, channel);
    } else {
        channels->pool[before].next = channels->pool[index].next;
        if ((uint32_t)*place == index) {
            *place = (*place & SIDE_BIT) | before;
        }
    }
    release(channels, index);
}

enum mw_status mwa_channels_meet(struct mwa_channels *channels, struct mwa_key channel,
                                 enum mwa_side side, const struct mwa_end *end,
                                 struct mwa_end *other, bool *met)
{
    uint64_t before = channels->table.count;
    uint64_t *place = mwa_map_put(&channels->table, channel,
                                  side == MWA_SIDE_RECEIVE ? SIDE_BIT : 0);
    bool is_new = channels->table.count != before;

    *met = false;
    if (!place) {
        return MW_ERROR_MEMORY;
    }
    if (is_new || side_of(*place) == side) {
        return append(channels, place, is_new, end) ? MW_OK : MW_ERROR_MEMORY;
    }
    *met = true;
    *other = channels->pool[channels->pool[(uint32_t)*place].next].end;
    take_out(channels, channel, place, (uint32_t)*place);
    return MW_OK;
}

const struct mwa_end *mwa_channels_oldest(const struct mwa_channels *channels,
                                          struct mwa_key channel, enum mwa_side side)
{
    const uint64_t value = mwa_map_get(&channels->table, channel);

    return value == MWA_MAP_ABSENT || side_of(value) != side
               ? NULL
               : &channels->pool[channels->pool[(uint32_t)value].next].end;
}

bool mwa_channels_withdraw(struct mwa_channels *channels, struct mwa_key channel,
                           uint64_t request)
{
    uint64_t value = mwa_map_get(&channels->table, channel);
    uint32_t at = (uint32_t)value;
    uint32_t before = MWA_NONE;

    if (value == MWA_MAP_ABSENT || side_of(value) != MWA_SIDE_SEND) {
        return false;
    }
    do {
        uint32_t next = channels->pool[at].next;

        if (channels->pool[next].end.request == request) {
            before = at;
        }
        at = next;
    } while (at != (uint32_t)value);
    if (before != MWA_NONE) {
        take_out(channels, channel, mwa_map_put(&channels->table, channel, value), before);
    }
    return before != MWA_NONE;
}

uint64_t mwa_channels_waiting(const struct mwa_channels *channels, uint64_t slot,
                              enum mwa_side *side)
{
    uint64_t value = channels->table.slots[slot].value;
    uint32_t at = (uint32_t)value;
    uint64_t count = 0;

    if (value == MWA_MAP_ABSENT) {
        return 0;
    }
    *side = side_of(value);
    do {
        at = channels->pool[at].next;
        count += !channels->pool[at].end.is_probe;
    } while (at != (uint32_t)value);
    return count;
}
