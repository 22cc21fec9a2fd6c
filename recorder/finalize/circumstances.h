#ifndef MWR_FINALIZE_CIRCUMSTANCES_H
#define MWR_FINALIZE_CIRCUMSTANCES_H

#include <stdint.h>

/*
 * Tells the definitions what the process runs in: its cores and what limits them, and for the
 * whole job (rank 0) what the batch system says of it, the variables of the environment that tune
 * the MPI, and the commit that the program is of. Read once, from files and the environment;
 * variables whose names look like those of secrets are left out.
 */
void mwr_circumstances_define(void);

/* On what cores the calling thread may run. */
void mwr_circumstances_define_thread(uint32_t thread);

#endif
