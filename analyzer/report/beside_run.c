/* Whoever reads the page only is told no less than who reads the screen: from when on it matters,
 * and in which words, stands here for both. */
#include "analyzer/report/beside_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/analysis/time/library_calls.h"
#include "analyzer/analysis/time/wrapper_calls.h"
#include "analyzer/model/function_name.h"
#include "analyzer/table/units.h"

#define POLLS_MATTER   0.01 /* of the ranks' run */
#define FUNCTION_BYTES 48   /* of its name */
#define RUNS_ALIKE     0.95 /* the runs of ranks are as long as the whole run, about */

const char *mwa_between_polls(const struct mwa_results *results,
                              const struct mwa_run_summary *run, char *text)
{
    const uint64_t between = mwa_polling_of_all(&results->replay.ideal).between;
    char share[MWA_UNITS_BYTES];

    if ((double)between < POLLS_MATTER * (double)run->run_ns) {
        return NULL;
    }
    snprintf(text, MWA_BESIDE_BYTES, "between polls that wait %s",
             mwa_share_text(between, run->run_ns, share));
    return text;
}

const char *mwa_runs_of_ranks(const struct mwa_run_summary *run,
                              const struct mwa_pop_factors *factors, char *text)
{
    const double whole = (double)run->ranks * (double)factors->runtime_ns;
    char time[MWA_UNITS_BYTES], share[MWA_UNITS_BYTES];

    if ((double)run->run_ns >= RUNS_ALIKE * whole) {
        return NULL;
    }
    snprintf(text, MWA_BESIDE_BYTES, "of %" PRIu64 " x %s, of which ranks ran %s", run->ranks,
             mwa_time_text(factors->runtime_ns, time),
             mwa_share_text(run->run_ns, (uint64_t)whole, share));
    return text;
}

static const char *in_wrappers(const struct mwa_results *results, char *text)
{
    const struct mwa_wrapper_calls calls = mwa_wrapper_calls(results);
    char share[MWA_UNITS_BYTES], function[FUNCTION_BYTES], *offset;

    if (!calls.function) {
        return NULL;
    }
    mwa_function_name(calls.function, function, sizeof function);
    offset = strstr(function, "+0x");
    if (offset) {
        *offset = 0;
    }
    snprintf(text, MWA_BESIDE_BYTES,
             "%s of the time in MPI calls is in calls by %s, as %s; recorded with --sites=stack, "
             "places are the lines that call these",
             mwa_share_text(calls.time_ns, calls.all_ns, share),
             calls.is_in_header ? "functions in headers" : "wrappers", function);
    return text;
}

const char *mwa_places_hide_callers(const struct mwa_results *results, char *text)
{
    const struct mwa_library_calls calls = mwa_library_calls(results);
    char share[MWA_UNITS_BYTES];

    if (!calls.library) {
        return in_wrappers(results, text);
    }
    snprintf(text, MWA_BESIDE_BYTES,
             "%s of the time in MPI calls is in calls by %.60s; recorded with --sites=stack, "
             "\"sites --stacks\" has the lines of the program that lead there",
             mwa_share_text(calls.time_ns, calls.all_ns, share), calls.library);
    return text;
}
