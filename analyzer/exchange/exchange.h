#ifndef MWA_EXCHANGE_EXCHANGE_H
#define MWA_EXCHANGE_EXCHANGE_H

#include "analyzer/exchange/matching.h"
#include "analyzer/model/event.h"
#include "analyzer/model/exchanged.h"
#include "formats/base/status.h"

/*
 * The exchange engine: follows all ranks together, matches messages, groups collectives, and
 * hands both, with the calls that made them, to any number of listeners in one pass. Give it to
 * a pass (struct mwa_pass, exchange), which feeds it.
 *
 * In memory is what is in flight: messages not received, collectives not left by all,
 * calls of a location that wait for what another location's record says. The latter are
 * at most MWA_EXCHANGE_AHEAD per location on average, or MWA_EXCHANGE_AHEAD_IN_ALL if that is more,
 * and what a round of the pass adds (analyzer/analysis/reading_order.h), which reads on others
 * where many of a location are held back; where that does not
 * suffice, what holds them back is read ahead of (lookahead.h), and beyond that the oldest is told
 * as it is, marked unresolved. What is told, and in which order for each location, depends on
 * the events and not on the order in which locations are read: lists of a call are sorted, and all
 * that is given up is so at the end of rounds.
 *
 * What listeners are told, and when. All pointers are good until the listener returns; calls and
 * messages that a listener still can reach from an object handed to it live, too.
 *
 * begin, end   every outermost MPI call. Per location in order: begin 1, end 1, begin 2 …
 *              Across locations causally: the end of a call that receives a message comes
 *              after the begin of the call that sent it, as does the end of a probe that blocks and
 *              found it; the end of a collective after the begins of those whose data it
 *              needs (of all: barriers, N×N, init, finalize,
 *              creation of communicators; at non-roots of Bcast, Scatter: of the root; at
 *              the root of Reduce, Gather: of all; where a member's sources are told: of
 *              these); the end of a call that waits for a post, complete or unlock after the
 *              begin of that (exchange_onesided.h). So each listener can compute clocks of
 *              locations as it goes. At begin, call->begun and joined are complete (but for
 *              non-blocking collectives, which are joined when they complete, and for posts,
 *              completes and unlocks, which are when somebody waits for them: their
 *              members' begin->note is all that reaches back); at end, received, found and
 *              finished.
 *              Marked unresolved: these rules could not be kept, for what a partner did is
 *              not in the archive (lost, died, filtered), or is cyclic by clocks that
 *              disagree.
 * message      each matched message, after the ends of both of its completing calls, and the
 *              begins of those that began it, which other threads may have made.
 *              Messages of a request that never completes come at the end of the pass.
 * collective   each instance, after the ends of all its members; incomplete ones at the end
 *              of the pass; of a post, complete or unlock after the end of who waited for it.
 * settled      nothing more will be told of which the call is a part; it came after its end.
 * gone         nor is anybody told to have waited for it (mwa_awaited_progress): of a call to which
 *              another one led by longer that may be much later.
 * round        what has been told so far is the same, whatever the order in which locations were
 *              read: limits of memory that lose something are kept here.
 *
 * What a call has found, and its lists (begun, received, completed, joined, finished), are good in
 * begin and end only.
 *
 * MPI_PROC_NULL is in no archive; messages to oneself are messages. Collectives on
 * communicators of one process are not told, and neither are ones on communicators that are
 * not defined. A listener with null for one of its functions does not want it.
 */

#define MWA_EXCHANGE_AHEAD        1024u
#define MWA_EXCHANGE_LONG         256u /* of a location: what holds them back is read ahead of */
#define MWA_EXCHANGE_AHEAD_IN_ALL 65536u

struct mwa_exchange_listener {
    void *user;
    enum mw_status (*begin)(void *user, struct mwa_exchange_call *call);
    enum mw_status (*end)(void *user, struct mwa_exchange_call *call);
    enum mw_status (*message)(void *user, struct mwa_message *message);
    enum mw_status (*collective)(void *user, struct mwa_collective *collective);
    void (*settled)(void *user, struct mwa_exchange_call *call);
    void (*gone)(void *user, struct mwa_exchange_call *call);
    enum mw_status (*round)(void *user);
    bool may_lag; /* it may be told by another thread, some time later (mwa_exchange_relay) */
};

