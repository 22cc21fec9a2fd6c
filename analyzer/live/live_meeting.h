#ifndef MWA_LIVE_LIVE_MEETING_H
#define MWA_LIVE_LIVE_MEETING_H

#include "analyzer/live/live.h"
#include "analyzer/live/live_across.h"

/* What has to be known of ranks on other hosts before it can be found how much those here wait: who
 * tells of them, their threads, and how clocks compare. A zeroed one meets nobody. */
struct mwa_live_meeting {
    struct mwa_live_peers *peers;   /* the caller's; null: nobody is met */
    struct mwa_live_across *across; /* of this generation; null: it has not begun */
    uint32_t generation;            /* of peers */
    uint32_t ranks;
    uint64_t begun;                 /* ns */
    uint64_t clock_error;           /* ns, of this host's clock */
    bool has_clock;                 /* it is known how it compares with rank 0's */
};

void mwa_live_meeting_fini(struct mwa_live_meeting *meeting);

/* Whether nothing has to begin anew. */
bool mwa_live_meeting_goes_on(const struct mwa_live_meeting *meeting);

/* Begins with the generation of its peers; definitions are the caller's. \return false: no
 * memory. */
bool mwa_live_meeting_begin(struct mwa_live_meeting *meeting, struct mwa_live_trace *live,
                            uint32_t ranks) MW_MUST_CHECK;

/* Takes what one of them tells, as mwa_live_peers_take calls it. */
bool mwa_live_meeting_hear(struct mwa_live_meeting *meeting, uint32_t from,
                           const struct mw_cursor *records);

/* Tells the ranks here, with their threads; has_waits: one that comes late begins all anew. */
void mwa_live_meeting_tell_ranks(struct mwa_live_meeting *meeting, const struct mwa_live *live,
                                 bool has_waits);

/* Takes how the clock here compares with rank 0's from definitions, by rank, and lets waits (null:
 * there are none) know. \return false: no memory. */
bool mwa_live_meeting_clock(struct mwa_live_meeting *meeting, const struct mwa_live *live,
                            const struct mwa_live_numbers *numbers,
                            struct mwa_live_waits *waits) MW_MUST_CHECK;

/* Whether all ranks and the clock are known. */
bool mwa_live_meeting_is_ready(const struct mwa_live_meeting *meeting);

/* Threads of each rank beside the main one. The caller's to free; null: no memory. */
uint32_t *mwa_live_meeting_extra(const struct mwa_live_meeting *meeting);

/* Whether nothing is to be read now: others may still tell of their ranks, or have not taken yet
 * what was read. */
bool mwa_live_meeting_holds(const struct mwa_live_meeting *meeting, bool has_waits);

/* Why it is not known how much ranks wait; null: it is, or nobody asked. */
const char *mwa_live_no_waits_words(enum mw_live_no_waits unknown);

#endif
