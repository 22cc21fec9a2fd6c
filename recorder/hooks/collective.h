#ifndef MWR_HOOKS_COLLECTIVE_H
#define MWR_HOOKS_COLLECTIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/dispatch/mpi_header.h"
#include "recorder/state/requests.h"
#include "recorder/state/thread.h"

/*
 * Collective operations: the operation, its root, and the bytes that this process
 * sends and receives in it, as formats/ARCHIVE.md ("Bytes of a collective") defines
 * them per operation.
 */

struct mwr_volume {
    int32_t root; /* a rank, or MW_ROOT_* */
    uint32_t from; /* MW_OPERATION_NEIGHBORS, and mw_operation_with of the set of sources; or
                      mw_operation_on, where members have to agree on it */
    uint64_t sent;
    uint64_t received;
};

/* A count, or an array of one per process; int or MPI_Count. */
struct mwr_counts {
    const void *values; /* null: single is the count for all */
    bool is_large;
    int64_t single;
};

#define MWR_COUNT_OF(count) ((struct mwr_counts){.single = (int64_t)(count)})
#define MWR_COUNTS_OF(array)                                                                    \
    ((struct mwr_counts){.values = (array),                                                     \
                         .is_large = _Generic((array), const MPI_Count *: true, default: false)})

/* The count of the process (or neighbour) at index. */
static inline int64_t mwr_count_at(struct mwr_counts counts, uint64_t index)
{
    if (!counts.values) {
        return counts.single;
    }
    return counts.is_large ? (int64_t)((const MPI_Count *)counts.values)[index]
                           : ((const int *)counts.values)[index];
}

/* Whether the operation is to be recorded; a failed one is noted as such. */
static inline bool mwr_collective_begin(struct mwr_call *call, int result)
{
    if (MW_UNLIKELY(result != MPI_SUCCESS)) {
        mwr_call_failed(call, result);
        return false;
    }
    return call->record || call->tally;
}

/* The root as records have it. */
static inline int32_t mwr_root_of(int root)
{
    if (root == MPI_ROOT) {
        return MW_ROOT_SELF;
    }
    return root == MPI_PROC_NULL ? MW_ROOT_THIS_GROUP : root;
}

/* A blocking collective is done. operation is an OTF2_CollectiveOp. */
void mwr_collective_done(struct mwr_call *call, MPI_Comm comm, uint8_t operation,
                         const struct mwr_volume *volume);

/* A non-blocking one has begun. */
void mwr_collective_posted(struct mwr_call *call, MPI_Comm comm, uint8_t operation,
                           const struct mwr_volume *volume, MPI_Request request);

/* A persistent one was made; each MPI_Start of it is recorded as the beginning of one. */
void mwr_collective_init(struct mwr_call *call, int result, MPI_Comm comm, uint8_t operation,
                         struct mwr_volume volume, const MPI_Request *request);

/* One that was followed is complete. */
void mwr_collective_completed(struct mwr_call *call, const struct mwr_request *request);

struct mwr_volume mwr_volume_none(void);
struct mwr_volume mwr_volume_bcast(MPI_Comm comm, int root, int64_t count, MPI_Datatype datatype);
struct mwr_volume mwr_volume_gather(MPI_Comm comm, int root, const void *sendbuf,
                                    int64_t sendcount, MPI_Datatype sendtype,
                                    struct mwr_counts recvcounts, MPI_Datatype recvtype);
struct mwr_volume mwr_volume_scatter(MPI_Comm comm, int root, struct mwr_counts sendcounts,
                                     MPI_Datatype sendtype, const void *recvbuf,
                                     int64_t recvcount, MPI_Datatype recvtype);
struct mwr_volume mwr_volume_allgather(MPI_Comm comm, const void *sendbuf, int64_t sendcount,
                                       MPI_Datatype sendtype, struct mwr_counts recvcounts,
                                       MPI_Datatype recvtype);
struct mwr_volume mwr_volume_alltoall(MPI_Comm comm, const void *sendbuf,
                                      struct mwr_counts sendcounts, MPI_Datatype sendtype,
                                      struct mwr_counts recvcounts, MPI_Datatype recvtype);
struct mwr_volume mwr_volume_alltoallw(MPI_Comm comm, const void *sendbuf,
                                       struct mwr_counts sendcounts,
                                       const MPI_Datatype sendtypes[],
                                       struct mwr_counts recvcounts,
                                       const MPI_Datatype recvtypes[]);
struct mwr_volume mwr_volume_reduce(MPI_Comm comm, int root, const void *sendbuf, int64_t count,
                                    MPI_Datatype datatype, MPI_Op op);
struct mwr_volume mwr_volume_allreduce(MPI_Comm comm, const void *sendbuf, int64_t count,
                                       MPI_Datatype datatype, MPI_Op op);
struct mwr_volume mwr_volume_reduce_scatter(MPI_Comm comm, const void *sendbuf,
                                            struct mwr_counts recvcounts, MPI_Datatype datatype,
                                            MPI_Op op);
struct mwr_volume mwr_volume_scan(MPI_Comm comm, const void *sendbuf, int64_t count,
                                  MPI_Datatype datatype, MPI_Op op);
struct mwr_volume mwr_volume_exscan(MPI_Comm comm, int64_t count, MPI_Datatype datatype,
                                    MPI_Op op);

#endif
