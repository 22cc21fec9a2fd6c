#ifndef MWA_EXCHANGE_MATCHING_H
#define MWA_EXCHANGE_MATCHING_H

#include "analyzer/model/event.h"
#include "analyzer/model/trace.h"
#include "formats/base/status.h"

/*
 * Which receive got which send. MPI's rule: messages of one channel (communicator,
 * source, destination, tag) do not overtake each other, so the n-th send initiated on it
 * is received by the n-th receive posted that matches it. Sends are taken at their
 * MpiSend or MpiIsend, receives where they were posted: MpiRecv at its Enter, MpiIrecv at
 * its MpiIrecvRequest.
 *
 * A probe that blocks looks at what the next receive gets that matches it and is posted behind it:
 * it stands in their order where it was entered, and takes no message.
 *
 * A posted receive does not say which channel it will belong to, so receives posted later
 * on the same rank wait for it. When they become many, that is, when a receive stays
 * pending for long, or hold more calls back than there is room for, the rank's events are
 * read ahead once to see what became of the few receives that do
 * (analyzer/analysis/lookahead.h). Memory is bounded by the messages in flight, those never
 * matched included.
 *
 * A send that is cancelled after it was matched gives its receive to the next send of
 * the channel: counts stay exact, the times compared for that receive don't.
 */

/* Why an end of a message has no partner, as far as the other rank's record tells. */
#define MWA_UNMATCHED_LIST(REASON)                                                      \
    REASON(PAUSED, "paused")         /* recording was paused there at some time */      \
    REASON(INCOMPLETE, "incomplete") /* its record ends early, or there is none */      \
    REASON(LOST, "lost")             /* the recorder lost events there */               \
    REASON(UNDEFINED, "undefined")   /* the communicator or the peer is not defined */  \
    REASON(UNKNOWN, "unknown")

enum mwa_unmatched_reason {
#define MWA_CONSTANT(constant, name) MWA_UNMATCHED_##constant,
    MWA_UNMATCHED_LIST(MWA_CONSTANT)
#undef MWA_CONSTANT
    MWA_UNMATCHED_REASONS
};

/* A send that never was: analyses that count sends take it out again. */
struct mwa_cancelled_send {
    uint32_t from; /* world ranks; to may be MWA_NONE */
    uint32_t to;
    uint32_t comm;
    uint64_t bytes;
};

struct mwa_matching_result {
    uint64_t sends;    /* initiated and not cancelled */
    uint64_t receives; /* completed with a message */
    uint64_t matched;
    uint64_t unmatched_sends;
    uint64_t unmatched_receives;
    uint64_t sends_without[MWA_UNMATCHED_REASONS];
    uint64_t receives_without[MWA_UNMATCHED_REASONS];
    uint64_t other_job_sends; /* to a rank of another job, whose archive has the receive */
    uint64_t other_job_receives;
    uint64_t pending_receives; /* posted, and neither completed nor cancelled */
    uint64_t cancelled;        /* sends and receives */
    uint64_t clock_violations; /* matched, but received before the send began */
    uint64_t clock_violation_max_ns;
    uint64_t size_mismatches;  /* matched, with different numbers of bytes */
    struct mwa_cancelled_send *cancelled_sends;
    uint64_t cancelled_send_count;
};

/*
 * Who wants to know of each message. call is what came with the event: see ordering.h.
 * Objects are the listener's, and may be null. Each function returns MW_OK, MW_ERROR_MEMORY
 * or what mwa_matching_take is to return.
 */
struct mwa_matching_listener {
    void *user;

    /* A send begins: event is MWA_SEND or MWA_ISEND. */
    enum mw_status (*sent)(void *user, void *call, uint32_t rank, const struct mwa_event *event,
                           void **send);
    /* It is complete. */
    enum mw_status (*send_ended)(void *user, void *call, void *send);
    /* It was cancelled; it may have been matched, with a receive that gets another send. */
    enum mw_status (*send_cancelled)(void *user, void *send);

    /* A receive is posted, at time; a blocking one when it is received. */
    enum mw_status (*posted)(void *user, void *call, uint32_t rank, uint64_t time,
                             void **receive);
    /* It is complete: event has the message. */
    enum mw_status (*received)(void *user, void *call, void *receive,
                               const struct mwa_event *event);
    /* A probe that blocks was entered in call: what it finds is told by found. */
    enum mw_status (*probed)(void *user, void *call, void **probe);
    /* It found the message of send, which another call receives, or none. */
    enum mw_status (*found)(void *user, void *send, void *probe);

    /* It was cancelled, will never complete, or has no channel: nothing more comes of it, nor of a
     * probe. */
    enum mw_status (*receive_dropped)(void *user, void *receive);

