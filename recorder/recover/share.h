#ifndef MWR_RECOVER_SHARE_H
#define MWR_RECOVER_SHARE_H

#include "formats/archive/transport.h"
#include "formats/spool/runs.h"

/*
 * Several mpiwatch-recover of one job, each with the spools that it can see: which of
 * them writes which spool.
 */

/*
 * Collective. runs is what this process sees, of one run or none. Afterwards mine tells for
 * each of its spools whether this process is to write it: of a spool that several see,
 * the lowest process. On process 0 *all becomes the whole run, without paths; it is to
 * be freed with its spools.
 *
 * \return MW_OK and the nonce of the run, equal on all.
 * \return MW_ERROR_USAGE: several runs, or none at all; MW_ERROR_MEMORY, MW_ERROR_MPI.
 */
enum mw_status mwr_recover_share(const struct mw_transport *transport,
                                 const struct mw_runs *runs, bool *mine,
                                 uint64_t *nonce, struct mw_run *all,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
