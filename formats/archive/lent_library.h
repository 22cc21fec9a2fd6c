#ifndef MW_FORMATS_ARCHIVE_LENT_LIBRARY_H
#define MW_FORMATS_ARCHIVE_LENT_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/archive/transport.h"

/*
 * Programs that are not linked with MPI speak over the one that started them: they open
 * mpiwatch's own library for that MPI, libmpiwatch-MPI.so, and borrow functions of it. An MPI is
 * named as in that ("openmpi", "mpich", "abi"). Nothing of this is done without a launcher. For the
 * main thread.
 */

/* Writes where the library for mpi is to path of size bytes: in the build tree that this program
 * runs from, an installation, a moved one, or where it was installed. False: there is none. */
bool mw_lent_library_path(const char *mpi, const char *installed, char *path, size_t size);

/*
 * A function of the library for mpi, which is opened for it. mpi null: that of the launcher; any
 * will do that it speaks to.
 *
 * \return null: there is none, and diagnostic says why (MW_ERROR_USAGE, MW_ERROR_MEMORY).
 */
void *mw_lent_function(const char *mpi, const char *name, struct mw_diagnostic *diagnostic);

/*
 * Initialises MPI and fills transport. version is the caller's PACKAGE_STRING. Where a launcher
 * says how many processes there are (launched_job.h), so many have to meet.
 *
 * \return MW_OK, and mw_lent_end is due; MW_ERROR_USAGE: there is no library, or each process is
 * alone; MW_ERROR_MEMORY: it did not come as far as MPI_Init, where others may wait for it;
 * MW_ERROR_VERSION: the library is of another version; MW_ERROR_MPI. diagnostic is not null.
 */
enum mw_status mw_lent_begin(const char *mpi, const char *version, struct mw_transport *transport,
                             struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Comes back when all processes have called it, and sleeps until then. After mw_lent_begin. */
void mw_lent_await(struct mw_transport *transport);

/* Finalises MPI. Collective. A transport of one process (mw_transport_serial_init) is fine. */
void mw_lent_end(struct mw_transport *transport);

#endif
