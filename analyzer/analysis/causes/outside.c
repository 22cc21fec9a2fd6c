/* What a rank does more than others it does before some calls: who would take it away, or looks for
 * it, has to know which. */
#include "analyzer/analysis/causes/outside.h"

#include <stdlib.h>

uint64_t mwa_outside_at(const struct mwa_outside *outside, uint32_t place)
{
    return place == MWA_NONE ? outside->sites : place;
}

enum mw_status mwa_outside_init(struct mwa_outside *outside, const struct mwa_results *results,
                                uint64_t ranks)
{
    const struct mwa_replay_result *replay = &results->replay;

    *outside = (struct mwa_outside){
        .all_ns = calloc(results->trace->site_count + 1, sizeof *outside->all_ns),
        .sites = results->trace->site_count,
        .ranks = (double)ranks
    };
    for (uint64_t i = 0; outside->all_ns && i < replay->stretch_count; i++) {
        outside->all_ns[mwa_outside_at(outside, replay->stretches[i].place)] +=
            (double)replay->stretches[i].ns;
        outside->average_ns += (double)replay->stretches[i].ns / (double)ranks;
    }
    for (uint64_t i = 0; i < results->profile.rank_count; i++) {
        outside->off_ns += mwa_outside_off_ns(&results->profile.ranks[i]);
    }
    return outside->all_ns ? MW_OK : MW_ERROR_MEMORY;
}

void mwa_outside_fini(struct mwa_outside *outside)
{
    free(outside->all_ns);
    outside->all_ns = NULL;
}

double mwa_outside_above(const struct mwa_outside *outside,
                         const struct mwa_rank_stretch *stretch)
{
    const double above = (double)stretch->ns -
                         outside->all_ns[mwa_outside_at(outside, stretch->place)] / outside->ranks;

    return above > 0 ? above : 0;
}

double mwa_outside_off_ns(const struct mwa_rank_row *row)
{
    return row->running.is_known ? (double)row->running.outside_ns : 0;
}

struct mwa_outside_longer mwa_outside_longer(const struct mwa_outside *outside,
                                             const struct mwa_rank_stretch *stretches,
                                             uint64_t count, double off_ns)
{
    struct mwa_outside_longer longer = { .place = MWA_NONE };
    double below = outside->average_ns - (outside->off_ns - off_ns) / outside->ranks;

    for (uint64_t i = 0; i < count; i++) {
        const double above = mwa_outside_above(outside, &stretches[i]);

        longer.all += above;
        if (above > longer.most) {
            longer.most = above;
            longer.place = stretches[i].place;
        }
        below += above - (double)stretches[i].ns;
    }
    longer.below = below > 0 ? below : 0;
    return longer;
}
