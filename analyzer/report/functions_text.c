/* Samples are as good as they are many: how many there are stands first. */
#include "analyzer/report/text.h"

#include <inttypes.h>

#include "analyzer/table/clean.h"
#include "analyzer/table/tables.h"
#include "analyzer/table/units.h"

#define ROWS_MAX 20u

static void put_refused(const struct mwa_results *results, FILE *out)
{
    const struct mwa_functions *functions = &results->functions;
    const struct mwa_sampled *sampled = &results->trace->sampled;
    const char *reason = sampled->ranks[functions->refused_first].refused;
    const char *who = mwa_was_sampled(sampled, functions->refused_first) ? "threads of " : "";

    fprintf(out, "note: ");
    if (functions->refused > 1) {
        fprintf(out, "%s%" PRIu64 " ranks could not be sampled, the first of them rank %" PRIu32
                     ": ",
                who, functions->refused, functions->refused_first);
    } else {
        fprintf(out, "%srank %" PRIu32 " could not be sampled: ", who, functions->refused_first);
    }
    mwa_put_clean(reason, out);
    putc('\n', out);
}

/* Threads that call no MPI. */
static void put_others(const struct mwa_results *results, FILE *out)
{
    const struct mwa_functions *others = &results->other_functions;
    const struct mwa_cell root = { .results = results, .row = results };
    char text[3][MWA_UNITS_BYTES];

    fprintf(out, "\n%" PRIu64 " thread%s of %" PRIu64 " rank%s that call%s no MPI: %s samples "
                 "while main threads were outside of MPI: %s of %s",
            others->threads, others->threads == 1 ? "" : "s", others->ranks,
            others->ranks == 1 ? "" : "s", others->threads == 1 ? "s" : "",
            mwa_number_text(others->outside, text[0]),
            mwa_time_text(mwa_sampled_ns(results->trace, others->outside), text[1]),
            mwa_time_text(others->there_ns, text[2]));
    if (others->in_openmp > 0) {
        fprintf(out, ", of which %s waiting in the OpenMP runtime",
                mwa_time_text(mwa_sampled_ns(results->trace, others->in_openmp), text[0]));
    }
    fprintf(out, "; %s samples while these were in MPI\n",
            mwa_number_text(others->inside, text[0]));
    mwa_table_text(&mwa_other_functions_table, &root, ROWS_MAX, "--json has all", out);
    if (others->refused > 0) {
        fprintf(out, "note: %s more threads could not be sampled\n",
                mwa_number_text(others->refused, text[0]));
    }
    if (others->lost > 0) {
        fprintf(out, "note: %s more samples of these threads were lost\n",
                mwa_number_text(others->lost, text[0]));
    }
}

void mwa_text_functions(const struct mwa_results *results, const struct mwa_screen *screen,
                        FILE *out)
{
    const struct mwa_functions *functions = &results->functions;
    const struct mwa_cell root = { .results = results, .row = results };
    char text[3][MWA_UNITS_BYTES];

    (void)screen;
    if (results->trace->sampled.wrong) {
        mwa_put_clean(results->path, out);
        fprintf(out, ": mpiwatch.json: samples are wrong, and all of them left out: %s\n",
                results->trace->sampled.wrong);
        return;
    }
    if (results->trace->sampled.rate_hz == 0) {
        fputs("nothing was sampled: mpiwatch-record --functions=97 does, and then this tells in "
              "which functions ranks compute\n",
              out);
        return;
    }
    fprintf(out, "%s a second of CPU time: %s samples outside of MPI, %s inside, of %" PRIu64
                 " rank%s\n",
            mwa_times_text(results->trace->sampled.rate_hz, text[0]),
            mwa_number_text(functions->outside, text[1]),
            mwa_number_text(functions->inside, text[2]), functions->ranks,
            functions->ranks == 1 ? "" : "s");
    mwa_table_text(&mwa_functions_table, &root, ROWS_MAX, "--csv or --json have all", out);
    if (functions->refused > 0) {
        put_refused(results, out);
    }
    if (functions->lost > 0) {
        fprintf(out,
                "note: %s more samples were lost, %.0f%% of all outside of MPI: shares are of "
                "those that are there\n",
                mwa_number_text(functions->lost, text[0]),
                100 * (double)functions->lost /
                    ((double)functions->lost + (double)functions->outside));
    }
    if (results->other_functions.threads > 0) {
        put_others(results, out);
    }
}
