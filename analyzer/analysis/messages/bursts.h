#ifndef MWA_ANALYSIS_MESSAGES_BURSTS_H
#define MWA_ANALYSIS_MESSAGES_BURSTS_H

#include "analyzer/analysis/analysis.h"

/*
 * Tiny messages, of at most MWA_BURST_BYTES, that directly follow another one to the same rank:
 * between the two, the sender has received nothing, and ended no collective operation, so that what
 * they say was known when the first was sent. They could have been one message.
 */

#define MWA_BURST_BYTES 256u

struct mwa_burst_row {
    uint32_t from; /* world ranks */
    uint32_t to;
    uint32_t site; /* where they are sent, index; MWA_NONE: not known */
    uint64_t count;
    uint64_t bytes;
};

struct mwa_bursts {
    uint64_t count; /* of all */
    struct mwa_burst_row most; /* from, to and site with most of them; count 0: there are none */
};

extern const struct mwa_analysis mwa_bursts_analysis; /* finishes into struct mwa_bursts */

#endif
