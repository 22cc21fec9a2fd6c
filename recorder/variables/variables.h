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
 * bound to a communicator are let go before it is freed. Nothing is stopped, reset or
 * written, and nothing started unless --pvar-start says so. All functions are thread-safe
 * but for the first and the last.
 */

/* Before MPI_Init: initialises MPI_T, unless the environment selects no variables. */
void mwr_variables_prepare(void);

/* At the end of MPI_Init: looks for variables, and begins to sample. */
void mwr_variables_start(void);

/* A communicator begins, gets a name, or is about to end in call. */
void mwr_variables_comm_created(const struct mwr_comm *comm, MPI_Comm handle);
void mwr_variables_comm_named(const struct mwr_comm *comm, MPI_Comm handle);
void mwr_variables_comm_ends(struct mwr_call *call, const struct mwr_comm *comm);

/* What the application did to a variable (its MPI_T index, -1: any); flag as samples have it. */
void mwr_variables_foreign(int index, uint8_t flag);

/* In MPI_Finalize: writes the last samples into call, lets everything go. */
void mwr_variables_finish(struct mwr_call *call);

#endif
