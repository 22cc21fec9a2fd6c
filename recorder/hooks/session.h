#ifndef MWR_HOOKS_SESSION_H
#define MWR_HOOKS_SESSION_H

#include <stdint.h>

#include "recorder/dispatch/mpi_header.h"
#include "recorder/state/thread.h"

/*
 * MPI sessions (MPI 4), of programs that never call MPI_Init.
 *
 * Opening and closing a session are local: a process may do either when others never do,
 * so that nothing collective can be done there. What all processes are known to be in at
 * once is a call that makes a communicator of all of mpi://WORLD: recording starts in the
 * first of these. It pauses while no session is open, when no MPI function may be called,
 * and ends with the process (finalize/apart.h). With MPI_Init everything is as ever.
 */

/* Drops what was kept in case that there would be no MPI_Init: there was one. */
void mwr_session_forget_world(void);

#if MWR_HAS_MPI_Session_init

void mwr_before_session_init(void);

/* Entered at enter. Counts it; goes on recording if it is the only one open. */
void mwr_after_session_init(struct mwr_call *call, uint64_t enter, int result,
                            MPI_Session session);

/* Before the last one is closed all that the recorder has of MPI is let go. */
void mwr_before_session_finalize(struct mwr_call *call);
void mwr_after_session_finalize(struct mwr_call *call, int result);

/*
 * After MPI_Comm_create_from_group (id), of caller and entered at enter: if group is all of
 * mpi://WORLD, and there was no MPI_Init, all processes agree whether this is where recording
 * starts. Each time, also when it has started: several threads may be making communicators, in
 * another order elsewhere, and then only what does not depend on order can't hang. Once
 * recording has started, call is the call's record.
 */
void mwr_session_may_start(struct mwr_call *call, unsigned id, void *caller, uint64_t enter,
                           int result, MPI_Group group, const MPI_Comm *comm);

#endif
#endif
