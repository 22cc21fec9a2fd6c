#ifndef MWR_FINALIZE_START_H
#define MWR_FINALIZE_START_H

#include "recorder/dispatch/mpi_header.h"

/*
 * In MPI_Init, after the library's: settings, the private communicator, where the
 * archive and the spools go, the definitions' first records, and then recording.
 * Collective. If the recorder can't record it says so in one line on rank 0 and steps
 * aside: mwr_recorder.phase stays MWR_IDLE on all ranks.
 */
void mwr_start(void);

/*
 * The same for a program that has not called MPI_Init, in a call of all its processes that
 * has made comm, of all of mwr_recorder.world. They end on their own (apart.h).
 */
void mwr_start_in_session(MPI_Comm comm);

#endif
