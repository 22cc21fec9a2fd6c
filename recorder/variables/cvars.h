#ifndef MWR_VARIABLES_CVARS_H
#define MWR_VARIABLES_CVARS_H

#include <stdbool.h>
#include <stddef.h>

#include "recorder/variables/pvar_selection.h"

/*
 * Writes the values of the control variables that selection takes into the definitions.
 * Those that crash the MPI, and those bound to an object, are left out. MPI_T must be
 * initialised.
 *
 * \return how many control variables the MPI has.
 */
unsigned mwr_cvars_define(const struct mwr_selection *selection);

#endif
