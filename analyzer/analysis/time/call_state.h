#ifndef MWA_ANALYSIS_TIME_CALL_STATE_H
#define MWA_ANALYSIS_TIME_CALL_STATE_H

#include "analyzer/model/call_use.h"
#include "analyzer/model/trace.h"

/*
 * What a rank does, as timelines, the page and the view tell it: useful is outside of MPI; p2p,
 * collective and I/O in an outermost MPI call of that kind, by its group; other in any other, as
 * MPI_Init or one-sided communication. A call that completes, starts or asks for requests is of
 * what these are of: p2p where nothing tells, other where they are of several kinds.
 */
enum mwa_state {
    MWA_STATE_USEFUL,
    MWA_STATE_P2P,
    MWA_STATE_COLLECTIVE,
    MWA_STATE_IO,
    MWA_STATE_OTHER,
    MWA_STATES
};

/* The state that a rank is in during an outermost MPI call of region that is for use. */
enum mwa_state mwa_state_of(const struct mwa_region *region, enum mwa_use use);

#endif
