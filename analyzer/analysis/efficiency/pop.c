#include "analyzer/analysis/efficiency/pop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/summary.h"
#include "formats/base/order.h"

/* part / whole, NaN when there is no whole. */
static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

static uint64_t less(uint64_t whole, uint64_t part)
{
    return whole > part ? whole - part : 0;
}

static void divide(struct mwa_pop_factors *factors)
{
    const double ranks = factors->ranks;
    const double runtime = (double)factors->runtime_ns;
    const double outside = (double)factors->outside_total_ns;
    const double longest = (double)factors->outside_max_ns;
    const double useful = (double)factors->useful_total_ns;
    const double ideal = factors->ideal_ns == UINT64_MAX ? NAN : (double)factors->ideal_ns;

    factors->load_balance = ratio(outside, ranks * longest);
    factors->communication_efficiency = ratio(longest, runtime);
    factors->running_efficiency = factors->is_on_core ? ratio(useful, outside) : NAN;
    factors->parallel_efficiency = ratio(useful, ranks * runtime);
    factors->serialisation_efficiency = ratio(longest, ideal);
    factors->transfer_efficiency = ratio(ideal, runtime);
}

static void add_rank(struct mwa_pop_factors *factors, uint32_t rank, uint64_t outside_ns,
                     uint64_t useful_ns)
{
    if (factors->ranks == 0 || useful_ns > factors->useful_max_ns) {
        factors->useful_max_ns = useful_ns;
        factors->useful_rank_max = rank;
    }
    if (outside_ns > factors->outside_max_ns) {
        factors->outside_max_ns = outside_ns;
    }
    factors->useful_total_ns += useful_ns;
    factors->outside_total_ns += outside_ns;
    factors->ranks++;
}

static void of_run(const struct mwa_profile *profile, const struct mwa_ideal *ideal,
                   uint64_t ideal_ns, struct mwa_pop_factors *factors)
{
    struct mwa_run_summary run;

    for (uint64_t i = 0; i < profile->rank_count; i++) {
        const struct mwa_rank_row *row = &profile->ranks[i];

        if (row->has_events) {
            const uint64_t between = mwa_polling_of(ideal, row->rank).between;

            add_rank(factors, row->rank, less(row->outside_ns, between),
                     less(row->useful_ns, between));
            factors->between_polls_ns += between;
            factors->is_on_core |= row->running.is_known;
        }
    }
    mwa_summarize_run(profile, &run);
    factors->runtime_ns = run.length_ns;
    factors->ideal_ns = ideal_ns;
    divide(factors);
}

static void of_region(const struct mwa_region_cell *cells, uint64_t count, uint64_t ideal_ns,
                      struct mwa_pop_factors *factors)
{
    for (uint64_t i = 0; i < count; i++) {
        uint64_t inclusive = cells[i].inclusive_ns;

        add_rank(factors, cells[i].rank, cells[i].useful_ns, cells[i].useful_ns);
        factors->runtime_ns = inclusive > factors->runtime_ns ? inclusive : factors->runtime_ns;
    }
    factors->ideal_ns = ideal_ns;
    divide(factors);
}

static int by_useful(const void *one, const void *other)
{
    const struct mwa_pop_region *a = one;
    const struct mwa_pop_region *b = other;

    return mw_order(b->factors.useful_total_ns, a->factors.useful_total_ns) ?:
           strcmp(a->name, b->name);
}

enum mw_status mwa_pop_make(const struct mwa_trace *trace, const struct mwa_profile *profile,
                            const struct mwa_regions *regions, const struct mwa_ideal *ideal,
                            const char *unknown, struct mwa_pop *pop)
{
    *pop = (struct mwa_pop){ .ideal_unknown = unknown };
    of_run(profile, ideal, unknown ? UINT64_MAX : ideal->runtime_ns, &pop->run);
    pop->regions = calloc(trace->region_count + 1, sizeof *pop->regions);
    if (!pop->regions) {
        return MW_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < trace->region_count; i++) {
        uint64_t count = 0;
        const struct mwa_region_cell *cells = trace->regions[i].kind == MWA_REGION_USER
                                                  ? mwa_regions_of(regions, i, &count)
                                                  : NULL;
        struct mwa_pop_region *region = &pop->regions[pop->region_count];

        if (cells) {
            region->name = trace->regions[i].name;
            region->region = &trace->regions[i];
            of_region(cells, count, unknown ? UINT64_MAX : mwa_ideal_of_region(ideal, i),
                      &region->factors);
            pop->region_count++;
        }
    }
    qsort(pop->regions, pop->region_count, sizeof *pop->regions, by_useful);
    return MW_OK;
}

void mwa_pop_fini(struct mwa_pop *pop)
{
    free(pop->regions);
    *pop = (struct mwa_pop){ 0 };
}
