#ifndef MWA_EXCHANGE_EXCHANGE_ENGINE_H
#define MWA_EXCHANGE_EXCHANGE_ENGINE_H

#include "analyzer/exchange/exchange.h"
#include "analyzer/exchange/exchange_onesided.h"
#include "analyzer/exchange/lineup.h"
#include "analyzer/exchange/ordering.h"
#include "analyzer/exchange/relay.h"
#include "analyzer/load/positions.h"
#include "analyzer/model/pool.h"

/*
 * The exchange engine's state, and what its parts do for each other: exchange.c takes what the
 * pass and matching tell, exchange_steps.c tells the listeners when its time has come, with
 * lists that exchange_lists.c has put in order; exchange_probes.c has what probes find,
 * exchange_carried.c what a part of a run begins and ends with, exchange_finish.c what is told when
 * no event is to come, exchange_relay.c listeners that are
 * told by another thread. What calls have to wait for is
 * found by kind: collectives by exchange_groups.c, exchange_collectives.c, exchange_posts.c and
 * exchange_sources.c; one-sided communication (exchange_onesided.h) by exchange_held.c,
 * exchange_notices.c, exchange_locks.c and exchange_epochs.c.
 */

/* Calls of a location, from the first whose end was not told. */
struct mwa_exchange_place {
    struct mwa_exchange_call *current; /* being made, as far as was read */
    struct mwa_exchange_call *first;
    struct mwa_exchange_call *last;
    struct mwa_exchange_call *latest; /* that was left, of those by which messages can move; null:
                                         there was none, or no request is open, and it was no
                                         operation with a root */
    uint64_t left; /* when the last such one was; 0: there was none */
    uint64_t rows;     /* of operations with a root, also empty ones, that have ended */
    uint64_t meetings; /* of all ranks that were left */
    uint32_t open; /* sends and receives that were begun here and have not ended; of a rank with
                      several threads, whose events wait for their turn, always some */
    uint32_t queued;
    uint32_t next_ready;
    bool is_ready;
    bool were_open; /* some, when the current call was entered */
    bool lets_go_late; /* its calls: struct mwa_exchange_call */
};

/* A receive that is not both matched and complete. */
struct mwa_exchange_receive {
    uint64_t received_at;           /* first: a pool's to write over */
    struct mwa_exchange_call *post; /* null: the receive is over */
    struct mwa_exchange_call *completion; /* null: not yet */
    struct mwa_message *message;          /* null: not yet */
    uint64_t posted_at;
};

/* A non-blocking collective in the order of posting on its rank. */
struct mwa_exchange_post {
    struct mwa_exchange_call *begin;
    struct mwa_exchange_call *end; /* null: not complete */
    struct mwa_collective_data data;
    uint64_t time; /* of its completion, ticks */
};

/* A rank's place in an instance: what that is like, and the position among its members; MWA_NONE:
 * in none. */
struct mwa_exchange_seat {
    struct mwa_collective like;
    uint32_t position;
};

struct mwa_exchange_posts {
    struct mwa_exchange_post *items; /* numbers first to first + count are items[number - base] */
    uint64_t capacity;
    uint64_t base;
    uint64_t first;
    uint64_t count;
};

struct mwa_exchange_groups {
    struct mwa_map instances; /* to struct mwa_collective */
    struct mwa_map sequences; /* per rank, communicator, kind: how many there were */
    struct mwa_map requests;  /* rank and request to number of the post */
    struct mwa_map reserved;  /* the same, of those that are read ahead of: to what they have */
    struct mwa_map creations; /* parent and sequence to what one call created: the first of the
                                 communicators << 32 | members of all */
    struct mwa_map sources;   /* communicator and group to struct mwa_sources */
    uint64_t source_ranks;      /* looked at to make them */
    struct mwa_exchange_posts *posts; /* per rank */
    struct mwa_positions positions;
    struct mwa_collective *oldest;
    struct mwa_collective *youngest;
    uint64_t bytes; /* of all instances */
};

struct mwa_exchange {
    const struct mwa_trace *trace;
    struct mwa_matching *matching;
    struct mwa_tails *tails; /* that are to be kept; null: none */
    struct mwa_ordering *ordering;
    struct mwa_pool calls;
    struct mwa_pool messages;
    struct mwa_pool receives;
    struct mwa_exchange_place *places; /* per location */
    uint32_t ready;                    /* list of locations that may go on, MWA_NONE: empty */
    bool has_forced;
    struct mwa_lineup by_leave;        /* if so: by the leave of their first call */
    bool has_given_up;                 /* a call, or a collective, since there were too many */
    uint64_t queued;                   /* calls */
    uint64_t *sent; /* per rank: messages so far */
    uint64_t sends_that_end_later; /* begun in the part of the run, complete behind it */
    struct mwa_exchange_groups groups;
    struct mwa_exchange_onesided onesided;
    void **sorting;            /* a list that is put in order */
    uint64_t sorting_capacity;
    struct mwa_exchange_result result;
    struct mw_diagnostic diagnostic;
    struct mwa_relay *relay; /* null: all listeners are told at once */
    struct mwa_audience near; /* those that are */
    uint32_t listener_count;
    struct mwa_exchange_listener listeners[];
};

