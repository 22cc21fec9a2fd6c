#ifndef MWR_STATE_LANES_H
#define MWR_STATE_LANES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Which operations in partitions belong to each other: on one channel (communicator, both ranks,
 * tag) MPI matches the n-th MPI_Psend_init with the n-th MPI_Precv_init, in whatever order they are
 * started or complete (MPI 4.0, 4.2.1). So each side counts its own.
 */

/*
 * The number of one that was made on communicator number comm, with this rank of it and this tag:
 * from 1 on. It counts whether it is recorded or not.
 *
 * \return 0: there is no memory, also of all that are made on the channel later. Thread-safe.
 */
uint32_t mwr_lane_next(bool receives, uint32_t comm, int32_t peer, int32_t tag);

#endif
