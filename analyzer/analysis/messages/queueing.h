#ifndef MWA_ANALYSIS_MESSAGES_QUEUEING_H
#define MWA_ANALYSIS_MESSAGES_QUEUEING_H

#include "analyzer/analysis/analysis.h"

/* Messages that queued at a rank, of all senders. */
struct mwa_queue {
    uint32_t rank;  /* world rank, MWA_NONE: nothing queued */
    uint32_t site;  /* where most of the queueing ended, of all ranks: of the calls that posted the
                       receives, index; MWA_NONE: not known */
    uint64_t count;
    uint64_t bytes; /* of those whose size is known */
    uint64_t total_ns; /* Σ queueing: divided by a time, how many queued then on average */
};

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
    struct mwa_queue most; /* of the rank with the greatest Σ queueing */
};

/* Finishes into struct mwa_queueing. */
extern const struct mwa_exchange_analysis mwa_queueing_analysis;

#endif
