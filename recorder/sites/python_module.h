#ifndef MWR_SITES_PYTHON_MODULE_H
#define MWR_SITES_PYTHON_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/sites/loaded.h"

/*
 * Which calls of MPI, that return to address, in loaded, are told by the frames of Python that they
 * come from: those of which debugging information and symbols would say nothing but the address.
 * For that a file is read, some 20 us. No lock of ours is taken; any thread.
 */

/*
 * Whether loaded is one of Python's extension modules, and the address has no name; always if it is
 * the one by which mpi4py calls MPI.
 */
bool mwr_loaded_is_of_python(const struct mwr_loaded *loaded, uintptr_t address);

/*
 * The same, or the address has no name in another library, or in the program, and there is a Python
 * in the process: a thread that runs it comes from one of its lines, others from the address.
 */
bool mwr_loaded_may_be_of_python(const struct mwr_loaded *loaded, uintptr_t address);

#endif