/* --- exchange.c --------------------------------------------------------------------------- */

/* receive is over: frees it. */
void mwa_exchange_forget_receive(struct mwa_exchange *exchange,
                                 struct mwa_exchange_receive *receive);

/* --- exchange_steps.c --------------------------------------------------------------------- */

/* For the locations of trace, to be freed; null without memory. */
struct mwa_exchange_place *mwa_exchange_make_places(const struct mwa_trace *trace);

/* Notes of call, of which event is one, whether in it all ranks meet, or its rank is alone. */
void mwa_exchange_note_members(const struct mwa_trace *trace, const struct mwa_event *event,
                               struct mwa_exchange_call *call);

/* Starts a call of location; null without memory. */
struct mwa_exchange_call *mwa_exchange_start(struct mwa_exchange *exchange, uint32_t location,
                                             const struct mwa_region *region, uint64_t time);

/* The current call of location is left: it takes its place in the queue. */
void mwa_exchange_stop(struct mwa_exchange *exchange, uint32_t location, uint64_t time, bool open);
/* Nobody will ask any more what locations did last. */
void mwa_exchange_forget_latest(struct mwa_exchange *exchange);

/* One of the reasons to hold back call's end is gone. */
void mwa_exchange_decide(struct mwa_exchange *exchange, struct mwa_exchange_call *call);

/* An event of call has been taken in the order of its rank. */
void mwa_exchange_ordered(struct mwa_exchange *exchange, struct mwa_exchange_call *call);

/*
 * Tell what can be told (telling_order.h); the latter all of it, and as many more as it takes,
 * unresolved, for no more than limit calls to be held back. Return as mwa_exchange_event.
 */
enum mw_status mwa_exchange_drain(struct mwa_exchange *exchange) MW_MUST_CHECK;
enum mw_status mwa_exchange_drain_to(struct mwa_exchange *exchange, uint64_t limit) MW_MUST_CHECK;

/* message, which has all of its receive, is told behind the begin of the call that posted that,
 * which another thread may have completed before. */
void mwa_exchange_await_post(struct mwa_message *message);

/* Tells message if its time has come. */
enum mw_status mwa_exchange_try_message(struct mwa_exchange *exchange,
                                        struct mwa_message *message) MW_MUST_CHECK;
enum mw_status mwa_exchange_tell_message(struct mwa_exchange *exchange,
                                         struct mwa_message *message) MW_MUST_CHECK;

void mwa_exchange_release_call(struct mwa_exchange *exchange, struct mwa_exchange_call *call);
void mwa_exchange_release_message(struct mwa_exchange *exchange, struct mwa_message *message);

/* --- exchange_probes.c -------------------------------------------------------------------- */

/* What matching tells of probes (struct mwa_matching_listener). */
enum mw_status mwa_exchange_probed(void *exchange, void *call, void **probe) MW_MUST_CHECK;
enum mw_status mwa_exchange_probe_found(void *exchange, void *send, void *probe) MW_MUST_CHECK;

/* The send of message has begun: probes that found it need not wait for that any more. */
void mwa_exchange_sent_begun(struct mwa_exchange *exchange, struct mwa_message *message);

/* --- exchange_relay.c --------------------------------------------------------------------- */

/* What was told is heard, and all that will be is told at once. Returns as mwa_exchange_event. */
enum mw_status mwa_exchange_end_relay(struct mwa_exchange *exchange) MW_MUST_CHECK;

/* --- exchange_lists.c --------------------------------------------------------------------- */

/* Puts what call receives and finishes in an order of its own. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_exchange_sort_lists(struct mwa_exchange *exchange,
                                       struct mwa_exchange_call *call) MW_MUST_CHECK;

/* --- exchange_groups.c -------------------------------------------------------------------- */

bool mwa_exchange_groups_init(struct mwa_exchange *exchange);
void mwa_exchange_groups_fini(struct mwa_exchange *exchange);

/* The instance with like's key, made like like if it is new; null without memory. */
struct mwa_collective *mwa_exchange_instance(struct mwa_exchange *exchange,
                                             const struct mwa_collective *like);

