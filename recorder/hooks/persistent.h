#ifndef MWR_HOOKS_PERSISTENT_H
#define MWR_HOOKS_PERSISTENT_H

#include <stdint.h>

#include "recorder/dispatch/mpi_header.h"
#include "recorder/hooks/completion.h"
#include "recorder/state/requests.h"
#include "recorder/state/thread.h"

/*
 * What making and starting persistent requests means, as recorder/hooks/message.h has it of other
 * calls, and making partitions of them ready.
 */

void mwr_after_send_init(struct mwr_call *call, int result, MPI_Comm comm, int dest, int tag,
                         int64_t count, MPI_Datatype datatype, const MPI_Request *request);
void mwr_after_recv_init(struct mwr_call *call, int result, MPI_Comm comm, int source, int tag,
                         const MPI_Request *request);
/* A send of so many partitions, count elements together. */
void mwr_after_psend_init(struct mwr_call *call, int result, MPI_Comm comm, int dest, int tag,
                          int partitions, int64_t count, MPI_Datatype datatype,
                          const MPI_Request *request);
/* A receive in partitions: from whom and how much is known here, not in its status. */
void mwr_after_precv_init(struct mwr_call *call, int result, MPI_Comm comm, int source, int tag,
                          int64_t count, MPI_Datatype datatype, const MPI_Request *request);
/* Keeps the handles of requests that are to be started: a start may change them. */
void mwr_before_start(struct mwr_saved *saved, int count, const MPI_Request requests[]);
void mwr_after_start(struct mwr_call *call, int result, const struct mwr_saved *saved, int count,
                     const MPI_Request requests[]);

/* A bit for each of the first 32 partitions from low to high, the lowest for partition 0. */
static inline uint32_t mwr_partitions(int64_t low, int64_t high)
{
    uint32_t which = 0;

    for (int64_t i = low < 0 ? 0 : low; i <= high && i < 32; i++) {
        which |= UINT32_C(1) << i;
    }
    return which;
}

/* The same of a list, which is the caller's: null may be an error that the library tells. */
static inline uint32_t mwr_partitions_of(int count, const int partitions[])
{
    uint32_t which = 0;

    for (int i = 0; partitions && i < count; i++) {
        which |= mwr_partitions(partitions[i], partitions[i]);
    }
    return which;
}

/*
 * So many partitions of a send are ready, of the first 32 these. The call that is entered last, of
 * however many threads, sends the message: that is decided before the library is called, since
 * after it others may have completed the request. \return whether it is that one; *sent is for it.
 */
bool mwr_before_pready(struct mwr_call *call, int64_t partitions, uint32_t which,
                       MPI_Request request, struct mwr_request *sent);
void mwr_after_pready(struct mwr_call *call, int result, int64_t partitions, uint32_t which,
                      MPI_Request request, bool is_last, const struct mwr_request *sent);

/* Writes that a receive in partitions is complete. */
void mwr_note_received_whole(struct mwr_call *call, const struct mwr_request *request);

#endif
