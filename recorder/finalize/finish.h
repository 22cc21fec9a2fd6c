#ifndef MWR_FINALIZE_FINISH_H
#define MWR_FINALIZE_FINISH_H

#include "recorder/state/thread.h"

/*
 * In MPI_Finalize, before the library's: ends the record of MPI_Finalize behind a
 * barrier, completes definitions and spools, writes the archive, removes the spools
 * if that went well on all ranks, and says on rank 0 in one line what there is.
 * Collective; recording is over afterwards whatever happens.
 */
void mwr_finish(struct mwr_call *call);

#endif
