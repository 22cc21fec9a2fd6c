/* Kept per rank, as region_clocks are: a rank calls MPI at a few of many places. */
#include "analyzer/analysis/efficiency/stretches.h"

#include <stdlib.h>

#include "analyzer/team/packing.h"

void mwa_stretches_fini(struct mwa_stretches *stretches)
{
    free(stretches->list);
    mwa_index_fini(&stretches->index);
}

enum mw_status mwa_stretches_add(struct mwa_stretches *stretches, uint32_t place, uint64_t ticks)
{
    uint64_t at = stretches->next;

    if (at >= stretches->index.count || stretches->list[at].place != place) {
        at = mwa_index_of(&stretches->index, (struct mwa_key){ 0, place }, &stretches->list,
                          sizeof *stretches->list);
    }
    if (at == MWA_MAP_ABSENT) {
        return MW_ERROR_MEMORY;
    }
    stretches->next = at + 1 < stretches->index.count ? at + 1 : 0;
    stretches->list[at].place = place;
    stretches->list[at].ticks += ticks;
    return MW_OK;
}

void mwa_stretches_begin(struct mwa_stretches *stretches)
{
    for (uint64_t i = 0; i < stretches->index.count; i++) {
        stretches->list[i].ticks = 0;
    }
}

enum mw_status mwa_stretches_append(struct mwa_stretches *stretches,
                                    const struct mwa_stretches *later)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < later->index.count && status == MW_OK; i++) {
        status = mwa_stretches_add(stretches, later->list[i].place, later->list[i].ticks);
    }
    return status;
}

void mwa_stretches_pack(const struct mwa_stretches *stretches, struct mw_buffer *to)
{
    mwa_pack_array(to, stretches->list, stretches->index.count, sizeof *stretches->list);
}

enum mw_status mwa_stretches_unpack(struct mwa_stretches *stretches, uint64_t sites,
                                    struct mw_cursor *from)
{
    enum mw_status status = mwa_unpack_array(from, &stretches->list, &stretches->index.count,
                                             sizeof *stretches->list);

    for (uint64_t i = 0; i < stretches->index.count && status == MW_OK; i++) {
        status = mwa_is_none_or_below(stretches->list[i].place, sites) ? MW_OK : MW_ERROR_FORMAT;
    }
    return status;
}
