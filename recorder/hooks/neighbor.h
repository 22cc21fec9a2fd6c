#ifndef MWR_HOOKS_NEIGHBOR_H
#define MWR_HOOKS_NEIGHBOR_H

#include "recorder/hooks/collective.h"

/*
 * Bytes of the collective operations on a neighbourhood: what goes to the process's
 * own out-neighbours and comes from its in-neighbours, in the order that the topology of
 * comm gives them; and which in-neighbours anything comes from. Beyond the edge of a Cartesian
 * one there is nobody, and no bytes.
 */
struct mwr_volume mwr_volume_neighbor(MPI_Comm comm, struct mwr_counts sendcounts,
                                      MPI_Datatype sendtype, struct mwr_counts recvcounts,
                                      MPI_Datatype recvtype);
struct mwr_volume mwr_volume_neighbor_w(MPI_Comm comm, struct mwr_counts sendcounts,
                                        const MPI_Datatype sendtypes[],
                                        struct mwr_counts recvcounts,
                                        const MPI_Datatype recvtypes[]);

#endif
