/* A message is told by who sends it, at its entry, and by who receives it, when it is there. */
#include "recorder/hooks/message.h"

#include "recorder/dispatch/chain.h"
#include "recorder/hooks/filtering.h"
#include "recorder/hooks/now.h"
#include "recorder/state/comms.h"
#include "recorder/state/error_code.h"

/*
 * Notes a failure. \return true if the message was received nevertheless: the buffer was
 * too short for it.
 */
static bool failed_but_received(struct mwr_call *call, int result)
{
    mwr_call_failed(call, result);
    return mwr_error_class(result) == MPI_ERR_TRUNCATE;
}

uint64_t mwr_status_bytes(const MPI_Status *status)
{
    MPI_Count bytes = 0;
    int count = MPI_UNDEFINED;

    /* The quicker one, but for messages whose length is no int. */
    if (MW_LIKELY(MWR_PMPI(Get_count)(status, MPI_BYTE, &count) == MPI_SUCCESS && count >= 0)) {
        return (uint64_t)count;
    }
    if (MWR_PMPI(Get_elements_x)(status, MPI_BYTE, &bytes) != MPI_SUCCESS || bytes < 0) {
        return MW_BYTES_UNKNOWN;
    }
    return (uint64_t)bytes;
}

/*
 * The bytes of what was received. Of a message that was longer than the buffer MPI leaves open what
 * the status says: Open MPI tells the message's length, MPICH 0, which it can't have been.
 */
static uint64_t received_bytes(const MPI_Status *status, bool is_whole)
{
    const uint64_t bytes = mwr_status_bytes(status);

    return MW_LIKELY(is_whole || bytes > 0) ? bytes : MW_BYTES_UNKNOWN;
}

static uint32_t number_of(MPI_Comm handle)
{
    const struct mwr_comm *comm = mwr_comm_find(handle);

    return MW_LIKELY(comm != NULL) ? comm->number : MW_COMM_NONE;
}

static void note_message(struct mwr_call *call, enum mw_record_type type, uint32_t comm, int peer,
                         int tag, uint64_t bytes)
{
    struct mw_message_member *member = mwr_call_member(call, type, sizeof *member, comm);

    if (member) {
        member->peer = peer;
        member->tag = tag;
        member->bytes = bytes;
        mw_spool_commit(member);
    }
}

static uint8_t wildcards_of(int source, int tag)
{
    return (uint8_t)((source == MPI_ANY_SOURCE ? MW_WILDCARD_SOURCE : 0) |
                     (tag == MPI_ANY_TAG ? MW_WILDCARD_TAG : 0));
}

/* The receive that is noted next was posted with these. */
static void note_wildcards(struct mwr_call *call, uint8_t wildcards)
{
    if (MW_UNLIKELY(wildcards != 0)) {
        struct mw_member *member =
            mwr_call_member(call, MW_MEMBER_WILDCARDS, sizeof *member, wildcards);

        if (member) {
            mw_spool_commit(member);
        }
    }
}

void mwr_note_posted(struct mwr_call *call, uint32_t comm, int source, int tag, uint64_t id)
{
    struct mw_posted_member *member =
        mwr_call_member(call, MW_MEMBER_POSTED, sizeof *member, comm);

    if (member) {
        member->source = mwr_source_asked(source);
        member->tag = mwr_tag_asked(tag);
        member->request = id;
        mw_spool_commit(member);
    }
}

void mwr_note_request_message(struct mwr_call *call, enum mw_record_type type, uint32_t comm,
                              const struct mw_message_member *message, uint64_t id)
{
    struct mw_request_message_member *member = mwr_call_member(call, type, sizeof *member, comm);

    if (member) {
        member->message.peer = message->peer;
        member->message.tag = message->tag;
        member->message.bytes = message->bytes;
        member->request = id;
        mw_spool_commit(member);
    }
}