/* part is the member at position of the instance with like's key. */
enum mw_status mwa_exchange_join(struct mwa_exchange *exchange,
                                 const struct mwa_collective *like, uint32_t position,
                                 const struct mwa_exchange_post *part) MW_MUST_CHECK;

/* Says that there is none to follow collective operations. */
enum mw_status mwa_exchange_no_memory(struct mwa_exchange *exchange);

/* A fence has become local, which it stays: those that waited go on. Once. */
void mwa_exchange_groups_became_local(struct mwa_exchange *exchange,
                                      struct mwa_collective *collective);

/* member's call was begun; its end was told. */
void mwa_exchange_groups_begun(struct mwa_exchange *exchange, struct mwa_member *member);
enum mw_status mwa_exchange_groups_ended(struct mwa_exchange *exchange,
                                         struct mwa_member *member) MW_MUST_CHECK;

/* A round of the pass is over: gives up instances that take too much memory. */
enum mw_status mwa_exchange_groups_round(struct mwa_exchange *exchange) MW_MUST_CHECK;

/* Tells instances that are not complete. */
enum mw_status mwa_exchange_groups_finish(struct mwa_exchange *exchange) MW_MUST_CHECK;

/* --- exchange_collectives.c --------------------------------------------------------------- */

/* Takes an event of a collective or of a new communicator in the order of its rank. */
enum mw_status mwa_exchange_groups_take(struct mwa_exchange *exchange, uint32_t rank,
                                        const struct mwa_event *event,
                                        struct mwa_exchange_call *call) MW_MUST_CHECK;

/* A collective of one rank is known: it gets the next number, and a place among its like. */
enum mw_status mwa_exchange_find_seat(struct mwa_exchange *exchange,
                                      const struct mwa_exchange_post *part, bool nonblocking,
                                      struct mwa_exchange_seat *seat) MW_MUST_CHECK;
/* It takes that; and both together. */
enum mw_status mwa_exchange_take_seat(struct mwa_exchange *exchange,
                                      const struct mwa_exchange_seat *seat,
                                      const struct mwa_exchange_post *part) MW_MUST_CHECK;
enum mw_status mwa_exchange_take_part(struct mwa_exchange *exchange,
                                      const struct mwa_exchange_post *part,
                                      bool nonblocking) MW_MUST_CHECK;

/* A call is MPI_Init or MPI_Finalize. */
enum mw_status mwa_exchange_groups_ends(struct mwa_exchange *exchange,
                                        struct mwa_exchange_call *call) MW_MUST_CHECK;

/* How many members each creation of communicators has; false without memory. */
bool mwa_exchange_count_creations(struct mwa_exchange *exchange);

/* --- exchange_posts.c --------------------------------------------------------------------- */

/* A non-blocking collective of rank is posted in call; the one of event is complete in call. */
enum mw_status mwa_exchange_post(struct mwa_exchange *exchange, uint32_t rank, uint64_t request,
                                 struct mwa_exchange_call *call) MW_MUST_CHECK;
enum mw_status mwa_exchange_complete(struct mwa_exchange *exchange, uint32_t rank,
                                     const struct mwa_event *event,
                                     struct mwa_exchange_call *call) MW_MUST_CHECK;

/* Reads ahead of ranks where some wait for one that was posted before them. */
enum mw_status mwa_exchange_posts_look_ahead(struct mwa_exchange *exchange) MW_MUST_CHECK;

/* No completion is to come: those that are complete wait for none that are not. */
enum mw_status mwa_exchange_posts_finish(struct mwa_exchange *exchange) MW_MUST_CHECK;
void mwa_exchange_posts_fini(struct mwa_exchange *exchange);

/* --- exchange_sources.c ------------------------------------------------------------------- */

/*
 * Tells in *sources where the ranks of group, null for none, are among the members of comm; null
 * if they can't be said. MW_OK, MW_ERROR_MEMORY without a diagnostic.
 */
enum mw_status mwa_exchange_sources_find(struct mwa_exchange *exchange, uint32_t comm,
                                         const struct mwa_group *group,
                                         const struct mwa_sources **sources) MW_MUST_CHECK;
void mwa_exchange_sources_fini(struct mwa_exchange *exchange);

/* Whether all of member's sources have begun. */
bool mwa_exchange_sources_are_served(struct mwa_member *member);

/* Notes that member, which waits, is to be looked at when the next of its sources begins. */
void mwa_exchange_sources_watch(struct mwa_member *member);

/* member has begun: those that waited for nobody else don't any more. */
void mwa_exchange_sources_begun(struct mwa_exchange *exchange, struct mwa_member *member);

#endif
