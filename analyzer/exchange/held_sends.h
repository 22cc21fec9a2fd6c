#ifndef MWA_EXCHANGE_HELD_SENDS_H
#define MWA_EXCHANGE_HELD_SENDS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/exchange/channels.h"
#include "analyzer/exchange/lookahead.h"
#include "formats/base/status.h"

/*
 * The sends of a rank that begin behind one of which it is not known yet whether it will be
 * cancelled, in the order of their beginning. A cancelled send must never take the place of
 * another one on its channel. All zero is empty. Not thread-safe.
 */
struct mwa_held_send {
    struct mwa_key channel;
    struct mwa_end end;
    uint64_t ordinal; /* among the rank's that have a request; UINT64_MAX: it has none */
    bool is_open;     /* it may yet be cancelled */
    bool is_dropped;  /* it was, or will be */
};

struct mwa_held_sends {
    struct mwa_held_send *items; /* numbers from first to first + count are items[number - base] */
    uint64_t capacity;
    uint64_t base;
    uint64_t first;
    uint64_t count;
};

void mwa_held_sends_fini(struct mwa_held_sends *held);

/*
 * Adds send.
 *
 * \return its number; UINT64_MAX without memory.
 */
uint64_t mwa_held_sends_add(struct mwa_held_sends *held, const struct mwa_held_send *send);

/* What became of the send with that number is known. */
void mwa_held_sends_settle(struct mwa_held_sends *held, uint64_t number, bool cancelled);

/* It is known which will be cancelled: none is held any more. */
void mwa_held_sends_tell(struct mwa_held_sends *held, const struct mwa_lookahead *ahead);

/* Nothing more will be known of any: none is held. */
void mwa_held_sends_release(struct mwa_held_sends *held);

/* Takes the next send that is not held any more; cancelled ones are passed over. False: none. */
bool mwa_held_sends_next(struct mwa_held_sends *held, struct mwa_held_send *send);

#endif
