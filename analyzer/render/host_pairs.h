#ifndef MWA_RENDER_HOST_PAIRS_H
#define MWA_RENDER_HOST_PAIRS_H

#include "analyzer/render/results.h"

/* Point-to-point traffic from host to host: that of their ranks together. */

struct mwa_host_pairs {
    const char **hosts; /* names, each once, in the order of ranks; the trace's */
    uint32_t host_count;
    struct mwa_pair *cells; /* [from][to], host_count squared */
};

/* \return MW_OK; MW_ERROR_MEMORY. mwa_host_pairs_fini is due in any case. */
enum mw_status mwa_host_pairs_make(const struct mwa_results *results,
                                   struct mwa_host_pairs *pairs) MW_MUST_CHECK;
void mwa_host_pairs_fini(struct mwa_host_pairs *pairs);

#endif