/* Its handle is a shared one: nobody will be seen to complete it. */
static void gave_shared(const struct mwr_request *request, MPI_Request handle)
{
    if (MW_UNLIKELY(mwr_filtering) && handle != MPI_REQUEST_NULL) {
        mwr_filter_gave_shared(request->is_filtered,
                               request->is_filtered ? request->on->number : request->comm);
    }
}

void mwr_follow(const struct mwr_request *request, MPI_Request handle)
{
    if (mwr_request_add(request, handle) == MWR_ALREADY_COMPLETE) {
        gave_shared(request, handle);
    }
}

/* Follows a send or a receive, or says at once that the send is complete. */
MW_INLINE void follow_plain(struct mwr_call *call, enum mwr_request_kind kind, uint64_t id,
                         uint32_t comm, MPI_Request handle)
{
    if (MW_LIKELY(mwr_request_add_plain(handle, kind, id, comm, NULL) != MWR_ALREADY_COMPLETE)) {
        return;
    }
    gave_shared(&(struct mwr_request){.comm = comm}, handle);
    if (kind == MWR_REQUEST_SEND) {
        mwr_call_note_request(call, MW_MEMBER_SEND_COMPLETE, comm, id);
    }
}

/* A send (of count elements, or none), a receive or both began without a record. */
static void unrecorded(struct mwr_call *call, enum mwr_request_kind kind, MPI_Comm comm,
                       int64_t count, MPI_Datatype datatype, const MPI_Request *request)
{
    if (call->tally) {
        mwr_filter_bytes(call, count > 0 ? mwr_bytes_of(count, datatype) : 0, 0);
        mwr_filter_follow_plain(kind, comm, *request);
    } else {
        mwr_request_add_unrecorded(*request);
    }
}

/* --- sends -------------------------------------------------------------------- */

void mwr_after_send(struct mwr_call *call, int result, MPI_Comm comm, int dest, int tag,
                    int64_t count, MPI_Datatype datatype)
{
    if (!call->record) {
        if (call->tally && result == MPI_SUCCESS && dest != MPI_PROC_NULL) {
            mwr_filter_bytes(call, mwr_bytes_of(count, datatype), 0);
        }
        return;
    }
    if (MW_UNLIKELY(result != MPI_SUCCESS)) {
        mwr_call_failed(call, result);
    } else if (dest != MPI_PROC_NULL) {
        note_message(call, MW_MEMBER_SEND, number_of(comm), dest, tag,
                     mwr_bytes_of(count, datatype));
    }
}

void mwr_after_isend(struct mwr_call *call, int result, MPI_Comm comm, int dest, int tag,
                     int64_t count, MPI_Datatype datatype, const MPI_Request *request)
{
    struct mw_message_member message = {.peer = dest, .tag = tag};
    uint32_t number;
    uint64_t id;

    if (!call->record) {
        if (result == MPI_SUCCESS) {
            unrecorded(call, MWR_REQUEST_SEND, comm, dest != MPI_PROC_NULL ? count : 0, datatype,
                       request);
        }
        return;
    }
    if (MW_UNLIKELY(result != MPI_SUCCESS)) {
        mwr_call_failed(call, result);
        return;
    }
    if (dest == MPI_PROC_NULL) {
        return;
    }
    message.bytes = mwr_bytes_of(count, datatype);
    number = number_of(comm);
    id = mwr_stream_request(call->stream);
    mwr_note_request_message(call, MW_MEMBER_ISEND, number, &message, id);
    follow_plain(call, MWR_REQUEST_SEND, id, number, *request);
}

/* --- receives ------------------------------------------------------------------ */

void mwr_after_recv(struct mwr_call *call, int result, MPI_Comm comm, int source, int tag,
                    const MPI_Status *status)
{
    if (!call->record) {
        if (call->tally && result == MPI_SUCCESS && status->MPI_SOURCE >= 0) {
            mwr_filter_bytes(call, 0, mwr_status_bytes(status));
        }
        return;
    }
    if (MW_UNLIKELY(result != MPI_SUCCESS) && !failed_but_received(call, result)) {
        return;
    }
    if (source != MPI_PROC_NULL && status->MPI_SOURCE >= 0) {
        note_wildcards(call, wildcards_of(source, tag));
        note_message(call, MW_MEMBER_RECV, number_of(comm), status->MPI_SOURCE, status->MPI_TAG,
                     received_bytes(status, result == MPI_SUCCESS));
    }
}

