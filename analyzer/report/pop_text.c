/*
 * Factors are printed as a tree with their formulas, so that a product can be
 * checked where it stands.
 */
#include "analyzer/report/text.h"

#include <inttypes.h>
#include <math.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/table/tables.h"
#include "analyzer/table/units.h"

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

#define POLLS_MATTER 0.01 /* of what is useful */

static void put_factor(const char *name, double factor, const char *formula, FILE *out)
{
    char text[MWA_UNITS_BYTES];

    fprintf(out, "%-30s %5s   %s\n", name, mwa_factor_text(factor, text), formula);
}

static void put_run(const struct mwa_pop *pop, FILE *out)
{
    const struct mwa_pop_factors *run = &pop->run;
    const char *time = run->is_on_core ? "time outside of MPI" : "useful";
    char text[4][MWA_UNITS_BYTES];

    fprintf(out, "%" PRIu32 " rank%s, run %s, useful on average %s, at most %s (rank %" PRIu32 ")",
            run->ranks, run->ranks == 1 ? "" : "s", mwa_time_text(run->runtime_ns, text[0]),
            mwa_time_text(run->ranks ? run->useful_total_ns / run->ranks : 0, text[1]),
            mwa_time_text(run->useful_max_ns, text[2]), run->useful_rank_max);
    if (run->ideal_ns != UINT64_MAX) {
        fprintf(out, ", run on an ideal network %s", mwa_time_text(run->ideal_ns, text[3]));
    }
    if (run->between_polls_ns >= POLLS_MATTER * (double)run->useful_total_ns) {
        fprintf(out, ", and %s of all ranks between polls in a row, which is waiting",
                mwa_time_text(run->between_polls_ns, text[0]));
    }
    fprintf(out, "\n\n");
    put_factor("parallel efficiency", run->parallel_efficiency,
               run->is_on_core ? "= load balance x communication x running efficiency"
                               : "= load balance x communication efficiency",
               out);
    if (run->is_on_core) {
        put_factor("  running efficiency", run->running_efficiency,
                   "= useful, which is on a core, / time outside of MPI", out);
    }
    fprintf(out, "%-30s %5s   = %s: average / greatest\n", "  load balance",
            mwa_factor_text(run->load_balance, text[0]), time);
    fprintf(out, "%-30s %5s   = serialisation x transfer; greatest %s / run\n",
            "  communication efficiency",
            mwa_factor_text(run->communication_efficiency, text[0]), time);
    fprintf(out, "%-30s %5s   = greatest %s / run on an ideal network\n",
            "    serialisation efficiency",
            mwa_factor_text(run->serialisation_efficiency, text[0]), time);
    put_factor("    transfer efficiency", run->transfer_efficiency,
               "= run on an ideal network / run", out);
    if (pop->ideal_unknown) {
        fprintf(out, "\nserialisation and transfer are not known: %s\n", pop->ideal_unknown);
    }
}

/* POP has no factor of it: said where it would be taken for communication. */
static void put_file_io(const struct mwa_profile *profile, FILE *out)
{
    struct mwa_run_summary run;
    char text[MWA_UNITS_BYTES];

    mwa_summarize_run(profile, &run);
    if (run.io_ns > 0) {
        fprintf(out, "MPI's file I/O takes %s of the ranks' run: it lowers communication "
                     "efficiency and is none\n",
                mwa_share_text(run.io_ns, run.run_ns, text));
    }
}

void mwa_text_pop(const struct mwa_results *results, const struct mwa_screen *screen,
                  FILE *out)
{
    const struct mwa_cell root = { .results = results, .row = results };

    if (results->pop.run.runtime_ns == 0) {
        fprintf(out, "nothing to judge: no rank has a run\n");
        return;
    }
    put_run(&results->pop, out);
    fputs("\nThe model of the POP project (pop-coe.eu): 1 is ideal, 0.80 and more is good\n", out);
    put_file_io(&results->profile, out);
    if (results->pop.region_count > 0) {
        putc('\n', out);
        mwa_table_text(&mwa_pop_regions_table, &root, ROWS_MAX, "--csv or --json have all", out);
        fprintf(out, "time is of the rank that is longest in the region, useful of all together\n");
    }
}

