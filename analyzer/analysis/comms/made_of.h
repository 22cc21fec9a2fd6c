#ifndef MWA_ANALYSIS_COMMS_MADE_OF_H
#define MWA_ANALYSIS_COMMS_MADE_OF_H

#include <stdbool.h>

#include "analyzer/model/trace.h"

/*
 * An intercommunicator is made of two communicators, one for the members of each side
 * (MPI_Intercomm_create), of which an archive defines one as its parent.
 */

/* Whether comm has the members of a side of inter, an intercommunicator, and no others. */
bool mwa_is_side_of(const struct mwa_trace *trace, uint32_t comm, uint32_t inter);

/*
 * What rank made comm of (indices): its parent, or, of a rank that is none of the parent's, the
 * communicator of the rank's side, one made by the same call as the parent if there is one.
 *
 * \return MWA_NONE: not known.
 */
uint32_t mwa_comm_made_of(const struct mwa_trace *trace, uint32_t comm, uint32_t rank);

#endif
