#ifndef MWA_EXCHANGE_MATCHING_STATE_H
#define MWA_EXCHANGE_MATCHING_STATE_H

#include "analyzer/exchange/lookahead.h"
#include "analyzer/exchange/channels.h"
#include "analyzer/exchange/held_sends.h"
#include "analyzer/exchange/matching.h"
#include "analyzer/exchange/tails.h"
#include "analyzer/load/input.h"
#include "analyzer/load/quiet_requests.h"

/*
 * The state of matching, by rank, and what its parts do for each other: sends that may be
 * cancelled, receives in the order of posting, what was posted before the part of a run that is
 * followed or ends behind it, and in matching.c the channels on which they meet.
 */

enum receive_state { RECEIVE_PENDING, RECEIVE_KNOWN, RECEIVE_DROPPED };

/* A posted receive, in the order of posting; or a probe, where it was entered. */
struct receive {
    enum receive_state state;
    bool is_probe;    /* it only looks at the message */
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

/* A receive that was posted before the part of the run that is followed, and ends in it. */
struct carried_receive {
    const struct mwa_carried_request *what;
    void *object; /* the listener's */
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
    uint64_t begun;  /* sends that have a request */
    uint64_t unreceived; /* sends to the rank that no receive has met */
    uint64_t pending; /* receives */
    uint64_t most_pending;
    struct carried_receive *carried;
    uint64_t carried_count, carried_capacity;
    uint64_t carried_left; /* whose end is to come */
    struct mwa_map later;  /* time and request of receives that will be posted, and end behind the
                              part: to what they are */
    struct mwa_map taken;  /* channels of those that were posted: to the number of the first receive
                              that was posted later */
    bool puts_off; /* some of those were posted */
    bool looked_ahead;
    bool paused;
    struct mwa_lookahead ahead;
};

struct mwa_matching {
    const struct mwa_trace *trace;
    struct mwa_input *input;
    struct mwa_matching_listener listener; /* all null: none */
    struct mwa_input *second; /* the same, to read ahead; opened when needed */
    struct rank_state *ranks;
    struct mwa_channels channels;
    const struct mwa_beginnings *beginnings; /* null: all begin together */
    struct mwa_map early; /* of a channel of those: how many ends there were so far */
    struct mwa_tails *tails; /* that are to be kept; null: none */
    bool cancels; /* the program calls MPI_Cancel */
    bool is_apart; /* from what would be found who follows the whole run */
    struct mwa_matching_result result;
    uint64_t cancelled_capacity;
    struct mw_diagnostic diagnostic;
};

/* Values in a rank's table of requests: an index of a send, the place of a receive among those that
 * were posted before, or a number of a receive. */
#define REQUEST_IS_SEND    (UINT64_C(1) << 63)
#define REQUEST_IS_CARRIED (UINT64_C(1) << 62)

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

/* A probe finds the send that the next receive behind it gets, or waits for it. */
enum mw_status mwa_matching_look(struct mwa_matching *matching, struct mwa_key channel,
                                 const struct mwa_end *probe) MW_MUST_CHECK;

/* An end is left without its other half, which is before the record of its rank, or not told. */
enum mw_status mwa_matching_drop(struct mwa_matching *matching, struct mwa_key channel,
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

/* A receive of rank that is known, of that number, meets its send, or waits for it. */
enum mw_status mwa_matching_meet_receive(struct mwa_matching *matching, uint32_t rank,
                                         const struct receive *receive,
                                         uint64_t number) MW_MUST_CHECK;

/* A receive of rank with a request is posted in call. */
enum mw_status mwa_matching_take_post(struct mwa_matching *matching, uint32_t rank,
                                      const struct mwa_event *event, void *call) MW_MUST_CHECK;

/* Appends a probe, which was entered in call and knows what it found. */
enum mw_status mwa_matching_take_found(struct mwa_matching *matching, uint32_t rank,
                                       const struct mwa_event *event, void *call) MW_MUST_CHECK;

/* Appends a receive whose message is known already. */
enum mw_status mwa_matching_take_known(struct mwa_matching *matching, uint32_t rank,
                                       const struct mwa_event *event, uint64_t enter,
                                       void *call) MW_MUST_CHECK;

/*
 * A receive that was posted before the record of a ring's rank begins is complete. It comes before
 * all that are posted in it, and in which order is not known: it is left out, as what it received
 * is where records are held against each other (tails.h).
 */
enum mw_status mwa_matching_take_old(struct mwa_matching *matching, uint32_t rank,
                                     const struct mwa_event *event, uint64_t enter,
                                     void *call) MW_MUST_CHECK;

/* A posted receive is complete or cancelled; number is its place in the order. */
enum mw_status mwa_matching_resolve(struct mwa_matching *matching, uint32_t rank, uint64_t number,
                                    const struct mwa_event *event, void *call) MW_MUST_CHECK;

/* --- matching_carried.c ------------------------------------------------------------------- */

/* A receive of rank is posted: *is_later, and nothing is left to be done, if it ends behind the
 * part of the run. */
enum mw_status mwa_matching_put_off(struct mwa_matching *matching, uint32_t rank,
                                    const struct mwa_event *event, bool *is_later) MW_MUST_CHECK;

/* Whether a receive of that number overtakes one on its channel that ends behind the part. */
bool mwa_matching_overtakes(const struct rank_state *state, struct mwa_key channel,
                            uint64_t number);

/* A receive that was posted before the part is complete or cancelled. */
enum mw_status mwa_matching_end_carried(struct mwa_matching *matching, uint32_t rank,
                                        uint64_t number, const struct mwa_event *event,
                                        void *call) MW_MUST_CHECK;

void mwa_matching_carried_fini(struct rank_state *state);

#endif
