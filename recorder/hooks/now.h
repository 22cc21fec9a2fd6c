#ifndef MWR_HOOKS_NOW_H
#define MWR_HOOKS_NOW_H

#include <stdint.h>

#include "formats/spool/spool_writer.h"
#include "recorder/dispatch/mpi_header.h"
#include "recorder/hooks/collective.h"
#include "recorder/hooks/completion.h"
#include "recorder/state/comms.h"
#include "recorder/state/thread.h"
#include "recorder/state/types.h"

/*
 * What a call that may block waits for, told in the spool's header (struct mw_now) before the
 * library is called: that is all that is left of a rank that was killed in it. Stores and no more;
 * arguments may still be wrong ones, so that no handle is looked up that was not met before, and
 * the library is not asked.
 */

/* To be filled and told by mwr_now_tell; null: the call has no record. */
static inline struct mw_now *mwr_now_begin(const struct mwr_call *call, unsigned what)
{
    struct mw_now *now;

    if (MW_UNLIKELY(!call->record)) {
        return NULL;
    }
    now = mw_spool_now(&call->stream->spool);
    now->what = (uint16_t)what;
    return now;
}

static inline void mwr_now_tell(const struct mwr_call *call, struct mw_now *now)
{
    mw_spool_now_tell(now, call->record);
}

/* The same on a communicator. */
static inline struct mw_now *mwr_now_on(const struct mwr_call *call, MPI_Comm handle,
                                        unsigned what)
{
    const struct mwr_comm *comm;
    struct mw_now *now = mwr_now_begin(call, what | MW_NOW_ON_COMM);

    if (now) {
        comm = mwr_comm_known(handle);
        now->comm = MW_LIKELY(comm != NULL) ? comm->number : MW_COMM_NONE;
    }
    return now;
}

static inline void mwr_now_sends(struct mw_now *now, int dest, int tag, int64_t count,
                                 MPI_Datatype datatype)
{
    uint64_t size = mwr_type_own_size(datatype);

    now->peer = dest;
    now->tag = tag;
    if (MW_UNLIKELY(count < 0 || size == MW_BYTES_UNKNOWN ||
                    __builtin_mul_overflow(size, (uint64_t)count, &now->bytes))) {
        now->bytes = MW_BYTES_UNKNOWN;
    }
}

static inline int mwr_source_asked(int source)
{
    return source == MPI_ANY_SOURCE ? MW_POSTED_ANY : source;
}

static inline int mwr_tag_asked(int tag)
{
    return tag == MPI_ANY_TAG ? MW_POSTED_ANY : tag;
}

static inline void mwr_now_receives(struct mw_now *now, int source, int tag)
{
    now->source = mwr_source_asked(source);
    now->source_tag = mwr_tag_asked(tag);
}

static inline void mwr_now_send(const struct mwr_call *call, MPI_Comm comm, int dest, int tag,
                                int64_t count, MPI_Datatype datatype)
{
    struct mw_now *now =
        dest != MPI_PROC_NULL ? mwr_now_on(call, comm, MW_NOW_SENDS) : NULL;

    if (now) {
        mwr_now_sends(now, dest, tag, count, datatype);
        mwr_now_tell(call, now);
    }
}

static inline void mwr_now_recv(const struct mwr_call *call, MPI_Comm comm, int source, int tag)
{
    struct mw_now *now =
        source != MPI_PROC_NULL ? mwr_now_on(call, comm, MW_NOW_RECEIVES) : NULL;

    if (now) {
        mwr_now_receives(now, source, tag);
        mwr_now_tell(call, now);
    }
}

static inline void mwr_now_sendrecv(const struct mwr_call *call, MPI_Comm comm, int dest, int tag,
                                    int64_t count, MPI_Datatype datatype, int source, int recvtag)
{
    unsigned what = (dest != MPI_PROC_NULL ? MW_NOW_SENDS : 0u) |
                    (source != MPI_PROC_NULL ? MW_NOW_RECEIVES : 0u);
    struct mw_now *now = mwr_now_on(call, comm, what);

    if (now) {
        mwr_now_sends(now, dest, tag, count, datatype);
        mwr_now_receives(now, source, recvtag);
        mwr_now_tell(call, now);
    }
}

/* root: MW_ROOT_NONE where there is none, or as the call has it. */
static inline void mwr_now_collective(const struct mwr_call *call, MPI_Comm comm, int root)
{
    struct mw_now *now = mwr_now_on(call, comm, MW_NOW_ROOT);

    if (now) {
        now->peer = mwr_root_of(root);
        mwr_now_tell(call, now);
    }
}

/* Whatever else all of a communicator do, or some of it. */
static inline void mwr_now_together(const struct mwr_call *call, MPI_Comm comm)
{
    struct mw_now *now = mwr_now_on(call, comm, 0);

    if (now) {
        mwr_now_tell(call, now);
    }
}

/* rank: in the window, or MW_RMA_ALL. */
void mwr_now_window(const struct mwr_call *call, MPI_Win window, int rank);

void mwr_now_completes(const struct mwr_call *call, int count, const MPI_Request requests[]);

#endif