void mwr_after_irecv(struct mwr_call *call, int result, MPI_Comm comm, int source, int tag,
                     const MPI_Request *request)
{
    uint32_t number;
    uint64_t id;

    if (!call->record) {
        if (result == MPI_SUCCESS) {
            unrecorded(call, MWR_REQUEST_RECV, comm, 0, MPI_BYTE, request);
        }
        return;
    }
    if (MW_UNLIKELY(result != MPI_SUCCESS)) {
        mwr_call_failed(call, result);
        return;
    }
    if (source == MPI_PROC_NULL) {
        return;
    }
    number = number_of(comm);
    id = mwr_stream_request(call->stream);
    mwr_note_posted(call, number, source, tag, id);
    follow_plain(call, MWR_REQUEST_RECV, id, number, *request);
}

void mwr_note_received(struct mwr_call *call, uint32_t comm, uint64_t id,
                       const MPI_Status *status, bool is_whole)
{
    if (status->MPI_SOURCE >= 0) {
        struct mw_message_member message = {.peer = status->MPI_SOURCE,
                                            .tag = status->MPI_TAG,
                                            .bytes = received_bytes(status, is_whole)};

        mwr_note_request_message(call, MW_MEMBER_RECV_COMPLETE, comm, &message, id);
    }
}

/* --- both at once ---------------------------------------------------------------- */

void mwr_after_sendrecv(struct mwr_call *call, int result, MPI_Comm comm, int dest, int sendtag,
                        int64_t count, MPI_Datatype datatype, int source, int recvtag,
                        const MPI_Status *status)
{
    if ((!call->record && !call->tally) ||
        (result != MPI_SUCCESS && !failed_but_received(call, result))) {
        return;
    }
    mwr_after_send(call, MPI_SUCCESS, comm, dest, sendtag, count, datatype);
    mwr_after_recv(call, MPI_SUCCESS, comm, source, recvtag, status);
}

/* With nobody on one side it is a send or a receive like others. */
static enum mwr_request_kind kind_between(int dest, int source)
{
    if (source == MPI_PROC_NULL) {
        return MWR_REQUEST_SEND;
    }
    return dest == MPI_PROC_NULL ? MWR_REQUEST_RECV : MWR_REQUEST_SENDRECV;
}

void mwr_after_isendrecv(struct mwr_call *call, int result, MPI_Comm comm, int dest, int tag,
                         int64_t count, MPI_Datatype datatype, int source, int recvtag,
                         const MPI_Request *request)
{
    struct mw_message_member message = {.peer = dest, .tag = tag};
    struct mwr_request started = {.kind = kind_between(dest, source)};

    if (!call->record) {
        if (result == MPI_SUCCESS) {
            unrecorded(call, started.kind, comm, dest != MPI_PROC_NULL ? count : 0, datatype,
                       request);
        }
        return;
    }
    if (MW_UNLIKELY(result != MPI_SUCCESS)) {
        mwr_call_failed(call, result);
        return;
    }
    message.bytes = mwr_bytes_of(count, datatype);
    started.key = mwr_request_key(*request);
    started.comm = number_of(comm);
    started.id = mwr_stream_request(call->stream);
    started.of.sendrecv.source = source;
    started.of.sendrecv.tag = recvtag;
    (void)mwr_stream_request(call->stream); /* the receive's, id + 1 */
    if (dest != MPI_PROC_NULL) {
        mwr_note_request_message(call, MW_MEMBER_ISEND, started.comm, &message, started.id);
    }
    if (source != MPI_PROC_NULL) {
        mwr_note_posted(call, started.comm, source, recvtag, started.id + 1);
    }
    if (started.kind == MWR_REQUEST_SENDRECV) {
        mwr_follow(&started, *request);
    } else if (dest != MPI_PROC_NULL || source != MPI_PROC_NULL) {
        follow_plain(call, started.kind, started.id + (dest == MPI_PROC_NULL), started.comm,
                     *request);
    }
}

