#ifndef MWR_CARRY_CARRY_H
#define MWR_CARRY_CARRY_H

#include "formats/base/status.h"

/*
 * Carries what mpiwatch-top tells (formats/spool/live_carry.h) over the MPI that started it. Lent,
 * as the transport is (lent_transport.h), to mpiwatch-carry, which is not linked with MPI and opens
 * the library of mpiwatch for that MPI.
 */

enum mwr_carry_way {
    MWR_CARRY_TOGETHER, /* from all processes of the job to the first one */
    MWR_CARRY_SERVE,    /* from each process to those that connect to its port */
    MWR_CARRY_CONNECT   /* from those whose ports are named */
};

struct mwr_carry_job {
    enum mwr_carry_way way;
    int socket;
    const char *place; /* SERVE: where ports go to; CONNECT: the file that has them */
};

/*
 * Initialises MPI, carries until the socket is closed or nothing more comes, and finalises MPI.
 * version has to be the library's own PACKAGE_STRING. Nobody waits for a process that does not
 * take what it is told: what there is no room for is dropped.
 *
 * \return MW_OK; MW_ERROR_VERSION, MW_ERROR_MPI, MW_ERROR_MEMORY, MW_ERROR_SYSTEM, MW_ERROR_FORMAT:
 * the file has no ports; MW_ERROR_EXISTS: it is there already.
 */
enum mw_status mpiwatch_carry(const struct mwr_carry_job *job, const char *version,
                              struct mw_diagnostic *diagnostic);

#endif
