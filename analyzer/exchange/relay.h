#ifndef MWA_EXCHANGE_RELAY_H
#define MWA_EXCHANGE_RELAY_H

#include "analyzer/exchange/audience.h"
#include "analyzer/model/thread_limit.h"
#include "analyzer/model/waypoint.h"

/*
 * What the engine tells, told to listeners by a thread of their own: the same in the same order,
 * while the engine goes on. What was told of stays where it is until they have heard of it.
 *
 * Listeners know nothing but what was settled when it was told, as whatever the engine has read
 * since might have been read before. It is not so where the engine gives something up: before that
 * the relay has to come to its end.
 *
 * All is for the engine's thread, but for what listeners are told.
 */

/* What is told; of objects at addresses that are multiples of 8. */
enum mwa_relayed {
    MWA_RELAYED_BEGIN, /* a call */
    MWA_RELAYED_END,
    MWA_RELAYED_SETTLED,
    MWA_RELAYED_GONE,
    MWA_RELAYED_MESSAGE,
    MWA_RELAYED_COLLECTIVE,
    MWA_RELAYED_ROUND,   /* nothing */
    MWA_RELAYED_WAYPOINT /* see mwa_relay_waypoint */
};

struct mwa_relay;

/* Who has something told: release frees what was told of when nobody needs it any more. */
struct mwa_relay_source {
    void *exchange;
    void (*release)(void *exchange, enum mwa_relayed what, void *object);
    struct mwa_relay_waypoints waypoints;
};

/*
 * Starts a relay to those of count listeners, which must outlive it, that may lag, and for their
 * waypoints, by a thread that works within limit, as the caller does. It hands on as much as there
 * is room for (relay_room.h); mwa_relay_end ends it. Null: there is no memory, or no thread.
 */
struct mwa_relay *mwa_relay_start(const struct mwa_exchange_listener *listeners, uint32_t count,
                                  uint32_t room, struct mwa_thread_limit *limit,
                                  const struct mwa_relay_source *source);

/* Tells object. Nobody is told any more when a listener has failed. */
void mwa_relay_tell(struct mwa_relay *relay, enum mwa_relayed what, void *object);
void mwa_relay_waypoint(struct mwa_relay *relay, uint32_t location,
                        const struct mwa_waypoint *waypoint);

/* What a listener has returned some time before; MW_OK: nothing else. */
enum mw_status mwa_relay_status(const struct mwa_relay *relay);

/* Object is to be freed when all that was told so far has been heard: a call that is GONE, a
 * MESSAGE or a COLLECTIVE. */
void mwa_relay_release(struct mwa_relay *relay, enum mwa_relayed what, void *object);

/* All that was told is heard when it returns, and the relay is no more. As mwa_relay_status. */
enum mw_status mwa_relay_end(struct mwa_relay *relay);

#endif
