#ifndef MWR_VARIABLES_TRIAL_H
#define MWR_VARIABLES_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/dispatch/mpi_header.h"
#include "recorder/variables/pvars.h"

/*
 * Variables that nobody knows may crash the MPI when they are touched: they are read in a
 * child process first (--pvar-probe), and left out if that dies of it. A child of fork
 * makes the parent's next writes go to other pages, which RDMA devices don't learn of: so on
 * hosts that have any the default is not to try. Nor is it tried in the middle of the run,
 * unless the user says fork. Not thread-safe.
 */

#define MWR_TRIAL_SECONDS 2u /* that reading them all may take: MPI_Init waits */

/* Whether the settings want it: at the start of the run, or later. */
bool mwr_trial_is_wanted(bool is_start);

/*
 * Takes those from pvars' list from first on that die in a child process; the rest keeps its
 * order. Those of the default selection are known, and those of windows and files can't be
 * tried before there are any.
 */
void mwr_trial_of_pvars(struct mwr_pvars *pvars, uint32_t first, MPI_T_pvar_session session);

#endif
