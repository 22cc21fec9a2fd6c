#ifndef MWA_ANALYSIS_HANG_HANG_RECEIVES_H
#define MWA_ANALYSIS_HANG_HANG_RECEIVES_H

#include "analyzer/analysis/hang/hang_state.h"

/* A message that a rank is about to send to another, both of the world. */
struct mwa_hang_sending {
    uint32_t from;
    uint32_t to;
    uint32_t comm;
    int32_t tag;
};

enum mwa_hang_receive {
    MWA_HANG_NO_RECEIVE,
    MWA_HANG_RECEIVES_TAKEN, /* as many as there are for it are for messages that were sent before,
                                unless it overtakes these: they are of other ranks, perhaps */
    MWA_HANG_RECEIVE         /* a posted receive, or the rank is in one */
};

/* The world rank of a peer of self in comm; MWA_NONE: it is not known, or it is anybody. */
uint32_t mwa_hang_world_rank(const struct mwa_trace *trace, uint32_t comm, uint32_t self,
                             int32_t peer);

/* What the rank that it goes to has for a message that others may have been sent before. */
enum mwa_hang_receive mwa_hang_receive_for(const struct mwa_trace *trace,
                                           const struct mwa_hang_states *states,
                                           const struct mwa_hang_sending *sending);

/*
 * Whether all that was sent there so far has been received, though the sender is still in its call:
 * it has not seen that yet, as it may be in a handler of a signal. is_begun: it is in a wait for a
 * request, which is among what was sent; a call that sends is only when it is left.
 */
bool mwa_hang_is_received(const struct mwa_hang_states *states,
                          const struct mwa_hang_sending *sending, bool is_begun);

#endif
