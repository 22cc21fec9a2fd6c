#ifndef MWA_ANALYSIS_MESSAGES_HOST_PAIRS_H
#define MWA_ANALYSIS_MESSAGES_HOST_PAIRS_H

#include "analyzer/analysis/messages/traffic.h"

/* Point-to-point traffic from host to host: that of their ranks together. */

struct mwa_host_pairs {
    const char **hosts; /* names, each once, in the order of ranks; the trace's */
    uint32_t host_count;
    struct mwa_pair *cells; /* [from][to], host_count squared; from and to are of hosts */
    uint64_t cell_count;
};

/* \return MW_OK; MW_ERROR_MEMORY. mwa_host_pairs_fini is due in any case. */
enum mw_status mwa_host_pairs_make(const struct mwa_trace *trace,
                                   const struct mwa_traffic *traffic,
                                   struct mwa_host_pairs *pairs) MW_MUST_CHECK;
void mwa_host_pairs_fini(struct mwa_host_pairs *pairs);

#endif
