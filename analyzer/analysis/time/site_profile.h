#ifndef MWA_ANALYSIS_TIME_SITE_PROFILE_H
#define MWA_ANALYSIS_TIME_SITE_PROFILE_H

#include "analyzer/analysis/analysis.h"

/*
 * MPI calls by the place that they are made at: numbers as in profile.h, of all threads. Of what is
 * inside a call of an MPI function, bytes are those of the innermost one.
 */

struct mwa_site_row {
    uint32_t site; /* index */
    uint64_t count;
    uint64_t time_ns;
    uint64_t max_ns; /* of one call */
    uint64_t bytes_sent;
    uint64_t bytes_received;
};

struct mwa_site_profile {
    struct mwa_site_row *rows; /* by time, then site; only sites at which a call was made */
    uint64_t count;
};

extern const struct mwa_analysis mwa_sites_analysis; /* finishes into struct mwa_site_profile */

void mwa_site_profile_fini(struct mwa_site_profile *sites);

#endif
