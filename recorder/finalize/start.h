#ifndef MWR_FINALIZE_START_H
#define MWR_FINALIZE_START_H

/*
 * In MPI_Init, after the library's: settings, the private communicator, where the
 * archive and the spools go, the definitions' first records, and then recording.
 * Collective. If the recorder can't record it says so in one line on rank 0 and steps
 * aside: mwr_recorder.phase stays MWR_IDLE on all ranks.
 */
void mwr_start(void);

#endif
