#ifndef MWA_REPORT_BESIDE_RUN_H
#define MWA_REPORT_BESIDE_RUN_H

#include "analyzer/analysis/results.h"
#include "analyzer/analysis/summary.h"

/*
 * What is said beside the figures of the run, on screen and on the page, where it matters: in text,
 * of MWA_BESIDE_BYTES. Any thread. \return text; null: it does not matter.
 */

#define MWA_BESIDE_BYTES 224

/* "between polls that wait 12.0%": of the run, which useful time has. */
const char *mwa_between_polls(const struct mwa_results *results,
                              const struct mwa_run_summary *run, char *text);

/*
 * "of 4 x 1.20 s, of which ranks ran 80.0%". POP's run is as long for each rank as for all; where
 * ranks began later or ended earlier, what is useful has another share of that than of their own.
 */
const char *mwa_runs_of_ranks(const struct mwa_run_summary *run,
                              const struct mwa_pop_factors *factors, char *text);

/*
 * "98.2% of the time in MPI calls is in calls by libhdf5.so.103; …": mwa_library_calls, or else
 * mwa_wrapper_calls, and what tells who calls that.
 */
const char *mwa_places_hide_callers(const struct mwa_results *results, char *text);

#endif
