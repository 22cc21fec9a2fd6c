#ifndef MW_FORMATS_TABLE_WRAPPER_NAME_H
#define MW_FORMATS_TABLE_WRAPPER_NAME_H

#include <stdbool.h>

/*
 * Whether a function is, by its name, one that only calls MPI for others: it has the name of the
 * function of MPI that it calls in its own (hypre_MPI_Waitall, my_mpi_send_, mpiWait), or is named
 * as any other one, by which it may be done (relion_MPI_Recv calls MPI_Irecv and MPI_Wait), or as
 * what it calls without "MPI_" (amrex::ParallelDescriptor::Waitall), or as those of programs that
 * have a module for it (mp_sum of Quantum ESPRESSO and CP2K, xmpi_sum of ABINIT). Names are those
 * of the linker, as C, C++ and gfortran make them, or as people write them, without parameters.
 * Call: which function of MPI it calls; null: not known. Any thread.
 */
bool mw_wraps_calls(const char *function, const char *call);

/* Whether that is so of any function of MPI that it may call. Any thread. */
bool mw_may_wrap_calls(const char *function);

/* Whether its own name is that of any function of MPI without "MPI_", "Waitall". Any thread. */
bool mw_is_named_as_a_call(const char *function);

/*
 * Whether it is a header that is installed, the system's or one of an MPI, wherever that is: nobody
 * has written functions in it, such as templates around MPI, for this program. Any thread.
 */
bool mw_is_installed_header(const char *file);

#endif
