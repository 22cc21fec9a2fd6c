#ifndef MWA_LIVE_LIVE_WHY_H
#define MWA_LIVE_LIVE_WHY_H

#include "analyzer/live/live.h"

/*
 * Prints on standard output who waits for whom in the run at this moment: mpiwatch-recover makes an
 * archive of its spools as they are, in a directory that is removed, and mpiwatch-analyze hang
 * explains that. Both are looked for beside this program.
 *
 * \return MW_OK; MW_ERROR_SYSTEM, MW_ERROR_SPACE, MW_ERROR_USAGE: a path is too long;
 * MW_ERROR_FORMAT: a program said no (it has told why); MW_ERROR_MEMORY.
 */
enum mw_status mwa_live_why(const struct mwa_live *live, bool is_json,
                            struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * The same for a run on several hosts, in each process of an MPI job with one a host, which has not
 * started MPI: mpiwatch-recover does, beside each of them, and the first one prints. names: one, of
 * the run's NAME.run, beside which the archive is for as long as it is needed.
 *
 * \return as above, and MW_ERROR_USAGE: this is no NAME.run.
 */
enum mw_status mwa_live_why_together(const char **names, bool is_json,
                                     struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
