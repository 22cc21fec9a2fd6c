#ifndef MWR_FINALIZE_ENDING_H
#define MWR_FINALIZE_ENDING_H

#include <stdbool.h>

#include "formats/spool/definition.h"

/*
 * How the process ends, told in its definitions where it can be known: MPI_Finalize,
 * MPI_Abort, exit without MPI_Finalize. Fatal signals are left to the program: no
 * handler is installed, and what the spools hold is complete without one.
 */

/* In MPI_Init, once recording has begun: also watches for exit. */
void mwr_ending_watch(void);

/*
 * Tells the losses of all threads and how the process ends. Nothing is to be written
 * into the definitions afterwards.
 */
void mwr_ending_tell(enum mw_end_how how, int code);

/* Whether the process is a rank that is recorded, and has not told how it ends. */
bool mwr_ending_is_open(void);

/* Closes the thread's spool and the definitions: the process records no more. */
void mwr_ending_close(void);

/*
 * Before MPI_Abort: tells it and says what to do next. Speaks to no other rank, for
 * these may be anywhere. Nothing happens when the recorder isn't running.
 */
void mwr_ending_abort(int code);

#endif
