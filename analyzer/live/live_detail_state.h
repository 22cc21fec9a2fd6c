#ifndef MWA_LIVE_LIVE_DETAIL_STATE_H
#define MWA_LIVE_LIVE_DETAIL_STATE_H

#include "analyzer/live/live_detail.h"
#include "analyzer/live/live_meeting.h"
#include "analyzer/live/live_reading.h"

/* What live_detail.c reads, and live_findings.c makes of it. */

struct mwa_live_detail {
    struct mwa_live_trace trace;
    struct mwa_live_numbers *numbers; /* by rank */
    bool *is_here; /* the same */
    uint32_t rank_count;
    struct mwa_live_reading **readings;
    uint32_t reading_count;
    struct mwa_live_variables *variables;
    enum mwa_live_depth depth;
    struct mwa_live_hang *hang; /* null: of another depth than MWA_LIVE_OUTSTANDING */
    struct mwa_live_waits *waits; /* null: without, or there is no thread so far */
    enum mw_live_no_waits unknown;
    bool was_paused; /* recording, of some thread */
    struct mwa_live_meeting meeting; /* its peers are null: all ranks are here */
    const struct mwa_live *told; /* others tell of the run; null: its spools are here */
};

#endif