/* --- probes ------------------------------------------------------------------------ */

void mwr_after_probe(struct mwr_call *call, int result, MPI_Comm comm, int source, int tag,
                     const MPI_Status *status)
{
    struct mw_found_member *member;

    if (!call->record) {
        return;
    }
    if (MW_UNLIKELY(result != MPI_SUCCESS)) {
        mwr_call_failed(call, result);
        return;
    }
    if (status->MPI_SOURCE < 0) {
        return; /* nobody sends from MPI_PROC_NULL */
    }
    member = mwr_call_member(call, MW_MEMBER_FOUND, sizeof *member, number_of(comm));
    if (member) {
        member->source =
            (uint32_t)status->MPI_SOURCE | (source == MPI_ANY_SOURCE ? MW_FOUND_ANY : 0);
        member->tag = (uint32_t)status->MPI_TAG | (tag == MPI_ANY_TAG ? MW_FOUND_ANY : 0);
        mw_spool_commit(member);
    }
}

void mwr_after_look(struct mwr_call *call, int result, bool has_found)
{
    if (result != MPI_SUCCESS || has_found) {
        mwr_after_plain(call, result);
    } else {
        mwr_call_end_poll(call);
        call->record = NULL;
    }
}

void mwr_after_iprobe(struct mwr_call *call, int result, MPI_Comm comm, int source, int tag,
                      int flag, const MPI_Status *status)
{
    if (result != MPI_SUCCESS || flag) {
        mwr_after_probe(call, result, comm, source, tag, status);
    } else {
        mwr_after_look(call, result, false);
    }
}

void mwr_after_mprobe(struct mwr_call *call, int result, MPI_Comm comm, int source, int tag,
                      MPI_Message message)
{
    struct mwr_request matched = {.kind = MWR_REQUEST_MESSAGE};

    if (result != MPI_SUCCESS) {
        mwr_call_failed(call, result);
        return;
    }
    if (message == MPI_MESSAGE_NO_PROC || message == MPI_MESSAGE_NULL) {
        return;
    }
    matched.key = mwr_message_key(message);
    if (call->record) {
        matched.comm = number_of(comm);
        matched.id = mwr_stream_request(call->stream);
        mwr_note_posted(call, matched.comm, source, tag, matched.id);
    } else if (call->tally) {
        matched.is_filtered = true;
        matched.on = mwr_comm_known(comm);
    } else {
        matched.kind = MWR_REQUEST_UNRECORDED;
    }
    mwr_message_add(&matched);
}

void mwr_after_mrecv(struct mwr_call *call, int result, uintptr_t message,
                     const MPI_Status *status)
{
    struct mwr_request matched;
    bool is_received = result == MPI_SUCCESS || failed_but_received(call, result);

    if (!mwr_request_remove(message, &matched) || !is_received ||
        matched.kind == MWR_REQUEST_UNRECORDED) {
        return;
    }
    if (matched.is_filtered) {
        mwr_filter_moved(call, matched.on, 0, mwr_status_bytes(status));
    } else {
        mwr_note_received(call, matched.comm, matched.id, status, result == MPI_SUCCESS);
    }
}

void mwr_after_imrecv(struct mwr_call *call, int result, uintptr_t message,
                      const MPI_Request *request)
{
    struct mwr_request matched;

    mwr_after_plain(call, result);
    if (mwr_request_remove(message, &matched) && result == MPI_SUCCESS) {
        if (matched.kind == MWR_REQUEST_MESSAGE) {
            matched.kind = MWR_REQUEST_RECV;
        }
        matched.key = mwr_request_key(*request);
        mwr_follow(&matched, *request);
    }
}
