#ifndef MWR_STATE_REQUESTS_H
#define MWR_STATE_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/status.h"
#include "recorder/dispatch/mpi_header.h"
#include "recorder/state/own_mpi.h"

/*
 * The requests (and matched messages) that the recorder follows from their start to
 * their completion, by handle. Looking up, adding and removing take constant time,
 * however many are outstanding.
 *
 * Requests that are not found here (generalized ones) are none of the recorder's business.
 *
 * All functions are thread-safe; they lock only under MPI_THREAD_MULTIPLE.
 */

struct mwr_comm;
struct mwr_creation;

enum mwr_request_kind {
    MWR_REQUEST_SEND,
    MWR_REQUEST_RECV,
    MWR_REQUEST_SENDRECV, /* id is the send's, id + 1 the receive's */
    MWR_REQUEST_PARTITIONED_RECV,
    MWR_REQUEST_COLL,
    MWR_REQUEST_IDUP,
    MWR_REQUEST_RMA, /* comm is the number of the window */
    MWR_REQUEST_IO,  /* comm is the number of the open file */
    MWR_REQUEST_MESSAGE, /* an MPI_Message, not a request */
    MWR_REQUEST_UNRECORDED /* of which no more is known than that the handle is its own */
};

enum mwr_persistence {
    MWR_ONCE,
    MWR_NOBODY, /* persistent, and never recorded, since there is nobody at the other end */
    MWR_INACTIVE,
    MWR_ACTIVE
};

/* What is to be known of some kinds besides; of others zero. */
union mwr_request_details {
    struct {
        int32_t peer;
        int32_t tag;
        uint64_t bytes;
        uint32_t lane;       /* of one in partitions (lanes.h), else 0 */
        uint32_t partitions; /* of a send in partitions, else 0 */
        uint32_t unready;    /* so many of them, since its start */
        uint32_t unready_which; /* of the first 32 of them, a bit for each */
    } message; /* of persistent sends and receives */
    struct {
        int32_t source; /* as asked for: perhaps a wildcard */
        int32_t tag;
    } sendrecv;
    struct {
        int32_t root;
        uint32_t operation; /* OTF2_CollectiveOp, with from of struct mwr_volume */
        uint64_t sent;
        uint64_t received;
    } collective;
    struct {
        MPI_Comm *handle; /* where the application will find it */
        struct mwr_creation *creation; /* on the heap */
    } idup;
};

struct mwr_request {
    uintptr_t key; /* the handle */
    /* In the records; 0: not recorded, a persistent one that is inactive, or a send in partitions
     * of which not all are ready. */
    uint64_t id;
    uint32_t comm; /* number */
    uint8_t kind;  /* enum mwr_request_kind */
    uint8_t persistence; /* enum mwr_persistence */
    bool is_cancelled; /* MPI_Cancel was called: how it ends is to be asked */
    bool is_filtered;  /* its communicator is only counted: id is 0 */
    uint64_t stamp;    /* among threads: counts what is added (requests.c) */
    const struct mwr_comm *on; /* of filtered and of persistent ones */
    union mwr_request_details of;
};

static inline uintptr_t mwr_request_key(MPI_Request request)
{
    return (uintptr_t)request;
}

static inline uintptr_t mwr_message_key(MPI_Message message)
{
    /* Messages and requests are objects of their own, but the handles may be alike. */
    return (uintptr_t)message ^ (uintptr_t)1 << (sizeof(uintptr_t) * 8 - 1);
}

/* Called in MPI_Init, and once; is_multiple tells whether to lock from now on. */
void mwr_requests_init(bool is_multiple);

/*
 * How many were added under MPI_THREAD_MULTIPLE so far. A thread keeps it in mwr_thread.entered
 * when a call is entered: what the functions below find is what a handle was at that time.
 */
uint64_t mwr_requests_added(void);

enum mwr_followed {
    MWR_FOLLOWED,         /* its completion will be seen */
    MWR_ALREADY_COMPLETE, /* its handle is a shared one, or null */
    MWR_NOT_FOLLOWED      /* no memory, which is counted */
};

/* Adds a request; its key is that of the handle. */
enum mwr_followed mwr_request_add(const struct mwr_request *request, MPI_Request handle);

/*
 * The same of a send, a receive or both that is not persistent, of which no more is to be
 * known. on: its communicator, which is filtered; null: it is recorded as id, on number comm.
 */
enum mwr_followed mwr_request_add_plain(MPI_Request handle, enum mwr_request_kind kind,
                                        uint64_t id, uint32_t comm, const struct mwr_comm *on);

/*
 * A request began that is not recorded, in a pause or for want of room: among threads its handle
 * may be that of another one whose completion is under way, from which it is to be told.
 */
void mwr_request_add_unrecorded(MPI_Request handle);

/* The same of a persistent request none of whose starts is recorded: it is with nobody, say. */
void mwr_request_add_never_recorded(MPI_Request handle);

/* Adds a matched message. */
void mwr_message_add(const struct mwr_request *message);

/* Copies what is known of key to *request. \return false if it is unknown. */
bool mwr_request_find(uintptr_t key, struct mwr_request *request);

/* What the filter has to know of a request. */
enum mwr_request_state {
    MWR_REQUEST_UNKNOWN,
    MWR_REQUEST_RECORDED,
    MWR_REQUEST_FILTERED,
    MWR_REQUEST_RESTING /* persistent and not active */
};

/* *on: its communicator if it is filtered or resting, not changed if it is unknown. */
enum mwr_request_state mwr_request_look(uintptr_t key, const struct mwr_comm **on);

/*
 * The ids of the first most of count requests that are not null, 0 of those that have none.
 * *unready: the first one that is a send in partitions of which some are not ready, and recorded;
 * its key is 0: none is. \return how many are not null.
 */
uint32_t mwr_requests_look(int count, const MPI_Request requests[], uint64_t ids[],
                           uint32_t most, struct mwr_request *unready);

/* Writes a changed request back (the key must be known). */
void mwr_request_update(const struct mwr_request *request);

/*
 * So many partitions of an active send become ready, or, below 0, turn out not to be: of the first
 * 32 these.
 *
 * \return whether none is left that is not, which is told of one call only, with a copy in
 * *request; false also of any other request, and of more partitions than are left.
 */
bool mwr_request_ready(uintptr_t key, int64_t partitions, uint32_t which,
                       struct mwr_request *request);

/*
 * A request is complete: copies it to *request and forgets it, or makes it inactive if
 * it is persistent.
 *
 * \return false if it is unknown, or persistent and inactive.
 */
bool mwr_request_complete(uintptr_t key, struct mwr_request *request);

/* How a send, a receive or both on a filtered communicator ends, unless it is persistent. */
struct mwr_plain_end {
    const struct mwr_comm *on;
    enum mwr_request_kind kind;
    bool is_cancelled;
};

/* As mwr_request_complete, but \return false also for requests of any other sort. */
bool mwr_request_complete_plain(uintptr_t key, struct mwr_plain_end *end);

/* Forgets key, persistent or not, with a copy in *request. */
bool mwr_request_remove(uintptr_t key, struct mwr_request *request);

/* Gives the table's memory back if it has no request. Thread-safe; it may be filled again. */
void mwr_requests_let_go(void);

/* How many requests could not be followed for want of memory. */
uint64_t mwr_requests_lost(void);

#endif
