#ifndef MWR_STATE_MEETING_H
#define MWR_STATE_MEETING_H

#include <stdint.h>

#include "recorder/dispatch/mpi_header.h"

/*
 * Where and when jobs meet by MPI_Comm_accept, MPI_Comm_connect or MPI_Comm_join, told in the
 * archives of both, so that who reads both knows which communicators are the same. Nothing is
 * exchanged: the other side may not be recorded, and would never answer.
 */

#define MWR_PLACE_NONE 0u

/* The place of a port, by its name; none but at root, where alone the name counts. */
uint64_t mwr_place_of_port(const char *port, int root, MPI_Comm comm);

/*
 * The place of a socket's two ends, the same at both: their addresses, of local sockets the path,
 * and of pairs without one who made them. None where the system does not tell.
 */
uint64_t mwr_place_of_socket(int fd);

/*
 * Writes that call has made handle at place, having been entered then (in ticks); nothing for
 * MWR_PLACE_NONE and for a communicator that is not known. Thread-safe.
 */
void mwr_meeting_define(unsigned call, MPI_Comm handle, uint64_t place, uint64_t enter);

#endif
