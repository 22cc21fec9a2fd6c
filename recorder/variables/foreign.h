#ifndef MWR_VARIABLES_FOREIGN_H
#define MWR_VARIABLES_FOREIGN_H

#include "recorder/dispatch/mpi_header.h"
#include "recorder/state/thread.h"

/*
 * The application's own use of MPI_T, which works as without the recorder: what it does
 * to variables is noted in their next samples, and what only goes wrong because the
 * recorder initialised MPI_T first is put right. Hooks of these calls. Thread-safe.
 */

/* Open MPI leaves provided alone when MPI_T was initialised before. */
void mwr_before_t_init(int required, int *provided);

/* Which variable a handle of the application's is bound to. */
void mwr_after_t_handle_alloc(struct mwr_call *call, int result, int index,
                              MPI_T_pvar_handle handle);
void mwr_before_t_handle_free(MPI_T_pvar_handle handle);

/*
 * Start, stop, reset, readreset or write (call id) of handle. Variables are read before one is
 * reset or written, and after it: nobody could tell later what came to a sum before, nor, once it
 * has risen as high again, that it was reset.
 */
void mwr_before_t_change(struct mwr_call *call, unsigned id);
void mwr_after_t_change(struct mwr_call *call, unsigned id, int result, MPI_T_pvar_handle handle);

/* The application has read a variable, which may have set it back. */
void mwr_after_t_read(struct mwr_call *call, int result, MPI_T_pvar_handle handle,
                      const void *values);

/*
 * The index to be used for a control variable: an impossible one for those that would
 * crash, which MPI refuses.
 */
int mwr_before_t_cvar(int index);

#endif
