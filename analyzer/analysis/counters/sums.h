#ifndef MWA_ANALYSIS_COUNTERS_SUMS_H
#define MWA_ANALYSIS_COUNTERS_SUMS_H

#include "analyzer/analysis/counters/tracks.h"

/*
 * Makes of tracks' samples what all who show them show: finds each track's class, and of sums
 * (COUNTER, AGGREGATE, TIMER) the values that go on over resets and wraps of the variable
 * (formats/spool/sum.h), which archives of this recorder have already. Sums that the program keeps
 * itself (bound to PROGRAM), and of events that were dropped (bound to EVENT), begin at 0, and the
 * former may go down: they stay as they are.
 *
 * The class is checked: a variable declared SIZE whose values never fall on any rank, and
 * rise MWA_RISES_MIN times, is taken for a COUNTER; a HIGHWATERMARK that falls, or a
 * LOWWATERMARK that rises, without a reset for a LEVEL.
 */

#define MWA_RISES_MIN 8u

/* MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_sums_rebuild(const struct mwa_trace *trace,
                                struct mwa_tracks *tracks) MW_MUST_CHECK;

/* Whether they are the program's own. */
bool mwa_metric_is_told(const struct mwa_metric *metric);

#endif