    /*
     * A send and a receive belong together; a null receive takes a cancelled send's place,
     * and leaves its own message unknown. Before received, if the receive is a long one.
     */
    enum mw_status (*matched)(void *user, void *send, void *receive);
};

struct mwa_input;
struct mwa_matching;

/*
 * Matches the events of trace, which must outlive it, as must input, which has that trace and is
 * shared to read ahead; null: what is to come can't be read, and receives posted later wait for one
 * that stays pending. listener, which is copied, may be null.
 *
 * \return MW_OK and *matching, to be freed with mwa_matching_destroy. MW_ERROR_MEMORY.
 */
enum mw_status mwa_matching_create(const struct mwa_trace *trace, struct mwa_input *input,
                                   const struct mwa_matching_listener *listener,
                                   struct mwa_matching **matching,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_matching_destroy(struct mwa_matching *matching);

/* Ends of messages are added to tails, which must outlive it, before any event. */
struct mwa_tails;
void mwa_matching_keep_tails(struct mwa_matching *matching, struct mwa_tails *tails);

/* What ranks began before others did: it has no other half. Null: nothing. */
struct mwa_beginnings;
const struct mwa_beginnings *mwa_matching_beginnings(const struct mwa_matching *matching);

/*
 * What is open where the part of a run that is followed begins, or ends, told before any event;
 * what has to live as long as the matching does.
 *
 * begin_with: a receive that was posted before the part, in call, and ends in it. end_with, after
 * those: one that ends behind it; is_begun: it was posted before, else it will be.
 *
 * \return MW_OK, MW_ERROR_MEMORY, what the listener returned.
 */
struct mwa_carried_request;
enum mw_status mwa_matching_begin_with(struct mwa_matching *matching, uint32_t rank,
                                       const struct mwa_carried_request *what,
                                       void *call) MW_MUST_CHECK;
enum mw_status mwa_matching_end_with(struct mwa_matching *matching, uint32_t rank,
                                     const struct mwa_carried_request *what,
                                     bool is_begun) MW_MUST_CHECK;

/* All events of the part were taken: whether something else became of what it was told to begin and
 * to end with, so that the run has to be followed as a whole. */
bool mwa_matching_is_apart(const struct mwa_matching *matching);

/*
 * Takes the next event of rank in order of initiation (an mwa_ordered_visit; user is the
 * matching).
 *
 * \return MW_OK, MW_ERROR_MEMORY, what the listener returned, or how reading ahead failed:
 * see mwa_matching_diagnostic.
 */
enum mw_status mwa_matching_take(void *matching, uint32_t rank, const struct mwa_event *event,
                                 uint64_t enter, void *call) MW_MUST_CHECK;

/* Whether receives of rank wait for one that was posted before them, or sends for one that may be
 * cancelled. */
bool mwa_matching_holds(const struct mwa_matching *matching, uint32_t rank);

/* Whether many sends are held, or receives, if these are asked for, wait for a long one
 * (lookahead.h), as far as it is known. */
bool mwa_matching_holds_long(const struct mwa_matching *matching, uint32_t rank, bool receives);

/*
 * Reads ahead of rank, if it has not and there is an input, and goes on. Returns as
 * mwa_matching_take. What was read, as long as the matching lives; null: nothing was.
 */
struct mwa_lookahead;
enum mw_status mwa_matching_look_ahead(struct mwa_matching *matching,
                                       uint32_t rank) MW_MUST_CHECK;
const struct mwa_lookahead *mwa_matching_ahead(const struct mwa_matching *matching,
                                               uint32_t rank);

/* Sends to rank that no receive has met so far. */
uint64_t mwa_matching_unreceived(const struct mwa_matching *matching, uint32_t rank);

/* What went wrong in mwa_matching_take. */
const struct mw_diagnostic *mwa_matching_diagnostic(const struct mwa_matching *matching);

/*
 * Who goes on where others have ended takes over which ranks were paused: flags, one per rank, not
 * 0 of those that were. paused sets them, and leaves all others as they are.
 */
void mwa_matching_paused(const struct mwa_matching *matching, uint8_t *paused);
void mwa_matching_carry(struct mwa_matching *matching, const uint8_t *paused);

/*
 * All events were taken: what is left is unmatched. MW_OK, MW_ERROR_MEMORY. The result is
 * to be freed with mwa_matching_result_fini in any case.
 */
enum mw_status mwa_matching_finish(struct mwa_matching *matching,
                                   struct mwa_matching_result *result) MW_MUST_CHECK;

/*
 * Adds what matching has found in a later part of the run, before which all was matched: into is
 * then as if one had taken both (all zero: nothing as yet). from, of which the list may be taken,
 * is to be freed as before. MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_matching_result_add(struct mwa_matching_result *into,
                                       struct mwa_matching_result *from) MW_MUST_CHECK;
void mwa_matching_result_fini(struct mwa_matching_result *result);

#endif
