#ifndef MWR_VARIABLES_VARIABLES_H
#define MWR_VARIABLES_VARIABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/dispatch/mpi_header.h"
#include "recorder/state/comms.h"
#include "recorder/state/thread.h"

/*
 * The MPI's own variables (MPI_T): which are recorded, and when they are read.
 *
 * One private session from MPI_Init to MPI_Finalize; MPI_T is initialised before MPI is,
 * and never finalised, since either order's other way crashes Open MPI 4.1. Variables
 * bound to a communicator, a window or a file are let go before that ends. Nothing is
 * stopped, reset or written, and nothing started unless --pvar-start says so. All
 * functions are thread-safe but for those that begin and end.
 */

/* Before MPI_Init: initialises MPI_T, unless the environment selects no variables. */
void mwr_variables_prepare(void);

/* In MPI_Init, when nothing is going to be recorded: lets MPI_T go. */
void mwr_variables_abandon(void);

/* In MPI_Init: looks for variables, and tries those that nobody knows. */
void mwr_variables_find(void);

/*
 * At the end of MPI_Init: binds them, and reads them; then, behind the last that the recorder sends
 * and receives there itself, begins with their sums and to sample.
 */
void mwr_variables_bind_first(void);
void mwr_variables_start(void);

/*
 * A communicator begins in call; gets a name by MPI_Comm_set_name, in call; is registered by
 * a name, or (null) is so no longer; is about to end in call.
 */
void mwr_variables_comm_created(const struct mwr_call *call, const struct mwr_comm *comm,
                                MPI_Comm handle);
void mwr_variables_comm_named(const struct mwr_call *call, const struct mwr_comm *comm,
                              MPI_Comm handle, const char *name);
void mwr_variables_comm_registered(const struct mwr_comm *comm, MPI_Comm handle,
                                   const char *name);
void mwr_variables_comm_ends(struct mwr_call *call, const struct mwr_comm *comm);

/* The same of windows and open files, by their numbers. */
void mwr_variables_window_created(uint32_t number, MPI_Win window);
void mwr_variables_window_ends(struct mwr_call *call, uint32_t number);
void mwr_variables_file_opened(uint32_t number, MPI_File file);
void mwr_variables_file_closes(struct mwr_call *call, uint32_t number);

/*
 * Before recording pauses: what waits for the next call is bound, as the next ones may not be
 * recorded.
 */
void mwr_variables_pause(void);

/* At MPI_Pcontrol, if that is not recorded as a call. */
void mwr_variables_phase(void);

/*
 * Reads all variables now and writes them, changed or not, with the time of now. To be
 * called between the thread's calls of MPI, as by mpiwatch_snapshot.
 *
 * \return whether there is a sample: not while nothing is recorded or no variable is
 * selected, inside a call of MPI, or on another thread than the main one of a program
 * without MPI_THREAD_MULTIPLE.
 */
bool mwr_variables_snapshot(void);

/*
 * Reads all and writes what changed, as members of type of call's record, or now, if it has none
 * and this thread may write between calls.
 */
void mwr_variables_read_beside(struct mwr_call *call, enum mw_record_type type);

/* What the application did to a variable (its MPI_T index, -1: any); flag as samples have it. */
void mwr_variables_foreign(int index, uint8_t flag);

/* The application has read these values of the variable with this index, which may set it back. */
void mwr_variables_drained(int index, const void *values);

/* In MPI_Finalize: writes the last samples into call, lets everything go. */
void mwr_variables_finish(struct mwr_call *call);

#endif
