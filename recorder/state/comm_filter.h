#ifndef MWR_STATE_COMM_FILTER_H
#define MWR_STATE_COMM_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/dispatch/mpi_header.h"
#include "recorder/state/comms.h"
#include "recorder/state/thread.h"
#include "recorder/state/thread_tallies.h"
#include "recorder/variables/sampling.h"

/*
 * Which communicators are recorded (--comms, --no-world). What is called on the others is
 * counted, by thread, communicator and call (tallies.h), and neither timed nor traced.
 */

/* Whether any communicator may be left out; false until MPI_Init. */
extern bool mwr_filtering __attribute__((visibility("hidden")));

/* Reads the settings. Before mwr_comms_init. */
void mwr_filter_start(void);

/* Whether names count, so that communicators have to know theirs. */
bool mwr_filter_needs_names(void);

/* Decides anew about a communicator: it is new, or its name or its registration has changed. */
void mwr_filter_judge(struct mwr_comm *comm);

/* The call is filtered: counts it, and it has no record. */
MW_INLINE void mwr_filter_take(struct mwr_call *call, unsigned id, uint32_t comm)
{
    struct mw_tally *tally = mwr_tally_of(comm, id);

    tally->calls++;
    mwr_sample_unseen();
    call->stream = NULL;
    call->record = NULL;
    call->tally = tally;
}

MW_INLINE bool mwr_comm_is_filtered(const struct mwr_comm *comm)
{
    return comm && __atomic_load_n(&comm->is_filtered, __ATOMIC_RELAXED);
}

/* Bytes of a call that is filtered; those that are not known count nothing. */
static inline void mwr_tally_bytes(struct mw_tally *tally, uint64_t sent, uint64_t received)
{
    tally->sent += sent == UINT64_MAX ? 0 : sent;
    tally->received += received == UINT64_MAX ? 0 : received;
}

#endif
