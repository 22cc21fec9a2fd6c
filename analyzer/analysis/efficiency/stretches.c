/* Kept per rank, as region_clocks are: a rank calls MPI at a few of many places. */
#include "analyzer/analysis/efficiency/stretches.h"

#include <stdlib.h>

#include "analyzer/team/packing.h"

void mwa_stretches_fini(struct mwa_stretches *stretches)
{
    free(stretches->list);
    mwa_index_fini(&stretches->index);
}

static enum mw_status add(struct mwa_stretches *stretches, const struct mwa_stretch *more)
{
    struct mwa_stretch *stretch;
    uint64_t at = stretches->next;

    if (at >= stretches->index.count || stretches->list[at].place != more->place) {
        at = mwa_index_of(&stretches->index, (struct mwa_key){ 0, more->place }, &stretches->list,
                          sizeof *stretches->list);
    }
    if (at == MWA_MAP_ABSENT) {
        return MW_ERROR_MEMORY;
    }
    stretches->next = at + 1 < stretches->index.count ? at + 1 : 0;
    stretch = &stretches->list[at];
    stretch->place = more->place;
    if (more->calls > 0 && (stretch->calls == 0 || more->shortest < stretch->shortest)) {
        stretch->shortest = more->shortest;
    }
    stretch->ticks += more->ticks;
    stretch->calls += more->calls;
    return MW_OK;
}

enum mw_status mwa_stretches_add(struct mwa_stretches *stretches, uint32_t place, uint64_t ticks)
{
    const struct mwa_stretch more = {
        .ticks = ticks, .calls = 1, .shortest = ticks, .place = place
    };

    return add(stretches, &more);
}

void mwa_stretches_begin(struct mwa_stretches *stretches)
{
    for (uint64_t i = 0; i < stretches->index.count; i++) {
        stretches->list[i].ticks = 0;
        stretches->list[i].calls = 0;
    }
}

enum mw_status mwa_stretches_append(struct mwa_stretches *stretches,
                                    const struct mwa_stretches *later)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < later->index.count && status == MW_OK; i++) {
        status = add(stretches, &later->list[i]);
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
