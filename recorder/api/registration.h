#ifndef MWR_API_REGISTRATION_H
#define MWR_API_REGISTRATION_H

#include <stddef.h>

/*
 * Registration of communicators: the functions of mpiwatch.h, which say what they return.
 * handle points to a MPI_Comm of so many bytes, or with bytes 0 to a Fortran INTEGER.
 * Thread-safe.
 */
int mwr_comm_register(const void *handle, size_t bytes, const char *name);
int mwr_comm_unregister(const void *handle, size_t bytes);
int mwr_comm_is_registered(const void *handle, size_t bytes);

#endif
