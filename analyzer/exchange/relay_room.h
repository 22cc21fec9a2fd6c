#ifndef MWA_EXCHANGE_RELAY_ROOM_H
#define MWA_EXCHANGE_RELAY_ROOM_H

#include "analyzer/load/input.h"

/* How much a relay (relay.h) hands on at a time; 0: it is not worth a thread. Any thread. A test
 * has a function of its own in its place. */
uint32_t mwa_relay_room(const struct mwa_input *input);

#endif
