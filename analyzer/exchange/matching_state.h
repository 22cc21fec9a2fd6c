#ifndef MWA_EXCHANGE_MATCHING_STATE_H
#define MWA_EXCHANGE_MATCHING_STATE_H

#include "analyzer/exchange/lookahead.h"
#include "analyzer/exchange/channels.h"
#include "analyzer/exchange/held_sends.h"
#include "analyzer/exchange/matching.h"
#include "analyzer/load/input.h"

/*
 * The state of matching, by rank, and what its parts do for each other: sends that may be
 * cancelled, receives in the order of posting, and in matching.c the channels on which they meet.
 */

enum receive_state { RECEIVE_PENDING, RECEIVE_KNOWN, RECEIVE_DROPPED };

/* A posted receive, in the order of posting. */
struct receive {
    enum receive_state state;
    uint64_t ordinal; /* among the MpiIrecvRequest of the rank; UINT64_MAX: a blocking one */
    uint64_t time;
    void *object; /* the listener's */
    struct mwa_message_data message;
};

/* A non-blocking send whose request is not complete. */
struct pending_send {
    struct mwa_key channel;
    uint64_t bytes;
    void *object; /* the listener's */
    uint64_t held; /* its number among those held, UINT64_MAX: it isn't */
    uint32_t next_free;
};

struct rank_state {
    struct receive *receives; /* a ring; numbers from first to first + count */
    uint64_t capacity;        /* a power of two or 0 */
    uint64_t first;
    uint64_t count;
    struct mwa_map requests;
    struct mwa_map early; /* receives that reading ahead told the fate of: to their objects */
    struct mwa_held_sends held; /* only if the program cancels requests */
    struct pending_send *sends;
    uint64_t send_capacity;
    uint32_t send_count;
    uint32_t send_free; /* list of free elements, MWA_NONE: empty */
    uint64_t posted; /* receives, blocking ones too */
    uint64_t pending; /* receives */
    uint64_t most_pending;
    bool looked_ahead;
    bool paused;
    struct mwa_lookahead ahead;
};

struct mwa_matching {
    uint64_t begun;  /* sends that have a request */
    const struct mwa_trace *trace;
    struct mwa_input *input;
    struct mwa_matching_listener listener; /* all null: none */
    struct mwa_input *second; /* the same, to read ahead; opened when needed */
    struct rank_state *ranks;
    struct mwa_channels channels;
    bool cancels; /* the program calls MPI_Cancel */
    struct mwa_matching_result result;
    uint64_t cancelled_capacity;
    struct mw_diagnostic diagnostic;
};

/* Values in a rank's table of requests: an index of a send, or a number of a receive. */
#define REQUEST_IS_SEND (UINT64_C(1) << 63)

static inline enum mw_status mwa_matching_no_memory(struct mwa_matching *matching)
{
    return mw_no_memory(&matching->diagnostic, NULL, "to match messages");
}

static inline struct mwa_key mwa_matching_request_key(uint64_t request)
{
    return (struct mwa_key){ 0, request };
}

static inline struct receive *mwa_matching_receive_at(struct rank_state *state, uint64_t number)
{
    return &state->receives[number & (state->capacity - 1)];
}

/* --- matching.c --------------------------------------------------------------------------- */

/* Matches end, of the given side, with the oldest of the other side, or makes it wait. */
enum mw_status mwa_matching_meet(struct mwa_matching *matching, struct mwa_key channel,
                                 enum mwa_side side, const struct mwa_end *end) MW_MUST_CHECK;

/* Where sends, or receives, on comm count whose other end is not in the archive. */
uint64_t *mwa_matching_without(struct mwa_matching *matching, uint32_t comm, bool sends);

/* --- matching_sends.c --------------------------------------------------------------------- */

/* Hands on the sends of rank that are not held any more. */
enum mw_status mwa_matching_flush_sends(struct mwa_matching *matching,
                                        uint32_t rank) MW_MUST_CHECK;

/* A send of rank begins in call, which was entered at enter: fills send. */
enum mw_status mwa_matching_take_send(struct mwa_matching *matching, uint32_t rank,
                                      const struct mwa_event *event, uint64_t enter, void *call,
                                      struct pending_send *send) MW_MUST_CHECK;

/* The same of one with a request, which it is kept for. */
enum mw_status mwa_matching_take_isend(struct mwa_matching *matching, uint32_t rank,
                                       const struct mwa_event *event, uint64_t enter,
                                       void *call) MW_MUST_CHECK;

/* The request of the send kept at index is complete or cancelled. */
enum mw_status mwa_matching_end_send(struct mwa_matching *matching, uint32_t rank, uint32_t index,
                                     const struct mwa_event *event, void *call) MW_MUST_CHECK;

/* --- matching_receives.c ------------------------------------------------------------------ */

/* Hands on all receives before the first pending one. */
enum mw_status mwa_matching_flush_receives(struct mwa_matching *matching,
                                           uint32_t rank) MW_MUST_CHECK;

/* A receive of rank with a request is posted in call. */
enum mw_status mwa_matching_take_post(struct mwa_matching *matching, uint32_t rank,
                                      const struct mwa_event *event, void *call) MW_MUST_CHECK;

/* Appends a receive whose message is known already. */
enum mw_status mwa_matching_take_known(struct mwa_matching *matching, uint32_t rank,
                                       const struct mwa_event *event, uint64_t enter,
                                       void *call) MW_MUST_CHECK;

/* A posted receive is complete or cancelled; number is its place in the order. */
enum mw_status mwa_matching_resolve(struct mwa_matching *matching, uint32_t rank, uint64_t number,
                                    const struct mwa_event *event, void *call) MW_MUST_CHECK;

#endif
