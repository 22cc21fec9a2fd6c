#ifndef MWR_CARRY_PORT_FILE_H
#define MWR_CARRY_PORT_FILE_H

#include "formats/archive/transport.h"

/* The file of ports by which jobs meet: a line for each process that has one. */

/*
 * Collective: writes each process's port as the line of its rank into the new file place, together;
 * it is there when it is whole. "stdout" and "stderr": each prints its own line there.
 *
 * \return MW_OK; MW_ERROR_EXISTS, MW_ERROR_SYSTEM, MW_ERROR_MPI, MW_ERROR_PEER.
 */
enum mw_status mwr_port_file_write(const struct mw_transport *transport, const char *place,
                                   const char *port,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

struct mwr_ports {
    char *text; /* that the lines are in */
    char **lines;
    uint32_t count;
};

#define MWR_PORTS_MAX 4096u /* lines */

/* Reads a file of ports; empty lines are none. \return MW_OK, and mwr_port_file_fini is due;
 * MW_ERROR_SYSTEM, MW_ERROR_MEMORY, MW_ERROR_FORMAT: there is no port in it, too many, or what no
 * port is. */
enum mw_status mwr_port_file_read(const char *place, struct mwr_ports *ports,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwr_port_file_fini(struct mwr_ports *ports);

#endif
