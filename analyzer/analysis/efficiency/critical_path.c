#include "analyzer/analysis/efficiency/critical_path.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/order.h"

/* What all ranks spend in a region, and in no region inside it. */
static uint64_t total_of(const struct mwa_regions *regions, uint32_t region)
{
    uint64_t count, total = 0;
    const struct mwa_region_cell *cells = mwa_regions_of(regions, region, &count);

    for (uint64_t i = 0; i < count; i++) {
        total += cells[i].exclusive_ns;
    }
    return total;
}

/* Of all ranks outside of MPI: on the path it is not known when a rank had no core there. */
static uint64_t outside_of(const struct mwa_profile *profile, uint32_t *ranks)
{
    uint64_t total = 0;

    *ranks = 0;
    for (uint64_t i = 0; i < profile->rank_count; i++) {
        total += profile->ranks[i].outside_ns;
        *ranks += profile->ranks[i].has_events;
    }
    return total;
}

static void add_row(struct mwa_critical_path *path, const struct mwa_region *region,
                    const char *name, uint64_t ns, uint64_t average)
{
    path->rows[path->row_count++] =
        (struct mwa_path_row){ .name = name,
                               .region = region,
                               .is_mpi = region && region->kind != MWA_REGION_USER,
                               .path_ns = ns,
                               .average_ns = average,
                               .imbalance_ns = ns > average ? ns - average : 0 };
}

static int by_time(const void *one, const void *other)
{
    const struct mwa_path_row *a = one;
    const struct mwa_path_row *b = other;

    return mw_order(b->path_ns, a->path_ns) ?: strcmp(a->name, b->name);
}

static enum mw_status make_rows(const struct mwa_trace *trace, const struct mwa_profile *profile,
                                const struct mwa_regions *regions, const uint64_t *ticks,
                                struct mwa_critical_path *path)
{
    const uint64_t outside = trace->region_count;
    uint32_t ranks;
    uint64_t rest = outside_of(profile, &ranks);

    path->rows = calloc(trace->region_count + 1, sizeof *path->rows);
    if (!path->rows) {
        return MW_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < outside; i++) {
        const struct mwa_region *region = &trace->regions[i];
        uint64_t total = total_of(regions, i);

        if (region->kind == MWA_REGION_USER) {
            rest -= total < rest ? total : rest;
        }
        if (ticks[i] > 0) {
            add_row(path, region, region->name, mwa_trace_ns(trace, ticks[i]),
                    ranks ? total / ranks : 0);
        }
    }
    if (ticks[outside] > 0) {
        add_row(path, NULL, trace->metrics.has_running ? "outside MPI" : "useful",
                mwa_trace_ns(trace, ticks[outside]), ranks ? rest / ranks : 0);
    }
    qsort(path->rows, path->row_count, sizeof *path->rows, by_time);
    return MW_OK;
}

enum mw_status mwa_critical_path_make(const struct mwa_trace *trace,
                                      const struct mwa_profile *profile,
                                      const struct mwa_regions *regions,
                                      const struct mwa_replay_result *replay, const char *note,
                                      struct mwa_critical_path *path)
{
    uint64_t length = 0;

    *path = (struct mwa_critical_path){ .known = replay->has_run,
                                        .note = note,
                                        .hops = replay->hops,
                                        .end_rank = replay->end_rank,
                                        .rank_count = trace->rank_count };
    path->per_rank_ns = calloc(trace->rank_count + 1, sizeof *path->per_rank_ns);
    if (!path->per_rank_ns) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < trace->rank_count; i++) {
        length += replay->rank_ticks[i];
        path->per_rank_ns[i] = mwa_trace_ns(trace, replay->rank_ticks[i]);
    }
    path->length_ns = mwa_trace_ns(trace, length);
    return make_rows(trace, profile, regions, replay->region_ticks, path);
}

void mwa_critical_path_fini(struct mwa_critical_path *path)
{
    free(path->rows);
    free(path->per_rank_ns);
    *path = (struct mwa_critical_path){ 0 };
}
