#ifndef MWA_ANALYSIS_COUNTERS_LEVEL_NEEDS_H
#define MWA_ANALYSIS_COUNTERS_LEVEL_NEEDS_H

#include "analyzer/analysis/counters/level_marks.h"

/*
 * What calls a level that follows from events needs to have been recorded. Without those that begin
 * and end what it counts it is not known; without others that begin some, too, it is at least what
 * was counted.
 */

/* What of the groups of calls left out (mwa_trace_left_out): a sentence; null: it needs none. */
const char *mwa_level_is_unknown(enum mwa_level_kind kind, uint32_t left_out);
const char *mwa_level_is_more(enum mwa_level_kind kind, uint32_t left_out);

#endif
