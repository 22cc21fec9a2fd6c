#ifndef MWR_SITES_PYTHON_MODULE_H
#define MWR_SITES_PYTHON_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/sites/loaded.h"

/*
 * Whether a call of MPI that returns to address, in loaded, is told by the line of Python that it
 * comes from: if it is the library by which mpi4py calls MPI, or another extension module of Python
 * of which debugging information and symbols would say nothing but the address. Of the latter the
 * file is read, some 20 us. No lock is taken; any thread.
 */
bool mwr_loaded_is_of_python(const struct mwr_loaded *loaded, uintptr_t address);

#endif
