#ifndef MWR_FINALIZE_LENT_TRANSPORT_H
#define MWR_FINALIZE_LENT_TRANSPORT_H

#include "formats/archive/transport.h"

/*
 * The recorder's transport, lent to mpiwatch-recover under mpirun: a program that is not
 * linked with MPI opens the recorder's library (dlopen with RTLD_GLOBAL) and calls these.
 * Nothing is recorded.
 */

/*
 * Initialises MPI and fills transport. version has to be the library's own PACKAGE_STRING,
 * since the two share structures.
 *
 * \return MW_OK, and mpiwatch_transport_end is due; MW_ERROR_VERSION, MW_ERROR_MPI.
 */
enum mw_status mpiwatch_transport_begin(struct mw_transport *transport, const char *version,
                                        struct mw_diagnostic *diagnostic);

/* Finalises MPI. Collective. */
void mpiwatch_transport_end(struct mw_transport *transport);

#endif
