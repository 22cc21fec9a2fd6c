#ifndef MWR_VARIABLES_OWN_MPI_T_H
#define MWR_VARIABLES_OWN_MPI_T_H

#include <stdbool.h>

#include "recorder/dispatch/mpi_header.h"

/*
 * MPI_T as the recorder has initialized it, apart from the program and its tools: to them it is
 * initialized as long as they say so. Thread-safe.
 */

/* Puts functions that count where mwr_chain has MPI_T_init_thread and MPI_T_finalize of who is
 * below. Once, when it is filled. */
void mwr_own_mpi_t_prepare(void);

/* Initializes MPI_T for the recorder, once; false: the MPI refuses. */
bool mwr_own_mpi_t_begin(void);
/* Finalizes it, if that was done. */
void mwr_own_mpi_t_end(void);

/*
 * Whether a call of the program's is to return MPI_T_ERR_NOT_INITIALIZED: it is one of MPI_T, which
 * is initialized, but for the recorder only. Not for MPI_T_init_thread.
 */
bool mwr_own_mpi_t_refuses(unsigned call);

#endif
