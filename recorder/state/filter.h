#ifndef MWR_STATE_FILTER_H
#define MWR_STATE_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/dispatch/mpi_header.h"
#include "recorder/state/comms.h"
#include "recorder/state/thread.h"

/*
 * Which communicators are recorded (--comms, --no-world), and what is called on the others:
 * that is counted, by thread, communicator and call, and neither timed nor traced.
 */

/* Whether any communicator may be left out; false until MPI_Init. */
extern bool mwr_filtering __attribute__((visibility("hidden")));

/* What was called of one kind on one communicator. */
struct mwr_tally {
    uint32_t comm; /* number; MW_COMM_NONE: past those that are told apart */
    uint32_t call; /* enum mw_call, MW_CALL_COUNT: the slot is free */
    uint64_t calls;
    uint64_t sent; /* bytes */
    uint64_t received;
};

/* Pairs of communicator and call that a thread tells apart. */
#define MWR_TALLIES_MAX 200000u

/* Reads the settings. Before mwr_comms_init. */
void mwr_filter_start(void);

/* Whether names count, so that communicators have to know theirs. */
bool mwr_filter_needs_names(void);

/* Decides anew about a communicator: it is new, or its name or its registration has changed. */
void mwr_filter_judge(struct mwr_comm *comm);

/*
 * The tally of the thread that owns stream for a communicator and a call. Never null; valid
 * until the next call of this function on the stream.
 */
struct mwr_tally *mwr_filter_tally_slowly(struct mwr_stream *stream, uint32_t comm,
                                          unsigned call);

static inline struct mwr_tally *mwr_filter_tally(struct mwr_stream *stream, uint32_t comm,
                                                 unsigned call)
{
    struct mwr_tally *recent = stream->recent_tallies[(comm * 5 + call) % MWR_TALLIES_RECENT];

    return MW_LIKELY(recent && recent->comm == comm && recent->call == call)
               ? recent
               : mwr_filter_tally_slowly(stream, comm, call);
}

/* The call is filtered: counts it, and it has no record. */
static inline void mwr_filter_take(struct mwr_call *call, unsigned id, uint32_t comm)
{
    struct mwr_tally *tally = mwr_filter_tally(mwr_thread.recording, comm, id);

    tally->calls++;
    call->stream = NULL;
    call->record = NULL;
    call->tally = tally;
}

/* Whether this thread records at this moment, so that it has tallies. */
static inline bool mwr_filter_is_on(void)
{
    return mwr_thread.generation == __atomic_load_n(&mwr_generation, __ATOMIC_ACQUIRE) &&
           mwr_thread.recording;
}

static inline bool mwr_comm_is_filtered(const struct mwr_comm *comm)
{
    return comm && __atomic_load_n(&comm->is_filtered, __ATOMIC_RELAXED);
}

/* Bytes of a call that is filtered; those that are not known count nothing. */
static inline void mwr_tally_bytes(struct mwr_tally *tally, uint64_t sent, uint64_t received)
{
    tally->sent += sent == UINT64_MAX ? 0 : sent;
    tally->received += received == UINT64_MAX ? 0 : received;
}

/* Writes all threads' tallies to the definitions: at the end, with mwr_recorder.lock held. */
void mwr_filter_tell(void);

#endif
