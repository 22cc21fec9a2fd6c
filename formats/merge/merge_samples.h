#ifndef MW_FORMATS_MERGE_MERGE_SAMPLES_H
#define MW_FORMATS_MERGE_MERGE_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/spool/definition.h"

/*
 * Where processes were seen between calls of MPI: by spot and site, which merge_sites.h has. A
 * part of formats/merge.
 */

struct mw_merged_sites;
struct mw_site_map;

struct mw_merged_sample {
    uint32_t rank;
    uint32_t site; /* index; MW_SITE_NONE: of a call that is told without */
    uint32_t spot; /* index */
    uint64_t count;
};

struct mw_merged_samples {
    struct mw_merged_sample *list; /* as the processes told them */
    uint32_t count;
};

/* Takes in what the process of rank tells, of which map is. False without memory. */
bool mw_merge_sample(struct mw_merged_samples *samples, struct mw_merged_sites *sites,
                     const struct mw_site_map *map, uint32_t rank,
                     const struct mw_define_sampled *define);

void mw_merged_samples_fini(struct mw_merged_samples *samples);

#endif
