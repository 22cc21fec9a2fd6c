#include "analyzer/exchange/channels.h"

#include <criterion/criterion.h>

#define ZERO 0
#define ONE  1

static struct mwa_channels channels = { .free = MWA_NONE };

static struct mwa_key channel_of(uint32_t comm, uint32_t tag, uint32_t lane)
{
    return mwa_channel_key(&(struct mwa_message_data){ .comm = comm, .tag = tag, .lane = lane },
                           ZERO, ONE);
}

static bool is_one(struct mwa_key one, struct mwa_key other)
{
    return one.high == other.high && one.low == other.low;
}

/* The bytes of the other end that waits; 0: none does. */
static uint64_t meet(struct mwa_key channel, enum mwa_side side, uint64_t bytes)
{
    const struct mwa_end end = { .bytes = bytes };
    struct mwa_end other;
    bool met;

    cr_assert_eq(mwa_channels_meet(&channels, channel, side, &end, &other, &met), MW_OK);
    return met ? other.bytes : 0;
}

Test(channels, match_messages_in_partitions_by_the_order_in_which_they_were_made)
{
    cr_expect_eq(meet(channel_of(3, 7, 2), MWA_SIDE_SEND, 200), 0);
    cr_expect_eq(meet(channel_of(3, 7, 0), MWA_SIDE_SEND, 300), 0);
    cr_expect_eq(meet(channel_of(3, 7, 1), MWA_SIDE_SEND, 100), 0);
    cr_expect_eq(meet(channel_of(3, 7, 1), MWA_SIDE_RECEIVE, 1), 100);
    cr_expect_eq(meet(channel_of(3, 7, 0), MWA_SIDE_RECEIVE, 1), 300);
    cr_expect_eq(meet(channel_of(3, 7, 2), MWA_SIDE_RECEIVE, 1), 200);
    mwa_channels_fini(&channels);
}

Test(channels, know_their_communicator_whatever_the_lane)
{
    static const uint32_t lanes[] = { 0, 1, 4094, 4095, UINT32_MAX };
    static const uint32_t comms[] = { 0, (1u << 20) - 1, 1u << 20, MWA_NONE - 1, MWA_NONE };

    for (unsigned i = 0; i < sizeof lanes / sizeof *lanes; i++) {
        for (unsigned j = 0; j < sizeof comms / sizeof *comms; j++) {
            const struct mwa_key channel = channel_of(comms[j], INT32_MAX, lanes[i]);

            cr_expect_eq(mwa_channel_comm(channel), comms[j], "%u, %u", lanes[i], comms[j]);
            cr_expect_eq(mwa_channel_destination(channel), ONE);
        }
    }
}

Test(channels, have_lanes_of_their_own_as_far_as_there_is_room)
{
    cr_expect(!is_one(channel_of(3, 7, 1), channel_of(3, 7, 0)));
    cr_expect(!is_one(channel_of(3, 7, 4094), channel_of(3, 7, 1)));
    cr_expect(is_one(channel_of(3, 7, 4095), channel_of(3, 7, 0)));
    cr_expect(is_one(channel_of(1u << 20, 7, 1), channel_of(1u << 20, 7, 0)));
}
