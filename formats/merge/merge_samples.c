/* What is of one line is put together later, when the lines are known. */
#include "formats/merge/merge_samples.h"

#include <stdlib.h>

#include "formats/base/array.h"
#include "formats/merge/merge_sites.h"

bool mw_merge_sample(struct mw_merged_samples *samples, struct mw_merged_sites *sites,
                     const struct mw_site_map *map, uint32_t rank,
                     const struct mw_define_sampled *define)
{
    /* Spots are where calls return to: behind the instruction that they are of. */
    const struct mw_merged_sample sample = {
        .rank = rank,
        .site = define->site < map->site_count ? map->sites[define->site] : MW_SITE_NONE,
        .spot = mw_merged_sites_spot(sites, map->modules[define->module], define->address + 1),
        .count = define->count,
    };

    if (sample.spot == MW_INDEX_NONE ||
        !mw_array_grow((void **)&samples->list, samples->count, sizeof *samples->list)) {
        return false;
    }
    samples->list[samples->count++] = sample;
    return true;
}

void mw_merged_samples_fini(struct mw_merged_samples *samples)
{
    free(samples->list);
    *samples = (struct mw_merged_samples){.list = NULL};
}
