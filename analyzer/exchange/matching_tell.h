#ifndef MWA_EXCHANGE_MATCHING_TELL_H
#define MWA_EXCHANGE_MATCHING_TELL_H

#include "analyzer/exchange/matching.h"

/* What matching tells its listener, if there is one. Each returns what that returned. */

/* A receive is posted at time: *receive becomes the listener's object. */
static inline enum mw_status mwa_tell_posted(const struct mwa_matching_listener *listener,
                                             void *call, uint32_t rank, uint64_t time,
                                             void **receive)
{
    return listener->posted ? listener->posted(listener->user, call, rank, time, receive) : MW_OK;
}

static inline enum mw_status mwa_tell_received(const struct mwa_matching_listener *listener,
                                               void *call, void *receive,
                                               const struct mwa_event *event)
{
    return listener->received && receive
               ? listener->received(listener->user, call, receive, event)
               : MW_OK;
}

/* A probe that blocks is entered: *probe becomes the listener's object. */
static inline enum mw_status mwa_tell_probed(const struct mwa_matching_listener *listener,
                                             void *call, void **probe)
{
    return listener->probed ? listener->probed(listener->user, call, probe) : MW_OK;
}

static inline enum mw_status mwa_tell_found(const struct mwa_matching_listener *listener,
                                            void *send, void *probe)
{
    return listener->found && probe ? listener->found(listener->user, send, probe) : MW_OK;
}

static inline enum mw_status mwa_tell_dropped(const struct mwa_matching_listener *listener,
                                              void *receive)
{
    return listener->receive_dropped && receive
               ? listener->receive_dropped(listener->user, receive)
               : MW_OK;
}

static inline enum mw_status mwa_tell_send_ended(const struct mwa_matching_listener *listener,
                                                 void *call, void *send)
{
    return listener->send_ended && send ? listener->send_ended(listener->user, call, send)
                                        : MW_OK;
}

#endif
