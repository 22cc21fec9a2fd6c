#ifndef MWR_HOOKS_RMA_HOOKS_H
#define MWR_HOOKS_RMA_HOOKS_H

#include <stdint.h>

#include "recorder/dispatch/mpi_header.h"
#include "recorder/state/objects.h"
#include "recorder/state/requests.h"
#include "recorder/state/thread.h"

/*
 * One-sided communication. An operation is recorded where it is called, with its target
 * and its bytes, and as done in the call that synchronizes it: there the operations on
 * one target since the last synchronization are done all together, under the id that they
 * share. Those with a request have an id of their own.
 */

/* A window was made; operation is an OTF2_CollectiveOp (a handle, or memory with it). */
void mwr_after_win_create(struct mwr_call *call, int result, unsigned id, uint32_t operation,
                          MPI_Comm comm, MPI_Win window);
struct mwr_object *mwr_before_win_free(struct mwr_call *call, MPI_Win window);
void mwr_after_win_free(struct mwr_call *call, int result, struct mwr_object *object);
void mwr_after_win_set_name(struct mwr_call *call, int result, MPI_Win window, const char *name);

/* What an operation moves: OTF2's record type and atomic type, bytes to and from the target. */
struct mwr_access {
    uint8_t type; /* MW_MEMBER_RMA_PUT, _GET or _ATOMIC */
    uint32_t atomic;
    uint64_t sent;
    uint64_t received;
};

struct mwr_access mwr_access_put(int64_t count, MPI_Datatype datatype);
struct mwr_access mwr_access_get(int64_t count, MPI_Datatype datatype);
struct mwr_access mwr_access_accumulate(int64_t count, MPI_Datatype datatype);
struct mwr_access mwr_access_fetch(MPI_Op op, int64_t count, MPI_Datatype datatype,
                                   int64_t result_count, MPI_Datatype result_datatype);
struct mwr_access mwr_access_swap(MPI_Datatype datatype);

/* request is null for operations without one. */
void mwr_after_access(struct mwr_call *call, int result, MPI_Win window, int target,
                      struct mwr_access access, const MPI_Request *request);
/* The same of one that is neither recorded nor counted. */
void mwr_access_unrecorded(int result, const MPI_Request *request);
void mwr_access_complete(struct mwr_call *call, const struct mwr_request *request);

/*
 * A call is entered that completes the operations on rank, or on all targets (MW_RMA_ALL): those
 * that there are now. \return what to say to its mwr_after_ function.
 */
uint64_t mwr_before_completion(MPI_Win window, int rank);

void mwr_after_fence(struct mwr_call *call, int result, MPI_Win window, uint64_t closing);

/* rank is MW_RMA_ALL for the forms that lock, unlock and flush all targets. */
void mwr_after_lock(struct mwr_call *call, int result, MPI_Win window, int rank, int lock_type);
void mwr_after_unlock(struct mwr_call *call, int result, MPI_Win window, int rank,
                      uint64_t closing);
void mwr_after_flush(struct mwr_call *call, int result, MPI_Win window, int rank,
                     uint64_t closing);
/* Among threads it says so of operations, too, that others begin meanwhile. */
void mwr_after_flush_local(struct mwr_call *call, int result, MPI_Win window, int rank);
void mwr_after_win_sync(struct mwr_call *call, int result, MPI_Win window);

/* Post, start, complete, wait; MPI_Win_test that found nothing ends as a poll. */
void mwr_after_post(struct mwr_call *call, int result, MPI_Win window, MPI_Group group);
void mwr_after_win_start(struct mwr_call *call, int result, MPI_Win window, MPI_Group group);
void mwr_after_win_complete(struct mwr_call *call, int result, MPI_Win window, uint64_t closing);
void mwr_after_win_wait(struct mwr_call *call, int result, MPI_Win window);
void mwr_after_win_test(struct mwr_call *call, int result, MPI_Win window, int flag);

#endif
