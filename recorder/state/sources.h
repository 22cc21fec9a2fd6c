#ifndef MWR_STATE_SOURCES_H
#define MWR_STATE_SOURCES_H

#include <stdint.h>

#include "recorder/state/comms.h"

/*
 * Sets of ranks that this process gets something from in a collective operation: its
 * in-neighbours, or in MPI_Alltoallv those whose counts are not 0. Each set of a communicator
 * gets a number and a definition when it is first met.
 *
 * All sets of a process together have at most MWR_SOURCES_MAX ranks and sets, so that archives
 * of large jobs stay small: a program whose operations come from others each time is not told.
 */

#define MWR_SOURCES_MAX 16384u

/*
 * The number of the set of count ranks in comm, rising. Thread-safe.
 *
 * \return MW_SOURCES_NONE when there are too many of them, or no memory.
 */
uint32_t mwr_sources_number(const struct mwr_comm *comm, const uint32_t *ranks, uint32_t count);

#endif
