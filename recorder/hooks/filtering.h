#ifndef MWR_HOOKS_FILTERING_H
#define MWR_HOOKS_FILTERING_H

#include <stdbool.h>

#include "recorder/dispatch/mpi_header.h"
#include "recorder/state/comm_filter.h"
#include "recorder/state/requests.h"

/*
 * Whether a call is on a communicator that is not recorded: by the communicator, the window,
 * the file, the matched message or the requests among its parameters, whichever there are
 * by these names. If so it is counted, and call has a tally in the place of a record.
 *
 * A call on requests is filtered if it has any of a filtered communicator, and none of
 * another one. Calls by which communicators, windows and files begin and end never are.
 */
MW_INLINE bool mwr_filter_comm(struct mwr_call *call, unsigned id, MPI_Comm comm)
{
    const struct mwr_comm *known = mwr_thread_will_record() ? mwr_comm_known(comm) : NULL;

    if (!mwr_comm_is_filtered(known)) {
        return false;
    }
    mwr_filter_take(call, id, known->number);
    return true;
}

bool mwr_filter_window(struct mwr_call *call, unsigned id, MPI_Win window);
bool mwr_filter_file(struct mwr_call *call, unsigned id, MPI_File file);
bool mwr_filter_message(struct mwr_call *call, unsigned id, const MPI_Message *message);
bool mwr_filter_request(struct mwr_call *call, unsigned id, MPI_Request request);
bool mwr_filter_request_at(struct mwr_call *call, unsigned id, const MPI_Request *request);
bool mwr_filter_requests(struct mwr_call *call, unsigned id, const MPI_Request *requests,
                         int count);

/* --- for the other hooks ------------------------------------------------------------ */

/* Bytes that a filtered call has sent or received. */
static inline void mwr_filter_bytes(struct mwr_call *call, uint64_t sent, uint64_t received)
{
    if (call->tally) {
        mwr_tally_bytes(call->tally, sent, received);
    }
}

/* A request that is of a filtered communicator begins: follows it, without a record. */
void mwr_filter_follow_on(struct mwr_call *call, struct mwr_request *request,
                          const struct mwr_comm *comm, MPI_Request handle);

static inline void mwr_filter_follow(struct mwr_call *call, struct mwr_request *request,
                                     MPI_Comm comm, MPI_Request handle)
{
    mwr_filter_follow_on(call, request, mwr_comm_known(comm), handle);
}

/* The same of a send, a receive or both, of which no more is to be known. */
void mwr_filter_follow_plain(enum mwr_request_kind kind, MPI_Comm comm, MPI_Request handle);

/* The slow half of mwr_filter_moved. */
void mwr_filter_moved_beside(struct mwr_call *call, const struct mwr_comm *on, uint64_t sent,
                             uint64_t received);

/*
 * A request transfers so many bytes in call, or is complete, on a filtered communicator (null:
 * on another one); call may be recorded, because of others.
 */
static inline void mwr_filter_moved(struct mwr_call *call, const struct mwr_comm *on,
                                    uint64_t sent, uint64_t received)
{
    if (MW_LIKELY(call->tally && on && call->tally->comm == on->number)) {
        mwr_tally_bytes(call->tally, sent, received);
    } else if (on) {
        mwr_filter_moved_beside(call, on, sent, received);
    }
}

/* A handle that stands for several requests was given out, and was completed. */
void mwr_filter_gave_shared(bool is_filtered, uint32_t comm);
void mwr_filter_completed_shared(MPI_Request handle);

#endif
