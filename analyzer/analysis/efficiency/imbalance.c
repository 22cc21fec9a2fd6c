/* Who does not take part is counted, and does not lower the average: it has no part to share. */
#include "analyzer/analysis/efficiency/imbalance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/order.h"

static void widen(struct mwa_imbalance_row *row, const struct mwa_part *part, bool first)
{
    if (first || part->ns < row->min_ns) {
        row->min_ns = part->ns;
        row->rank_min = part->of;
    }
    if (first || part->ns > row->max_ns) {
        row->max_ns = part->ns;
        row->rank_max = part->of;
    }
}

int mwa_part_order(const void *one, const void *other)
{
    return mw_order(((const struct mwa_part *)one)->of, ((const struct mwa_part *)other)->of);
}

void mwa_imbalance_measure(struct mwa_imbalance_row *row, const struct mwa_part *parts,
                           uint32_t count)
{
    double average, squares = 0, over = 0, under = 0;

    for (uint32_t i = 0; i < count; i++) {
        widen(row, &parts[i], i == 0);
        row->total_ns += parts[i].ns;
    }
    average = (double)row->total_ns / count;
    for (uint32_t i = 0; i < count; i++) {
        double deviation = (double)parts[i].ns - average;

        squares += deviation * deviation;
        over += fmax(0, deviation);
        under += fmax(0, -deviation);
    }
    row->participants = count;
    row->average_ns = (uint64_t)(average + 0.5);
    row->load_balance = row->max_ns > 0 ? average / (double)row->max_ns : 1;
    row->cov = average > 0 ? sqrt(squares / count) / average : 0;
    row->overload_ns = (uint64_t)(over + 0.5);
    row->underload_ns = (uint64_t)(under + 0.5);
}

static bool add_row(struct mwa_imbalance *imbalance, const struct mwa_imbalance_row *model,
                    const struct mwa_part *parts, uint32_t count, uint64_t all)
{
    struct mwa_imbalance_row *row = &imbalance->rows[imbalance->count];

    *row = *model;
    row->per_rank_ns = calloc(imbalance->rank_count + 1, sizeof *row->per_rank_ns);
    if (!row->per_rank_ns) {
        return false;
    }
    imbalance->count++;
    mwa_imbalance_measure(row, parts, count);
    for (uint32_t i = 0; i < count; i++) {
        row->per_rank_ns[parts[i].of] = parts[i].ns;
    }
    row->absent = all > count ? (uint32_t)(all - count) : 0;
    return true;
}

static int by_overload(const void *one, const void *other)
{
    const struct mwa_imbalance_row *a = one;
    const struct mwa_imbalance_row *b = other;

    return mw_order(a->kind != MWA_IMBALANCE_USEFUL, b->kind != MWA_IMBALANCE_USEFUL) ?:
           mw_order(b->overload_ns, a->overload_ns) ?: strcmp(a->name, b->name);
}

/* The row of the useful time; *all becomes the number of ranks that have events. */
static bool add_useful(const struct mwa_profile *profile, struct mwa_imbalance *imbalance,
                       struct mwa_part *parts, uint64_t *all)
{
    const struct mwa_imbalance_row model = { .kind = MWA_IMBALANCE_USEFUL, .name = "useful" };
    uint32_t count = 0;

    for (uint64_t i = 0; i < profile->rank_count; i++) {
        if (profile->ranks[i].has_events) {
            parts[count++] = (struct mwa_part){ (uint32_t)i, profile->ranks[i].useful_ns };
        }
    }
    *all = count;
    return count == 0 || add_row(imbalance, &model, parts, count, count);
}

static bool add_region(const struct mwa_trace *trace, const struct mwa_regions *regions,
                       uint32_t index, struct mwa_imbalance *imbalance, struct mwa_part *parts,
                       uint64_t all)
{
    const struct mwa_region *region = &trace->regions[index];
    const struct mwa_imbalance_row model = { .kind = region->kind == MWA_REGION_USER
                                                         ? MWA_IMBALANCE_REGION
                                                         : MWA_IMBALANCE_MPI,
                                             .name = region->name,
                                             .region = region };
    uint64_t count;
    const struct mwa_region_cell *cells = mwa_regions_of(regions, index, &count);

    for (uint64_t i = 0; i < count; i++) {
        parts[i] = (struct mwa_part){ cells[i].rank, cells[i].exclusive_ns };
    }
    return count == 0 || add_row(imbalance, &model, parts, (uint32_t)count, all);
}

enum mw_status mwa_imbalance_make(const struct mwa_trace *trace,
                                  const struct mwa_profile *profile,
                                  const struct mwa_regions *regions,
                                  struct mwa_imbalance *imbalance)
{
    struct mwa_part *parts = calloc(trace->rank_count + 1, sizeof *parts);
    uint64_t all = 0;
    bool fine;

    *imbalance = (struct mwa_imbalance){ .rank_count = trace->rank_count };
    imbalance->rows = calloc(trace->region_count + 2, sizeof *imbalance->rows);
    fine = parts && imbalance->rows && add_useful(profile, imbalance, parts, &all);
    for (uint32_t i = 0; fine && i < trace->region_count; i++) {
        fine = add_region(trace, regions, i, imbalance, parts, all);
    }
    free(parts);
    if (!fine) {
        return MW_ERROR_MEMORY;
    }
    qsort(imbalance->rows, imbalance->count, sizeof *imbalance->rows, by_overload);
    return MW_OK;
}

void mwa_imbalance_fini(struct mwa_imbalance *imbalance)
{
    for (uint64_t i = 0; i < imbalance->count; i++) {
        free(imbalance->rows[i].per_rank_ns);
    }
    free(imbalance->rows);
    *imbalance = (struct mwa_imbalance){ 0 };
}
