#ifndef MWR_VARIABLES_SAMPLING_H
#define MWR_VARIABLES_SAMPLING_H

#include <stdint.h>

#include "formats/base/status.h"

/*
 * The hot path's half of recorder/variables: what recorder/state/thread asks at each
 * call. With no variable selected it is one load and one branch.
 */

struct mwr_call;
struct mwr_stream;

enum mwr_sampling_bits {
    MWR_SAMPLE_AT_LEAVE = 1,
    MWR_SAMPLE_AT_ENTER = 2,
    MWR_SAMPLE_WAITING = 4, /* variables are to be bound before the next call */
    MWR_SAMPLE_EVENTS = 8   /* events of the MPI may wait in their queue */
};

#define MWR_SAMPLE_LEAVING (MWR_SAMPLE_AT_LEAVE | MWR_SAMPLE_EVENTS) /* what a call's end does */

extern uint32_t mwr_sampling __attribute__((visibility("hidden"))); /* set of these bits */

/*
 * From when on what was read last is too old to be the value at the entry of a call; 0: it always
 * is, since calls were made that nobody read after.
 */
extern uint64_t mwr_gap_begins __attribute__((visibility("hidden")));

/*
 * A call begins that is not recorded, or calls may have been made that were not: nobody knows what
 * the variables have been since they were read last.
 */
static inline void mwr_sample_unseen(void)
{
    if (mwr_sampling & MWR_SAMPLE_AT_LEAVE) {
        __atomic_store_n(&mwr_gap_begins, 0, __ATOMIC_RELAXED);
    }
}

/*
 * Reads variables, and takes the MPI's events, at the end of call, entered and not left, whose
 * time of leave is now, and adds what is to be written to its record.
 */
void mwr_sample_leave(struct mwr_call *call, uint64_t now);

/*
 * Before call (enum mw_call) is entered at now: what is pending is written, if it was read some
 * time ago; what waits for a call is bound.
 */
void mwr_sample_before(struct mwr_stream *stream, unsigned call, uint64_t now);

/*
 * A record that is no call is about to be written at now: what waits for a call is read as if it
 * had been then, since variables change inside calls, and times may not run backwards.
 */
void mwr_sample_moves(uint64_t now);

/* After it was entered. */
void mwr_sample_enter(struct mwr_call *call);

#endif
