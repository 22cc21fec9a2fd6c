/* Times are kept per rank, since a rank is in few regions of many. */
#include "analyzer/analysis/efficiency/region_clocks.h"

#include <stdlib.h>

#include "analyzer/team/packing.h"

struct mwa_open_region {
    uint64_t at;    /* its position in regions */
    uint64_t clock; /* when it was entered */
    bool outer;     /* not inside of itself */
};

void mwa_region_clocks_fini(struct mwa_region_clocks *clocks)
{
    free(clocks->regions);
    free(clocks->open);
    mwa_index_fini(&clocks->index);
}

enum mw_status mwa_region_clocks_enter(struct mwa_region_clocks *clocks, uint32_t region,
                                       uint64_t clock)
{
    uint64_t at = mwa_index_of(&clocks->index, (struct mwa_key){ 0, region }, &clocks->regions,
                               sizeof *clocks->regions);

    if (at == MWA_MAP_ABSENT || !mwa_grow(&clocks->open, &clocks->open_capacity,
                                          clocks->depth + 1, sizeof *clocks->open)) {
        return MW_ERROR_MEMORY;
    }
    clocks->regions[at].region = region;
    clocks->open[clocks->depth++] = (struct mwa_open_region){
        .at = at, .clock = clock, .outer = clocks->regions[at].open++ == 0
    };
    return MW_OK;
}

static void add(struct mwa_region_clocks *clocks, const struct mwa_open_region *open,
                uint64_t clock)
{
    if (open->outer) {
        clocks->regions[open->at].ticks += clock - open->clock;
        clocks->regions[open->at].was_in_run = true;
    }
}

void mwa_region_clocks_leave(struct mwa_region_clocks *clocks, uint64_t clock, bool running)
{
    if (clocks->depth > 0) {
        const struct mwa_open_region *open = &clocks->open[--clocks->depth];

        clocks->regions[open->at].open--;
        if (running) {
            add(clocks, open, clock);
        }
    }
}

uint32_t mwa_region_clocks_innermost(const struct mwa_region_clocks *clocks)
{
    return clocks->depth > 0 ? clocks->regions[clocks->open[clocks->depth - 1].at].region
                             : MWA_NONE;
}

void mwa_region_clocks_begin(struct mwa_region_clocks *clocks)
{
    for (uint64_t i = 0; i < clocks->index.count; i++) {
        clocks->regions[i].ticks = 0;
    }
    for (uint64_t i = 0; i < clocks->depth; i++) {
        clocks->open[i].clock = 0;
    }
}

void mwa_region_clocks_end(struct mwa_region_clocks *clocks, uint64_t clock)
{
    for (uint64_t i = 0; i < clocks->depth; i++) {
        add(clocks, &clocks->open[i], clock);
    }
}

void mwa_region_clocks_reach_seam(struct mwa_region_clocks *clocks)
{
    for (uint64_t i = 0; i < clocks->depth; i++) {
        clocks->regions[clocks->open[i].at].is_at_seam = true;
    }
}

enum mw_status mwa_region_clocks_append(struct mwa_region_clocks *clocks,
                                        const struct mwa_region_clocks *later, uint64_t waited)
{
    for (uint64_t i = 0; i < clocks->index.count; i++) {
        clocks->regions[i].ticks += clocks->regions[i].is_at_seam ? waited : 0;
        clocks->regions[i].is_at_seam = false;
    }
    for (uint64_t i = 0; i < later->index.count; i++) {
        const struct mwa_region_clock *from = &later->regions[i];
        uint64_t at = mwa_index_of(&clocks->index, (struct mwa_key){ 0, from->region },
                                   &clocks->regions, sizeof *clocks->regions);

        if (at == MWA_MAP_ABSENT) {
            return MW_ERROR_MEMORY;
        }
        clocks->regions[at].region = from->region;
        clocks->regions[at].ticks += from->ticks;
        clocks->regions[at].was_in_run |= from->was_in_run;
        clocks->regions[at].is_at_seam = from->is_at_seam;
    }
    return MW_OK;
}

/* A region's clock as it travels. */
struct plain {
    uint64_t ticks;
    uint32_t region;
    uint16_t was_in_run;
    uint16_t is_at_seam;
};

void mwa_region_clocks_pack(const struct mwa_region_clocks *clocks, struct mw_buffer *to)
{
    mw_buffer_u64(to, clocks->index.count); /* as mwa_pack_array has it */
    for (uint64_t i = 0; i < clocks->index.count; i++) {
        const struct mwa_region_clock *clock = &clocks->regions[i];
        const struct plain plain = { clock->ticks, clock->region, clock->was_in_run,
                                     clock->is_at_seam };

        mw_buffer_append(to, &plain, sizeof plain);
    }
}

enum mw_status mwa_region_clocks_unpack(struct mwa_region_clocks *clocks, uint64_t regions,
                                        struct mw_cursor *from)
{
    struct plain *list = NULL;
    uint64_t count = 0;
    enum mw_status status = mwa_unpack_array(from, &list, &count, sizeof *list);

    if (status == MW_OK) {
        clocks->regions = calloc(count + 1, sizeof *clocks->regions);
        status = clocks->regions ? MW_OK : MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        clocks->regions[i] = (struct mwa_region_clock){ .ticks = list[i].ticks,
                                                        .region = list[i].region,
                                                        .was_in_run = list[i].was_in_run > 0,
                                                        .is_at_seam = list[i].is_at_seam > 0 };
        status = list[i].region < regions ? MW_OK : MW_ERROR_FORMAT;
    }
    clocks->index.count = status == MW_OK ? count : 0;
    free(list);
    return status;
}

uint64_t mwa_region_clocks_cells(const struct mwa_region_clocks *clocks,
                                 const struct mwa_trace *trace, uint32_t rank,
                                 struct mwa_ideal_cell *cells)
{
    uint64_t count = 0;

    for (uint64_t i = 0; i < clocks->index.count; i++) {
        const struct mwa_region_clock *clock = &clocks->regions[i];

        if (clock->was_in_run) {
            cells[count++] = (struct mwa_ideal_cell){ .region = clock->region,
                                                      .rank = rank,
                                                      .ns = mwa_trace_ns(trace, clock->ticks) };
        }
    }
    return count;
}
