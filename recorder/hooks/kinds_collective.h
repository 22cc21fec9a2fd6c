#ifndef MWR_HOOKS_KINDS_COLLECTIVE_H
#define MWR_HOOKS_KINDS_COLLECTIVE_H

#include <otf2/OTF2_Events.h>

#include "recorder/hooks/collective.h"
#include "recorder/hooks/neighbor.h"

/*
 * The kinds of collective operations (see kinds.h): each is blocking, non-blocking or
 * persistent, and MWR_VOLUME_X says its root and its bytes. The operations on
 * neighbourhoods are OTF2's operations of the same names; the region tells them apart.
 */

#define MWR_BLOCKING(operation, volume)                                                         \
    if (mwr_collective_begin(&mwr_call, mwr_result)) {                                          \
        const struct mwr_volume mwr_volume = volume;                                            \
                                                                                                \
        mwr_collective_done(&mwr_call, comm, OTF2_COLLECTIVE_OP_##operation, &mwr_volume);      \
    }
#define MWR_NONBLOCKING(operation, volume)                                                      \
    if (mwr_collective_begin(&mwr_call, mwr_result)) {                                          \
        const struct mwr_volume mwr_volume = volume;                                            \
                                                                                                \
        mwr_collective_posted(&mwr_call, comm, OTF2_COLLECTIVE_OP_##operation, &mwr_volume,     \
                              *request);                                                        \
    } else if (mwr_result == MPI_SUCCESS) {                                                     \
        mwr_request_add_unrecorded(*request);                                                   \
    }
#define MWR_PERSISTENT(operation, volume)                                                       \
    mwr_collective_init(&mwr_call, mwr_result, comm, OTF2_COLLECTIVE_OP_##operation, volume,    \
                        request);

#define MWR_VOLUME_BARRIER mwr_volume_none()
#define MWR_VOLUME_BCAST mwr_volume_bcast(comm, root, (int64_t)count, datatype)
#define MWR_VOLUME_GATHER                                                                       \
    mwr_volume_gather(comm, root, sendbuf, (int64_t)sendcount, sendtype,                        \
                      MWR_COUNT_OF(recvcount), recvtype)
#define MWR_VOLUME_GATHERV                                                                      \
    mwr_volume_gather(comm, root, sendbuf, (int64_t)sendcount, sendtype,                        \
                      MWR_COUNTS_OF(recvcounts), recvtype)
#define MWR_VOLUME_SCATTER                                                                      \
    mwr_volume_scatter(comm, root, MWR_COUNT_OF(sendcount), sendtype, recvbuf,                  \
                       (int64_t)recvcount, recvtype)
#define MWR_VOLUME_SCATTERV                                                                     \
    mwr_volume_scatter(comm, root, MWR_COUNTS_OF(sendcounts), sendtype, recvbuf,                \
                       (int64_t)recvcount, recvtype)
#define MWR_VOLUME_ALLGATHER                                                                    \
    mwr_volume_allgather(comm, sendbuf, (int64_t)sendcount, sendtype, MWR_COUNT_OF(recvcount),  \
                         recvtype)
#define MWR_VOLUME_ALLGATHERV                                                                   \
    mwr_volume_allgather(comm, sendbuf, (int64_t)sendcount, sendtype,                           \
                         MWR_COUNTS_OF(recvcounts), recvtype)
#define MWR_VOLUME_ALLTOALL                                                                     \
    mwr_volume_alltoall(comm, sendbuf, MWR_COUNT_OF(sendcount), sendtype,                       \
                        MWR_COUNT_OF(recvcount), recvtype)
#define MWR_VOLUME_ALLTOALLV                                                                    \
    mwr_volume_alltoall(comm, sendbuf, MWR_COUNTS_OF(sendcounts), sendtype,                     \
                        MWR_COUNTS_OF(recvcounts), recvtype)
#define MWR_VOLUME_ALLTOALLW                                                                    \
    mwr_volume_alltoallw(comm, sendbuf, MWR_COUNTS_OF(sendcounts), sendtypes,                   \
                         MWR_COUNTS_OF(recvcounts), recvtypes)
#define MWR_VOLUME_REDUCE mwr_volume_reduce(comm, root, sendbuf, (int64_t)count, datatype)
#define MWR_VOLUME_ALLREDUCE mwr_volume_allreduce(comm, sendbuf, (int64_t)count, datatype)
#define MWR_VOLUME_REDUCE_SCATTER                                                               \
    mwr_volume_reduce_scatter(comm, sendbuf, MWR_COUNTS_OF(recvcounts), datatype)
#define MWR_VOLUME_REDUCE_SCATTER_BLOCK                                                         \
    mwr_volume_reduce_scatter(comm, sendbuf, MWR_COUNT_OF(recvcount), datatype)
#define MWR_VOLUME_SCAN mwr_volume_scan(comm, sendbuf, (int64_t)count, datatype)
#define MWR_VOLUME_EXSCAN mwr_volume_exscan(comm, (int64_t)count, datatype)

#define MWR_VOLUME_NEIGHBOR_ALLGATHER                                                           \
    mwr_volume_neighbor(comm, MWR_COUNT_OF(sendcount), sendtype, MWR_COUNT_OF(recvcount), recvtype)
#define MWR_VOLUME_NEIGHBOR_ALLGATHERV                                                          \
    mwr_volume_neighbor(comm, MWR_COUNT_OF(sendcount), sendtype, MWR_COUNTS_OF(recvcounts),     \
                        recvtype)
#define MWR_VOLUME_NEIGHBOR_ALLTOALL MWR_VOLUME_NEIGHBOR_ALLGATHER
#define MWR_VOLUME_NEIGHBOR_ALLTOALLV                                                           \
    mwr_volume_neighbor(comm, MWR_COUNTS_OF(sendcounts), sendtype, MWR_COUNTS_OF(recvcounts),   \
                        recvtype)
#define MWR_VOLUME_NEIGHBOR_ALLTOALLW                                                           \
    mwr_volume_neighbor_w(comm, MWR_COUNTS_OF(sendcounts), sendtypes,                           \
                          MWR_COUNTS_OF(recvcounts), recvtypes)

#define MWR_BEFORE_BARRIER
#define MWR_AFTER_BARRIER MWR_BLOCKING(BARRIER, MWR_VOLUME_BARRIER)
#define MWR_BEFORE_IBARRIER
#define MWR_AFTER_IBARRIER MWR_NONBLOCKING(BARRIER, MWR_VOLUME_BARRIER)
#define MWR_BEFORE_BARRIER_INIT
#define MWR_AFTER_BARRIER_INIT MWR_PERSISTENT(BARRIER, MWR_VOLUME_BARRIER)
#define MWR_BEFORE_BCAST
#define MWR_AFTER_BCAST MWR_BLOCKING(BCAST, MWR_VOLUME_BCAST)
#define MWR_BEFORE_IBCAST
#define MWR_AFTER_IBCAST MWR_NONBLOCKING(BCAST, MWR_VOLUME_BCAST)
#define MWR_BEFORE_BCAST_INIT
#define MWR_AFTER_BCAST_INIT MWR_PERSISTENT(BCAST, MWR_VOLUME_BCAST)
#define MWR_BEFORE_GATHER
#define MWR_AFTER_GATHER MWR_BLOCKING(GATHER, MWR_VOLUME_GATHER)
#define MWR_BEFORE_IGATHER
#define MWR_AFTER_IGATHER MWR_NONBLOCKING(GATHER, MWR_VOLUME_GATHER)
#define MWR_BEFORE_GATHER_INIT
#define MWR_AFTER_GATHER_INIT MWR_PERSISTENT(GATHER, MWR_VOLUME_GATHER)
#define MWR_BEFORE_GATHERV
#define MWR_AFTER_GATHERV MWR_BLOCKING(GATHERV, MWR_VOLUME_GATHERV)
#define MWR_BEFORE_IGATHERV
#define MWR_AFTER_IGATHERV MWR_NONBLOCKING(GATHERV, MWR_VOLUME_GATHERV)
#define MWR_BEFORE_GATHERV_INIT
#define MWR_AFTER_GATHERV_INIT MWR_PERSISTENT(GATHERV, MWR_VOLUME_GATHERV)
#define MWR_BEFORE_SCATTER
#define MWR_AFTER_SCATTER MWR_BLOCKING(SCATTER, MWR_VOLUME_SCATTER)
#define MWR_BEFORE_ISCATTER
#define MWR_AFTER_ISCATTER MWR_NONBLOCKING(SCATTER, MWR_VOLUME_SCATTER)
#define MWR_BEFORE_SCATTER_INIT
#define MWR_AFTER_SCATTER_INIT MWR_PERSISTENT(SCATTER, MWR_VOLUME_SCATTER)
#define MWR_BEFORE_SCATTERV
#define MWR_AFTER_SCATTERV MWR_BLOCKING(SCATTERV, MWR_VOLUME_SCATTERV)
#define MWR_BEFORE_ISCATTERV
#define MWR_AFTER_ISCATTERV MWR_NONBLOCKING(SCATTERV, MWR_VOLUME_SCATTERV)
#define MWR_BEFORE_SCATTERV_INIT
#define MWR_AFTER_SCATTERV_INIT MWR_PERSISTENT(SCATTERV, MWR_VOLUME_SCATTERV)
#define MWR_BEFORE_ALLGATHER
#define MWR_AFTER_ALLGATHER MWR_BLOCKING(ALLGATHER, MWR_VOLUME_ALLGATHER)
#define MWR_BEFORE_IALLGATHER
#define MWR_AFTER_IALLGATHER MWR_NONBLOCKING(ALLGATHER, MWR_VOLUME_ALLGATHER)
#define MWR_BEFORE_ALLGATHER_INIT
#define MWR_AFTER_ALLGATHER_INIT MWR_PERSISTENT(ALLGATHER, MWR_VOLUME_ALLGATHER)
#define MWR_BEFORE_ALLGATHERV
#define MWR_AFTER_ALLGATHERV MWR_BLOCKING(ALLGATHERV, MWR_VOLUME_ALLGATHERV)
#define MWR_BEFORE_IALLGATHERV
#define MWR_AFTER_IALLGATHERV MWR_NONBLOCKING(ALLGATHERV, MWR_VOLUME_ALLGATHERV)
#define MWR_BEFORE_ALLGATHERV_INIT
#define MWR_AFTER_ALLGATHERV_INIT MWR_PERSISTENT(ALLGATHERV, MWR_VOLUME_ALLGATHERV)
#define MWR_BEFORE_ALLTOALL
#define MWR_AFTER_ALLTOALL MWR_BLOCKING(ALLTOALL, MWR_VOLUME_ALLTOALL)
#define MWR_BEFORE_IALLTOALL
#define MWR_AFTER_IALLTOALL MWR_NONBLOCKING(ALLTOALL, MWR_VOLUME_ALLTOALL)
#define MWR_BEFORE_ALLTOALL_INIT
#define MWR_AFTER_ALLTOALL_INIT MWR_PERSISTENT(ALLTOALL, MWR_VOLUME_ALLTOALL)
#define MWR_BEFORE_ALLTOALLV
#define MWR_AFTER_ALLTOALLV MWR_BLOCKING(ALLTOALLV, MWR_VOLUME_ALLTOALLV)
#define MWR_BEFORE_IALLTOALLV
#define MWR_AFTER_IALLTOALLV MWR_NONBLOCKING(ALLTOALLV, MWR_VOLUME_ALLTOALLV)
#define MWR_BEFORE_ALLTOALLV_INIT
#define MWR_AFTER_ALLTOALLV_INIT MWR_PERSISTENT(ALLTOALLV, MWR_VOLUME_ALLTOALLV)
#define MWR_BEFORE_ALLTOALLW
#define MWR_AFTER_ALLTOALLW MWR_BLOCKING(ALLTOALLW, MWR_VOLUME_ALLTOALLW)
#define MWR_BEFORE_IALLTOALLW
#define MWR_AFTER_IALLTOALLW MWR_NONBLOCKING(ALLTOALLW, MWR_VOLUME_ALLTOALLW)
#define MWR_BEFORE_ALLTOALLW_INIT
#define MWR_AFTER_ALLTOALLW_INIT MWR_PERSISTENT(ALLTOALLW, MWR_VOLUME_ALLTOALLW)
#define MWR_BEFORE_REDUCE
#define MWR_AFTER_REDUCE MWR_BLOCKING(REDUCE, MWR_VOLUME_REDUCE)
#define MWR_BEFORE_IREDUCE
#define MWR_AFTER_IREDUCE MWR_NONBLOCKING(REDUCE, MWR_VOLUME_REDUCE)
#define MWR_BEFORE_REDUCE_INIT
#define MWR_AFTER_REDUCE_INIT MWR_PERSISTENT(REDUCE, MWR_VOLUME_REDUCE)
#define MWR_BEFORE_ALLREDUCE
#define MWR_AFTER_ALLREDUCE MWR_BLOCKING(ALLREDUCE, MWR_VOLUME_ALLREDUCE)
#define MWR_BEFORE_IALLREDUCE
#define MWR_AFTER_IALLREDUCE MWR_NONBLOCKING(ALLREDUCE, MWR_VOLUME_ALLREDUCE)
#define MWR_BEFORE_ALLREDUCE_INIT
#define MWR_AFTER_ALLREDUCE_INIT MWR_PERSISTENT(ALLREDUCE, MWR_VOLUME_ALLREDUCE)
#define MWR_BEFORE_REDUCE_SCATTER
#define MWR_AFTER_REDUCE_SCATTER MWR_BLOCKING(REDUCE_SCATTER, MWR_VOLUME_REDUCE_SCATTER)
#define MWR_BEFORE_IREDUCE_SCATTER
#define MWR_AFTER_IREDUCE_SCATTER MWR_NONBLOCKING(REDUCE_SCATTER, MWR_VOLUME_REDUCE_SCATTER)
#define MWR_BEFORE_REDUCE_SCATTER_INIT
#define MWR_AFTER_REDUCE_SCATTER_INIT MWR_PERSISTENT(REDUCE_SCATTER, MWR_VOLUME_REDUCE_SCATTER)
#define MWR_BEFORE_REDUCE_SCATTER_BLOCK
#define MWR_AFTER_REDUCE_SCATTER_BLOCK                                                          \
    MWR_BLOCKING(REDUCE_SCATTER_BLOCK, MWR_VOLUME_REDUCE_SCATTER_BLOCK)
#define MWR_BEFORE_IREDUCE_SCATTER_BLOCK
#define MWR_AFTER_IREDUCE_SCATTER_BLOCK                                                         \
    MWR_NONBLOCKING(REDUCE_SCATTER_BLOCK, MWR_VOLUME_REDUCE_SCATTER_BLOCK)
#define MWR_BEFORE_REDUCE_SCATTER_BLOCK_INIT
#define MWR_AFTER_REDUCE_SCATTER_BLOCK_INIT                                                     \
    MWR_PERSISTENT(REDUCE_SCATTER_BLOCK, MWR_VOLUME_REDUCE_SCATTER_BLOCK)
#define MWR_BEFORE_SCAN
#define MWR_AFTER_SCAN MWR_BLOCKING(SCAN, MWR_VOLUME_SCAN)
#define MWR_BEFORE_ISCAN
#define MWR_AFTER_ISCAN MWR_NONBLOCKING(SCAN, MWR_VOLUME_SCAN)
#define MWR_BEFORE_SCAN_INIT
#define MWR_AFTER_SCAN_INIT MWR_PERSISTENT(SCAN, MWR_VOLUME_SCAN)
#define MWR_BEFORE_EXSCAN
#define MWR_AFTER_EXSCAN MWR_BLOCKING(EXSCAN, MWR_VOLUME_EXSCAN)
#define MWR_BEFORE_IEXSCAN
#define MWR_AFTER_IEXSCAN MWR_NONBLOCKING(EXSCAN, MWR_VOLUME_EXSCAN)
#define MWR_BEFORE_EXSCAN_INIT
#define MWR_AFTER_EXSCAN_INIT MWR_PERSISTENT(EXSCAN, MWR_VOLUME_EXSCAN)

#define MWR_BEFORE_NEIGHBOR_ALLGATHER
#define MWR_AFTER_NEIGHBOR_ALLGATHER MWR_BLOCKING(ALLGATHER, MWR_VOLUME_NEIGHBOR_ALLGATHER)
#define MWR_BEFORE_INEIGHBOR_ALLGATHER
#define MWR_AFTER_INEIGHBOR_ALLGATHER MWR_NONBLOCKING(ALLGATHER, MWR_VOLUME_NEIGHBOR_ALLGATHER)
#define MWR_BEFORE_NEIGHBOR_ALLGATHER_INIT
#define MWR_AFTER_NEIGHBOR_ALLGATHER_INIT MWR_PERSISTENT(ALLGATHER, MWR_VOLUME_NEIGHBOR_ALLGATHER)
#define MWR_BEFORE_NEIGHBOR_ALLGATHERV
#define MWR_AFTER_NEIGHBOR_ALLGATHERV MWR_BLOCKING(ALLGATHERV, MWR_VOLUME_NEIGHBOR_ALLGATHERV)
#define MWR_BEFORE_INEIGHBOR_ALLGATHERV
#define MWR_AFTER_INEIGHBOR_ALLGATHERV MWR_NONBLOCKING(ALLGATHERV, MWR_VOLUME_NEIGHBOR_ALLGATHERV)
#define MWR_BEFORE_NEIGHBOR_ALLGATHERV_INIT
#define MWR_AFTER_NEIGHBOR_ALLGATHERV_INIT                                                      \
    MWR_PERSISTENT(ALLGATHERV, MWR_VOLUME_NEIGHBOR_ALLGATHERV)
#define MWR_BEFORE_NEIGHBOR_ALLTOALL
#define MWR_AFTER_NEIGHBOR_ALLTOALL MWR_BLOCKING(ALLTOALL, MWR_VOLUME_NEIGHBOR_ALLTOALL)
#define MWR_BEFORE_INEIGHBOR_ALLTOALL
#define MWR_AFTER_INEIGHBOR_ALLTOALL MWR_NONBLOCKING(ALLTOALL, MWR_VOLUME_NEIGHBOR_ALLTOALL)
#define MWR_BEFORE_NEIGHBOR_ALLTOALL_INIT
#define MWR_AFTER_NEIGHBOR_ALLTOALL_INIT MWR_PERSISTENT(ALLTOALL, MWR_VOLUME_NEIGHBOR_ALLTOALL)
#define MWR_BEFORE_NEIGHBOR_ALLTOALLV
#define MWR_AFTER_NEIGHBOR_ALLTOALLV MWR_BLOCKING(ALLTOALLV, MWR_VOLUME_NEIGHBOR_ALLTOALLV)
#define MWR_BEFORE_INEIGHBOR_ALLTOALLV
#define MWR_AFTER_INEIGHBOR_ALLTOALLV MWR_NONBLOCKING(ALLTOALLV, MWR_VOLUME_NEIGHBOR_ALLTOALLV)
#define MWR_BEFORE_NEIGHBOR_ALLTOALLV_INIT
#define MWR_AFTER_NEIGHBOR_ALLTOALLV_INIT MWR_PERSISTENT(ALLTOALLV, MWR_VOLUME_NEIGHBOR_ALLTOALLV)
#define MWR_BEFORE_NEIGHBOR_ALLTOALLW
#define MWR_AFTER_NEIGHBOR_ALLTOALLW MWR_BLOCKING(ALLTOALLW, MWR_VOLUME_NEIGHBOR_ALLTOALLW)
#define MWR_BEFORE_INEIGHBOR_ALLTOALLW
#define MWR_AFTER_INEIGHBOR_ALLTOALLW MWR_NONBLOCKING(ALLTOALLW, MWR_VOLUME_NEIGHBOR_ALLTOALLW)
#define MWR_BEFORE_NEIGHBOR_ALLTOALLW_INIT
#define MWR_AFTER_NEIGHBOR_ALLTOALLW_INIT MWR_PERSISTENT(ALLTOALLW, MWR_VOLUME_NEIGHBOR_ALLTOALLW)

#endif
