#ifndef MW_FORMATS_MERGE_MERGE_SAMPLES_H
#define MW_FORMATS_MERGE_MERGE_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/spool/definition.h"

/*
 * Where processes were seen between calls of MPI: by spot and site, which merge_sites.h has. A
 * part of formats/merge.
 */

struct mw_merged;

struct mw_merged_sample {
    uint32_t rank;
    uint32_t site; /* index; MW_SITE_NONE: of a call that is told without */
    uint32_t spot; /* index */
    bool is_others; /* of threads that call no MPI */
    uint64_t count;
};

struct mw_merged_samples {
    struct mw_merged_sample *list; /* as the processes told them */
    uint32_t count;
};

/* Takes in a definition of samples, or of their numbers, of a rank. False without memory. */
bool mw_merge_samples(struct mw_merged *merged, uint32_t rank,
                      const struct mw_definition *definition);

void mw_merged_samples_fini(struct mw_merged_samples *samples);

#endif
