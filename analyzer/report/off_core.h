#ifndef MWA_REPORT_OFF_CORE_H
#define MWA_REPORT_OFF_CORE_H

#include <stddef.h>

#include "analyzer/analysis/results.h"

/*
 * What is to be said before anything of MPI: that ranks share cores, which puts all else in doubt,
 * and that a rank does not run. Nothing where the archive does not tell; by the rules that
 * mpiwatch-analyses(7) states.
 */

/* "8 ranks share the 2 cores of vm …: all else is doubtful"; the length, 0: nothing. */
int mwa_say_doubt(const struct mwa_results *results, char *text, size_t room);

/* "rank 0 does not run for 4.9 s of its run of 5.0 s …"; the length, 0: nothing. */
int mwa_say_not_running(const struct mwa_results *results, char *text, size_t room);

/* Whether either of these is said. */
bool mwa_has_off_core(const struct mwa_results *results);

/* What helps against the first of these that holds; false: there is nothing. */
bool mwa_advise_off_core(const struct mwa_results *results, char *text, size_t room);

#endif
