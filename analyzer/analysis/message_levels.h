#ifndef MWA_ANALYSIS_MESSAGE_LEVELS_H
#define MWA_ANALYSIS_MESSAGE_LEVELS_H

#include "analyzer/analysis/tracks.h"
#include "analyzer/load/exchange.h"

/*
 * Levels that need both ends of a message, as tracks, per rank and per rank and
 * communicator, whatever the number of threads:
 *
 *   bytes in flight      of what the rank has sent: from the beginning of the send to the
 *                        end of the call that completes the receive
 *   unexpected messages  to the rank: from the beginning of the send to the posting of the
 *                        receive, if that comes later
 *
 * A message that is never received stays in flight. A track says in inexact why it may be
 * wrong: messages whose other end is not in the archive because of losses, sends that were
 * cancelled, and ends on two hosts, whose clocks agree only so far.
 */

#define MWA_TRACK_FLIGHT     "bytes in flight"
#define MWA_TRACK_UNEXPECTED "unexpected messages"

struct mwa_message_levels;

/* Null without memory; to be freed with mwa_message_levels_destroy. */
struct mwa_message_levels *mwa_message_levels_create(const struct mwa_trace *trace);
void mwa_message_levels_destroy(struct mwa_message_levels *levels);

/* What an exchange engine is to be given. */
struct mwa_exchange_sink mwa_message_levels_sink(struct mwa_message_levels *levels);

/*
 * After the engine has finished: appends the tracks. MW_OK, MW_ERROR_MEMORY, tracks then
 * being as they were or with some of them.
 */
enum mw_status mwa_message_levels_append(const struct mwa_message_levels *levels,
                                         const struct mwa_matching_result *matching,
                                         struct mwa_tracks *tracks) MW_MUST_CHECK;

#endif
