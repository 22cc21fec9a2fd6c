#ifndef MWA_ANALYSIS_LEVELS_H
#define MWA_ANALYSIS_LEVELS_H

#include "analyzer/analysis/watermarks.h"
#include "analyzer/load/pass.h"

/*
 * Watermarks that need no variable of the MPI, of levels that follow from the events:
 *
 *   outstanding requests           begun and neither complete nor cancelled, per rank
 *   bytes of outstanding sends     of non-blocking sends that are not complete, per rank and
 *                                  per rank and communicator
 *   communicators alive            created and not freed, without the predefined ones, per rank
 *   bytes in flight                of what the rank has sent: from the beginning of the send to
 *                                  the end of the call that completes the receive; per rank and
 *                                  per rank and communicator
 *   unexpected messages            to the rank: from the beginning of the send to the posting of
 *                                  the receive, if that comes later; likewise
 *
 * A message that is never received stays in flight. A row says why it may be wrong: messages
 * whose other end is not in the archive because of losses, sends that were cancelled, and
 * ends on two hosts, whose clocks agree only so far.
 *
 * Nothing is kept of the past: a change is taken in as soon as no earlier one can come any
 * more. So in memory are, beside a few numbers per rank and communicator, the changes since
 * the beginning of the oldest call that the exchange engine has not told yet, and those of
 * unexpected messages since the beginning of the oldest send that nobody has received yet.
 */

struct mwa_levels;

/* For the window [from, to], ticks. Null without memory; to be freed with mwa_levels_destroy. */
struct mwa_levels *mwa_levels_create(const struct mwa_trace *trace, uint64_t from, uint64_t to);
void mwa_levels_destroy(struct mwa_levels *levels);

/* What an exchange engine, as its first sink, and the pass that feeds it are to be given. */
struct mwa_exchange_sink mwa_levels_sink(struct mwa_levels *levels);
struct mwa_pass_watch mwa_levels_watch(struct mwa_levels *levels);

/*
 * After the engine has finished: appends rows and sums to watermarks. MW_OK, MW_ERROR_MEMORY,
 * watermarks then being as they were or with some of them.
 */
enum mw_status mwa_levels_append(struct mwa_levels *levels,
                                 const struct mwa_matching_result *matching,
                                 struct mwa_watermarks *watermarks) MW_MUST_CHECK;

#endif
