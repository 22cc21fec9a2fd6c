/* A region of OpenMP says little about ranks: what counts is how evenly a team shares it. */
#include "analyzer/analysis/efficiency/location_imbalance.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/order.h"

/* The threads are main threads, too. */
static uint64_t count_of_type(const struct mwa_trace *trace,
                              const struct mwa_other_locations *others,
                              enum mwa_location_kind type)
{
    uint64_t count = 0;

    for (uint64_t i = 0; i < others->count; i++) {
        count += trace->locations[others->all[i].location].kind == type;
    }
    for (uint64_t rank = 0; type == MWA_LOCATION_THREAD && rank < trace->rank_count; rank++) {
        uint32_t master = trace->ranks[rank].master;

        count += master != MWA_NONE && trace->locations[master].events > 0;
    }
    return count;
}

/* The parts of one type in a region, of count cells that others have; 0: none of these has one. */
static uint32_t gather(const struct mwa_trace *trace, const struct mwa_location_cell *cells,
                       uint64_t count, const struct mwa_regions *regions,
                       enum mwa_location_kind type, struct mwa_part *parts)
{
    uint32_t found = 0;
    uint64_t mains = 0;
    const struct mwa_region_cell *of_mains = mwa_regions_of(regions, cells[0].region, &mains);

    for (uint64_t i = 0; i < count; i++) {
        if (trace->locations[cells[i].location].kind == type) {
            parts[found++] = (struct mwa_part){ cells[i].location, cells[i].exclusive_ns };
        }
    }
    for (uint64_t i = 0; found > 0 && type == MWA_LOCATION_THREAD && i < mains; i++) {
        parts[found++] = (struct mwa_part){ trace->ranks[of_mains[i].rank].master,
                                            of_mains[i].exclusive_ns };
    }
    qsort(parts, found, sizeof *parts, mwa_part_order);
    return found;
}

static void add_row(const struct mwa_region *region, enum mwa_location_kind type,
                    const struct mwa_part *parts, uint32_t count, uint64_t all,
                    struct mwa_location_imbalance *imbalance)
{
    struct mwa_location_imbalance_row *row = &imbalance->rows[imbalance->count++];

    *row = (struct mwa_location_imbalance_row){
        .type = type,
        .row = { .kind = region->kind == MWA_REGION_USER ? MWA_IMBALANCE_REGION
                                                         : MWA_IMBALANCE_MPI,
                 .name = region->name,
                 .region = region }
    };
    mwa_imbalance_measure(&row->row, parts, count);
    row->row.absent = all > count ? (uint32_t)(all - count) : 0;
}

static int by_overload(const void *one, const void *other)
{
    const struct mwa_location_imbalance_row *a = one;
    const struct mwa_location_imbalance_row *b = other;

    return mw_order(b->row.overload_ns, a->row.overload_ns) ?:
           strcmp(a->row.name, b->row.name) ?: mw_order(a->type, b->type);
}

static const enum mwa_location_kind types[] = { MWA_LOCATION_THREAD, MWA_LOCATION_STREAM };

#define TYPES (sizeof types / sizeof types[0])

static enum mw_status make_rows(const struct mwa_trace *trace,
                                const struct mwa_other_locations *others,
                                const struct mwa_location_profile *profile,
                                const struct mwa_regions *regions,
                                struct mwa_location_imbalance *imbalance)
{
    struct mwa_part *parts = malloc((trace->location_count + 1) * sizeof *parts);
    const uint64_t all[TYPES] = { count_of_type(trace, others, types[0]),
                                  count_of_type(trace, others, types[1]) };

    imbalance->rows = malloc((TYPES * trace->region_count + 1) * sizeof *imbalance->rows);
    if (!parts || !imbalance->rows) {
        free(parts);
        return MW_ERROR_MEMORY;
    }
    for (uint64_t at = 0, end; at < profile->count; at = end) {
        const struct mwa_location_cell *cells = &profile->cells[at];

        for (end = at + 1;
             end < profile->count && profile->cells[end].region == cells->region;) {
            end++;
        }
        for (unsigned i = 0; i < TYPES; i++) {
            uint32_t count = gather(trace, cells, end - at, regions, types[i], parts);

            if (count > 0) {
                add_row(&trace->regions[cells->region], types[i], parts, count, all[i],
                        imbalance);
            }
        }
    }
    qsort(imbalance->rows, imbalance->count, sizeof *imbalance->rows, by_overload);
    free(parts);
    return MW_OK;
}

/* The group of rank and type among the last ones, which is made if it is new. */
static struct mwa_location_group *group_of(struct mwa_location_imbalance *imbalance, uint32_t rank,
                                           enum mwa_location_kind type)
{
    struct mwa_location_group *group;

    for (uint64_t i = imbalance->group_count; i > 0; i--) {
        group = &imbalance->groups[i - 1];
        if (group->rank != rank) {
            break;
        }
        if (group->type == type) {
            return group;
        }
    }
    group = &imbalance->groups[imbalance->group_count++];
    *group = (struct mwa_location_group){ .rank = rank, .type = type };
    return group;
}

static int by_rank(const void *one, const void *other)
{
    const struct mwa_location_group *a = one;
    const struct mwa_location_group *b = other;

    return mw_order(a->rank, b->rank) ?: mw_order(a->type, b->type);
}

static enum mw_status make_groups(const struct mwa_trace *trace,
                                  const struct mwa_other_locations *others,
                                  const struct mwa_location_profile *profile,
                                  struct mwa_location_imbalance *imbalance)
{
    imbalance->groups = malloc((others->count + 1) * sizeof *imbalance->groups);
    if (!imbalance->groups) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; profile->times && i < others->count; i++) {
        const struct mwa_location_times *times = &profile->times[i];
        struct mwa_location_group *group =
            group_of(imbalance, others->all[i].rank,
                     trace->locations[others->all[i].location].kind);

        group->locations++;
        group->tells_idle |= times->tells_idle;
        group->slept_ns += times->slept_ns;
        for (unsigned state = 0; state < MWA_LOCATION_STATES; state++) {
            group->ns[state] += times->ns[state];
            group->total_ns += times->ns[state];
        }
    }
    qsort(imbalance->groups, imbalance->group_count, sizeof *imbalance->groups, by_rank);
    return MW_OK;
}

enum mw_status mwa_location_imbalance_make(const struct mwa_trace *trace,
                                           const struct mwa_other_locations *others,
                                           const struct mwa_location_profile *profile,
                                           const struct mwa_regions *regions,
                                           struct mwa_location_imbalance *imbalance)
{
    enum mw_status status;

    *imbalance = (struct mwa_location_imbalance){ 0 };
    status = make_rows(trace, others, profile, regions, imbalance);
    return status == MW_OK ? make_groups(trace, others, profile, imbalance) : status;
}

void mwa_location_imbalance_fini(struct mwa_location_imbalance *imbalance)
{
    free(imbalance->rows);
    free(imbalance->groups);
    *imbalance = (struct mwa_location_imbalance){ 0 };
}
