#ifndef MWA_ANALYSIS_COUNTERS_LEVELS_H
#define MWA_ANALYSIS_COUNTERS_LEVELS_H

#include "analyzer/analysis/analysis.h"
#include "analyzer/analysis/counters/level_marks.h"

/*
 * Levels that need no variable of the MPI, for they follow from the events:
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

/*
 * Finishes into struct mwa_level_marks, to be freed with mwa_level_marks_fini, of which
 * mwa_level_marks_append makes rows and sums of watermarks.
 */
extern const struct mwa_exchange_analysis mwa_levels_analysis;

#endif
