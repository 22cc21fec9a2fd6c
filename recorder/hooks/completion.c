/*
 * Completion is where a receive becomes known: source, tag and bytes are in the
 * status only. What the call overwrites, handles and ignored statuses, is kept or
 * replaced beforehand.
 */
#include "recorder/hooks/completion.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"
#include "recorder/dispatch/chain.h"
#include "recorder/hooks/collective.h"
#include "recorder/hooks/communicator.h"
#include "recorder/hooks/filtering.h"
#include "recorder/hooks/io_hooks.h"
#include "recorder/hooks/message.h"
#include "recorder/hooks/persistent.h"
#include "recorder/hooks/rma_hooks.h"
#include "recorder/recorder.h"
#include "recorder/state/error_code.h"
#include "recorder/state/own_mpi.h"

/* Of an unsuccessful test on many requests, so many are noted as tested. */
#define TESTS_NOTED_MAX 16

MPI_Status *mwr_save(struct mwr_saved *saved, int count, const MPI_Request requests[],
                     MPI_Status *statuses)
{
    size_t wanted = count > 0 ? (size_t)count : 0;
    size_t request_bytes = (wanted * sizeof *requests + 15) & ~(size_t)15;
    bool is_ignored = statuses == MPI_STATUSES_IGNORE;
    char *memory;

    saved->count = 0;
    if (wanted == 0 || !requests) {
        return statuses;
    }
    memory = mwr_thread_scratch(request_bytes + (is_ignored ? wanted * sizeof *statuses : 0));
    if (!memory) {
        return statuses;
    }
    memcpy(memory, requests, wanted * sizeof *requests);
    saved->requests = (const MPI_Request *)(const void *)memory;
    saved->count = count;
    return is_ignored ? (MPI_Status *)(void *)(memory + request_bytes) : statuses;
}

/* --- one completion ---------------------------------------------------------- */

static bool is_cancelled(const MPI_Status *status)
{
    int flag = 0;

    return MWR_PMPI(Test_cancelled)(status, &flag) == MPI_SUCCESS && flag;
}

static bool was_cancelled(const struct mwr_request *request, const MPI_Status *status)
{
    return request->is_cancelled && is_cancelled(status);
}

/*
 * Whether the status tells what a request that sends and receives has got. MPICH runs it as if it
 * were a collective's and writes no status: what is there is of a request before.
 */
static inline bool sendrecv_tells(void)
{
    return mwr_mpi_is_openmpi();
}

/* Whether status tells what a request of this kind has received. */
static inline bool tells(enum mwr_request_kind kind, const MPI_Status *status)
{
    return (kind == MWR_REQUEST_RECV || (kind == MWR_REQUEST_SENDRECV && sendrecv_tells())) &&
           status->MPI_SOURCE >= 0;
}

static void note_sendrecv(struct mwr_call *call, const struct mwr_request *request,
                          const MPI_Status *status, bool is_whole)
{
    struct mwr_request receive = {
        .id = request->id + 1,
        .comm = request->comm,
        .of.message = {.peer = request->of.sendrecv.source,
                       .tag = request->of.sendrecv.tag,
                       .bytes = MW_BYTES_UNKNOWN},
    };

    mwr_call_note_request(call, MW_MEMBER_SEND_COMPLETE, request->comm, request->id);
    if (sendrecv_tells()) {
        mwr_note_received(call, request->comm, request->id + 1, status, is_whole);
    } else if (receive.of.message.peer >= 0 && receive.of.message.tag >= 0) {
        mwr_note_received_whole(call, &receive);
    } /* else nothing is known of what came from anybody */
}

/* The same of a send, a receive or both; false: handle is no such request's. */
static inline bool count_plain(struct mwr_call *call, MPI_Request handle,
                               const MPI_Status *status)
{
    struct mwr_plain_end end;

    if (!mwr_request_complete_plain(mwr_request_key(handle), &end)) {
        return false;
    }
    if (tells(end.kind, status) && !(end.is_cancelled && is_cancelled(status))) {
        mwr_filter_moved(call, end.on, 0, mwr_status_bytes(status));
    }
    return true;
}

/* Counts what a request of a filtered communicator, which is complete, has moved. */
static void count_filtered(struct mwr_call *call, const struct mwr_request *request,
                           const MPI_Status *status)
{
    uint64_t sent = 0;
    uint64_t received = 0;

    if (request->kind == MWR_REQUEST_COLL) {
        sent = request->of.collective.sent;
        received = request->of.collective.received;
    } else if (request->kind == MWR_REQUEST_PARTITIONED_RECV) {
        received = request->of.message.bytes;
    } else if (tells(request->kind, status) && !was_cancelled(request, status)) {
        received = mwr_status_bytes(status);
    }
    mwr_filter_moved(call, request->on, sent, received);
}

