#ifndef MWR_RECOVER_TOGETHER_H
#define MWR_RECOVER_TOGETHER_H

#include "formats/archive/transport.h"

/*
 * How the processes of this job speak: alone without a launcher; under mpirun through
 * the library of mpiwatch for that MPI, which is opened for it.
 */

/*
 * \return MW_OK, and mwr_together_end is due; MW_ERROR_USAGE when the library is not found,
 * MW_ERROR_SYSTEM, MW_ERROR_VERSION, MW_ERROR_MPI, MW_ERROR_MEMORY.
 */
enum mw_status mwr_together_begin(struct mw_transport *transport,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwr_together_end(struct mw_transport *transport);

/* A function of the library of mpiwatch for the MPI whose launcher started this process, which is
 * opened for it. \return null: there is none, and diagnostic says why. */
void *mwr_together_find(const char *name, struct mw_diagnostic *diagnostic);

#endif
