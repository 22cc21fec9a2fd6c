#ifndef MWR_HOOKS_INIT_HOOKS_H
#define MWR_HOOKS_INIT_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/state/thread.h"

/* Before MPI_Init and MPI_Init_thread. */
void mwr_before_init(void);

/* Once, before all else, when MPIWATCH_INTERPOSE_PMPI is 0: one process says what it costs. */
void mwr_say_what_is_hidden(void);

/* Whether MPI_Init has been called; MPI_Finalize may have been, too. */
bool mwr_is_initialized(void);

/* After MPI_Init and MPI_Init_thread (id), of caller, entered at enter: starts the recorder. */
void mwr_after_init(unsigned id, void *caller, uint64_t enter, int result);

/* Before MPI_Finalize: when it has deleted what is to be deleted first, the record ends, and the
 * archive is written. */
void mwr_before_finalize(struct mwr_call *call);

/*
 * MPI_Pcontrol: level 0 pauses recording, any other resumes it (MPI 4.0, section 15.2.4).
 * Ends the record first, so that it lies outside the pause.
 */
void mwr_after_pcontrol(struct mwr_call *call, int level);

#endif
