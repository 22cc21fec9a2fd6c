#ifndef MWR_HOOKS_MESSAGE_H
#define MWR_HOOKS_MESSAGE_H

#include <stdint.h>

#include "recorder/dispatch/mpi_header.h"
#include "recorder/state/requests.h"
#include "recorder/state/thread.h"
#include "recorder/state/types.h"

/*
 * What point-to-point calls mean: members of their records, and requests to follow.
 * Every function is called after the library's, with what the library returned; call
 * may have no record. A call that failed is noted as such; a receive that failed
 * because its buffer was too small has taken its message all the same.
 */

static inline void mwr_after_plain(struct mwr_call *call, int result)
{
    if (MW_UNLIKELY(result != MPI_SUCCESS)) {
        mwr_call_failed(call, result);
    }
}

void mwr_after_send(struct mwr_call *call, int result, MPI_Comm comm, int dest, int tag,
                    int64_t count, MPI_Datatype datatype);
void mwr_after_isend(struct mwr_call *call, int result, MPI_Comm comm, int dest, int tag,
                     int64_t count, MPI_Datatype datatype, const MPI_Request *request);
void mwr_after_recv(struct mwr_call *call, int result, MPI_Comm comm, int source, int tag,
                    const MPI_Status *status);
void mwr_after_irecv(struct mwr_call *call, int result, MPI_Comm comm, int source, int tag,
                     const MPI_Request *request);
void mwr_after_sendrecv(struct mwr_call *call, int result, MPI_Comm comm, int dest, int sendtag,
                        int64_t count, MPI_Datatype datatype, int source, int recvtag,
                        const MPI_Status *status);
void mwr_after_isendrecv(struct mwr_call *call, int result, MPI_Comm comm, int dest, int tag,
                         int64_t count, MPI_Datatype datatype, int source, int recvtag,
                         const MPI_Request *request);

/* A probe for source and tag: the message that it found, if there was one. */
void mwr_after_probe(struct mwr_call *call, int result, MPI_Comm comm, int source, int tag,
                     const MPI_Status *status);

/* Looks, and completes nothing: if it found nothing, ends the record as a poll. */
void mwr_after_look(struct mwr_call *call, int result, bool has_found);

/* MPI_Iprobe or MPI_Improbe: if it found nothing (flag), ends the record as a poll. */
void mwr_after_iprobe(struct mwr_call *call, int result, MPI_Comm comm, int source, int tag,
                      int flag, const MPI_Status *status);

/*
 * A matched probe is where the receive takes its place in the order of messages: it is
 * recorded as the posting of a receive, MPI_Mrecv and MPI_Imrecv as its continuation.
 */
void mwr_after_mprobe(struct mwr_call *call, int result, MPI_Comm comm, int source, int tag,
                      MPI_Message message);
void mwr_after_mrecv(struct mwr_call *call, int result, uintptr_t message,
                     const MPI_Status *status);
void mwr_after_imrecv(struct mwr_call *call, int result, uintptr_t message,
                      const MPI_Request *request);

/* --- for the other hooks --------------------------------------------------- */

/*
 * Bytes of count elements; MW_BYTES_UNKNOWN if the type's size can't be told. Of no elements the
 * type may be none, which MPI lets pass in a message but not in MPI_Type_size_x.
 */
static inline uint64_t mwr_bytes_of(int64_t count, MPI_Datatype datatype)
{
    uint64_t size, bytes;

    if (MW_UNLIKELY(count <= 0)) {
        return count == 0 ? 0 : MW_BYTES_UNKNOWN;
    }
    size = mwr_type_size(datatype);
    if (MW_UNLIKELY(size == MW_BYTES_UNKNOWN ||
                    __builtin_mul_overflow(size, (uint64_t)count, &bytes))) {
        return MW_BYTES_UNKNOWN;
    }
    return bytes;
}

/* The bytes that a receive, or a transfer of MPI-IO, got by its status. */
uint64_t mwr_status_bytes(const MPI_Status *status);

/* Writes that the receive id is complete with status, unless it was from MPI_PROC_NULL. Not
 * is_whole: its buffer was too short for the message. */
void mwr_note_received(struct mwr_call *call, uint32_t comm, uint64_t id,
                       const MPI_Status *status, bool is_whole);

/* Writes that a receive is posted, of source and tag as they were asked for. */
void mwr_note_posted(struct mwr_call *call, uint32_t comm, int source, int tag, uint64_t id);

/* Writes that a message of the request id is begun, or complete. */
void mwr_note_request_message(struct mwr_call *call, enum mw_record_type type, uint32_t comm,
                              const struct mw_message_member *message, uint64_t id);

/* Follows a request of which more is to be known. */
void mwr_follow(const struct mwr_request *request, MPI_Request handle);

#endif
