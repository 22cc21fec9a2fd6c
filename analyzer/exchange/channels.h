#ifndef MWA_EXCHANGE_CHANNELS_H
#define MWA_EXCHANGE_CHANNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/model/event.h"
#include "analyzer/model/map.h"
#include "formats/base/status.h"

/*
 * The ends of messages that wait for the other end, by channel (communicator, tag, source
 * and destination; of messages in partitions each pair of requests by itself), each channel in the
 * order of initiation. A channel is known only while something waits on it, and then only sends or
 * only receives do. All zero but for free = MWA_NONE is empty. Not thread-safe.
 */

enum mwa_side { MWA_SIDE_SEND, MWA_SIDE_RECEIVE };

struct mwa_end {
    uint64_t time; /* a send's beginning, a receive's end; ticks */
    uint64_t bytes;
    uint64_t request; /* of a send, to find it again */
    void *object;     /* of a listener to the matching, may be null */
    bool ghost;       /* a receive whose send was cancelled: nothing to compare */
    bool is_probe;    /* of the side of receives: it looks at a send, and takes none */
};

struct mwa_waiting_end {
    struct mwa_end end;
    uint32_t next; /* towards the younger; the youngest's next is the oldest */
};

struct mwa_channels {
    struct mwa_map table; /* to the youngest's index, and the side */
    struct mwa_waiting_end *pool;
    uint64_t capacity;
    uint32_t count;
    uint32_t free; /* list of free elements of pool, MWA_NONE: empty */
};

/*
 * The channel of a message on its communicator, with its tag and its lane. Of 4094 lanes of a
 * channel, and on the first 2^20 communicators, each is one of its own; all others are one
 * together with messages that are not in partitions.
 */
struct mwa_key mwa_channel_key(const struct mwa_message_data *message, uint32_t source,
                               uint32_t destination);
uint32_t mwa_channel_comm(struct mwa_key channel);
uint32_t mwa_channel_source(struct mwa_key channel);
uint32_t mwa_channel_destination(struct mwa_key channel);

void mwa_channels_fini(struct mwa_channels *channels);

/*
 * Takes the oldest that waits on the other side of channel, or makes end wait.
 *
 * \return MW_OK, and *met tells whether *other was taken. MW_ERROR_MEMORY.
 */
enum mw_status mwa_channels_meet(struct mwa_channels *channels, struct mwa_key channel,
                                 enum mwa_side side, const struct mwa_end *end,
                                 struct mwa_end *other, bool *met) MW_MUST_CHECK;

/* The oldest that waits on that side of channel; null: none does. Good until the next call. */
const struct mwa_end *mwa_channels_oldest(const struct mwa_channels *channels,
                                          struct mwa_key channel, enum mwa_side side);

/*
 * Takes the youngest send with request out of channel (requests are used again); false
 * when none waits there.
 */
bool mwa_channels_withdraw(struct mwa_channels *channels, struct mwa_key channel,
                           uint64_t request);

/* How many ends wait in the table's slot, probes aside, and on which side; 0 in a free slot. */
uint64_t mwa_channels_waiting(const struct mwa_channels *channels, uint64_t slot,
                              enum mwa_side *side);

#endif
