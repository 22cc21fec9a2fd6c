#ifndef MWA_ANALYSIS_MESSAGES_QUEUEING_H
#define MWA_ANALYSIS_MESSAGES_QUEUEING_H

#include "analyzer/analysis/analysis.h"

/*
 * Messages whose receive was posted after their send had begun: they had to be kept
 * somewhere, as unexpected messages or by holding up the sender. *Queueing* is the time from
 * the beginning of the send to the posting of the receive, if that is later. Of matched
 * messages, whatever their threads.
 */
struct mwa_queueing {
    uint64_t matched;
    uint64_t without_bytes; /* of these: synchronisations */
    uint64_t late_posted;   /* messages with queueing */
    double late_byte_ns;    /* Σ bytes * queueing */
    uint64_t total_ns;      /* Σ queueing */
    uint64_t max_ns;
    uint32_t max_from; /* the longest one's world ranks, MWA_NONE: there is none */
    uint32_t max_to;
};

/* Finishes into struct mwa_queueing. */
extern const struct mwa_exchange_analysis mwa_queueing_analysis;

#endif
