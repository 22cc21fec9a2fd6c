#ifndef MWR_HOOKS_KINDS_COLLECTIVE_H
#define MWR_HOOKS_KINDS_COLLECTIVE_H

#include <otf2/OTF2_Events.h>

#include "recorder/hooks/clock_renewal.h"
#include "recorder/hooks/collective.h"
#include "recorder/hooks/neighbor.h"
#include "recorder/hooks/now.h"

/*
 * The kinds of collective operations (see kinds.h): BLOCKING(BCAST), NONBLOCKING(BCAST) and
 * PERSISTENT(BCAST), where MWR_VOLUME_BCAST says the root and the bytes. The operations on
 * neighbourhoods are OTF2's operations of the same names; the region tells them apart.
 */

#define MWR_BEFORE_BLOCKING(operation)                                                          \
    const uint64_t mwr_renewal = MWR_RENEWAL_ENTER(comm, MWR_SYNCHRONISES_##operation);         \
                                                                                                \
    mwr_now_collective(&mwr_call, comm, MWR_ROOT_##operation);
#define MWR_AFTER_BLOCKING(operation)                                                           \
    if (MW_UNLIKELY(mwr_renewal > 0)) {                                                         \
        mwr_renewal_leave(mwr_renewal, mwr_result);                                             \
    }                                                                                           \
    if (mwr_collective_begin(&mwr_call, mwr_result)) {                                          \
        const struct mwr_volume mwr_volume = MWR_VOLUME_##operation;                            \
                                                                                                \
        mwr_collective_done(&mwr_call, comm, MWR_OPERATION(operation), &mwr_volume);            \
    }
#define MWR_BEFORE_NONBLOCKING(operation)
#define MWR_AFTER_NONBLOCKING(operation)                                                        \
    if (mwr_collective_begin(&mwr_call, mwr_result)) {                                          \
        const struct mwr_volume mwr_volume = MWR_VOLUME_##operation;                            \
                                                                                                \
        mwr_collective_posted(&mwr_call, comm, MWR_OPERATION(operation), &mwr_volume, *request); \
    } else if (mwr_result == MPI_SUCCESS) {                                                     \
        mwr_request_add_unrecorded(*request);                                                   \
    }
#define MWR_BEFORE_PERSISTENT(operation)
#define MWR_AFTER_PERSISTENT(operation)                                                         \
    mwr_collective_init(&mwr_call, mwr_result, comm, MWR_OPERATION(operation),                  \
                        MWR_VOLUME_##operation, request);

#define MWR_OPERATION(operation) OTF2_COLLECTIVE_OP_##operation
#define OTF2_COLLECTIVE_OP_NEIGHBOR_ALLGATHER OTF2_COLLECTIVE_OP_ALLGATHER
#define OTF2_COLLECTIVE_OP_NEIGHBOR_ALLGATHERV OTF2_COLLECTIVE_OP_ALLGATHERV
#define OTF2_COLLECTIVE_OP_NEIGHBOR_ALLTOALL OTF2_COLLECTIVE_OP_ALLTOALL
#define OTF2_COLLECTIVE_OP_NEIGHBOR_ALLTOALLV OTF2_COLLECTIVE_OP_ALLTOALLV
#define OTF2_COLLECTIVE_OP_NEIGHBOR_ALLTOALLW OTF2_COLLECTIVE_OP_ALLTOALLW

#define MWR_ROOT_BARRIER MW_ROOT_NONE
#define MWR_ROOT_BCAST root
#define MWR_ROOT_GATHER root
#define MWR_ROOT_GATHERV root
#define MWR_ROOT_SCATTER root
#define MWR_ROOT_SCATTERV root
#define MWR_ROOT_ALLGATHER MW_ROOT_NONE
#define MWR_ROOT_ALLGATHERV MW_ROOT_NONE
#define MWR_ROOT_ALLTOALL MW_ROOT_NONE
#define MWR_ROOT_ALLTOALLV MW_ROOT_NONE
#define MWR_ROOT_ALLTOALLW MW_ROOT_NONE
#define MWR_ROOT_REDUCE root
#define MWR_ROOT_ALLREDUCE MW_ROOT_NONE
#define MWR_ROOT_REDUCE_SCATTER MW_ROOT_NONE
#define MWR_ROOT_REDUCE_SCATTER_BLOCK MW_ROOT_NONE
#define MWR_ROOT_SCAN MW_ROOT_NONE
#define MWR_ROOT_EXSCAN MW_ROOT_NONE
#define MWR_ROOT_NEIGHBOR_ALLGATHER MW_ROOT_NONE
#define MWR_ROOT_NEIGHBOR_ALLGATHERV MW_ROOT_NONE
#define MWR_ROOT_NEIGHBOR_ALLTOALL MW_ROOT_NONE
#define MWR_ROOT_NEIGHBOR_ALLTOALLV MW_ROOT_NONE
#define MWR_ROOT_NEIGHBOR_ALLTOALLW MW_ROOT_NONE

/* Whether none can leave it before all have entered (clock_renewal.h). */
#define MWR_SYNCHRONISES_BARRIER true
#define MWR_SYNCHRONISES_BCAST false
#define MWR_SYNCHRONISES_GATHER false
#define MWR_SYNCHRONISES_GATHERV false
#define MWR_SYNCHRONISES_SCATTER false
#define MWR_SYNCHRONISES_SCATTERV false
#define MWR_SYNCHRONISES_ALLGATHER mwr_renewal_carries((int64_t)recvcount, recvtype)
#define MWR_SYNCHRONISES_ALLGATHERV false
#define MWR_SYNCHRONISES_ALLTOALL mwr_renewal_carries((int64_t)recvcount, recvtype)
#define MWR_SYNCHRONISES_ALLTOALLV false
#define MWR_SYNCHRONISES_ALLTOALLW false
#define MWR_SYNCHRONISES_REDUCE false
#define MWR_SYNCHRONISES_ALLREDUCE mwr_renewal_carries((int64_t)count, datatype)
#define MWR_SYNCHRONISES_REDUCE_SCATTER false
#define MWR_SYNCHRONISES_REDUCE_SCATTER_BLOCK false
#define MWR_SYNCHRONISES_SCAN false
#define MWR_SYNCHRONISES_EXSCAN false
#define MWR_SYNCHRONISES_NEIGHBOR_ALLGATHER false
#define MWR_SYNCHRONISES_NEIGHBOR_ALLGATHERV false
#define MWR_SYNCHRONISES_NEIGHBOR_ALLTOALL false
#define MWR_SYNCHRONISES_NEIGHBOR_ALLTOALLV false
#define MWR_SYNCHRONISES_NEIGHBOR_ALLTOALLW false

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
#define MWR_VOLUME_REDUCE mwr_volume_reduce(comm, root, sendbuf, (int64_t)count, datatype, op)
#define MWR_VOLUME_ALLREDUCE mwr_volume_allreduce(comm, sendbuf, (int64_t)count, datatype, op)
#define MWR_VOLUME_REDUCE_SCATTER                                                               \
    mwr_volume_reduce_scatter(comm, sendbuf, MWR_COUNTS_OF(recvcounts), datatype, op)
#define MWR_VOLUME_REDUCE_SCATTER_BLOCK                                                         \
    mwr_volume_reduce_scatter(comm, sendbuf, MWR_COUNT_OF(recvcount), datatype, op)
#define MWR_VOLUME_SCAN mwr_volume_scan(comm, sendbuf, (int64_t)count, datatype, op)
#define MWR_VOLUME_EXSCAN mwr_volume_exscan(comm, (int64_t)count, datatype, op)

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

#endif
