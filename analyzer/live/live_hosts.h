#ifndef MWA_LIVE_LIVE_HOSTS_H
#define MWA_LIVE_LIVE_HOSTS_H

#include "analyzer/live/live.h"

/*
 * Sources of a run on several hosts. Each looks where its spools are, and tells of them; nobody
 * waits for one that is slow: it is told as not heard of.
 */

/*
 * One process a host, all of one MPI job (mpirun, srun): *live becomes, in the first one, what all
 * of them tell. In the others nothing is left to be shown: *is_first is false, and they have told
 * all there is to tell until the first one has seen enough. Looking happens each so many seconds.
 * mwa_live_fini is due in any case.
 *
 * \return MW_OK; MW_ERROR_SYSTEM, MW_ERROR_MPI: they can't speak to each other; MW_ERROR_MEMORY.
 */
enum mw_status mwa_live_together(struct mwa_live *live, const char **names, uint32_t seconds,
                                 bool *is_first, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Looks each so many seconds, and tells those that connect to this process's port, until the run
 * has ended, or a signal ends this (SIGINT, SIGTERM). The ports go to place: a path, "stdout" or
 * "stderr".
 *
 * \return as mwa_live_together; MW_ERROR_USAGE: the path is too long.
 */
enum mw_status mwa_live_serve(const char **names, uint32_t seconds, const char *place,
                              struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* *live becomes what the servers tell whose ports are in the file. mwa_live_fini is due in any
 * case. \return as mwa_live_together, and MW_ERROR_FORMAT: no server is to be heard. */
enum mw_status mwa_live_connect(struct mwa_live *live, const char *ports, uint32_t seconds,
                                struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