/* Writes how request, which is complete with error (a code), ended. */
static void note(struct mwr_call *call, const struct mwr_request *request,
                 const MPI_Status *status, int error)
{
    bool is_received = error == MPI_SUCCESS || mwr_error_class(error) == MPI_ERR_TRUNCATE;

    if (request->kind == MWR_REQUEST_IDUP) {
        mwr_idup_complete(call, request, error);
    } else if (request->is_filtered) {
        count_filtered(call, request, status);
    } else if (request->id == 0) {
        return; /* it was started while recording was paused */
    } else if (was_cancelled(request, status)) {
        mwr_call_note_request(call, MW_MEMBER_CANCELLED, request->comm, request->id);
    } else if (request->kind == MWR_REQUEST_SEND) {
        mwr_call_note_request(call, MW_MEMBER_SEND_COMPLETE, request->comm, request->id);
    } else if (request->kind == MWR_REQUEST_COLL) {
        mwr_collective_completed(call, request);
    } else if (request->kind == MWR_REQUEST_RMA) {
        mwr_access_complete(call, request);
    } else if (request->kind == MWR_REQUEST_IO) {
        mwr_io_complete(call, request, status, error);
    } else if (request->kind == MWR_REQUEST_PARTITIONED_RECV) {
        mwr_note_received_whole(call, request);
    } else if (request->kind == MWR_REQUEST_SENDRECV) {
        note_sendrecv(call, request, status, error == MPI_SUCCESS);
    } else if (is_received) {
        mwr_note_received(call, request->comm, request->id, status, error == MPI_SUCCESS);
    }
}

static void complete(struct mwr_call *call, MPI_Request handle, const MPI_Status *status,
                     int error)
{
    struct mwr_request request;

    if (handle == MPI_REQUEST_NULL) {
        return;
    }
    if (call->tally && count_plain(call, handle, status)) {
        return;
    }
    if (mwr_request_complete(mwr_request_key(handle), &request)) {
        note(call, &request, status, error);
    } else if (MW_UNLIKELY(mwr_filtering)) {
        mwr_filter_completed_shared(handle);
    }
}

/* --- waits and tests ------------------------------------------------------------ */

/*
 * The error of one of several requests. When the call failed otherwise than by
 * MPI_ERR_IN_STATUS, nothing is known of any: MPI_ERR_PENDING.
 */
static int error_of(int result, const MPI_Status *status)
{
    if (MW_LIKELY(result == MPI_SUCCESS)) {
        return MPI_SUCCESS;
    }
    return mwr_error_class(result) == MPI_ERR_IN_STATUS ? status->MPI_ERROR : MPI_ERR_PENDING;
}

void mwr_after_wait(struct mwr_call *call, int result, MPI_Request request,
                    const MPI_Status *status)
{
    mwr_after_plain(call, result);
    complete(call, request, status, result);
}

/* Ends the record of a call that found nothing complete. */
static void end_unsuccessful(struct mwr_call *call, const MPI_Request requests[], int count)
{
    if (call->record && !mwr_call_continues_poll(call)) {
        for (int i = 0; i < count && i < TESTS_NOTED_MAX; i++) {
            struct mwr_request request;

            if (requests[i] != MPI_REQUEST_NULL &&
                mwr_request_find(mwr_request_key(requests[i]), &request) && request.id != 0) {
                mwr_call_note_request(call, MW_MEMBER_TEST, request.comm, request.id);
            }
        }
    }
    mwr_call_end_poll(call);
    call->record = NULL;
}

void mwr_after_test(struct mwr_call *call, int result, MPI_Request request, int flag,
                    const MPI_Status *status)
{
    if (result == MPI_SUCCESS && !flag) {
        end_unsuccessful(call, &request, 1);
    } else {
        mwr_after_wait(call, result, request, status);
    }
}

void mwr_after_waitall(struct mwr_call *call, int result, const struct mwr_saved *saved,
                       const MPI_Status statuses[])
{
    mwr_after_plain(call, result);
    for (int i = 0; i < saved->count; i++) {
        int error = error_of(result, &statuses[i]);

        if (error == MPI_SUCCESS || mwr_error_class(error) != MPI_ERR_PENDING) {
            complete(call, saved->requests[i], &statuses[i], error);
        }
    }
}

void mwr_after_testall(struct mwr_call *call, int result, const struct mwr_saved *saved, int flag,
                       const MPI_Status statuses[])
{
    if (result == MPI_SUCCESS && !flag) {
        end_unsuccessful(call, saved->requests, saved->count);
    } else {
        mwr_after_waitall(call, result, saved, statuses);
    }
}

void mwr_after_any(struct mwr_call *call, int result, const struct mwr_saved *saved, int flag,
                   int index, const MPI_Status *status)
{
    if (result == MPI_SUCCESS && !flag) {
        end_unsuccessful(call, saved->requests, saved->count);
        return;
    }
    mwr_after_plain(call, result);
    if (index >= 0 && index < saved->count) {
        complete(call, saved->requests[index], status, result);
    }
}