/* Takes waypoints (analyzer/model/waypoint.h) in their place among what is told. */
struct mwa_waypoint;
struct mwa_thread_limit;
struct mwa_relay_waypoints {
    enum mw_status (*visit)(void *user, uint32_t location, const struct mwa_waypoint *waypoint);
    void *user;
};

/* What could not be told as it should; all 0 for an archive that is whole. */
struct mwa_exchange_result {
    uint64_t messages;               /* told */
    uint64_t messages_incomplete;    /* told without one of the completing calls */
    uint64_t collectives;            /* told, all kinds */
    uint64_t collectives_incomplete; /* members are missing: lost, died, filtered */
    uint64_t calls_unresolved;
    uint32_t seen_kinds; /* of events inside of calls: 1 << enum mwa_event_kind, */
    uint32_t seen_steps; /* and of these on windows: 1 << enum mwa_onesided_step */
};

struct mwa_exchange;

/*
 * Makes an engine for trace, which must outlive it, with count listeners, which are copied; input,
 * which has that trace, can be shared to read ahead (see matching.h); null: of a run that goes on.
 * Communicators and groups may come to trace then, but what waits for one to be made is not told.
 *
 * \return MW_OK and *exchange, to be freed with mwa_exchange_destroy. MW_ERROR_MEMORY.
 */
