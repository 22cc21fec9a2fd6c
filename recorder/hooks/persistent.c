/* Persistent requests are told when they begin what they are for, as others are: at their start,
 * or, in partitions, when the last of these is ready. */
#include "recorder/hooks/persistent.h"

#include "recorder/hooks/filtering.h"
#include "recorder/hooks/message.h"
#include "recorder/state/comms.h"
#include "recorder/state/lanes.h"
#include "recorder/state/own_mpi.h"

/* --- made --------------------------------------------------------------------- */

#define IN_ONE (-1) /* it is not in partitions */

/* A persistent send or receive of count elements was made, in so many partitions, of a receive
 * however many; peer may be nobody. */
static void follow_made(struct mwr_call *call, int result, enum mwr_request_kind kind,
                        MPI_Comm comm, int peer, int tag, int partitions, int64_t count,
                        MPI_Datatype datatype, const MPI_Request *request)
{
    mwr_after_plain(call, result);
    if (result == MPI_SUCCESS && peer == MPI_PROC_NULL) {
        mwr_request_add_never_recorded(*request);
    } else if (result == MPI_SUCCESS) {
        const struct mwr_comm *on = mwr_comm_find(comm);
        struct mwr_request made = {.key = mwr_request_key(*request),
                                   .comm = on ? on->number : MW_COMM_NONE,
                                   .kind = kind,
                                   .persistence = MWR_INACTIVE,
                                   .on = on,
                                   .of.message = {.peer = peer,
                                                  .tag = tag,
                                                  .bytes = mwr_bytes_of(count, datatype)}};

        if (partitions != IN_ONE) {
            made.of.message.partitions = (uint32_t)partitions;
            made.of.message.lane = mwr_lane_next(kind == MWR_REQUEST_PARTITIONED_RECV, made.comm,
                                                 peer, tag);
        }
        mwr_follow(&made, *request);
    }
}

void mwr_after_send_init(struct mwr_call *call, int result, MPI_Comm comm, int dest, int tag,
                         int64_t count, MPI_Datatype datatype, const MPI_Request *request)
{
    follow_made(call, result, MWR_REQUEST_SEND, comm, dest, tag, IN_ONE, count, datatype,
                request);
}

void mwr_after_psend_init(struct mwr_call *call, int result, MPI_Comm comm, int dest, int tag,
                          int partitions, int64_t count, MPI_Datatype datatype,
                          const MPI_Request *request)
{
    follow_made(call, result, MWR_REQUEST_SEND, comm, dest, tag, partitions, count, datatype,
                request);
}

void mwr_after_recv_init(struct mwr_call *call, int result, MPI_Comm comm, int source, int tag,
                         const MPI_Request *request)
{
    follow_made(call, result, MWR_REQUEST_RECV, comm, source, tag, IN_ONE, 0, MPI_BYTE, request);
}

void mwr_after_precv_init(struct mwr_call *call, int result, MPI_Comm comm, int source, int tag,
                          int64_t count, MPI_Datatype datatype, const MPI_Request *request)
{
    follow_made(call, result, MWR_REQUEST_PARTITIONED_RECV, comm, source, tag, 0, count, datatype,
                request);
}

/* --- messages in partitions ------------------------------------------------------- */

/* The message that is noted next is in partitions. */
static void note_lane(struct mwr_call *call, uint32_t lane)
{
    if (MW_UNLIKELY(lane != 0)) {
        struct mw_member *member = mwr_call_member(call, MW_MEMBER_LANE, sizeof *member, lane);

        if (member) {
            mw_spool_commit(member);
        }
    }
}

void mwr_note_received_whole(struct mwr_call *call, const struct mwr_request *request)
{
    struct mw_message_member message = {.peer = request->of.message.peer,
                                        .tag = request->of.message.tag,
                                        .bytes = request->of.message.bytes};

    note_lane(call, request->of.message.lane);
    mwr_note_request_message(call, MW_MEMBER_RECV_COMPLETE, request->comm, &message, request->id);
}

/* --- started, and ready ------------------------------------------------------------ */

/* What the request sends at its start. */
static uint64_t bytes_at_start(const struct mwr_request *request)
{
    return request->kind == MWR_REQUEST_SEND ? request->of.message.bytes : 0;
}

/* Whether what is done in call on the communicator of a request is only counted. */
static bool is_filtered(const struct mwr_call *call, const struct mwr_request *request)
{
    return (call->record || call->tally) && mwr_comm_is_filtered(request->on);
}

