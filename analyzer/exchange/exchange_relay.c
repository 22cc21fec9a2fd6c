/* The engine's side of its relay: which listeners are told at once changes with it. */
#include "analyzer/exchange/exchange_engine.h"

#include <stdlib.h>

/* Frees what the relay's listeners have heard of. */
static void release(void *user, enum mwa_relayed what, void *object)
{
    struct mwa_exchange *exchange = user;

    switch (what) {
    case MWA_RELAYED_MESSAGE:
        mwa_pool_give(&exchange->messages, object);
        break;
    case MWA_RELAYED_COLLECTIVE:
        free(object);
        break;
    default:
        mwa_pool_give(&exchange->calls, object);
        break;
    }
}

void mwa_exchange_relay(struct mwa_exchange *exchange, uint32_t room,
                        struct mwa_thread_limit *limit,
                        const struct mwa_relay_waypoints *waypoints)
{
    const struct mwa_relay_source source = { exchange, release, *waypoints };
    struct mwa_audience near;

    if (!mwa_audience_init(&near, MWA_AUDIENCE_NEAR, exchange->listeners,
                           exchange->listener_count)) {
        return;
    }
    exchange->relay = mwa_relay_start(exchange->listeners, exchange->listener_count, room, limit,
                                      &source);
    if (exchange->relay) {
        mwa_audience_fini(&exchange->near);
        exchange->near = near;
    } else {
        mwa_audience_fini(&near);
    }
}

enum mw_status mwa_exchange_end_relay(struct mwa_exchange *exchange)
{
    struct mwa_relay *relay = exchange->relay;
    enum mw_status status;

    if (!relay) {
        return MW_OK;
    }
    exchange->relay = NULL;
    status = mwa_relay_end(relay);
    mwa_audience_fini(&exchange->near);
    return mwa_audience_init(&exchange->near, MWA_AUDIENCE_ALL, exchange->listeners,
                             exchange->listener_count)
               ? status
               : mw_no_memory(&exchange->diagnostic, NULL, "to follow messages");
}

bool mwa_exchange_relays(const struct mwa_exchange *exchange)
{
    return exchange->relay != NULL;
}

void mwa_exchange_waypoint(struct mwa_exchange *exchange, uint32_t location,
                           const struct mwa_waypoint *waypoint)
{
    mwa_relay_waypoint(exchange->relay, location, waypoint);
}
