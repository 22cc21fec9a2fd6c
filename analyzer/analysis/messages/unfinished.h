#ifndef MWA_ANALYSIS_MESSAGES_UNFINISHED_H
#define MWA_ANALYSIS_MESSAGES_UNFINISHED_H

#include "analyzer/analysis/analysis.h"

/*
 * Requests that were begun, and of which neither completion nor cancellation was recorded: nobody
 * waited for them, or they were freed while they were active, which no event tells. Whichever
 * thread of a rank completes them.
 */
struct mwa_unfinished {
    uint64_t count;
    uint32_t rank; /* that has most of them, MWA_NONE: there are none */
    uint32_t site; /* where most of them were begun, index; MWA_NONE: not known */
};

extern const struct mwa_analysis mwa_unfinished_analysis; /* finishes into struct mwa_unfinished */

#endif
