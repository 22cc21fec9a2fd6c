/* What is of one line is put together later, when the lines are known. */
#include "formats/merge/merge_samples.h"

#include <stdlib.h>

#include "formats/base/array.h"
#include "formats/merge/merge.h"

static bool add_sample(struct mw_merged *merged, uint32_t rank,
                       const struct mw_define_sampled *define, bool is_others)
{
    struct mw_merged_samples *samples = &merged->samples;
    const struct mw_site_map *map = &merged->ranks[rank].sites;
    /* Spots are where calls return to: behind the instruction that they are of. */
    const struct mw_merged_sample sample = {
        .rank = rank,
        .site = define->site < map->site_count ? map->sites[define->site] : MW_SITE_NONE,
        .spot = mw_merged_sites_spot(&merged->sites, map->modules[define->module],
                                     define->address + 1),
        .is_others = is_others,
        .count = define->count,
    };

    if (sample.spot == MW_INDEX_NONE ||
        !mw_array_grow((void **)&samples->list, samples->count, sizeof *samples->list)) {
        return false;
    }
    samples->list[samples->count++] = sample;
    return true;
}

bool mw_merge_samples(struct mw_merged *merged, uint32_t rank,
                      const struct mw_definition *definition)
{
    switch (definition->kind) {
    case MW_DEFINE_SAMPLED:
    case MW_DEFINE_SAMPLED_OTHERS:
        return add_sample(merged, rank, &definition->of.sampled,
                          definition->kind == MW_DEFINE_SAMPLED_OTHERS);
    case MW_DEFINE_SAMPLES:
        merged->ranks[rank].samples = definition->of.samples;
        return true;
    case MW_DEFINE_CREW:
        merged->ranks[rank].crew = definition->of.crew;
        return true;
    default:
        return true;
    }
}

void mw_merged_samples_fini(struct mw_merged_samples *samples)
{
    free(samples->list);
    *samples = (struct mw_merged_samples){.list = NULL};
}
