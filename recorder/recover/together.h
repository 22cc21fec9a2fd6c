#ifndef MWR_RECOVER_TOGETHER_H
#define MWR_RECOVER_TOGETHER_H

#include "formats/archive/transport.h"

/*
 * How the processes of this job speak: alone without a launcher; under mpirun through
 * the library of mpiwatch for that MPI, which is opened for it.
 */

/*
 * \return MW_OK, and mw_lent_end is due; MW_ERROR_USAGE when the library is not found,
 * MW_ERROR_SYSTEM, MW_ERROR_VERSION, MW_ERROR_MPI, MW_ERROR_MEMORY.
 */
enum mw_status mwr_together_begin(struct mw_transport *transport,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
