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

/* Where a thread keeps the tally of a communicator and a call. */
MW_INLINE unsigned mwr_filter_place(uint32_t comm, unsigned call)
{
    return (comm * 5 + call) % MWR_TALLIES_RECENT;
}

/*
 * The tally of this thread, which records, for a communicator and a call. Never null; valid
 * until the thread's next call of this function.
 */
struct mwr_tally *mwr_filter_tally_slowly(uint32_t comm, unsigned call);

MW_INLINE struct mwr_tally *mwr_filter_tally(uint32_t comm, unsigned call)
{
    struct mwr_tally *recent = mwr_thread.tallies[mwr_filter_place(comm, call)];

    return MW_LIKELY(recent && recent->comm == comm && recent->call == call)
               ? recent
               : mwr_filter_tally_slowly(comm, call);
}

/* The call is filtered: counts it, and it has no record. */
MW_INLINE void mwr_filter_take(struct mwr_call *call, unsigned id, uint32_t comm)
{
    struct mwr_tally *tally = mwr_filter_tally(comm, id);

    tally->calls++;
    call->stream = NULL;
    call->record = NULL;
    call->tally = tally;
}

/* Whether this thread records at this moment, so that it has tallies. */
MW_INLINE bool mwr_filter_is_on(void)
{
    return mwr_thread.generation == __atomic_load_n(&mwr_generation, __ATOMIC_ACQUIRE) &&
           mwr_thread.recording;
}

MW_INLINE bool mwr_comm_is_filtered(const struct mwr_comm *comm)
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
