#include "analyzer/render/pop.h"

#include <inttypes.h>
#include <math.h>

#include "analyzer/render/clean.h"
#include "analyzer/render/csv.h"
#include "analyzer/render/units.h"
#include "analyzer/render/values.h"

#define ROWS_MAX 30u

const char *mwa_factor_text(double factor, char *text)
{
    if (isfinite(factor)) {
        snprintf(text, MWA_UNITS_BYTES, "%.2f", factor);
    } else {
        snprintf(text, MWA_UNITS_BYTES, "-");
    }
    return text;
}

static void put_factor(const char *name, double factor, const char *formula, FILE *out)
{
    char text[MWA_UNITS_BYTES];

    fprintf(out, "%-30s %5s   %s\n", name, mwa_factor_text(factor, text), formula);
}

static void put_run(const struct mwa_pop *pop, FILE *out)
{
    const struct mwa_pop_factors *run = &pop->run;
    char text[4][MWA_UNITS_BYTES];

    fprintf(out, "%" PRIu32 " rank%s, run %s, useful on average %s, at most %s (rank %" PRIu32 ")",
            run->ranks, run->ranks == 1 ? "" : "s", mwa_time_text(run->runtime_ns, text[0]),
            mwa_time_text(run->ranks ? run->useful_total_ns / run->ranks : 0, text[1]),
            mwa_time_text(run->useful_max_ns, text[2]), run->useful_rank_max);
    if (run->ideal_ns != UINT64_MAX) {
        fprintf(out, ", run on an ideal network %s", mwa_time_text(run->ideal_ns, text[3]));
    }
    fprintf(out, "\n\n");
    put_factor("parallel efficiency", run->parallel_efficiency,
               "= load balance x communication efficiency", out);
    put_factor("  load balance", run->load_balance, "= useful: average / greatest", out);
    put_factor("  communication efficiency", run->communication_efficiency,
               "= serialisation x transfer; greatest useful / run", out);
    put_factor("    serialisation efficiency", run->serialisation_efficiency,
               "= greatest useful / run on an ideal network", out);
    put_factor("    transfer efficiency", run->transfer_efficiency,
               "= run on an ideal network / run", out);
    if (pop->ideal_unknown) {
        fprintf(out, "\nserialisation and transfer are not known: %s\n", pop->ideal_unknown);
    }
}

static void put_regions(const struct mwa_pop *pop, FILE *out)
{
    char text[7][MWA_UNITS_BYTES];

    fprintf(out, "\n%6s %9s %9s %8s %7s %7s %7s %8s  %s\n", "ranks", "time", "useful", "parallel",
            "balance", "commun.", "serial.", "transfer", "region");
    for (uint64_t i = 0; i < pop->region_count && i < ROWS_MAX; i++) {
        const struct mwa_pop_factors *factors = &pop->regions[i].factors;

        fprintf(out, "%6" PRIu32 " %9s %9s %8s %7s %7s %7s %8s  ", factors->ranks,
                mwa_time_text(factors->runtime_ns, text[0]),
                mwa_time_text(factors->useful_total_ns, text[1]),
                mwa_factor_text(factors->parallel_efficiency, text[2]),
                mwa_factor_text(factors->load_balance, text[3]),
                mwa_factor_text(factors->communication_efficiency, text[4]),
                mwa_factor_text(factors->serialisation_efficiency, text[5]),
                mwa_factor_text(factors->transfer_efficiency, text[6]));
        mwa_put_clean(pop->regions[i].name, out);
        putc('\n', out);
    }
    if (pop->region_count > ROWS_MAX) {
        fprintf(out, "and %" PRIu64 " more regions: --csv or --json have all\n",
                pop->region_count - ROWS_MAX);
    }
    fprintf(out, "time is of the rank that is longest in the region, useful of all together\n");
}

void mwa_text_pop(const struct mwa_results *results, FILE *out)
{
    if (results->pop.run.runtime_ns == 0) {
        fprintf(out, "nothing to judge: no rank has a run\n");
        return;
    }
    put_run(&results->pop, out);
    if (results->pop.region_count > 0) {
        put_regions(&results->pop, out);
    }
}

static void set_factors(json_t *object, const struct mwa_pop_factors *factors)
{
    json_object_set_new(object, "parallel_efficiency",
                        mwa_json_ratio(factors->parallel_efficiency));
    json_object_set_new(object, "load_balance", mwa_json_ratio(factors->load_balance));
    json_object_set_new(object, "communication_efficiency",
                        mwa_json_ratio(factors->communication_efficiency));
    json_object_set_new(object, "serialisation_efficiency",
                        mwa_json_ratio(factors->serialisation_efficiency));
    json_object_set_new(object, "transfer_efficiency",
                        mwa_json_ratio(factors->transfer_efficiency));
    json_object_set_new(object, "runtime_ns", mwa_json_number(factors->runtime_ns));
}

static void set_sums(json_t *object, const struct mwa_pop_factors *factors)
{
    json_object_set_new(object, "ranks", mwa_json_number(factors->ranks));
    json_object_set_new(object, "useful_total_ns", mwa_json_number(factors->useful_total_ns));
    json_object_set_new(object, "useful_max_ns", mwa_json_number(factors->useful_max_ns));
    json_object_set_new(object, "useful_rank_max", mwa_json_number(factors->useful_rank_max));
    json_object_set_new(object, "ideal_runtime_ns",
                        factors->ideal_ns == UINT64_MAX ? json_null()
                                                        : mwa_json_number(factors->ideal_ns));
}

static json_t *regions_of(const struct mwa_pop *pop)
{
    json_t *list = json_array();

    for (uint64_t i = 0; i < pop->region_count; i++) {
        json_t *region = json_object();

        json_object_set_new(region, "name", mwa_json_text(pop->regions[i].name));
        set_factors(region, &pop->regions[i].factors);
        set_sums(region, &pop->regions[i].factors);
        json_array_append_new(list, region);
    }
    return list;
}

json_t *mwa_json_pop(const struct mwa_results *results)
{
    json_t *object = json_object();
    json_t *useful = json_array();

    for (uint64_t i = 0; i < results->profile.rank_count; i++) {
        json_array_append_new(useful, mwa_json_number(results->profile.ranks[i].useful_ns));
    }
    json_object_set_new(object, "schema", json_string("mpiwatch-pop/1"));
    set_factors(object, &results->pop.run);
    json_object_set_new(object, "useful_ns", useful);
    set_sums(object, &results->pop.run);
    json_object_set_new(object, "ideal_unknown", mwa_json_text(results->pop.ideal_unknown));
    json_object_set_new(object, "regions", regions_of(&results->pop));
    return object;
}

/* The run comes first, under a name that is none of a region's. */
void mwa_csv_pop(const struct mwa_results *results, FILE *out)
{
    json_t *object = json_object();
    json_t *list = regions_of(&results->pop);
    json_t *run = json_object();

    json_object_set_new(run, "name", json_string("(run)"));
    set_factors(run, &results->pop.run);
    set_sums(run, &results->pop.run);
    json_array_insert_new(list, 0, run);
    json_object_set_new(object, "rows", list);
    mwa_csv_table(object, "rows", NULL, out);
}