void mwr_after_some(struct mwr_call *call, int result, const struct mwr_saved *saved, int count,
                    const int indices[], const MPI_Status statuses[])
{
    if (result == MPI_SUCCESS && count == 0) {
        end_unsuccessful(call, saved->requests, saved->count);
        return;
    }
    mwr_after_plain(call, result);
    for (int i = 0; i < count && count <= saved->count; i++) {
        int error = error_of(result, &statuses[i]);

        if (indices[i] >= 0 && indices[i] < saved->count &&
            (error == MPI_SUCCESS || mwr_error_class(error) != MPI_ERR_PENDING)) {
            complete(call, saved->requests[indices[i]], &statuses[i], error);
        }
    }
}

void mwr_after_cancel(struct mwr_call *call, int result, MPI_Request request)
{
    struct mwr_request cancelled;

    mwr_after_plain(call, result);
    if (result == MPI_SUCCESS && mwr_request_find(mwr_request_key(request), &cancelled)) {
        cancelled.is_cancelled = true;
        mwr_request_update(&cancelled);
    }
}

/* --- requests that the application frees ------------------------------------------ */

/* How many kept requests are looked at whenever another one is freed. */
#define KEPT_LOOKED_AT 8

struct kept {
    MPI_Request handle;
    struct mwr_request request;
};

/* What is kept is changed by any thread, under kept_lock. */
static struct kept *kept;
static uint32_t kept_count;
static uint32_t kept_room;
static size_t kept_next; /* where to look first */
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

/* kept_lock is held. False: no memory. */
static bool keep(MPI_Request handle, const struct mwr_request *request)
{
    if (!mw_array_widen((void **)&kept, &kept_room, kept_count, sizeof *kept, 0)) {
        return false;
    }
    kept[kept_count++] = (struct kept){.handle = handle, .request = *request};
    return true;
}

/* Whether a request is complete; it is noted how it ended then. */
static bool note_if_complete(struct mwr_call *call, MPI_Request handle,
                             const struct mwr_request *request)
{
    MPI_Status status;
    int flag = 0;

    if (MWR_PMPI(Request_get_status)(handle, &flag, &status) != MPI_SUCCESS || !flag) {
        return false;
    }
    note(call, request, &status, MPI_SUCCESS);
    return true;
}

/* Frees kept[at] if it is complete, or anyway. kept_lock is held. */
static bool release_kept(struct mwr_call *call, size_t at, bool anyway)
{
    if (!note_if_complete(call, kept[at].handle, &kept[at].request) && !anyway) {
        return false;
    }
    MWR_PMPI(Request_free)(&kept[at].handle);
    kept[at] = kept[--kept_count];
    return true;
}

/*
 * Whether a request that the application frees is kept until it is seen how it ends: a receive
 * brings a message, and a send that is being cancelled may have sent none.
 */
static bool is_to_be_kept(const struct mwr_request *freed)
{
    bool is_open = freed->kind == MWR_REQUEST_RECV ||
                   (freed->kind == MWR_REQUEST_SEND && freed->is_cancelled);

    return is_open && freed->persistence != MWR_INACTIVE && freed->id != 0 &&
           mwr_recorder.self != MPI_COMM_NULL;
}

MPI_Request *mwr_before_request_free(struct mwr_call *call, MPI_Request *request,
                                     MPI_Request *substitute)
{
    struct mwr_request freed;
    int nothing = 0;
    bool is_kept = false;

    if (!request || *request == MPI_REQUEST_NULL ||
        !mwr_request_remove(mwr_request_key(*request), &freed) || !is_to_be_kept(&freed) ||
        note_if_complete(call, *request, &freed)) { /* as MPI_Request_get_status may have said */
        return request;
    }
    if (MWR_PMPI(Isend)(&nothing, 0, MPI_BYTE, MPI_PROC_NULL, 0, mwr_recorder.self, substitute) !=
        MPI_SUCCESS) {
        return request;
    }
    pthread_mutex_lock(&kept_lock);
    for (size_t i = 0; i < KEPT_LOOKED_AT && kept_count > 0; i++) {
        kept_next = (kept_next + 1) % kept_count;
        release_kept(call, kept_next, false);
    }
    is_kept = keep(*request, &freed);
    pthread_mutex_unlock(&kept_lock);
    if (!is_kept) {
        MWR_PMPI(Request_free)(substitute);
        return request;
    }
    *request = MPI_REQUEST_NULL;
    return substitute;
}

void mwr_free_kept(struct mwr_call *call)
{
    pthread_mutex_lock(&kept_lock);
    while (kept_count > 0) {
        release_kept(call, kept_count - 1, true);
    }
    free(kept);
    kept = NULL;
    kept_room = 0;
    pthread_mutex_unlock(&kept_lock);
}
