#ifndef MWA_LIVE_LIVE_WHY_H
#define MWA_LIVE_LIVE_WHY_H

#include <stdio.h>

#include "analyzer/live/live_watch.h"

/* What is said where others tell of the run. */
#define MWA_LIVE_WHY_TOGETHER                                                                     \
    "of a run on several hosts --why is a job of its own, beside its ranks: mpirun --map-by "     \
    "ppr:1:node mpiwatch-top --why NAME.run"

/*
 * Prints on standard output who waits for whom in the run at this moment, as mpiwatch-analyze hang
 * says it of an archive, laid out for so many columns: what came since it was asked for the last
 * time is read from the spools. Of a run on other hosts, too, mpiwatch-recover makes an archive
 * first, in a directory that is removed.
 *
 * \return MW_OK; MW_ERROR_SYSTEM, MW_ERROR_SPACE, MW_ERROR_USAGE: others tell of the run;
 * MW_ERROR_FORMAT: a program said no (it has told why); MW_ERROR_MEMORY.
 */
enum mw_status mwa_live_why(struct mwa_live_watch *watch, bool is_json, unsigned columns,
                            struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* The same as JSON, into out; nothing is run for it: MW_ERROR_USAGE: ranks are on other hosts. */
enum mw_status mwa_live_why_json(struct mwa_live_watch *watch, FILE *out,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * The same for a run on several hosts, in each process of an MPI job with one a host, which has not
 * started MPI: mpiwatch-recover does, beside each of them, and the first one prints. names: one, of
 * the run's NAME.run, beside which the archive is for as long as it is needed. All programs are
 * looked for beside this one.
 *
 * \return as above, and MW_ERROR_USAGE: this is no NAME.run.
 */
enum mw_status mwa_live_why_together(const char **names, bool is_json,
                                     struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