/* An active request begins in call what it is to do. */
static void begin(struct mwr_call *call, struct mwr_request *request)
{
    request->is_filtered = is_filtered(call, request);
    request->id = call->record && !request->is_filtered ? mwr_stream_request(call->stream) : 0;
}

/* Tells what a request has begun in call. */
static void tell_begun(struct mwr_call *call, const struct mwr_request *request)
{
    if (request->id == 0) {
        mwr_filter_moved(call, request->is_filtered ? request->on : NULL,
                         bytes_at_start(request), 0);
    } else if (request->kind == MWR_REQUEST_SEND) {
        struct mw_message_member message = {.peer = request->of.message.peer,
                                            .tag = request->of.message.tag,
                                            .bytes = request->of.message.bytes};

        note_lane(call, request->of.message.lane);
        mwr_note_request_message(call, MW_MEMBER_ISEND, request->comm, &message, request->id);
    } else if (request->kind == MWR_REQUEST_COLL) {
        mwr_call_note_request(call, MW_MEMBER_COLL_POST, request->comm, request->id);
    } else {
        mwr_note_posted(call, request->comm, request->of.message.peer, request->of.message.tag,
                        request->id);
    }
}

/* Whether it sends when all of its partitions are ready, and not at its start. */
static bool is_in_partitions(const struct mwr_request *request)
{
    return request->kind == MWR_REQUEST_SEND && request->of.message.partitions > 0;
}

/* request is active in call, or, in partitions, will be when these are ready. */
static void activate(struct mwr_call *call, struct mwr_request *request)
{
    request->persistence = MWR_ACTIVE;
    request->is_cancelled = false;
    if (is_in_partitions(request)) {
        request->of.message.unready = request->of.message.partitions;
        request->of.message.unready_which =
            mwr_partitions(0, (int64_t)request->of.message.partitions - 1);
        request->is_filtered = is_filtered(call, request);
        request->id = 0;
    } else {
        begin(call, request);
    }
}

/*
 * Open MPI gives a persistent request another handle at its start, where what it did before is over
 * for the program and not yet for the library: of a buffered send, say, that nobody has received.
 */
static void start(struct mwr_call *call, MPI_Request before, MPI_Request now)
{
    bool is_moved = now != before;
    struct mwr_request request;
    bool is_started;

    if (is_moved ? !mwr_request_remove(mwr_request_key(before), &request)
                 : !mwr_request_find(mwr_request_key(now), &request)) {
        return;
    }
    is_started = request.persistence >= MWR_INACTIVE;
    if (is_started) {
        activate(call, &request);
    }
    if (is_moved) {
        request.key = mwr_request_key(now);
        (void)mwr_request_add(&request, now); /* which counts what it has no memory for */
    } else if (is_started) {
        mwr_request_update(&request);
    }
    if (is_started && !is_in_partitions(&request)) {
        tell_begun(call, &request);
    }
}

void mwr_before_start(struct mwr_saved *saved, int count, const MPI_Request requests[])
{
    MPI_Status none;

    saved->count = 0;
    if (mwr_mpi_is_openmpi()) {
        (void)mwr_save(saved, count, requests, &none);
    }
}

void mwr_after_start(struct mwr_call *call, int result, const struct mwr_saved *saved, int count,
                     const MPI_Request requests[])
{
    mwr_after_plain(call, result);
    for (int i = 0; result == MPI_SUCCESS && i < count; i++) {
        start(call, i < saved->count ? saved->requests[i] : requests[i], requests[i]);
    }
}

bool mwr_before_pready(struct mwr_call *call, int64_t partitions, uint32_t which,
                       MPI_Request request, struct mwr_request *sent)
{
    if (partitions <= 0 ||
        !mwr_request_ready(mwr_request_key(request), partitions, which, sent)) {
        return false;
    }
    begin(call, sent);
    mwr_request_update(sent);
    return true;
}

void mwr_after_pready(struct mwr_call *call, int result, int64_t partitions, uint32_t which,
                      MPI_Request request, bool is_last, const struct mwr_request *sent)
{
    struct mwr_request unready;

    mwr_after_plain(call, result);
    if (MW_UNLIKELY(result != MPI_SUCCESS)) {
        (void)mwr_request_ready(mwr_request_key(request), -partitions, which, &unready);
    } else if (is_last) {
        tell_begun(call, sent);
    }
}
