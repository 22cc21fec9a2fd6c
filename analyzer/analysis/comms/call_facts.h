#ifndef MWA_ANALYSIS_COMMS_CALL_FACTS_H
#define MWA_ANALYSIS_COMMS_CALL_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/model/event.h"
#include "analyzer/model/trace.h"

/* What a call of MPI says of itself: of several messages what all of them share; what a probe finds
 * is one of them, without bytes. */
struct mwa_call_facts {
    uint64_t bytes_sent; /* sums, as those of the analyses */
    uint64_t bytes_received;
    uint32_t comm; /* index; MWA_NONE: none, or several; so are */
    uint32_t peer; /* of messages, world rank */
    uint32_t tag;
    uint32_t root; /* of collectives, world rank */
    bool has_comm; /* one was told; */
    bool has_peer; /* so was a message */
    bool has_bytes;
};

/* Those of a call that has said nothing yet. */
extern const struct mwa_call_facts mwa_no_facts;

/* Adds what an event says inside of the call, which world rank made, or that it is entered. */
void mwa_call_facts_take(struct mwa_call_facts *facts, const struct mwa_trace *trace,
                         uint32_t rank, const struct mwa_event *event);

#endif