enum mw_status mwa_exchange_create(const struct mwa_trace *trace, struct mwa_input *input,
                                   const struct mwa_exchange_listener *listeners, uint32_t count,
                                   struct mwa_exchange **exchange,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
/*
 * From now on, before any event, listeners that may lag are told by a thread of their own, and so
 * are waypoints: until mwa_exchange_finish returns, or the engine gives something up. It works
 * within limit (analyzer/model/thread_limit.h), as the caller does, and is handed as much at a time
 * as there is room for (relay_room.h). Without memory or a thread for that all is as before.
 */
void mwa_exchange_relay(struct mwa_exchange *exchange, uint32_t room,
                        struct mwa_thread_limit *limit,
                        const struct mwa_relay_waypoints *waypoints);

/* Whether there is such a thread; and has it tell a waypoint, which the caller does otherwise. */
bool mwa_exchange_relays(const struct mwa_exchange *exchange);
void mwa_exchange_waypoint(struct mwa_exchange *exchange, uint32_t location,
                           const struct mwa_waypoint *waypoint);

/* Ends of messages and collectives are added to tails, which must outlive it, before any event. */
struct mwa_tails;
void mwa_exchange_keep_tails(struct mwa_exchange *exchange, struct mwa_tails *tails);
void mwa_exchange_destroy(struct mwa_exchange *exchange);

/*
 * What a pass tells the engine: an outermost MPI call of location is entered, within regions
 * of the program (null: in none, or they are not told), at a site (index; MWA_NONE: not told), and
 * left; an event lies inside of the call entered last, or outside of all; location will say nothing
 * before time (UINT64_MAX: it is through).
 *
 * \return MW_OK, MW_ERROR_MEMORY, what a listener returned, or how reading ahead failed: see
 * mwa_exchange_diagnostic.
 */
enum mw_status mwa_exchange_enter(struct mwa_exchange *exchange, uint32_t location,
                                  const struct mwa_region *region,
                                  const struct mwa_region_path *within, uint32_t site,
                                  uint64_t time) MW_MUST_CHECK;
/* What location does now, a call of region at site, goes on with the call that it has entered
 * last, which it has not left: all these are one (exchanged.h, is_row). outside: ticks between
 * them, so far. */
void mwa_exchange_go_on(struct mwa_exchange *exchange, uint32_t location,
                        const struct mwa_region *region, uint32_t site, uint64_t outside);
/* The call that location has entered last, at time, is a probe: what it found. Returns as
 * mwa_exchange_enter. */
enum mw_status mwa_exchange_found(struct mwa_exchange *exchange, uint32_t location, uint64_t time,
                                  const struct mwa_found_data *found) MW_MUST_CHECK;
/* What the call that location has entered last, and that is left next, takes its time for. */
void mwa_exchange_use(struct mwa_exchange *exchange, uint32_t location, enum mwa_use use);
/* The call that location has entered last opens a chapter, or closes one (exchanged.h). */
void mwa_exchange_at_seam(struct mwa_exchange *exchange, uint32_t location, bool opens,
                          bool closes);
enum mw_status mwa_exchange_event(struct mwa_exchange *exchange,
                                  const struct mwa_event *event) MW_MUST_CHECK;
enum mw_status mwa_exchange_leave(struct mwa_exchange *exchange, uint32_t location, uint64_t time,
                                  bool open) MW_MUST_CHECK;
enum mw_status mwa_exchange_advance(struct mwa_exchange *exchange, uint32_t location,
                                    uint64_t time) MW_MUST_CHECK;

/* What went wrong when one of these failed; status is MW_OK if a listener said so. */
const struct mw_diagnostic *mwa_exchange_diagnostic(const struct mwa_exchange *exchange);

/*
 * A round of the pass is over: all locations have been read to places that do not depend on the
 * order within. What takes too much memory is given up here, and nowhere else. Returns as
 * mwa_exchange_event.
 */
enum mw_status mwa_exchange_round(struct mwa_exchange *exchange) MW_MUST_CHECK;

/* So many calls of all locations, and some more within a round, may be held back until they are
 * told as they are; and so many are. */
uint64_t mwa_exchange_room(const struct mwa_exchange *exchange);
uint64_t mwa_exchange_room_taken(const struct mwa_exchange *exchange);

/* Calls that location has left, and of which not all was told: they wait for what others do. */
uint32_t mwa_exchange_held(const struct mwa_exchange *exchange, uint32_t location);

/* Messages that were sent to location, and that it has not received so far; of a rank with several
 * locations each has the same share. */
uint64_t mwa_exchange_unreceived(const struct mwa_exchange *exchange, uint32_t location);

/*
 * Whether all was told of calls that were entered up to until, as far as they were read: what comes
 * changes nothing of it. Takes as long as it takes to look at all that is in flight.
 */
bool mwa_exchange_is_settled(const struct mwa_exchange *exchange, uint64_t until);

/*
 * Whose recording was paused in a chapter matters for those behind it, too: flags, one per rank,
 * not 0 of those. paused sets them once an engine has taken all its events, and leaves all others
 * as they are; carry gives them to the engine of a later chapter, before it is finished.
 */
void mwa_exchange_paused(const struct mwa_exchange *exchange, uint8_t *paused);
void mwa_exchange_carry(struct mwa_exchange *exchange, const uint8_t *paused);

/*
 * Tells the engine of a part of a run, before any event, which requests are open where it begins
 * and where it ends (null: with the run), which live as long as it. Returns as mwa_exchange_event.
 */
struct mwa_reading_start;
enum mw_status mwa_exchange_carry_requests(struct mwa_exchange *exchange,
                                           const struct mwa_reading_start *start,
                                           const struct mwa_reading_start *next) MW_MUST_CHECK;

/*
 * Whether a round has given anything up for want of memory: who follows another part of the run, by
 * other rounds, may have kept it. Or something else has become of requests than was told.
 */
bool mwa_exchange_has_given_up(const struct mwa_exchange *exchange);

/* Per rank: the messages that it has begun to send. */
const uint64_t *mwa_exchange_sent(const struct mwa_exchange *exchange);

/*
 * All events were taken: tells what is left. *matching is to be freed with
 * mwa_matching_result_fini in any case. Returns as mwa_exchange_event.
 */
enum mw_status mwa_exchange_finish(struct mwa_exchange *exchange,
                                   struct mwa_matching_result *matching,
                                   struct mwa_exchange_result *result) MW_MUST_CHECK;

/*
 * Adds what an engine has told of a later chapter (analyzer/load/chapters.h): into is then as
 * if one had told both (all zero: nothing as yet). At seams, 1 if into has a chapter already, there
 * is a collective that both have told.
 */
void mwa_exchange_result_add(struct mwa_exchange_result *into,
                             const struct mwa_exchange_result *from, uint64_t seams);

#endif
